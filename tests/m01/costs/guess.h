/*
 * A student's guess: lines of the form "operation: time", one for each line of the form that was
 * handed out. Empty lines and those that begin with # mean nothing.
 */
#ifndef COSTS_GUESS_H
#define COSTS_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define GUESS_LINES_MAX 64
#define GUESS_TEXT_MAX 128

struct guess_line {
    char what[GUESS_TEXT_MAX]; /* the operation: everything before the last colon */
    double ns;                 /* above 0; 0 when the guess lacks it or it was wrong */
    size_t number;             /* in the guess, from 1; 0 when it lacks it */
};

struct guess {
    size_t count;
    struct guess_line lines[GUESS_LINES_MAX];
};

enum guess_result {
    GUESS_COMPLETE,
    GUESS_UNTOUCHED, /* still the form as it was handed out */
    GUESS_MALFORMED, /* every fault has been told to `complaints` */
    GUESS_UNREADABLE /* one of the two files; that has been told, too */
};

/*
 * Reads the guess `path`, which has to answer every line of the form `form`. Faults go to
 * `complaints` as "path:line: fault".
 */
enum guess_result guess_read(const char *form, const char *path, FILE *complaints,
                             struct guess *guess);

/* What was guessed for an operation, in nanoseconds, or 0. */
double guess_of(const struct guess *guess, const char *what);

#endif
