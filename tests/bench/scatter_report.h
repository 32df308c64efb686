/*
 * The results of `make layouts`: in words, as files for programs, and as a plot.
 * docs/measuring.md describes the formats.
 */
#ifndef BENCH_SCATTER_REPORT_H
#define BENCH_SCATTER_REPORT_H

#include "scatter.h"

/* Changes when a reader of the JSON or CSV file would have to. */
#define SCATTER_REPORT_VERSION 1

/* Prints the distribution, and how much of it is real. */
void scatter_report_print(const struct settings *settings, const struct scatter *scatter);

/* Prints what became of the best and the worst when they were timed again. */
void scatter_report_print_again(const struct scatter *scatter);

/* Writes <out>.csv, <out>.json and <out>.svg and prints where they are; false after a complaint. */
bool scatter_report_write(const struct settings *settings, const struct scatter *scatter);

#endif
