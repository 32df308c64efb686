/*
 * Where the time of a load stays the same over a range of sizes. Each cache makes such a plateau:
 * as long as the set fits into it, a larger set costs no more. Pure functions of numbers.
 */
#ifndef COSTS_PLATEAUS_H
#define COSTS_PLATEAUS_H

#include <stddef.h>

#include "caches.h"

/* A set of `bytes`, and what a load from it takes. */
struct point {
    double bytes;
    double ns; /* the median */
    double lowest;
    double highest;
};

struct plateau {
    size_t first; /* of its points, and the last */
    size_t last;
    double ns; /* the median of its points' */
    int level; /* 1, 2 ... for caches, PLATEAU_MEMORY, or 0: not known */
};

#define PLATEAUS_MAX 8
#define PLATEAU_MEMORY 5

/*
 * Finds the plateaus of `count` points, sizes rising: runs of at least three points whose times lie
 * within a quarter of one another, the longest first. Neighbours whose times differ by less than
 * 1.6 times are one plateau. Returns how many, in the order of their sizes, levels not known.
 */
size_t plateaus_find(const struct point *points, size_t count,
                     struct plateau plateaus[PLATEAUS_MAX]);

/*
 * Says which level each plateau is. The first is level 1. One that reaches beyond twice the largest
 * cache is memory. Each other one is the smallest cache above the level before into which the
 * middle of its sizes fits, memory when there is none. Where the
 * system names no caches they are counted, and the last is memory when there are more than two.
 */
void plateaus_name(struct plateau *plateaus, size_t count, const struct point *points,
                   const struct caches *caches);

#endif
