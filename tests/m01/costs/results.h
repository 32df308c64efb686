/* What came out of a run: each row that was asked for, with what became of it. */
#ifndef COSTS_RESULTS_H
#define COSTS_RESULTS_H

#include "chase.h"
#include "guess.h"
#include "rows.h"
#include "runner.h"

#define RESULTS_MAX 128

struct result {
    const struct cost_group *group;
    const struct cost_row *row;
    struct outcome outcome;
    double guess_ns; /* 0: not guessed */
};

struct results {
    size_t count;
    struct result rows[RESULTS_MAX];
    bool chased; /* `chase` holds something */
    struct chase chase;
};

/* The median of the row of that name in nanoseconds; 0 when it was not measured. */
double results_median(const struct results *results, const char *name);

#endif
