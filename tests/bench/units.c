#include "units.h"

#include <stdio.h>

void units_say_time(double ns, char text[UNITS_TEXT_MAX]) {
    if (ns < 1e5) {
        snprintf(text, UNITS_TEXT_MAX, "%.*f ns", ns < 100 ? 1 : 0, ns);
    } else if (ns < 1e7) {
        snprintf(text, UNITS_TEXT_MAX, "%.1f us", ns / 1e3);
    } else {
        snprintf(text, UNITS_TEXT_MAX, "%.1f ms", ns / 1e6);
    }
}
