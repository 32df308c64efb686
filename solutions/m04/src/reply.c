#include "reply.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* From here on a text is handed over to the buffer instead of being copied there. */
enum { LONG_TEXT = 1024 };

static bool put(struct bytes *text, char c) {
    return bytes_push(text, (unsigned char)c);
}

/* The letter behind the backslash where `c` has one, or NUL. */
static char escape_letter(unsigned char c) {
    switch (c) {
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return '\0';
    }
}

static bool put_escape(struct bytes *text, unsigned char c) {
    char hex[5];
    char letter = escape_letter(c);
    if (letter != '\0') {
        return put(text, '\\') && put(text, letter);
    }
    (void)snprintf(hex, sizeof hex, "\\x%02x", c);
    return bytes_append(text, slice_from_string(hex));
}

static bool put_byte(struct bytes *text, unsigned char c, bool escape) {
    if (escape && (c == '"' || c == '\\')) {
        return put(text, '\\') && put(text, (char)c);
    }
    if (escape && !isprint(c)) {
        return put_escape(text, c);
    }
    return put(text, (char)c);
}

/* Adds the line to the reply; takes over `line`, also where it fails. */
static bool hand_over(struct buffer *reply, struct bytes *line) {
    if (line->length >= LONG_TEXT &&
        buffer_append_external(reply, line->data, line->length, free)) {
        return true;
    }
    bool ok = buffer_append(reply, bytes_view(line));
    bytes_release(line);
    return ok;
}

bool reply_bulk(struct buffer *reply, struct slice text, bool quote, bool escape) {
    struct bytes line;
    bytes_init(&line);
    bool ok = !quote || put(&line, '"');
    for (size_t i = 0; ok && i < text.length; i++) {
        ok = put_byte(&line, text.data[i], escape);
    }
    ok = ok && (!quote || put(&line, '"')) && put(&line, '\n');
    if (!ok) {
        bytes_release(&line);
        return false;
    }
    return hand_over(reply, &line);
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
