/* What the user asked for. */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SETTINGS_COPIES_MAX 3
#define SETTINGS_ROWS_MAX 32
#define SETTINGS_MEASURES_MAX 80

/* A benchmark, as the worker describes it: see session_describe_rows(). */
struct row_setting {
    const char *name;
    char measures[SETTINGS_MEASURES_MAX];
    int weight; /* enum weight */
};

/* A copy of minikv that is measured. */
struct copy {
    const char *name;  /* as people call it */
    const char *build; /* the folder with its worker; see measured.mk */
    uint64_t layout;   /* the number of the first layout that is used */
};

/* A precaution of comparisons that is left out, to see, or to show, what it is good for. */
enum left_out {
    LEFT_OUT_NOTHING,
    LEFT_OUT_WARMING, /* no untimed operations before a batch */
    LEFT_OUT_LAYOUTS, /* one layout of each side, in all units */
    LEFT_OUT_ORDERS   /* A is started first and runs first, always */
};

struct settings {
    struct copy copies[SETTINGS_COPIES_MAX]; /* A and B, or as many as there are */
    size_t copy_count;
    struct row_setting rows[SETTINGS_ROWS_MAX]; /* the first is the primary one */
    size_t row_count;
    uint64_t keys;
    uint64_t value_bytes;
    const char *choice; /* "uniform" or "zipf" */
    uint64_t rounds;
    uint64_t seed;        /* of all that is drawn at random */
    const char *out;      /* results go to files of this name, with endings */
    const char *compiler; /* its version, for the record */
    double bound; /* how many times as fast B is asked to be in the primary row; 0: not asked */

    enum left_out left_out;
    const char *turns; /* the folder by which rulers take turns: see turn_take() */

    /* Only to look at the spread of layouts. */
    uint64_t layouts;
    uint64_t processes; /* of each layout */

    /* Only to calibrate. */
    const char *from;  /* the results to report, or NULL: those of `out` */
    const char *cell;  /* the one to try, or NULL for all */
    uint64_t slowdown; /* B does so many operations more, per mille */
};

/*
 * Reads the options of a command, argv[2] and on, over the defaults that are in `settings`. Keeps
 * pointers into argv, which it cuts up. False after a complaint.
 */
bool settings_read(struct settings *settings, int argc, char **argv);

#endif
