#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Formats into `text` and returns the length. What vsnprintf() cannot encode gives an empty text:
 * an error about reporting an error would help nobody.
 */
__attribute__((format(printf, 3, 0))) static size_t
format_text(char *text, size_t size, const char *format, va_list arguments) {
    if (vsnprintf(text, size, format, arguments) < 0) {
        text[0] = '\0';
    }
    return strlen(text);
}

void error_set(struct error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    format_text(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

void error_set_system(struct error *error, int code, const char *format, ...) {
    /* The reason first, so that a long path cannot push it out of the text. */
    char reason[128];
    snprintf(reason, sizeof reason, ": %s", strerror(code));
    size_t reason_size = strlen(reason) + 1;

    va_list arguments;
    va_start(arguments, format);
    size_t length =
        format_text(error->text, sizeof error->text - reason_size + 1, format, arguments);
    va_end(arguments);
    memcpy(error->text + length, reason, reason_size);
}
