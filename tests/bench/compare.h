/* `make compare`: two copies against each other, with a verdict. */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "settings.h"

/* Measures every row and prints what came out. Returns the exit code. */
int compare_run(struct settings *settings);

#endif
