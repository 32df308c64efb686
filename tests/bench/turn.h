/*
 * Whose turn it is to measure: two rulers that time things on one processor at once, from whatever
 * trees, would each measure the other.
 */
#ifndef BENCH_TURN_H
#define BENCH_TURN_H

#include <stdbool.h>

/* The same for all on this machine, whatever their TMPDIR. */
#define TURN_FOLDER "/tmp"

struct turn {
    int file; /* locked; negative: none */
};

/*
 * Waits until no other ruler that uses `folder` measures on processor `cpu`, and keeps others
 * waiting until turn_end(), or the end of this process, however it ends. Says on a terminal that it
 * waits, and after a minute in any case. False only when a signal has asked for the end. Where the
 * folder cannot be used nobody waits: better to measure beside another than not at all.
 */
bool turn_take(struct turn *turn, const char *folder, int cpu);

void turn_end(struct turn *turn);

#endif
