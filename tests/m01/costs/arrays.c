/*
 * Many structures: in one array, or each in memory of its own with an array of pointers to them.
 * Built and given back; added up; and added up when the pointers lead all over memory, as they do
 * once a program has run for a while.
 */
#include <stdlib.h>

#include "prng.h"
#include "rows.h"

enum { COUNT = 100000 };

/* Enough memory for what is built. */
#define SETTLED ((size_t)16 << 20)

/* What is opened where there is no state to return. */
static char settled;

struct item {
    uint64_t number;
    uint64_t rest[3];
};

/*
 * Memory as in a program that has run for a while: glibc, once it has got back a large block, keeps
 * blocks of that size. Before, it gives them back to the system each time, and the first write to
 * each page costs more than all else.
 */
static void *open_settled(uint64_t size) {
    void *memory = cost_hide_pointer(malloc(SETTLED));
    (void)size;
    if (memory == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    free(memory);
    return &settled;
}

static uint64_t build_array(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        struct item *items = malloc(COUNT * sizeof *items);
        if (items == NULL) {
            return 0;
        }
        for (uint64_t i = 0; i < COUNT; i++) {
            items[i] = (struct item){.number = i};
        }
        cost_use(items);
        sum += items[step % COUNT].number;
        free(items);
    }
    return sum;
}

static void free_items(struct item **items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(items[i]);
    }
    free(items);
}

static struct item **make_items(void) {
    struct item **items = malloc(COUNT * sizeof(struct item *));
    if (items == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < COUNT; i++) {
        items[i] = malloc(sizeof *items[i]);
        if (items[i] == NULL) {
            free_items(items, i);
            return NULL;
        }
        *items[i] = (struct item){.number = i};
    }
    return items;
}

static uint64_t build_pointers(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        struct item **items = make_items();
        if (items == NULL) {
            return 0;
        }
        cost_use(items);
        sum += items[step % COUNT]->number;
        free_items(items, COUNT);
    }
    return sum;
}

static void *open_array(uint64_t size) {
    struct item *items = malloc(COUNT * sizeof *items);
    (void)size;
    if (items == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    for (uint64_t i = 0; i < COUNT; i++) {
        items[i] = (struct item){.number = i};
    }
    return items;
}

static uint64_t add_up_array(void *state, uint64_t steps) {
    const struct item *items = state;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        cost_use(items);
        for (size_t i = 0; i < COUNT; i++) {
            sum += items[i].number;
        }
    }
    return sum;
}

/* `size` is not 0: in random order. */
static void *open_pointers(uint64_t size) {
    struct item **items = make_items();
    struct prng prng;
    if (items == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    prng_init(&prng, 1);
    for (size_t i = COUNT; size != 0 && i > 1; i--) {
        const size_t j = (size_t)prng_below(&prng, i);
        struct item *swapped = items[i - 1];
        items[i - 1] = items[j];
        items[j] = swapped;
    }
    return items;
}

static void close_pointers(void *state) {
    free_items(state, COUNT);
}

static uint64_t add_up_pointers(void *state, uint64_t steps) {
    struct item *const *items = state;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        cost_use(items);
        for (size_t i = 0; i < COUNT; i++) {
            sum += items[i]->number;
        }
    }
    return sum;
}

#define EACH .per_step = COUNT, .mode = COST_THROUGHPUT

const struct cost_row array_rows[] = {
    {.name = "array-build",
     .what = "build a structure in an array",
     EACH,
     .run = build_array,
     .open = open_settled},
    {.name = "pointers-build",
     .what = "build a structure behind a pointer",
     EACH,
     .run = build_pointers,
     .open = open_settled,
     .book = "much slower"},
    {.name = "array-scan",
     .what = "read a structure in an array",
     EACH,
     .run = add_up_array,
     .open = open_array,
     .close = free},
    {.name = "pointers-scan",
     .what = "read a structure behind a pointer",
     EACH,
     .run = add_up_pointers,
     .open = open_pointers,
     .close = close_pointers},
    {.name = "pointers-scan-old",
     .what = "read behind pointers in random order",
     EACH,
     .run = add_up_pointers,
     .open = open_pointers,
     .size = 1,
     .close = close_pointers},
    {.name = NULL},
};
