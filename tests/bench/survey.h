/*
 * How many layouts of one copy are timed beside one another, whatever it is that takes the time.
 *
 * Absolute times drift too much to be compared over minutes. So layouts are timed in blocks: fresh
 * processes of some of them, at the same time, that take turns. What a block has in common is taken
 * off later (see spread.h), and who is in a block with whom is drawn anew in each pass.
 */
#ifndef BENCH_SURVEY_H
#define BENCH_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SURVEY_BLOCK_MAX 6 /* processes that live at the same time */

/* What is measured. Every call returns false after a complaint, which ends the survey. */
struct survey_subject {
    void *context;

    /* Starts a fresh process of a layout as number `member` of a block, the first being 0. */
    bool (*open)(void *context, size_t member, size_t layout, size_t padding);

    /* Lets a member run a round's operations. */
    bool (*run)(void *context, size_t member, size_t round, uint64_t seed, double *ns);

    /* Ends the members below `count`. */
    void (*close)(void *context, size_t count);
};

struct survey {
    size_t layouts; /* at least 2; their numbers are 0 and on */
    size_t passes;  /* in each of them each layout gets one process */
    size_t rounds;  /* batches of a process */

    /* Space for passes * layouts results each, at [pass * layouts + layout]. */
    double *logs;   /* logarithm of the shortest time of that process */
    size_t *blocks; /* the number of its block, counted through all passes */
};

/* How many blocks a pass has. */
size_t survey_blocks(size_t layouts);

/* False when a call of `subject` was. */
bool survey_run(const struct survey *survey, const struct survey_subject *subject, uint64_t seed);

#endif
