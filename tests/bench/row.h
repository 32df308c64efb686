/*
 * What can be measured: a table with one row per benchmark. Adding one takes a function and a table
 * row (rows.c). A row says how to do one operation many times over; how often, in what order, how
 * the time is taken and what becomes of the replies is the runner's business, the same for all.
 *
 * A row runs in a process of its own, so that it finds memory as it is for nobody but itself.
 */
#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "weight.h"

struct fixture;

/*
 * Does one operation for each of the `count` key numbers in `picks`, and returns something that
 * depends on every result: so no result can be left out by a compiler, and two copies of minikv
 * that differ in one are found out.
 */
typedef uint64_t (*row_run)(struct fixture *fixture, const uint32_t *picks, size_t count);

/*
 * Writes the command for key number `key` to `line` and returns its length, ROW_LINE_MAX plus the
 * bytes of a value at most; `value` is what the key is to hold.
 */
typedef size_t (*row_line)(char *line, size_t key, struct slice value);

#define ROW_LINE_MAX 64

/* Makes ready what the row needs beside its lines; false after a complaint. */
typedef bool (*row_open)(struct fixture *fixture);

/* Undoes what operations or row_open did. */
typedef void (*row_tidy)(struct fixture *fixture);

struct row {
    const char *name;     /* as in BENCH=; lower case and '-' */
    const char *measures; /* for people */
    enum weight weight;
    row_run run;
    row_run check;  /* as run, but looks at every byte of every result; NULL: run does */
    row_line line;  /* set: the row needs a store, with all keys in it, and a command per key */
    bool numbers;   /* the keys hold the number 0 instead of text */
    row_open open;  /* may be NULL */
    row_tidy tidy;  /* after each batch, not timed; may be NULL */
    row_tidy close; /* may be NULL */
};

/*
 * run(fixture, picks, count), as a call that no compiler or linker takes apart: tools that count
 * what happens within it know it by its name.
 */
__attribute__((noinline)) uint64_t row_run_all(row_run run, struct fixture *fixture,
                                               const uint32_t *picks, size_t count);

/* All rows; the last is followed by one without a name. */
extern const struct row rows[];

/* The row of that name in `table`, or NULL. */
const struct row *row_find(const struct row *table, const char *name);

/* The name of the first row that has the name of an earlier one, or NULL. */
const char *row_find_twin(const struct row *table);

#endif
