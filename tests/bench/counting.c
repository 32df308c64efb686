/*
 * Stands in for malloc() and its family, also where libc itself calls them; for hash_bytes() and
 * memcmp() by way of the linker's --wrap, in a build in which memcmp() is never expanded in place.
 */
#define _GNU_SOURCE /* for RTLD_NEXT */

#include "counting.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "hash.h"

uint64_t counting_totals[COUNTED_KINDS];

static void *(*next_malloc)(size_t size);
static void *(*next_realloc)(void *old, size_t size);
static void *(*next_aligned_alloc)(size_t alignment, size_t size);
static void (*next_free)(void *memory);

/* What dlsym() itself may ask for, before the real functions are known. Never given back. */
static _Alignas(max_align_t) unsigned char early[8192];
static size_t early_used;

static void *allocate_early(size_t size) {
    const size_t alignment = _Alignof(max_align_t);
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded > sizeof(early) - early_used) {
        abort();
    }
    early_used += rounded;
    return early + early_used - rounded;
}

static bool is_early(const void *memory) {
    const uintptr_t at = (uintptr_t)memory;
    return at >= (uintptr_t)early && at < (uintptr_t)early + sizeof(early);
}

/* By way of memcpy(), because ISO C does not convert to pointers to functions. */
static void find(const char *name, void *function) {
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof(symbol));
}

/* False while it is under way. */
static bool find_all(void) {
    static bool under_way;
    if (next_free == NULL && !under_way) {
        under_way = true;
        find("malloc", &next_malloc);
        find("realloc", &next_realloc);
        find("aligned_alloc", &next_aligned_alloc);
        find("free", &next_free);
    }
    return next_free != NULL;
}

static void count(size_t size) {
    counting_totals[COUNTED_ALLOCATIONS]++;
    counting_totals[COUNTED_BYTES] += size;
}

void *malloc(size_t size) {
    count(size);
    return find_all() ? next_malloc(size) : allocate_early(size);
}

void *calloc(size_t number, size_t size) {
    if (size != 0 && number > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *memory = malloc(number * size);
    return memory == NULL ? NULL : memset(memory, 0, number * size);
}

void *realloc(void *old, size_t size) {
    count(size);
    if (find_all() && !is_early(old)) {
        return next_realloc(old, size);
    }
    void *memory = allocate_early(size);
    return old == NULL ? memory : memmove(memory, old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(size);
    return find_all() ? next_aligned_alloc(alignment, size) : NULL;
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = aligned_alloc(alignment, size);
    return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
    if (!is_early(memory) && find_all()) {
        next_free(memory);
    }
}

uint64_t __real_hash_bytes(struct slice key);
uint64_t __wrap_hash_bytes(struct slice key);
int __real_memcmp(const void *a, const void *b, size_t length);
int __wrap_memcmp(const void *a, const void *b, size_t length);

uint64_t __wrap_hash_bytes(struct slice key) {
    counting_totals[COUNTED_HASHES]++;
    return __real_hash_bytes(key);
}

int __wrap_memcmp(const void *a, const void *b, size_t length) {
    counting_totals[COUNTED_KEY_COMPARISONS] += length == FIXTURE_KEY_LENGTH;
    return __real_memcmp(a, b, length);
}
