/*
 * The table from keys to values in memory: hashing with chains.
 *
 * Invariants: the number of buckets is a power of two; a node hangs in the bucket of its hash; the
 * load (nodes per bucket) is at most 1, except after a growth for which there was no memory: the
 * table then stays right and becomes slower, and tries again at the next new key.
 *
 * Writing is done in two steps, so that a store can put its log between them: prepare does all
 * that can fail and changes nothing that a reader sees, commit makes the change and cannot fail.
 */
#ifndef MINIKV_INDEX_H
#define MINIKV_INDEX_H

#include <stdint.h>

#include "bytes.h"

struct index;
struct index_node;

enum index_result { INDEX_FOUND, INDEX_MISSING, INDEX_NO_MEMORY };

/*
 * A write that was prepared and is neither committed nor abandoned yet. Its fields are the
 * index's own.
 */
struct index_change {
    struct index_node *node; /* the node to change, or the new one to insert */
    bool is_new;
    struct bytes value;  /* set: the new value of an existing node */
    struct slice suffix; /* append: what to put behind the value of an existing node */
};

/* Where an iteration stands. All zero is the start. */
struct index_cursor {
    size_t bucket;
    const struct index_node *node;
};

/* An empty index, or NULL when memory runs out. Ended with index_free(). */
struct index *index_new(void);

/* Ends the index with all its keys and values. NULL is allowed. */
void index_free(struct index *index);

/* Whether `key` has a value. */
bool index_contains(const struct index *index, struct slice key);

/*
 * The value of `key`, or NULL where there is none. Borrowed: valid until the next commit or removal
 * in this index.
 */
const struct bytes *index_find(const struct index *index, struct slice key);

/*
 * Copies the value of `key` into `value`, which the caller then owns. `value` is only set where the
 * result is INDEX_FOUND.
 */
enum index_result index_get(const struct index *index, struct slice key, struct bytes *value);

/*
 * Prepares setting `key` to a copy of `value`. Returns false, with nothing to abandon, when memory
 * runs out. Between prepare and commit or abandon the index must not be changed otherwise.
 */
bool index_prepare_set(struct index *index, struct slice key, struct slice value,
                       struct index_change *change);

/*
 * Prepares appending `suffix` to the value of `key`, which counts as empty where it is missing.
 * `suffix` must stay valid until the commit. Otherwise as index_prepare_set().
 */
bool index_prepare_append(struct index *index, struct slice key, struct slice suffix,
                          struct index_change *change);

/* Makes a prepared change. Cannot fail. */
void index_commit(struct index *index, struct index_change *change);

/* Drops a prepared change: the index is as if it had never been prepared. */
void index_abandon(struct index_change *change);

/* Removes `key` with its value. Returns whether it was there. */
bool index_remove(struct index *index, struct slice key);

/* How many keys there are. */
size_t index_count(const struct index *index);

/* How many bytes all keys and values have in sum. */
uint64_t index_payload(const struct index *index);

/*
 * Steps to the next key in no particular order; returns false behind the last one. Key and value
 * are borrowed as from index_find(); a change of the index ends the iteration.
 */
bool index_next(const struct index *index, struct index_cursor *cursor, struct slice *key,
                struct slice *value);

#endif
