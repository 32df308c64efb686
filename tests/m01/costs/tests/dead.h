/* Rows whose work a compiler leaves out at -O2, and ones that look alike and are all right. */
#ifndef COSTS_TESTS_DEAD_H
#define COSTS_TESTS_DEAD_H

#include "cost.h"

/* Nobody sees the results. */
uint64_t dead_unused(void *state, uint64_t steps);

/* Each step has the same result, so it is worked out once. */
uint64_t dead_hoisted(void *state, uint64_t steps);

/* The results are a series with a formula for its sum. */
uint64_t dead_series(void *state, uint64_t steps);

/* The loop stays, the work in it goes. */
uint64_t dead_within_a_loop(void *state, uint64_t steps);

/* All that is done is hidden from the compiler. */
uint64_t alive(void *state, uint64_t steps);

#endif
