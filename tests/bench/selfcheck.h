/*
 * `make bench-selfcheck`: whether this machine, as it is now, tells equal from different. A copy is
 * compared with itself, each side in layouts of its own; a difference that is found is none.
 *
 * The result is kept in a file beside the ruler, for SELFCHECK_HOURS.
 */
#ifndef BENCH_SELFCHECK_H
#define BENCH_SELFCHECK_H

#include "settings.h"

#define SELFCHECK_HOURS 12

/*
 * Compares copy A with itself, twice if it has to (even on the best of machines one of a hundred
 * comparisons fails), tells what came out, and keeps that. Returns the exit code: 0 if the machine
 * passed.
 */
int selfcheck_run(const struct settings *settings);

/*
 * Whether the machine can be trusted: by the kept result or, where there is none, a new check.
 * False after a complaint that says what to do.
 */
bool selfcheck_trust(const struct settings *settings);

#endif
