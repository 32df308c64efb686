#include "dead.h"

#include <string.h>

static const char text[] = "a text of forty-two bytes, as it turns out";

uint64_t dead_unused(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        sum += strlen(text) / (step + 1);
    }
    (void)sum;
    return steps;
}

uint64_t dead_hoisted(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        sum += strlen(text);
    }
    return sum;
}

uint64_t dead_series(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < 8 * steps; step++) {
        sum += 3;
    }
    return sum;
}

uint64_t dead_within_a_loop(void *state, uint64_t steps) {
    uint64_t length = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        cost_use(NULL);
        length = strlen(text);
    }
    return length;
}

uint64_t alive(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        sum += strlen(cost_hide_pointer(text));
    }
    return sum;
}
