/*
 * The same keys in a hash table, minikv's own, and in an ordered tree, libc's tsearch(3), which
 * with glibc and musl is balanced. Keys are added in random order and asked for in another, and
 * all are there. Which key is asked for next depends on the answer before. No key is asked for
 * twice before all have been: with the same few keys over and over, those few would be all in the
 * cache.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "index.h"
#include "prng.h"
#include "rows.h"

enum { KEY_LENGTH = 12 };

struct key {
    unsigned char bytes[KEY_LENGTH];
};

struct keys {
    struct key *keys; /* in the order in which they are asked for */
    size_t *order;    /* in which they are added */
    size_t count;
    size_t next;        /* to ask for; each batch goes on where the one before it ended */
    struct index *hash; /* one of the two */
    void *tree;
};

static struct slice slice_of(const struct key *key) {
    return slice_from(key->bytes, KEY_LENGTH);
}

/* "key:" and eight digits, as in minikv's benchmarks. */
static void write_key(struct key *key, size_t number) {
    memcpy(key->bytes, "key:", 4);
    for (size_t i = KEY_LENGTH - 1; i >= 4; i--) {
        key->bytes[i] = (unsigned char)('0' + number % 10);
        number /= 10;
    }
}

static void release_keys(void *state) {
    struct keys *keys = state;
    index_free(keys->hash);
    /* The tree goes with the process: taking a million nodes out would take longer than all else.
     */
    free(keys->keys);
    free(keys->order);
    free(keys);
}

static struct keys *make_keys(size_t count) {
    struct keys *keys = calloc(1, sizeof *keys);
    struct prng prng;
    if (keys == NULL) {
        return NULL;
    }
    keys->count = count;
    keys->keys = malloc(count * sizeof *keys->keys);
    keys->order = malloc(count * sizeof *keys->order);
    if (keys->keys == NULL || keys->order == NULL) {
        release_keys(keys);
        return NULL;
    }
    prng_init(&prng, 1);
    for (size_t i = 0; i < count; i++) {
        keys->order[i] = i;
    }
    prng_shuffle(&prng, keys->order, count);
    for (size_t i = 0; i < count; i++) {
        write_key(&keys->keys[i], keys->order[i]);
    }
    prng_shuffle(&prng, keys->order, count);
    return keys;
}

static bool fill_hash(struct keys *keys) {
    keys->hash = index_new();
    for (size_t i = 0; keys->hash != NULL && i < keys->count; i++) {
        struct index_change change;
        const struct slice key = slice_of(&keys->keys[keys->order[i]]);
        if (!index_prepare_set(keys->hash, key, slice_from("v", 1), &change)) {
            return false;
        }
        index_commit(keys->hash, &change);
    }
    return keys->hash != NULL;
}

static int compare_keys(const void *a, const void *b) {
    return memcmp(a, b, KEY_LENGTH);
}

/* The tree points at keys; each has memory of its own, as in the hash table. */
static bool fill_tree(struct keys *keys) {
    for (size_t i = 0; i < keys->count; i++) {
        struct key *key = malloc(sizeof *key);
        if (key == NULL) {
            return false;
        }
        *key = keys->keys[keys->order[i]];
        if (tsearch(key, &keys->tree, compare_keys) == NULL) {
            free(key);
            return false;
        }
    }
    return true;
}

static void *open_filled(uint64_t size, bool (*fill)(struct keys *keys)) {
    struct keys *keys = make_keys((size_t)size);
    if (keys != NULL && fill(keys)) {
        return keys;
    }
    if (keys != NULL) {
        release_keys(keys);
    }
    cost_cannot("no memory for so many keys");
    return NULL;
}

static void *open_hash(uint64_t size) {
    return open_filled(size, fill_hash);
}

static void *open_tree(uint64_t size) {
    return open_filled(size, fill_tree);
}

/*
 * The number of the key to ask for after `found`. No address of a program has its highest bit set,
 * but that is more than compiler and processor know: they have to wait for it.
 */
static size_t next_key(const struct keys *keys, size_t number, const void *found) {
    number += 1 + (size_t)((uintptr_t)found >> (sizeof found * 8 - 1));
    return number >= keys->count ? 0 : number;
}

static uint64_t find_in_hash(void *state, uint64_t steps) {
    struct keys *keys = state;
    size_t number = keys->next;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        const struct bytes *found = index_find(keys->hash, slice_of(&keys->keys[number]));
        sum += found != NULL;
        number = next_key(keys, number, found);
    }
    keys->next = number;
    return sum;
}

static uint64_t find_in_tree(void *state, uint64_t steps) {
    struct keys *keys = state;
    size_t number = keys->next;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        const void *found = tfind(&keys->keys[number], &keys->tree, compare_keys);
        sum += found != NULL;
        number = next_key(keys, number, found);
    }
    keys->next = number;
    return sum;
}

#define HASH .run = find_in_hash, .open = open_hash, .close = release_keys
#define TREE .run = find_in_tree, .open = open_tree, .close = release_keys, .book = "5-10x the hash"

const struct cost_row lookup_rows[] = {
    {.name = "hash-1k", .what = "1,000 keys, look-up by hash table", HASH, .size = 1000},
    {.name = "tree-1k", .what = "1,000 keys, look-up by tree", TREE, .size = 1000},
    {.name = "hash-100k", .what = "100,000 keys, look-up by hash table", HASH, .size = 100000},
    {.name = "tree-100k", .what = "100,000 keys, look-up by tree", TREE, .size = 100000},
    {.name = "hash-1m", .what = "1,000,000 keys, look-up by hash table", HASH, .size = 1000000},
    {.name = "tree-1m", .what = "1,000,000 keys, look-up by tree", TREE, .size = 1000000},
    {.name = NULL},
};
