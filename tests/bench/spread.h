/*
 * How much layouts of one program differ, told apart from noise: pure functions of numbers.
 *
 * The logarithm of a process's time is taken as the sum of three things: what its block has in
 * common, what its layout brings, and noise. Layouts and blocks are fitted by least squares. The
 * noise has a part in every fitted layout, so their plain variance is too large. Two fits on
 * different halves of the processes share the layouts and not the noise: their covariance is what
 * the layouts alone make (split halves).
 */
#ifndef BENCH_SPREAD_H
#define BENCH_SPREAD_H

#include <stdbool.h>

#include "survey.h"

/* Standard deviations are of logarithms: 0.01 is about one per cent. */
struct spread {
    double real; /* standard deviation of the layouts, noise taken off; 0 if none is seen */
    double low;  /* the ends of its 95 % interval (bootstrap over the layouts) */
    double high;
    double noise;       /* standard deviation of the processes of one layout */
    double layout_part; /* of the variance between processes of random layouts: the layouts' */
    double correlation; /* between what two halves of the processes say of the layouts */
};

/*
 * From a survey with an even number of passes, 4 to SPREAD_PASSES_MAX. Puts into `effects`, for
 * each layout, the logarithm of its time to that of the mean layout; into `halves`, the same from
 * the processes of the even passes, then from those of the odd ones. False after a complaint: no
 * memory.
 */
#define SPREAD_PASSES_MAX 12
bool spread_find(struct spread *spread, const struct survey *survey, double *effects,
                 double *halves[2]);

#endif
