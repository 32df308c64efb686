/*
 * Micro-benchmarks of your own, for `make costs ROWS=mine`. This file is yours: it was laid out
 * once and is never written again. What a row may say is in tests/m01/costs/cost.h; the page,
 * exercises/m01/README.md, goes through an example.
 *
 * A row is a function
 *
 *     static uint64_t do_it(void *state, uint64_t steps)
 *
 * which does the operation `steps` times and returns something that depends on all results, and a
 * line in the table below
 *
 *     {.name = "do-it", .what = "what one operation is", .run = do_it},
 */
#include "cost.h"

const struct cost_row mine[] = {
    {.name = NULL}, /* the last one */
};
