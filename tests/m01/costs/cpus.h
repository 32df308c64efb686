/* The processors that this process may use, and staying on one of them. */
#ifndef COSTS_CPUS_H
#define COSTS_CPUS_H

#include <stdbool.h>

/*
 * The number of a processor that this process might use when this was first called, the last of
 * them being which = 0, the one before it which = 1. -1 when there are not so many, or the system
 * does not tell.
 */
int cpus_get(int which);

/* Keeps the calling thread on processor `cpu`. Where that cannot be, or for -1, it stays free. */
void cpus_pin(int cpu);

/* Whether this machine says that it is a virtual one. */
bool cpus_are_virtual(void);

#endif
