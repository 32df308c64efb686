/*
 * A block of memory that a buffer fills from its start. Blocks form a list, the newest first.
 */
#ifndef MINIKV_ALLOCATION_H
#define MINIKV_ALLOCATION_H

#include <stddef.h>

/* Bytes of the allocation that is built into every buffer: room for most replies. */
#define ALLOCATION_BUILTIN_SIZE 512

/* Invariant: used <= size; the bytes follow the structure. */
struct allocation {
    struct allocation *next;
    size_t size;
    size_t used;
    unsigned char data[];
};

/* Room for an allocation of ALLOCATION_BUILTIN_SIZE bytes without malloc(). */
struct allocation_builtin {
    struct allocation *next;
    size_t size;
    size_t used;
    unsigned char data[ALLOCATION_BUILTIN_SIZE];
};

/* The allocation in a built-in place, empty; it lives as long as the place does. */
struct allocation *allocation_init_builtin(struct allocation_builtin *builtin);

/*
 * An empty allocation of at least `size` bytes, in front of `next`. NULL when memory runs out.
 * Ended with free().
 */
struct allocation *allocation_new(size_t size, struct allocation *next);

/* Takes `length` bytes from the free end; NULL when there are not as many. */
unsigned char *allocation_allocate_append(struct allocation *allocation, size_t length);

/* Whether `data` points into the allocation's bytes, or just behind the used ones. */
int allocation_contains(const struct allocation *allocation, const unsigned char *data);

#endif
