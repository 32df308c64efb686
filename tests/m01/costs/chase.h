/*
 * How long a load takes, by the size of the set of data that it comes from: one pointer after the
 * other is followed through a set in random order, so that no load can begin before the one before
 * it has ended, and no prefetcher can guess what comes next. Then the plateaus (plateaus.h) are
 * the caches.
 *
 * Addresses have to be translated, too, and what the processor remembers of that (its TLB) reaches
 * only so far: with pages of 4 KB it adds to the time of a load from a large set. So each
 * set is measured twice: in pages as they come, and in pages of 2 MB where the system gives any.
 */
#ifndef COSTS_CHASE_H
#define COSTS_CHASE_H

#include <stdbool.h>

#include "plateaus.h"
#include "runner.h"

enum { CHASE_SIZES_MAX = 48 };

/* One curve. */
struct curve {
    size_t count;
    struct point points[CHASE_SIZES_MAX];
};

struct chase {
    struct caches caches; /* as the system names them */
    struct curve plain;   /* in pages as they come */
    struct curve huge;    /* in large pages; empty when there are none */
    double huge_share;    /* how much of the largest set was in large pages, 0 to 1 */
    size_t plateau_count; /* of the huge curve, or the plain one when there is none */
    struct plateau plateaus[PLATEAUS_MAX];
    char limit[OUTCOME_WHY_MAX]; /* why no larger sets were tried; "" when they were enough */
};

/* Levels of rows: 1 to CACHES_MAX caches, PLATEAU_MEMORY, and that in pages as they come. */
#define CHASE_MEMORY_PLAIN 6

/* Measures both curves and finds the plateaus. False, with `why`, when there is no memory. */
bool chase_measure(const struct runner *runner, struct chase *chase, char why[OUTCOME_WHY_MAX]);

/* The curve that the plateaus are of. */
const struct curve *chase_curve(const struct chase *chase);

/* What the curves say about a row's level. */
void chase_judge(const struct chase *chase, int level, struct outcome *outcome);

#endif
