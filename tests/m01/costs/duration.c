#include "duration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct unit {
    const char *name;
    double ns;
} units[] = {{"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"\u03bcs", 1e3}, {"ms", 1e6}, {"s", 1e9}};

enum { UNITS = sizeof units / sizeof units[0] };

void duration_say(double ns, char text[DURATION_TEXT_MAX]) {
    const char *unit = "ns";
    if (ns >= 999.5e6) {
        ns /= 1e9;
        unit = "s";
    } else if (ns >= 999.5e3) {
        ns /= 1e6;
        unit = "ms";
    } else if (ns >= 999.5) {
        ns /= 1e3;
        unit = "us";
    }
    const int digits = ns < 0.995 ? 2 : ns < 9.95 ? 1 : 0;
    (void)snprintf(text, DURATION_TEXT_MAX, "%.*f %s", digits, ns, unit);
}

/* Reads digits with at most one point among them, from `*text`, which is moved behind them. */
static bool read_digits(const char **text, double *number) {
    double scale = 1;
    bool point = false;
    bool any = false;
    *number = 0;
    for (;; ++*text) {
        const char c = **text;
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            *number = *number * 10 + (c - '0');
            scale *= point ? 10 : 1;
            any = true;
        } else {
            break;
        }
    }
    *number /= scale;
    return any;
}

const char *duration_read(const char *text, double *ns) {
    text += strspn(text, " \t");
    if (text[0] == '\0' || text[0] == '_') {
        return "the time is missing; write one such as 20 ns, 3 us or 1 ms";
    }
    if (text[0] == '-') {
        return "no time is less than nothing; write one such as 20 ns, 3 us or 1 ms";
    }
    double number;
    if (!read_digits(&text, &number)) {
        return "this is no time; write one such as 20 ns, 3 us or 1 ms";
    }
    if (text[0] == ',') {
        return "write a decimal comma as a point, and thousands without a mark";
    }
    text += strspn(text, " \t");
    if (text[0] == '\0') {
        return "the unit is missing; write ns, us or ms behind the number";
    }
    for (int i = 0; i < UNITS; i++) {
        if (strcmp(text, units[i].name) == 0) {
            *ns = number * units[i].ns;
            return *ns > 0 && *ns < 1e18 ? NULL : "write a time above 0 and below a year";
        }
    }
    return "the unit is none of ns, us and ms; write one number and one of these";
}

int duration_off(double guess_ns, double measured_ns) {
    return (int)lround(log10(guess_ns / measured_ns));
}
