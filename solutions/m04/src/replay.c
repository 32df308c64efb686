#include "replay.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_SIZE = 256 * 1024 };

/*
 * A window on the file that moves forward. Invariant: window.data[start, window.length) holds the
 * bytes of the file from `offset` on; `size` is the size of the file when the replay began.
 */
struct reader {
    int fd;
    const char *name;
    struct bytes window;
    size_t start;
    uint64_t offset;
    uint64_t size;
    uint32_t seed; /* of the record headers */
    struct error *error;
};

static size_t reader_available(const struct reader *reader) {
    return reader->window.length - reader->start;
}

static uint64_t reader_remaining(const struct reader *reader) {
    return reader->size - reader->offset;
}

static const unsigned char *reader_data(const struct reader *reader) {
    return reader->window.data + reader->start;
}

/* A read may return less than asked for at any time: only 0 means the end. */
static bool read_more(struct reader *reader) {
    struct bytes *window = &reader->window;
    ssize_t count;
    do {
        count = read(reader->fd, window->data + window->length, window->capacity - window->length);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        error_set_system(reader->error, errno, "cannot read %s", reader->name);
        return false;
    }
    if (count == 0) {
        error_set(reader->error, "%s became shorter while it was read", reader->name);
        return false;
    }
    window->length += (size_t)count;
    return true;
}

/* Sees to it that `length` bytes are available; the caller knows that the file has them. */
static bool reader_need(struct reader *reader, size_t length) {
    if (reader_available(reader) >= length) {
        return true;
    }
    struct bytes *window = &reader->window;
    window->length -= reader->start;
    memmove(window->data, window->data + reader->start, window->length);
    reader->start = 0;
    if (!bytes_reserve(window, length)) {
        error_set(reader->error, "out of memory while reading %s", reader->name);
        return false;
    }
    while (window->length < length) {
        if (!read_more(reader)) {
            return false;
        }
    }
    return true;
}

static void reader_skip(struct reader *reader, size_t length) {
    reader->start += length;
    reader->offset += length;
}

/* Sets `*torn` where the header was never finished, so that no record can follow. */
static bool read_log_header(struct reader *reader, bool *torn) {
    size_t length = reader->size < LOG_HEADER_SIZE ? (size_t)reader->size : LOG_HEADER_SIZE;
    *torn = false;
    if (!reader_need(reader, length)) {
        return false;
    }
    switch (record_judge_log_header(reader_data(reader), reader->size, &reader->seed)) {
    case LOG_HEADER_WHOLE:
        reader_skip(reader, LOG_HEADER_SIZE);
        return true;
    case LOG_HEADER_UNFINISHED:
        *torn = true;
        return true;
    case LOG_HEADER_VERSION:
        error_set(reader->error, "%s was written by another version of minikv", reader->name);
        return false;
    case LOG_HEADER_DAMAGED:
        error_set(reader->error, "%s is damaged at byte 0 (the header); it was left as it is",
                  reader->name);
        return false;
    case LOG_HEADER_FOREIGN:
    default:
        error_set(reader->error, "%s is no minikv log: name another file; it was left as it is",
                  reader->name);
        return false;
    }
}

enum record_state { RECORD_WHOLE, RECORD_BAD, RECORD_UNREADABLE };

/* Reads the record at the reader's place, which is to have that number, without leaving it. */
static enum record_state read_record(struct reader *reader, uint64_t number,
                                     struct log_record *record, size_t *size) {
    struct record_header header;
    if (reader_remaining(reader) < RECORD_HEADER_SIZE) {
        return RECORD_BAD;
    }
    if (!reader_need(reader, RECORD_HEADER_SIZE)) {
        return RECORD_UNREADABLE;
    }
    if (!record_decode_header(reader_data(reader), reader->seed, &header) ||
        header.number != number || record_size(&header) > reader_remaining(reader)) {
        return RECORD_BAD;
    }
    *size = (size_t)record_size(&header);
    if (!reader_need(reader, *size)) {
        return RECORD_UNREADABLE;
    }
    return record_decode(reader_data(reader), &header, record) ? RECORD_WHOLE : RECORD_BAD;
}

/*
 * Sets `*found` to whether something behind the record `number`, which is bad and should stand at
 * the reader's place, was written after it: a header with a later number, or with the same one
 * elsewhere. A torn record alone shows none, whatever its value holds: even a copy of this log has
 * earlier numbers only.
 */
static bool find_later_record(struct reader *reader, uint64_t number, bool *found) {
    struct record_header header;
    uint64_t least = number + 1; /* here; further on, `number` itself is in the wrong place */
    *found = false;
    while (!*found && reader_remaining(reader) >= RECORD_HEADER_SIZE) {
        if (!reader_need(reader, RECORD_HEADER_SIZE)) {
            return false;
        }
        *found = record_decode_header(reader_data(reader), reader->seed, &header) &&
                 header.number >= least;
        reader_skip(reader, 1);
        least = number;
    }
    return true;
}

static void set_damaged(const struct reader *reader, const struct log_recovery *recovery,
                        const char *why) {
    error_set(reader->error,
              "%s is damaged at byte %llu (record %llu; %s); it was left as it is: restore a "
              "backup, or save what --dump can read",
              reader->name, (unsigned long long)recovery->end,
              (unsigned long long)recovery->records + 1, why);
}

/* The record at the reader's place is bad: decides whether that is a torn tail or damage. */
static bool judge_bad_record(struct reader *reader, struct log_recovery *recovery) {
    bool later;
    recovery->cut_bytes = reader_remaining(reader);
    if (!find_later_record(reader, recovery->records + 1, &later)) {
        return false;
    }
    if (later) {
        recovery->cut_bytes = 0;
        set_damaged(reader, recovery, "later records follow it");
    }
    return !later;
}

static bool show_record(const struct reader *reader, const struct log_record *record,
                        log_apply apply, void *context, const struct log_recovery *recovery) {
    switch (apply(context, record)) {
    case LOG_APPLIED:
        return true;
    case LOG_IMPOSSIBLE:
        set_damaged(reader, recovery, "no minikv writes such a record");
        return false;
    case LOG_NO_MEMORY:
    default:
        error_set(reader->error, "out of memory while reading %s", reader->name);
        return false;
    }
}

static bool replay_records(struct reader *reader, log_apply apply, void *context,
                           struct log_recovery *recovery) {
    struct log_record record;
    size_t size = 0;
    recovery->end = reader->offset;
    while (reader_remaining(reader) > 0) {
        enum record_state state = read_record(reader, recovery->records + 1, &record, &size);
        if (state == RECORD_UNREADABLE) {
            return false;
        }
        if (state == RECORD_BAD) {
            return judge_bad_record(reader, recovery);
        }
        if (!show_record(reader, &record, apply, context, recovery)) {
            return false;
        }
        reader_skip(reader, size);
        recovery->records++;
        recovery->end = reader->offset;
    }
    return true;
}

bool replay_run(int fd, const char *name, log_apply apply, void *context,
                struct log_recovery *recovery, struct error *error) {
    struct reader reader = {.fd = fd, .name = name, .error = error};
    struct stat status;
    bool torn;
    *recovery = (struct log_recovery){0};
    if (fstat(fd, &status) != 0) {
        error_set_system(error, errno, "cannot examine %s", name);
        return false;
    }
    reader.size = (uint64_t)status.st_size;
    if (!bytes_reserve(&reader.window, READ_SIZE)) {
        error_set(error, "out of memory while reading %s", name);
        return false;
    }
    bool ok = read_log_header(&reader, &torn);
    recovery->seed = reader.seed;
    if (ok && torn) {
        recovery->cut_bytes = reader.size;
    } else if (ok) {
        ok = replay_records(&reader, apply, context, recovery);
    }
    bytes_release(&reader.window);
    return ok;
}
