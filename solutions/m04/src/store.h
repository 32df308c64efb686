/*
 * Keys and values that survive the process: an index in memory, a log on disk, and counters.
 *
 * Every write goes to the log first and to memory only when the log has it, so memory never shows
 * what a reopening would not. After a failed write the store keeps answering reads and refuses
 * writes (see log.h).
 *
 * Functions that return bool and take an error return false with its text set on failure; a failed
 * call has changed nothing.
 */
#ifndef MINIKV_STORE_H
#define MINIKV_STORE_H

#include <stdint.h>

#include "bytes.h"
#include "error.h"
#include "pair.h"

struct store;

struct store_options {
    bool sync_always; /* each write is on the device before it returns */

    /* Told, if set, what the user should know though nothing failed: a torn tail that was cut. */
    void (*notice)(void *context, const char *text);
    void *notice_context;
};

/*
 * Opens the store whose log is at `path`, made if it is missing. NULL with `error` set for all that
 * log_open() refuses.
 */
struct store *store_open(const char *path, const struct store_options *options,
                         struct error *error);

/* Ends the store. Nothing is lost by not calling it: every write is in the log already. */
bool store_close(struct store *store, struct error *error);

/* Looks `key` up. */
struct pair store_get(const struct store *store, struct slice key);

/* Whether `key` has a value. */
bool store_exists(const struct store *store, struct slice key);

/* Sets `key` to `value`, whatever it was before. Both are copied. */
bool store_set(struct store *store, struct slice key, struct slice value, struct error *error);

/* Removes `key`; `*existed` tells whether it was there. */
bool store_delete(struct store *store, struct slice key, bool *existed, struct error *error);

/*
 * Adds one to the integer that `key` holds (a missing key counts as 0) and puts the sum into
 * `*value`. Fails where the value is not a decimal 64-bit integer in its shortest form, or is the
 * largest one.
 */
bool store_increment(struct store *store, struct slice key, int64_t *value, struct error *error);

/*
 * Appends `suffix` to the value of `key` (a missing key counts as empty) and puts the new length
 * into `*length`. Fails where the value would exceed LOG_FIELD_MAX bytes.
 */
bool store_append(struct store *store, struct slice key, struct slice suffix, size_t *length,
                  struct error *error);

/* How many keys have a value. */
size_t store_count(const struct store *store);

/* Counts one event under `name`, a string that outlives the store. */
void store_add_stat(const struct store *store, const char *name);

/* Appends the counters to `text` as "name=value" pairs. False when memory runs out. */
bool store_stats(const struct store *store, struct bytes *text);

/* Rewrites the log so that it holds what is alive, and nothing else. */
bool store_compact(struct store *store, struct error *error);

/*
 * Writes all that is alive into a new log at `path`, and makes the folders on the way. Fails if
 * `path` exists.
 */
bool store_backup(const struct store *store, const char *path, struct error *error);

#endif
