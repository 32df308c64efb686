#include "cost.h"

#include <stdarg.h>
#include <stdio.h>

static char why_not[256];

void cost_cannot(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why_not, sizeof why_not, format, arguments);
    va_end(arguments);
}

const char *cost_why_not(void) {
    return why_not;
}
