/*
 * Comparing the usual way, to see what that finds: whole processes of one side, then as many of the
 * other. Nothing here looks into a process.
 */
#ifndef BENCH_WHOLE_H
#define BENCH_WHOLE_H

#include "cells.h"
#include "layouts.h"

/* Whether hyperfine can be used here. */
bool whole_has_hyperfine(void);

/*
 * Ten processes of A's layout and ten of B's, by the first row of `settings`: a Mann-Whitney test
 * at 5 % says whether they differ. In its turn, on the measuring processor. False after a
 * complaint.
 */
bool whole_try_ranks(const struct settings *settings, const struct layouts layouts[2],
                     struct trial *trial);

/*
 * The same through hyperfine, with two runs to warm up; Welch's t test at 5 %, as hyperfine's own
 * script welch_ttest.py does it, says whether they differ.
 */
bool whole_try_hyperfine(const struct settings *settings, const struct layouts layouts[2],
                         struct trial *trial);

#endif
