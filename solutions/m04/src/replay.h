/*
 * Reads a log from its start and tells its records, a torn tail and damage apart.
 *
 * A record that cannot be read is a torn tail if nothing behind it shows that more was written
 * later: no header of this log with its number or a later one. That is what a crash leaves, whether
 * the file ends there, goes on with zeros, or has lost some sectors of its last record. Else it is
 * damage.
 */
#ifndef MINIKV_REPLAY_H
#define MINIKV_REPLAY_H

#include "error.h"
#include "record.h"

/* What became of a record that was shown. */
enum log_applied {
    LOG_APPLIED,
    LOG_IMPOSSIBLE, /* no store would have written it: the log is damaged here */
    LOG_NO_MEMORY
};

/* Takes over one record; anything but LOG_APPLIED ends the replay. */
typedef enum log_applied (*log_apply)(void *context, const struct log_record *record);

/* What a replay found. */
struct log_recovery {
    uint64_t records;   /* whole records read */
    uint64_t end;       /* the byte after the last of them; 0 where there is no file header yet */
    uint64_t cut_bytes; /* bytes of a torn tail behind `end`: 0 where there is none */
    uint32_t seed;      /* of the record headers, for record_encode() */
};

/*
 * Reads the file `fd` (called `name` in messages) and shows every whole record to `apply`, in
 * order. A file that is shorter than its header because its creation was cut off counts as torn at
 * byte 0. Returns false with `error` set where the file is no log, is damaged or cannot be read,
 * or when memory runs out; `recovery` tells how far it got in any case.
 *
 * Needs memory for the largest record, not for the file.
 */
bool replay_run(int fd, const char *name, log_apply apply, void *context,
                struct log_recovery *recovery, struct error *error);

#endif
