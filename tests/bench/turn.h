/*
 * Whose turn it is to measure: two rulers that time things on one processor at once, from whatever
 * trees, would each measure the other.
 */
#ifndef BENCH_TURN_H
#define BENCH_TURN_H

#include <stdbool.h>

struct turn {
    int file;
};

/*
 * Waits until no other ruler measures on processor `cpu`, and keeps others waiting until
 * turn_end(), or the end of this process. Says on a terminal that it waits. False only when a
 * signal has asked for the end. Where the system's folder for temporary files cannot be used,
 * nobody waits.
 */
bool turn_take(struct turn *turn, int cpu);

void turn_end(struct turn *turn);

#endif
