/*
 * Layouts of a worker: the same objects, linked in other orders and with other padding between
 * them. Where code and data come to lie makes a difference of several per cent that has nothing to
 * do with the code; so a comparison is made over many layouts of both sides.
 *
 * Layout number n is the same for as long as nothing of what it is linked from changes, and is kept
 * until then.
 */
#ifndef BENCH_LAYOUTS_H
#define BENCH_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "folder.h"

/* The number of what is linked in the usual way: objects by name, nothing between them. */
#define LAYOUTS_PLAIN (SIZE_MAX - 1)

struct layouts {
    const char *build;            /* the folder of measured.mk for the copy */
    char folder[FOLDER_PATH_MAX]; /* where the layouts are */
    char *names;                  /* paths of objects and paddings, each ended with NUL */
    const char **objects;
    size_t object_count;
    const char **paddings;
    size_t padding_count;
};

/*
 * The layouts of the copy built in `build`, which must outlive them. Layouts of what has since
 * changed are removed. False after a complaint, with nothing to close.
 */
bool layouts_open(struct layouts *layouts, const char *build);

void layouts_close(struct layouts *layouts);

/*
 * Links the layouts from `first` up to, but not including, `end`, as far as they are missing. False
 * after a complaint.
 */
bool layouts_make(const struct layouts *layouts, size_t first, size_t end);

/* The path of a layout. */
void layouts_path(const struct layouts *layouts, size_t number, char path[FOLDER_PATH_MAX]);

#endif
