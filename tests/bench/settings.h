/* What the user asked for. */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SETTINGS_ROWS_MAX 32
#define SETTINGS_MEASURES_MAX 80

/* A copy of minikv that is measured. */
struct copy {
    const char *name;  /* as people call it */
    const char *build; /* the folder with its worker; see measured.mk */
    uint64_t layout;   /* the number of the first layout that is used */
};

struct settings {
    struct copy copies[2];               /* A and B; only A where one side is measured */
    const char *rows[SETTINGS_ROWS_MAX]; /* the first is the primary one */
    char measures[SETTINGS_ROWS_MAX][SETTINGS_MEASURES_MAX]; /* see session_describe_rows() */
    size_t row_count;
    uint64_t keys;
    uint64_t value_bytes;
    const char *choice; /* "uniform" or "zipf" */
    uint64_t rounds;
    uint64_t seed;        /* of all that is drawn at random */
    const char *out;      /* results go to files of this name, with endings */
    const char *compiler; /* its command, flags and version, for the record */
};

/*
 * Reads the options of a command, argv[2] and on, over the defaults that are in `settings`. Keeps
 * pointers into argv, which it cuts up. False after a complaint.
 */
bool settings_read(struct settings *settings, int argc, char **argv);

#endif
