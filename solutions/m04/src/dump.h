/* Shows a log to a person, or to another minikv. */
#ifndef MINIKV_DUMP_H
#define MINIKV_DUMP_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"

/*
 * Prints the records of the log at `path` as commands, one a line, in the order of writing; minikv
 * takes them as input. A torn tail is told on `notes`, and how many records there were.
 *
 * Returns false with `error` set if the log cannot be read, is damaged (what comes before the
 * damage has been printed) or printing failed.
 */
bool dump_log(const char *path, FILE *out, FILE *notes, struct error *error);

#endif
