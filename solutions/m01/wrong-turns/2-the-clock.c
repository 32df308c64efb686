/*
 * The thought: to know what one operation takes, take the time before and after each. What is
 * measured is the clock: the first row's operation is an add.
 */
#include <stdio.h>
#include <time.h>

#include "cost.h"

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static uint64_t time_each_add(void *state, uint64_t steps) {
    uint64_t total = 0;
    uint64_t number = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        const uint64_t start = now_ns();
        number = cost_hide(number + 3);
        total += now_ns() - start;
    }
    return total + number;
}

static uint64_t time_each_print(void *state, uint64_t steps) {
    char text[32];
    uint64_t total = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        const uint64_t start = now_ns();
        total += (uint64_t)snprintf(text, sizeof text, "%d", (int)(1000000 + step % 1000000));
        cost_use(text);
        total += now_ns() - start;
    }
    return total;
}

const struct cost_row mine[] = {
    {.name = "add-timed", .what = "an add, each timed by itself", .run = time_each_add},
    {.name = "snprintf-timed", .what = "an snprintf, each timed by itself", .run = time_each_print},
    {.name = NULL},
};
