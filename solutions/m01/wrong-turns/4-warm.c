/*
 * The thought: fill the table with a million keys, then look up some of them, over and over. But
 * the same thousand keys are in the cache after the first time: what is measured is a table of a
 * thousand.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cost.h"
#include "index.h"
#include "prng.h"

enum { KEYS = 1000000, KEY_LENGTH = 12 };

struct table {
    struct index *index;
    size_t *order;
    uint64_t asked; /* how many of the keys are asked for */
    uint64_t next;
};

static void write_key(char key[KEY_LENGTH + 1], size_t number) {
    (void)snprintf(key, KEY_LENGTH + 1, "key:%08u", (unsigned)number % 100000000);
}

static void close_table(void *state) {
    struct table *table = state;
    index_free(table->index);
    free(table->order);
    free(table);
}

static bool fill(struct table *table) {
    struct prng prng;
    prng_init(&prng, 1);
    for (size_t i = 0; i < KEYS; i++) {
        table->order[i] = i;
    }
    prng_shuffle(&prng, table->order, KEYS);
    for (size_t i = 0; i < KEYS; i++) {
        char key[KEY_LENGTH + 1];
        struct index_change change;
        write_key(key, table->order[i]);
        if (!index_prepare_set(table->index, slice_from(key, KEY_LENGTH), slice_from("v", 1),
                               &change)) {
            return false;
        }
        index_commit(table->index, &change);
    }
    prng_shuffle(&prng, table->order, KEYS);
    return true;
}

static void *open_table(uint64_t size) {
    struct table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    table->index = index_new();
    table->order = malloc(KEYS * sizeof *table->order);
    table->asked = size;
    if (table->index == NULL || table->order == NULL || !fill(table)) {
        cost_cannot("no memory");
        close_table(table);
        return NULL;
    }
    return table;
}

/* Writing the key is in the time of both rows. */
static uint64_t look_up(void *state, uint64_t steps) {
    struct table *table = state;
    uint64_t found = 0;
    for (uint64_t step = 0; step < steps; step++) {
        char key[KEY_LENGTH + 1];
        write_key(key, table->order[table->next++ % table->asked]);
        found += index_contains(table->index, slice_from(key, KEY_LENGTH));
    }
    return found;
}

#define TABLE .run = look_up, .open = open_table, .close = close_table

const struct cost_row mine[] = {
    {.name = "warm", .what = "one of 1,000 keys among a million", TABLE, .size = 1000},
    {.name = "cold", .what = "one of a million keys", TABLE, .size = KEYS},
    {.name = NULL},
};
