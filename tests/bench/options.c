#include "options.h"

#include <inttypes.h>
#include <stdlib.h>

#include "complain.h"

static bool read_digits(const char *text, uint64_t *number) {
    uint64_t value = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || value > (UINT64_MAX - 9) / 10) {
            return false;
        }
        value = value * 10 + (uint64_t)(*c - '0');
    }
    *number = value;
    return text[0] != '\0';
}

bool options_read_number(const char *option, const char *text, uint64_t low, uint64_t high,
                         uint64_t *number) {
    uint64_t value;
    if (read_digits(text, &value) && value >= low && value <= high) {
        *number = value;
        return true;
    }
    complain("%s=%s: give a whole number from %" PRIu64 " to %" PRIu64, option, text, low, high);
    return false;
}

bool options_read_factor(const char *option, const char *text, double *factor) {
    char *end;
    const double value = strtod(text, &end);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= 1) {
        *factor = value;
        return true;
    }
    complain("%s=%s: give a number of at least 1, such as 2.40", option, text);
    return false;
}
