/*
 * Folders. The prototype is frozen.
 */
#ifndef MINIKV_DIRS_H
#define MINIKV_DIRS_H

#include <stdbool.h>

#include "error.h"

/*
 * Sees to it that the folder `path` exists, with all folders above it; new ones get the usual
 * permissions (0777 less the umask). A folder that is there already is success, also when somebody
 * else makes it at the same time, and so is a symbolic link to a folder. Several slashes count as
 * one.
 *
 * Returns false with `error` set where there is no such folder afterwards: a file or a dangling
 * link is in the way, or the system refuses. Folders made on the way then stay.
 */
bool dirs_ensure(const char *path, struct error *error);

#endif
