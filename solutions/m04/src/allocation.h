/*
 * A block of memory that a buffer fills from its start. Blocks form a list, the newest first.
 */
#ifndef MINIKV_ALLOCATION_H
#define MINIKV_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

/* Invariant: used <= size. The block at `data` lives as long as the allocation. */
struct allocation {
    struct allocation *next;
    size_t size;
    size_t used;
    unsigned char *data;
};

/*
 * Makes `allocation` an empty one of the `size` bytes at `data`, which stay the caller's, in front
 * of `next`. It needs no end.
 */
void allocation_init(struct allocation *allocation, unsigned char *data, size_t size,
                     struct allocation *next);

/*
 * An empty allocation of `size` bytes of its own, in front of `next`. NULL when memory runs out.
 * Ended with free().
 */
struct allocation *allocation_new(size_t size, struct allocation *next);

/* Takes `length` bytes from the free end; NULL when there are not as many. */
unsigned char *allocation_allocate_append(struct allocation *allocation, size_t length);

/* Whether `data` points at one of the bytes that have been taken. */
bool allocation_contains(const struct allocation *allocation, const unsigned char *data);

/* Makes free again what was taken from `data` on, one of the bytes that have been taken. */
void allocation_take_back(struct allocation *allocation, const unsigned char *data);

#endif
