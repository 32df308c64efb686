/* `make counts`: what an operation does, in numbers that are the same in every run. */
#ifndef BENCH_COUNTS_H
#define BENCH_COUNTS_H

#include "settings.h"

/* Counts every row of every copy and prints a table for each row. Returns the exit code. */
int counts_run(struct settings *settings);

#endif
