#include "reply.h"

#include <stdio.h>

static bool append_string(struct buffer *reply, const char *string) {
    return buffer_append(reply, slice_from_string(string));
}

/*
 * Whether `c` cannot stand for itself in quotes. Printable ASCII is tested as a range: isprint()
 * asks the locale about each byte, and what the protocol says must not depend on one.
 */
static bool needs_escape(unsigned char c) {
    return c < 0x20 || c > 0x7e || c == '"' || c == '\\';
}

static bool append_escape(struct buffer *reply, unsigned char c) {
    char hex[5];
    switch (c) {
    case '"':
        return append_string(reply, "\\\"");
    case '\\':
        return append_string(reply, "\\\\");
    case '\n':
        return append_string(reply, "\\n");
    case '\r':
        return append_string(reply, "\\r");
    case '\t':
        return append_string(reply, "\\t");
    default:
        (void)snprintf(hex, sizeof hex, "\\x%02x", c);
        return append_string(reply, hex);
    }
}

/* How many bytes at the start of `text` stand for themselves. */
static size_t plain_length(struct slice text) {
    size_t length = 0;
    while (length < text.length && !needs_escape(text.data[length])) {
        length++;
    }
    return length;
}

/* Copies the runs that need no escape in one piece each: most values are one such run. */
static bool append_escaped(struct buffer *reply, struct slice text) {
    while (text.length > 0) {
        size_t plain = plain_length(text);
        if (!buffer_append(reply, slice_from(text.data, plain))) {
            return false;
        }
        if (plain == text.length) {
            return true;
        }
        if (!append_escape(reply, text.data[plain])) {
            return false;
        }
        text = slice_from(text.data + plain + 1, text.length - plain - 1);
    }
    return true;
}

bool reply_quoted(struct buffer *reply, struct slice text) {
    size_t before = buffer_length(reply);
    bool ok =
        append_string(reply, "\"") && append_escaped(reply, text) && append_string(reply, "\"\n");
    if (!ok) {
        buffer_truncate(reply, before);
    }
    return ok;
}

bool reply_text(struct buffer *reply, struct slice text) {
    size_t before = buffer_length(reply);
    bool ok = buffer_append(reply, text) && append_string(reply, "\n");
    if (!ok) {
        buffer_truncate(reply, before);
    }
    return ok;
}

bool reply_message(struct buffer *reply, const struct messages *messages, enum message message,
                   const struct template_value *values, size_t count) {
    struct text text;
    size_t before = buffer_length(reply);
    if (template_render(messages->templates[message], values, count, &text) != TEMPLATE_OK) {
        return false;
    }
    bool ok = buffer_append(reply, slice_from(text.data, text.length)) &&
              buffer_append(reply, slice_from("\n", 1));
    text_release(&text);
    if (!ok) {
        buffer_truncate(reply, before);
    }
    return ok;
}
