/*
 * Results for programs: a CSV file with a line for every batch, a JSON file with everything, and a
 * plot of the units' ratios. docs/measuring.md describes the formats.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "contest.h"

/* Changes when a reader of the JSON or CSV file would have to. */
#define REPORT_VERSION 1

struct report {
    const struct settings *settings;
    const struct outcome *outcomes; /* one for each row */
    const struct records *records;
};

/* Writes <out>.csv, <out>.json and <out>.svg and prints where they are; false after a complaint. */
bool report_write(const struct report *report);

#endif
