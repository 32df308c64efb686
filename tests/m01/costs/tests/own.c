/* In the place of a student's own rows. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "dead.h"

static uint64_t crash(void *state, uint64_t steps) {
    (void)state;
    (void)raise(SIGKILL);
    return steps;
}

static uint64_t leave(void *state, uint64_t steps) {
    (void)state;
    exit(steps > 0 ? 3 : 4);
}

static void *open_nothing(uint64_t size) {
    cost_cannot("there are no %d things here", (int)size);
    return NULL;
}

static void *open_size(uint64_t size) {
    uint64_t *state = malloc(sizeof *state);
    if (state != NULL) {
        *state = size;
    }
    return state;
}

/* Works if it was handed what open_size() returned for 42. */
static uint64_t need_size(void *state, uint64_t steps) {
    if (*(const uint64_t *)state != 42) {
        abort();
    }
    return alive(state, steps);
}

const struct cost_row mine[] = {
    {.name = "alive", .what = "a row that works", .run = alive},
    {.name = "dead", .what = "a row whose work is left out", .run = dead_hoisted},
    {.name = "crashing", .what = "a row that crashes", .run = crash},
    {.name = "leaving", .what = "a row that ends its process", .run = leave},
    {.name = "without",
     .what = "a row without what it needs",
     .run = alive,
     .open = open_nothing,
     .size = 42},
    {.name = "sized",
     .what = "a row with a size",
     .run = need_size,
     .open = open_size,
     .close = free,
     .size = 42},
    {.name = NULL},
};
