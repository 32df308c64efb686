/*
 * The runner: how the time of a row is taken.
 *
 * It finds how many steps fill a batch, times many batches and reports the median with the lowest
 * and the highest. It never believes a row blindly: a row is refused when its time does not grow
 * with the number of steps, or when a step takes no longer than a loop without anything in it.
 * Either way a compiler has left out what was to be measured.
 */
#ifndef COSTS_RUNNER_H
#define COSTS_RUNNER_H

#include "cost.h"

#define OUTCOME_WHY_MAX 256

enum outcome_kind {
    OUTCOME_MEASURED,
    OUTCOME_REFUSED,   /* it does not measure what it says; `why` says how that was seen */
    OUTCOME_IMPOSSIBLE /* not on this machine; `why` says what is missing */
};

/* What became of a row. Times are in nanoseconds per operation. */
struct outcome {
    enum outcome_kind kind;
    double median;
    double lowest;
    double highest;
    char why[OUTCOME_WHY_MAX];
};

struct runner {
    uint64_t (*now)(void); /* nanoseconds, rising */
    cost_run empty;        /* a loop that does nothing: the floor for a step */
    uint64_t batch_ns;     /* about how long a batch takes */
};

/* How many batches are timed for a row. */
#define RUNNER_BATCHES 31

/*
 * A step has to take this many times as long as the empty loop's: where a loop happens to lie in
 * memory can make a factor of 2. What costs less than that in a loop of its own can be measured
 * several to a step.
 */
#define RUNNER_FLOOR 2.5

/* The real one: the system's monotonic clock, and a loop that the compiler has to leave. */
struct runner runner_real(void);

/* Measures `row`, whose open() returned `state`. The row has a run(). */
void runner_measure(const struct runner *runner, const struct cost_row *row, void *state,
                    struct outcome *outcome);

/* Makes a median, a lowest and a highest of `count` >= 1 times, which are sorted. */
void runner_sum_up(double *times, size_t count, struct outcome *outcome);

/* Fills `why` as printf() would and sets the kind. */
void runner_say(struct outcome *outcome, enum outcome_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
