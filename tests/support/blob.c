#include "blob.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

void blob_release(struct blob *blob) {
    free(blob->data);
    *blob = (struct blob){0};
}

void blob_clear(struct blob *blob) {
    blob->length = 0;
}

/* Makes room for `length` more bytes and one behind them, which vsnprintf() needs for its NUL. */
static unsigned char *grow(struct blob *blob, size_t length) {
    size_t needed = blob->length + length + 1;
    if (needed > blob->capacity) {
        size_t capacity = needed < 2 * blob->capacity ? 2 * blob->capacity : needed;
        unsigned char *data = realloc(blob->data, capacity);
        if (data == NULL) {
            die("blob");
        }
        blob->data = data;
        blob->capacity = capacity;
    }
    unsigned char *end = blob->data + blob->length;
    blob->length += length;
    return end;
}

void blob_add(struct blob *blob, const void *data, size_t length) {
    if (length > 0) {
        memcpy(grow(blob, length), data, length);
    }
}

void blob_add_byte(struct blob *blob, unsigned char byte) {
    *grow(blob, 1) = byte;
}

void blob_add_run(struct blob *blob, unsigned char byte, size_t length) {
    memset(grow(blob, length), byte, length);
}

void blob_print(struct blob *blob, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        die(format);
    }
    size_t room = (size_t)length;
    unsigned char *end = grow(blob, room);
    vsnprintf((char *)end, room + 1, format, again);
    va_end(again);
}

static void add_quoted_byte(struct blob *blob, unsigned char byte) {
    switch (byte) {
    case '"':
    case '\\':
        blob_add_byte(blob, '\\');
        blob_add_byte(blob, byte);
        break;
    case '\n':
        blob_add(blob, "\\n", 2);
        break;
    case '\r':
        blob_add(blob, "\\r", 2);
        break;
    case '\t':
        blob_add(blob, "\\t", 2);
        break;
    default:
        if (byte >= 0x20 && byte <= 0x7e) {
            blob_add_byte(blob, byte);
        } else {
            blob_print(blob, "\\x%02x", byte);
        }
    }
}

void blob_add_quoted(struct blob *blob, struct slice bytes) {
    blob_add_byte(blob, '"');
    for (size_t i = 0; i < bytes.length; i++) {
        add_quoted_byte(blob, bytes.data[i]);
    }
    blob_add_byte(blob, '"');
}

struct slice blob_view(const struct blob *blob) {
    return (struct slice){blob->data, blob->length};
}

bool blob_equals(const struct blob *blob, struct slice bytes) {
    return blob->length == bytes.length &&
           (bytes.length == 0 || memcmp(blob->data, bytes.data, bytes.length) == 0);
}

void blob_read_file(struct blob *blob, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        die(path);
    }
    unsigned char chunk[4096];
    size_t length;
    while ((length = fread(chunk, 1, sizeof chunk, file)) > 0) {
        blob_add(blob, chunk, length);
    }
    if (ferror(file) != 0 || fclose(file) != 0) {
        die(path);
    }
}

void blob_write_file(const char *path, const void *data, size_t length) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        die(path);
    }
    if ((length > 0 && fwrite(data, 1, length, file) != length) || fclose(file) != 0) {
        die(path);
    }
}
