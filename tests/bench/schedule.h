/*
 * In what order things happen in a comparison. All of it is drawn at random, because whatever comes
 * first, or always in the same place, is measured slower or faster for that alone.
 */
#ifndef BENCH_SCHEDULE_H
#define BENCH_SCHEDULE_H

#include <stdint.h>

#include "prng.h"

enum side { SIDE_A, SIDE_B };

#define SCHEDULE_ROUNDS_MAX 64

/* Bytes of environment, more than a page of them, so that the stack comes to lie in every way. */
#define SCHEDULE_PADDING_MAX 8192

/*
 * One pair of processes. In each round both sides run the same operations once, one after the
 * other; two rounds make ABBA or BAAB, so that a steady drift cancels out and neither side comes
 * first more often.
 */
struct schedule {
    enum side started_first;
    size_t padding[2];                         /* bytes of environment, by side */
    size_t rounds;                             /* even */
    enum side first_side[SCHEDULE_ROUNDS_MAX]; /* by round */
    uint64_t seeds[SCHEDULE_ROUNDS_MAX];       /* by round: which keys */
};

/* Draws a schedule of `rounds` rounds, an even number up to SCHEDULE_ROUNDS_MAX. */
void schedule_draw(struct schedule *schedule, struct prng *prng, size_t rounds);

/* The other side. */
enum side schedule_other(enum side side);

#endif
