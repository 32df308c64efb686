/*
 * The states in which a file system may come back when the power is lost.
 *
 * What was synced is there. Of what was not, anything may be:
 *
 * - a write may be missing, there in part, or there as a length without data, which reads as zeros;
 * - each sector may be as it was after any of the writes, whatever became of its neighbours, and
 * the length of the file as well;
 * - each new, renamed, linked or removed entry of a folder may be so or not, whatever became of the
 *   others and of the data. A rename is whole or has not been: that much all file systems promise.
 */
#ifndef TESTS_STATES_H
#define TESTS_STATES_H

#include <stdbool.h>
#include <stddef.h>

#include "disk.h"
#include "random.h"

#define STATES_SECTOR 512

struct state {
    struct disk_image image;
    bool ordered;   /* no file has lost an earlier write and kept a later one */
    char text[256]; /* what was lost, for a person */
};

/* Looks at one state. */
typedef void (*states_check)(void *context, const struct state *state);

/*
 * Shows every state that losing the power after the first `count` steps may leave; where there are
 * too many, all the likely ones and about `samples` random ones for each file. Returns how many.
 */
size_t states_each(const struct disk *disk, size_t count, size_t samples, struct random *random,
                   states_check check, void *context);

#endif
