#include "complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *program = "bench";

void complain_as(const char *name) {
    program = name;
}

static void print(const char *tail, const char *format, va_list arguments) {
    char text[2048];
    vsnprintf(text, sizeof(text), format, arguments);
    /* One call, so that two processes' complaints do not mix. */
    fprintf(stderr, "%s: %s%s%s\n", program, text, tail[0] == '\0' ? "" : ": ", tail);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print("", format, arguments);
    va_end(arguments);
}

void complain_system(const char *format, ...) {
    const char *reason = strerror(errno);
    va_list arguments;
    va_start(arguments, format);
    print(reason, format, arguments);
    va_end(arguments);
}
