/*
 * How often the ruler is wrong on this machine, found out by comparing what is known: a copy with
 * itself, idle and with the other processors busy, and with itself made slower by a known amount.
 *
 * Results go to a file, a line each, to which a later run adds: it takes hours, and may be ended
 * and taken up again at any time.
 */
#ifndef BENCH_CALIBRATE_H
#define BENCH_CALIBRATE_H

#include "settings.h"

/* Runs what is missing, in copy A's first row. Returns the exit code. */
int calibrate_run(const struct settings *settings);

/*
 * Whether what is asked for can be tried at all; if not, after a complaint. For whoever runs the
 * rest in the background. Returns the exit code.
 */
int calibrate_check(const struct settings *settings);

/* Prints what there is up to now. Returns the exit code. */
int calibrate_report(const struct settings *settings);

/* `ruler busy`: keeps a processor and the memory busy until the end of its input. */
int calibrate_keep_busy(void);

#endif
