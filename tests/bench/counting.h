/*
 * Counts of what happened in this process, for the worker of `make counts`. Each is exact, and the
 * same in each run.
 */
#ifndef BENCH_COUNTING_H
#define BENCH_COUNTING_H

#include <stdint.h>

enum counted {
    COUNTED_ALLOCATIONS,     /* calls of malloc(), calloc(), realloc() and the like */
    COUNTED_BYTES,           /* what those asked for */
    COUNTED_HASHES,          /* calls of hash_bytes() */
    COUNTED_KEY_COMPARISONS, /* calls of memcmp() on as many bytes as a key has */
    COUNTED_KINDS
};

/* All that has been counted up to now. In a worker that does not count these are zeros. */
extern uint64_t counting_totals[COUNTED_KINDS];

#endif
