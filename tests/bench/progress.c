#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define TO_START_AND_ERASE "\r\033[K"

void progress_show(const char *format, ...) {
    if (isatty(STDERR_FILENO)) {
        va_list arguments;
        va_start(arguments, format);
        fputs(TO_START_AND_ERASE, stderr);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
    }
}

void progress_clear(void) {
    progress_show("%s", "");
}
