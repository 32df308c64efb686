#include "allocation.h"

#include <stdint.h>
#include <stdlib.h>

void allocation_init(struct allocation *allocation, unsigned char *data, size_t size,
                     struct allocation *next) {
    allocation->next = next;
    allocation->size = size;
    allocation->used = 0;
    allocation->data = data;
}

struct allocation *allocation_new(size_t size, struct allocation *next) {
    if (size > SIZE_MAX - sizeof(struct allocation)) {
        return NULL;
    }
    struct allocation *allocation = malloc(sizeof *allocation + size);
    if (allocation != NULL) {
        allocation_init(allocation, (unsigned char *)(allocation + 1), size, next);
    }
    return allocation;
}

unsigned char *allocation_allocate_append(struct allocation *allocation, size_t length) {
    if (allocation->size - allocation->used < length) {
        return NULL;
    }
    unsigned char *data = allocation->data + allocation->used;
    allocation->used += length;
    return data;
}

bool allocation_contains(const struct allocation *allocation, const unsigned char *data) {
    /* As integers: C leaves it open how pointers into different blocks compare. */
    uintptr_t start = (uintptr_t)allocation->data;
    uintptr_t place = (uintptr_t)data;
    return place >= start && place - start < allocation->used;
}

void allocation_take_back(struct allocation *allocation, const unsigned char *data) {
    allocation->used = (size_t)(data - allocation->data);
}
