/*
 * How busy the other processors were, for the record: a comparison uses one, and what goes on
 * beside it is what makes a machine noisy.
 */
#ifndef BENCH_OTHERS_H
#define BENCH_OTHERS_H

#include <stdint.h>

/* What the system has counted up to now. */
struct others {
    uint64_t busy; /* ticks of all processors beside the one */
    uint64_t all;
};

/* Looks now. `cpu` is the one that measures. Where the system does not tell, nothing is counted. */
void others_look(struct others *others, int cpu);

/* The busy share between two looks, 0 to 1; negative where it is not known. */
double others_share(const struct others *before, const struct others *after);

#endif
