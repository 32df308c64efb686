/*
 * Work in a process of its own: it finds memory as it is for nobody but itself, and neither a crash
 * nor an endless loop in it is the end of more than itself.
 */
#ifndef COSTS_CHILD_H
#define COSTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#define CHILD_WHY_MAX 256

/* Does the work in the child and fills `result`, which the parent gets. */
typedef void (*child_work)(const void *task, void *result);

/*
 * Runs `work(task, result)` in a child, and copies the `size` bytes of its result to `result`.
 * False, with `why`, when there was none: the child crashed, ended, or took more than `seconds` and
 * was killed.
 */
bool child_run(child_work work, const void *task, void *result, size_t size, int seconds,
               char why[CHILD_WHY_MAX]);

#endif
