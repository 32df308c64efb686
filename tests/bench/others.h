/*
 * How busy the other processors were, for the record: a comparison uses one, and what goes on
 * beside it is what makes a machine noisy.
 */
#ifndef BENCH_OTHERS_H
#define BENCH_OTHERS_H

#include <stdint.h>
#include <stdio.h>

/* What the system has counted up to now. */
struct others {
    uint64_t busy; /* ticks of all processors beside the one */
    uint64_t all;
    uint64_t own_busy; /* ticks of the one */
    uint64_t own_all;
    double used; /* seconds of processor time that the ruler and its ended processes have used */
};

/* Looks now. `cpu` is the one that measures. Where the system does not tell, nothing is counted. */
void others_look(struct others *others, int cpu);

/* The ticks only, from an open file in the form of /proc/stat; NULL: none. */
void others_read(struct others *others, FILE *file, int cpu);

/* The busy share between two looks, 0 to 1; negative where it is not known. */
double others_share(const struct others *before, const struct others *after);

/*
 * The part of the measuring processor's time that other programs took away between two looks, 0 to
 * 1, for processes that have ended in between; negative where it is not known. Not exact: the
 * system counts in ticks.
 */
double others_rivals(const struct others *before, const struct others *after);

#endif
