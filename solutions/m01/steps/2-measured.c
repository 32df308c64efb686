/* The second try: the text is hidden from the compiler. Once side by side, once one by one. */
#include <string.h>

#include "cost.h"

static const char text[] = "0123456789012345678901234567890123456789012345678901234567890123456789"
                           "012345678901234567890123456789";

static uint64_t measure_side_by_side(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        sum += strlen(cost_hide_pointer(text));
    }
    return sum;
}

/* Where a text begins depends on the length of the one before: on whether that was 1. */
static uint64_t measure_one_by_one(void *state, uint64_t steps) {
    uint64_t length = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        length = strlen((const char *)cost_hide_pointer(text) + (length == 1));
    }
    return length;
}

const struct cost_row mine[] = {
    {.name = "strlen",
     .what = "strlen of 100 bytes, side by side",
     .mode = COST_THROUGHPUT,
     .run = measure_side_by_side},
    {.name = "strlen-chain", .what = "strlen of 100 bytes, one by one", .run = measure_one_by_one},
    {.name = NULL},
};
