/* `make bench`: what one copy takes, as orientation. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "settings.h"

/* Measures every row and prints a table. Returns the exit code. */
int bench_run(struct settings *settings);

#endif
