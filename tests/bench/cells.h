/* What a calibration tries, and what came of each try. */
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include <stdbool.h>
#include <stdio.h>

#include "settings.h"
#include "statistics.h"

/* How two sides are compared. */
enum method {
    METHOD_COMPARE,
    METHOD_WHOLE_PROCESSES, /* see whole.h */
    METHOD_HYPERFINE
};

/* One thing that is tried, many times over. */
struct cell {
    const char *name;
    size_t wanted; /* so many times */
    enum method method;
    uint64_t slowdown; /* of B, per mille */
    enum left_out left_out;
    bool busy; /* the other processors are */
};

/* A try of CELL_IDLE beside which others were at work is one of CELL_DISTURBED. */
enum { CELL_IDLE, CELL_DISTURBED, CELL_BUSY };
#define CELLS_IDLE_SHARE_MAX 0.1

#define CELLS 13
extern const struct cell cells[CELLS];

/* The number of the cell of that name; CELLS after a complaint that lists those there are. */
size_t cells_find(const char *name);

/* What one try brought. */
struct trial {
    enum verdict verdict;
    double log_ratio;
    double half_width; /* of the 99 % interval; hyperfine: the ratio's +- as it prints it */
    double seconds;
    double others; /* how busy the other processors were: see others_share() */
    double rivals; /* what others took of the measuring one: see others_rivals() */
};

/* Some tries, added up. */
struct tally {
    size_t count;
    size_t verdicts[VERDICT_INCONCLUSIVE + 1];
    double seconds[VERDICT_INCONCLUSIVE + 1]; /* the sum, by verdict */
    double longest[VERDICT_INCONCLUSIVE + 1];
    double log_ratio; /* the sum */
    double others;    /* the sum of how busy others were, of those tries that tell */
    size_t told;      /* how many do */
    size_t missed;    /* intervals of that half width that leave out what B really takes */
};

/*
 * Adds up what a file of results holds, by cell; no file is no result. A line for each try, its
 * fields separated by tabs: cell, verdict, log ratio, half width, seconds and, since they are
 * recorded, how busy other processors were and what others took of the measuring one. Lines that
 * begin with "#" are passed over. False after a complaint, which tells the line that is none.
 */
bool cells_read(const char *path, struct tally tallies[CELLS]);

/* Writes the line of a try of number `cell`; false after a complaint. */
bool cells_write(FILE *file, size_t cell, const struct trial *trial);

/*
 * How many tries of a cell were declared different: the false ones where both sides are the same.
 * Where B is slower, "faster" is no find but an error, and does not count.
 */
size_t cells_declared(const struct cell *cell, const struct tally *tally);

/* Prints two tables, as a page can hold them: what was found, and how long it took. */
void cells_print(const struct tally tallies[CELLS]);

#endif
