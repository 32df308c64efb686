/*
 * `make layouts`: how far random layouts of one copy lie apart, what of that is noise, and whether
 * the best and the worst of them still differ when they are timed again.
 */
#ifndef BENCH_SCATTER_H
#define BENCH_SCATTER_H

#include "contest.h"
#include "spread.h"

/* What came out. */
struct scatter {
    struct survey survey;
    struct spread spread;
    uint64_t count;    /* operations in a batch */
    uint64_t *ns;      /* of each batch, at [(pass * layouts + layout) * rounds + round] */
    double *effects;   /* by layout: log of its time to the mean layout's */
    double *halves[2]; /* the same, from half of the processes each */
    double *times;     /* by layout: ns per operation */
    double *sorted;    /* the same, in rising order */
    size_t best;       /* a layout; its number is first_layout and so many on */
    size_t worst;
    struct outcome again; /* A: the best, B: the worst */
};

/* Measures the first row of copy A and prints what came out. Returns the exit code. */
int scatter_run(struct settings *settings);

#endif
