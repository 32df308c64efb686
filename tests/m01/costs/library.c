/* What the C library does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "rows.h"

enum { PAGE = 4096, PAGES = 256 };

static uint64_t allocate(uint64_t steps, size_t bytes) {
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        char *memory = cost_hide_pointer(malloc(bytes));
        if (memory == NULL) {
            return 0;
        }
        memory[0] = 1;
        cost_use(memory);
        sum += (uintptr_t)memory;
        free(memory);
    }
    return sum;
}

static uint64_t allocate_32(void *state, uint64_t steps) {
    (void)state;
    return allocate(steps, 32);
}

static uint64_t allocate_1m(void *state, uint64_t steps) {
    (void)state;
    return allocate(steps, (size_t)1 << 20);
}

static uint64_t allocate_64m(void *state, uint64_t steps) {
    (void)state;
    return allocate(steps, (size_t)64 << 20);
}

/* Fresh memory, a byte in each page of it. What is mapped and unmapped is shared by all pages. */
static uint64_t touch_pages(void *state, uint64_t steps) {
    (void)state;
    uint64_t touched = 0;
    for (uint64_t step = 0; step < steps; step++) {
        char *memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            return 0;
        }
#ifdef MADV_NOHUGEPAGE
        (void)madvise(memory, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
#endif
        for (int page = 0; page < PAGES; page++) {
            memory[(size_t)page * PAGE] = 1;
        }
        cost_use(memory);
        touched += PAGES;
        (void)munmap(memory, (size_t)PAGES * PAGE);
    }
    return touched;
}

/* The length is hidden, too: a length that the compiler knows is copied without a call. */
static uint64_t copy(void *state, uint64_t steps, size_t bytes) {
    char *from = state;
    char *to = from + PAGE;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        memcpy(cost_hide_pointer(to), from, (size_t)cost_hide(bytes));
        cost_use(to);
        sum += (unsigned char)to[0];
    }
    return sum;
}

static void *open_bytes(uint64_t size) {
    char *bytes = aligned_alloc(PAGE, 2 * PAGE);
    (void)size;
    if (bytes == NULL) {
        cost_cannot("no memory");
    } else {
        memset(bytes, 'a', 2 * PAGE);
    }
    return bytes;
}

static uint64_t copy_100(void *state, uint64_t steps) {
    return copy(state, steps, 100);
}

static uint64_t copy_4k(void *state, uint64_t steps) {
    return copy(state, steps, PAGE);
}

static uint64_t print_number(void *state, uint64_t steps) {
    char text[32];
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        const int length = snprintf(text, sizeof text, "%d", (int)(1000000 + step % 1000000));
        cost_use(text);
        sum += (uint64_t)length + (unsigned char)text[6];
    }
    return sum;
}

static uint64_t ask_the_time(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        struct timespec now;
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        sum += (uint64_t)now.tv_nsec;
    }
    return sum;
}

const struct cost_row library_rows[] = {
    {.name = "malloc-32",
     .what = "malloc and free of 32 bytes",
     .run = allocate_32,
     .book = "significant"},
    {.name = "malloc-1m", .what = "malloc and free of 1 MB", .run = allocate_1m},
    {.name = "malloc-64m", .what = "malloc and free of 64 MB", .run = allocate_64m},
    {.name = "page",
     .what = "the first write to a page of memory",
     .run = touch_pages,
     .per_step = PAGES},
    {.name = "memcpy-100",
     .what = "memcpy of 100 bytes",
     .mode = COST_THROUGHPUT,
     .run = copy_100,
     .open = open_bytes,
     .close = free},
    {.name = "memcpy-4k",
     .what = "memcpy of 4 KB",
     .mode = COST_THROUGHPUT,
     .run = copy_4k,
     .open = open_bytes,
     .close = free},
    {.name = "snprintf",
     .what = "snprintf of a number of 7 digits",
     .mode = COST_THROUGHPUT,
     .run = print_number},
    {.name = "clock", .what = "asking for the time, clock_gettime", .run = ask_the_time},
    {.name = NULL},
};
