/*
 * The append-only log on disk: what makes a store survive its process.
 *
 * One record per write, checksummed and numbered; docs/log-format.md draws the format. A write
 * counts once its record is whole in the file (and, with sync, on the device): log_append()
 * returns true only then. After a failed write or sync the log is broken for good: the system no
 * longer says what is on the device (a second fsync may succeed although the first lost data), so
 * it takes no further record until it is opened again.
 */
#ifndef MINIKV_LOG_H
#define MINIKV_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "record.h"
#include "replay.h"

struct log;

/* Hands out the next live key and value, borrowed until the next call; false behind the last. */
typedef bool (*log_source)(void *context, struct slice *key, struct slice *value);

/*
 * Opens the log at `path`, made if it is missing, and shows every record to `apply` in the order of
 * writing. A symbolic link is followed once, here: later renames go to the file it leads to.
 *
 * Only one process, and only one log within it, may have a file open: a second one is refused at
 * once. A torn tail (a bad record with no sign of a later one behind it) is cut off the file before
 * this returns, and told in `recovery`. Damage elsewhere is refused, naming the offset, and the
 * file is left as it is.
 *
 * With `sync`, each record is on the device before log_append() returns.
 *
 * Returns NULL with `error` set where the file cannot be had, locked, read or trusted.
 */
struct log *log_open(const char *path, bool sync, log_apply apply, void *context,
                     struct log_recovery *recovery, struct error *error);

/* Ends the log and its lock. Returns false with `error` set if closing the file failed. */
bool log_close(struct log *log, struct error *error);

/*
 * Writes one record with one write(2). Key and value may have LOG_FIELD_MAX bytes each. Returns
 * false with `error` set if it cannot be promised; what had reached the file is then taken back as
 * far as the system allows. If memory ran out, nothing was written and the log is as good as
 * before.
 */
bool log_append(struct log *log, const struct log_record *record, struct error *error);

/* The bytes of the file. */
uint64_t log_size(const struct log *log);

/*
 * Replaces the log by a new one with a LOG_SET record for each pair of `next`. At any moment of a
 * crash, the path leads to the old log or to the new one, each whole. Returns false with `error`
 * set if it failed: the old log is then still in use, unless the very last step, syncing the
 * folder, failed: then the new one is, and is broken as after a failed write.
 */
bool log_compact(struct log *log, log_source next, void *context, struct error *error);

/*
 * Writes a new log at `path` with a LOG_SET record for each pair of `next`, on the device before
 * this returns. `path` appears only when it is whole. Returns false with `error` set if it failed
 * or if `path` exists already: nothing is ever overwritten.
 */
bool log_write_copy(const char *path, log_source next, void *context, struct error *error);

/*
 * Reads the log at `path` without changing or locking it and shows every record to `apply`. A torn
 * tail is told in `recovery`. Returns false with `error` set for what log_open() refuses; the
 * records before the damage have been shown by then, and `recovery` tells how far it got.
 */
bool log_read(const char *path, log_apply apply, void *context, struct log_recovery *recovery,
              struct error *error);

#endif
