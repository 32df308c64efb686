/*
 * The database: what the server works on. It stands between the commands and the store, so that
 * neither depends on the other.
 *
 * Functions that return bool and take an error return false with its text set on failure; a failed
 * call has changed nothing.
 */
#ifndef MINIKV_DATABASE_H
#define MINIKV_DATABASE_H

#include <stdint.h>

#include "bytes.h"
#include "error.h"
#include "pair.h"
#include "store.h"

struct database;

/* A database on top of the store at `path`, with the store's options. NULL with `error` set. */
struct database *database_open(const char *path, const struct store_options *options,
                               struct error *error);

/* Ends the database and its store. */
bool database_close(struct database *database, struct error *error);

/* Looks `key` up. */
struct pair database_get(const struct database *database, struct slice key);

/* Whether `key` has a value. */
bool database_exists(const struct database *database, struct slice key);

/* Sets `key` to `value`, whatever it was before. Both are copied. */
bool database_set(struct database *database, struct slice key, struct slice value,
                  struct error *error);

/* Removes `key`; `*existed` tells whether it was there. */
bool database_delete(struct database *database, struct slice key, bool *existed,
                     struct error *error);

/* Adds one to the integer that `key` holds and puts the sum into `*value`. */
bool database_increment(struct database *database, struct slice key, int64_t *value,
                        struct error *error);

/* Appends `suffix` to the value of `key` and puts the new length into `*length`. */
bool database_append(struct database *database, struct slice key, struct slice suffix,
                     size_t *length, struct error *error);

/* How many keys have a value. */
size_t database_count(const struct database *database);

/* Counts one event under `name`, a string that outlives the database. */
void database_add_stat(const struct database *database, const char *name);

/* Appends the counters to `text`. False when memory runs out. */
bool database_stats(const struct database *database, struct bytes *text);

/* Rewrites the log so that it holds what is alive, and nothing else. */
bool database_compact(struct database *database, struct error *error);

/* Writes all that is alive into a new log at `path`. */
bool database_backup(const struct database *database, const char *path, struct error *error);

#endif
