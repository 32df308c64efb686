/*
 * A worker in a layout, as every measuring of times starts it: with a folder of its own, from a
 * fresh copy of its executable, on a log that an earlier worker has filled.
 */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "layouts.h"
#include "session.h"

/* A batch takes about this long: short enough to fit between two interruptions. */
#define RUNNER_BATCH_NS 1000000

/* So many batches' operations run untimed before a timed one. */
#define RUNNER_WARM_BATCHES 2

/* Operations of WEIGHT_PROGRAM have their own warming up, and are run so often by a process. */
#define RUNNER_PROGRAM_ROUNDS 2

struct runner {
    const struct settings *settings;
    size_t row;
    const struct layouts *layouts;
    const char *folder; /* for this runner's own things; exists, and may be shared */
    size_t number;      /* tells it from others with that folder: below 26 */
    const char *log;    /* what runner_rehearse() makes, and the others take over */
    bool pinned;
    int cpu;
    struct session session;
    char program[FOLDER_PATH_MAX]; /* the layout in use */
};

/*
 * Starts a worker of layout number `layout`, which has been made, with `padding` bytes in its
 * environment. False after a complaint, with nothing to stop. Ended with session_stop().
 */
bool runner_start(struct runner *runner, size_t layout, size_t padding);

/*
 * Lets a first worker fill a store, whose log all others take over: that is twice as fast as each
 * doing it anew. It also finds out how many operations take about RUNNER_BATCH_NS. Makes the layout
 * if it has to.
 */
bool runner_rehearse(struct runner *runner, size_t layout, uint64_t *count);

#endif
