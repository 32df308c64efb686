/* A plot of the units' ratios, in SVG. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdio.h>

#include "report.h"

/* Draws a panel for each row: a dot for each unit, the mean, its interval, and no change. */
void plot_write(FILE *file, const struct report *report);

#endif
