#include "watchdog.h"

#include <unistd.h>

int watchdog_start(void **state) {
    (void)state;
    alarm(WATCHDOG_SECONDS);
    return 0;
}
