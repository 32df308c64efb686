/* What stands at a path. Where the system does not say, the test program ends. */
#ifndef TESTS_PATH_H
#define TESTS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes.h"

/* Whether there is nothing there, not even a link that leads nowhere. */
bool path_is_missing(const char *path);

/* Whether a symbolic link stands there, wherever it leads. */
bool path_is_link(const char *path);

/* The bytes of the file. */
size_t path_size(const char *path);

/* How many entries the folder has. */
size_t path_entries(const char *path);

/* Whether the file holds exactly these bytes. */
bool path_holds(const char *path, struct slice bytes);

#endif
