/*
 * The stages of an exercise: pieces of the way of one command, each run alone. A stage is a file of
 * its own, tests/mNN/stages/NAME.c, which defines `stage_NAME` and nothing else that is seen
 * outside. It may include .c files of the copy, to reach what is private there. What a stage needs
 * and a copy does not have keeps that stage from being compiled or linked, and no other.
 */
#ifndef STAGES_H
#define STAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "minikv.h"

#define STAGES_KEYS 100000
#define STAGES_VALUE_LENGTH 100

/* What one call is about. All of it is valid until the end. */
struct query {
    size_t number; /* 0 to STAGES_KEYS - 1, in the order of the calls, which is not the keys' */
    struct slice key;
    struct slice line; /* GET key */
};

struct stage {
    /*
     * Makes ready, before anything is timed; false when memory runs out. `kv` holds all keys and
     * stays the runner's. May be NULL.
     */
    bool (*prepare)(struct minikv *kv, const struct query queries[STAGES_KEYS]);

    /* Does the piece once. */
    void (*run)(const struct query *query);

    /* What `run` does beside the piece: its time is taken off. NULL: nothing. */
    void (*less)(const struct query *query);
};

/* For results: what nobody uses, a compiler may leave out. */
extern volatile size_t stages_sink;

/* The stages that could be had, by name; made for each copy. The last has no name. */
struct stages_entry {
    const char *name;
    const struct stage *stage;
};

extern const struct stages_entry stages_all[];

#endif
