/*
 * How a comparison proceeds, whatever it is that takes the time: units of fresh layouts, pairs of
 * fresh processes, rounds, and when to stop. The bench's own tests run it on simulated workers.
 */
#ifndef BENCH_COMPARISON_H
#define BENCH_COMPARISON_H

#include <stdbool.h>

#include "schedule.h"
#include "statistics.h"

#define COMPARISON_PAIRS 2  /* of processes, in each unit */
#define COMPARISON_STAGE 40 /* so many units at first, and again while more are wanted */
#define COMPARISON_UNITS_MAX 120

/* What is measured. Every call returns false after a complaint, which ends the comparison. */
struct comparison_subject {
    void *context;

    /* Makes the layouts of the units from `first` up to, but not including, `end`. */
    bool (*prepare)(void *context, size_t first, size_t end);

    /* Starts a fresh process of each side with the layouts of `unit`. */
    bool (*open_pair)(void *context, size_t unit, const struct schedule *schedule);

    /* Lets one side run a round's operations. */
    bool (*run)(void *context, enum side side, size_t round, uint64_t seed, double *ns);

    /* Ends both processes; `log_ratio` is what came out. Called only after a whole pair. */
    bool (*close_pair)(void *context, double log_ratio);

    /* Ends both processes, wherever they are, after a failure. */
    void (*abandon_pair)(void *context);
};

struct comparison {
    size_t rounds;
    bool fixed_order; /* A first, always: only to see what that does */
    size_t unit_count;
    double ratios[COMPARISON_UNITS_MAX]; /* by unit: log of B's time to A's */
    struct estimate estimate;
};

/*
 * Measures until the interval is narrow enough, or all units are used up. `rounds` and
 * `fixed_order` in `comparison` are given, the rest is the result. False when a call of `subject`
 * was.
 */
bool comparison_run(struct comparison *comparison, const struct comparison_subject *subject,
                    uint64_t seed);

#endif
