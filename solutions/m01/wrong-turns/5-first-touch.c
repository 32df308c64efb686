/*
 * The thought: to see how fast memory can be filled, get 64 MB and fill it. The first time the
 * system has to find each page and clear it.
 */
#include <stdlib.h>
#include <string.h>

#include "cost.h"

#define BYTES ((size_t)64 << 20)

static uint64_t fill_fresh(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        char *memory = malloc(BYTES);
        if (memory == NULL) {
            return 0;
        }
        memset(memory, 'a', BYTES);
        cost_use(memory);
        sum += (unsigned char)memory[step % BYTES];
        free(memory);
    }
    return sum;
}

static void *open_filled(uint64_t size) {
    char *memory = malloc(BYTES);
    (void)size;
    if (memory == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    memset(memory, 'b', BYTES);
    return memory;
}

static uint64_t fill_again(void *state, uint64_t steps) {
    char *memory = state;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        memset(memory, 'a', BYTES);
        cost_use(memory);
        sum += (unsigned char)memory[step % BYTES];
    }
    return sum;
}

#define EACH .per_step = BYTES / 1024, .mode = COST_THROUGHPUT

const struct cost_row mine[] = {
    {.name = "fill-fresh", .what = "1 KB of 64 MB filled, fresh", EACH, .run = fill_fresh},
    {.name = "fill-again",
     .what = "1 KB of 64 MB filled, once more",
     EACH,
     .run = fill_again,
     .open = open_filled,
     .close = free},
    {.name = NULL},
};
