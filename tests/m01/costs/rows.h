/* All rows, group by group. */
#ifndef COSTS_ROWS_H
#define COSTS_ROWS_H

#include "cost.h"

/* Each table ends with a row without a name. */
extern const struct cost_row processor_rows[];
extern const struct cost_row memory_rows[];
extern const struct cost_row library_rows[];
extern const struct cost_row lookup_rows[];
extern const struct cost_row array_rows[];
extern const struct cost_row system_rows[];
extern const struct cost_row file_rows[];
extern const struct cost_row talk_rows[];
extern const struct cost_row thread_rows[];
extern const struct cost_row mine[]; /* the student's own */

struct cost_group {
    const char *name; /* as in ROWS= */
    const char *what; /* for people */
    const struct cost_row *rows;
};

/* The groups in the order in which they are measured; the last has no name. */
extern const struct cost_group rows_groups[];

/* The row of that name, or NULL. */
const struct cost_row *rows_find(const struct cost_group *groups, const char *name);

/* The row that is called so in a guess, `what`, or NULL. */
const struct cost_row *rows_find_what(const struct cost_group *groups, const char *what);

/*
 * The first thing that is wrong with the tables: a name that two rows or a row and a group share, a
 * row without a name that can be typed, without a description of the right length, or without
 * run(). NULL when all is well; else a text that is valid until the next call.
 */
const char *rows_fault(const struct cost_group *groups);

/* Whether the names in `picks`, split by blanks, pick the row: its own name, or its group's. */
bool rows_picked(const char *picks, const struct cost_group *group, const struct cost_row *row);

/*
 * Whether every name in `picks` is a row's or a group's; else `unknown` is the first one that is
 * not. One that is too long is cut.
 */
#define ROWS_NAME_MAX 32
bool rows_all_known(const struct cost_group *groups, const char *picks,
                    char unknown[ROWS_NAME_MAX]);

#endif
