/* Which keys a batch of operations touches, and in what order. */
#ifndef BENCH_PICKS_H
#define BENCH_PICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "prng.h"

/* How much the busiest keys are preferred, as in YCSB's workloads. */
#define PICKS_ZIPF_EXPONENT 0.99

struct picks;

/*
 * A chooser among `keys` keys: each as likely as any other or, with `zipf`, the one of rank r with
 * a probability in proportion to 1 / r^0.99; the ranks are spread over the keys at random, in the
 * same way in each run. NULL when memory runs out. Ended with picks_free().
 */
struct picks *picks_new(size_t keys, bool zipf);

/* NULL is allowed. */
void picks_free(struct picks *picks);

/* Fills `numbers` with `count` key numbers from 0 to keys - 1. */
void picks_fill(const struct picks *picks, struct prng *prng, uint32_t *numbers, size_t count);

#endif
