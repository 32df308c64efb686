/* A temporary folder. */
#ifndef BENCH_FOLDER_H
#define BENCH_FOLDER_H

#include <stdbool.h>

#define FOLDER_PATH_MAX 4096

/* Puts a path together as printf() would. One that is too long ends the program. */
void folder_path(char path[FOLDER_PATH_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Makes a new, empty folder below $TMPDIR, or /tmp where that is not set, and puts its path into
 * `path`. False after a complaint.
 */
bool folder_make(char path[FOLDER_PATH_MAX]);

/* Makes the folder `path`; false after a complaint. */
bool folder_make_at(const char *path);

/* Removes the folder `path` with all that is in it; what cannot be removed stays. */
void folder_remove(const char *path);

/* Copies the file `from` to a new file `to` with the same permissions; false after a complaint. */
bool folder_copy_file(const char *from, const char *to);

#endif
