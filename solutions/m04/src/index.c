#include "index.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"

enum { INITIAL_BUCKETS = 16 };

struct index_node {
    struct index_node *next;
    uint64_t hash;
    struct bytes value;
    size_t key_length;
    unsigned char key[];
};

struct index {
    struct index_node **buckets;
    size_t bucket_count;
    size_t count;
    uint64_t payload; /* bytes of all keys and values */
};

struct index *index_new(void) {
    struct index *index = calloc(1, sizeof *index);
    if (index == NULL) {
        return NULL;
    }
    index->buckets = calloc(INITIAL_BUCKETS, sizeof *index->buckets);
    if (index->buckets == NULL) {
        free(index);
        return NULL;
    }
    index->bucket_count = INITIAL_BUCKETS;
    return index;
}

static void free_node(struct index_node *node) {
    bytes_release(&node->value);
    free(node);
}

void index_free(struct index *index) {
    if (index == NULL) {
        return;
    }
    for (size_t i = 0; i < index->bucket_count; i++) {
        struct index_node *node = index->buckets[i];
        while (node != NULL) {
            struct index_node *next = node->next;
            free_node(node);
            node = next;
        }
    }
    free(index->buckets);
    free(index);
}

static struct index_node **bucket_of(const struct index *index, uint64_t hash) {
    return &index->buckets[hash & (index->bucket_count - 1)];
}

static struct slice key_of(const struct index_node *node) {
    return slice_from(node->key, node->key_length);
}

/*
 * The place that points at the node of `key`; it holds NULL where there is none, and is then the
 * end of the chain that a new node belongs to.
 */
static struct index_node **find_place(const struct index *index, uint64_t hash, struct slice key) {
    struct index_node **place = bucket_of(index, hash);
    while (*place != NULL && !((*place)->hash == hash && slice_equal(key_of(*place), key))) {
        place = &(*place)->next;
    }
    return place;
}

static struct index_node *find_node(const struct index *index, struct slice key) {
    return *find_place(index, hash_bytes(key), key);
}

bool index_contains(const struct index *index, struct slice key) {
    return find_node(index, key) != NULL;
}

const struct bytes *index_find(const struct index *index, struct slice key) {
    const struct index_node *node = find_node(index, key);
    return node == NULL ? NULL : &node->value;
}

enum index_result index_get(const struct index *index, struct slice key, struct bytes *value) {
    const struct bytes *found = index_find(index, key);
    if (found == NULL) {
        return INDEX_MISSING;
    }
    return bytes_copy(value, bytes_view(found)) ? INDEX_FOUND : INDEX_NO_MEMORY;
}

static struct index_node *new_node(uint64_t hash, struct slice key, struct slice value) {
    struct index_node *node = malloc(sizeof *node + key.length);
    if (node == NULL) {
        return NULL;
    }
    if (!bytes_copy(&node->value, value)) {
        free(node);
        return NULL;
    }
    node->next = NULL;
    node->hash = hash;
    node->key_length = key.length;
    if (key.length > 0) {
        memcpy(node->key, key.data, key.length);
    }
    return node;
}

/* Finds or makes the node that a change is about; only a new node gets `value`. */
static bool prepare_node(const struct index *index, struct slice key, struct slice value,
                         struct index_change *change) {
    uint64_t hash = hash_bytes(key);
    *change = (struct index_change){.node = *find_place(index, hash, key)};
    if (change->node == NULL) {
        change->node = new_node(hash, key, value);
        change->is_new = true;
    }
    return change->node != NULL;
}

bool index_prepare_set(struct index *index, struct slice key, struct slice value,
                       struct index_change *change) {
    if (!prepare_node(index, key, value, change)) {
        return false;
    }
    return change->is_new || bytes_copy(&change->value, value);
}

bool index_prepare_append(struct index *index, struct slice key, struct slice suffix,
                          struct index_change *change) {
    if (!prepare_node(index, key, suffix, change)) {
        return false;
    }
    change->suffix = suffix;
    struct bytes *value = &change->node->value;
    return change->is_new || bytes_reserve(value, value->length + suffix.length);
}

/* Twice the buckets. Without memory for them the table stays as it is. */
static void grow(struct index *index) {
    size_t old_count = index->bucket_count;
    struct index_node **old = index->buckets;
    struct index_node **buckets = calloc(old_count * 2, sizeof(struct index_node *));
    if (buckets == NULL) {
        return;
    }
    index->buckets = buckets;
    index->bucket_count = old_count * 2;
    for (size_t i = 0; i < old_count; i++) {
        struct index_node *node = old[i];
        while (node != NULL) {
            struct index_node *next = node->next;
            struct index_node **bucket = bucket_of(index, node->hash);
            node->next = *bucket;
            *bucket = node;
            node = next;
        }
    }
    free(old);
}

static void insert_node(struct index *index, struct index_node *node) {
    if (index->count == index->bucket_count) {
        grow(index);
    }
    struct index_node **bucket = bucket_of(index, node->hash);
    node->next = *bucket;
    *bucket = node;
    index->count++;
    index->payload += node->key_length + node->value.length;
}

void index_commit(struct index *index, struct index_change *change) {
    struct bytes *value = &change->node->value;
    if (change->is_new) {
        insert_node(index, change->node);
    } else if (change->value.data != NULL) {
        index->payload += change->value.length;
        index->payload -= value->length;
        bytes_release(value);
        *value = change->value;
    } else {
        (void)bytes_append(value, change->suffix); /* its room was reserved */
        index->payload += change->suffix.length;
    }
    *change = (struct index_change){0};
}

void index_abandon(struct index_change *change) {
    if (change->is_new) {
        free_node(change->node);
    }
    bytes_release(&change->value);
    *change = (struct index_change){0};
}

bool index_remove(struct index *index, struct slice key) {
    struct index_node **place = find_place(index, hash_bytes(key), key);
    struct index_node *node = *place;
    if (node == NULL) {
        return false;
    }
    *place = node->next;
    index->count--;
    index->payload -= node->key_length + node->value.length;
    free_node(node);
    return true;
}

size_t index_count(const struct index *index) {
    return index->count;
}

uint64_t index_payload(const struct index *index) {
    return index->payload;
}

bool index_next(const struct index *index, struct index_cursor *cursor, struct slice *key,
                struct slice *value) {
    const struct index_node *node = cursor->node;
    while (node == NULL) {
        if (cursor->bucket == index->bucket_count) {
            return false;
        }
        node = index->buckets[cursor->bucket++];
    }
    *key = key_of(node);
    *value = bytes_view(&node->value);
    cursor->node = node->next;
    return true;
}
