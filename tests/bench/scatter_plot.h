/* A plot of what random layouts take, in SVG. */
#ifndef BENCH_SCATTER_PLOT_H
#define BENCH_SCATTER_PLOT_H

#include <stdio.h>

#include "scatter.h"

/*
 * Draws two panels: the layouts' times, a dot for each, those alike on top of one another; and what
 * one half of the processes says of each layout against what the other half says. Where layouts
 * differ the dots of the latter lie along the diagonal, where there is only noise in a cloud.
 */
void scatter_plot_write(FILE *file, const struct settings *settings, const struct scatter *scatter);

#endif
