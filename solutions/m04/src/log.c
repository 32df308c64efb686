/*
 * The file, in short (docs/log-format.md has every byte):
 *
 *     | magic "minikv" 0 | version | id | checksum |                           file header
 *     | header checksum | body checksum | number | lengths | op | key | value |  record 1
 *     | header checksum | body checksum | number | lengths | op | key | value |  record 2
 *     ...
 *
 * The header has a checksum of its own so that the lengths can be trusted before the body is read.
 * The number makes a record that is missing, or stands twice, visible.
 */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"

/* Room that a log keeps for encoding its next record; more is given back after a large one. */
enum { SCRATCH_KEPT = 64 * 1024 };

/* How much of a new log is gathered before it is written. */
enum { COPY_BLOCK = 256 * 1024 };

/* What a compaction adds to the name of the log for its new one. */
static const char temporary_suffix[] = ".compact-tmp";

/*
 * Invariants: the file holds whole records up to `end` and, unless the log is broken, nothing
 * behind it; `next_number` is the number of whole records plus 1; this process has the lock.
 */
struct log {
    int fd; /* opened for appending, so that each write goes to the end whatever was cut before */
    char *path; /* absolute, links resolved */
    bool sync;
    uint64_t end;
    uint32_t seed; /* of the file's record headers */
    uint64_t next_number;
    int broken; /* the error number of the failure that ended writing; 0: none */
    struct bytes scratch;
};

/* Opening a FIFO or a device could block or do something: so look first. */
static bool check_regular(const char *path, struct error *error) {
    struct stat status;
    if (stat(path, &status) != 0) {
        if (errno == ENOENT) {
            return true; /* open() will make it, or say what is wrong */
        }
        error_set_system(error, errno, "cannot open %s", path);
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        error_set(error, "cannot open %s: it is a %s, a log is a regular file", path,
                  S_ISDIR(status.st_mode) ? "folder" : "device, pipe or socket");
        return false;
    }
    return true;
}

/* A file with the name of a leftover would be removed like one. */
static bool check_name(const char *path, struct error *error) {
    size_t length = strlen(path);
    size_t suffix = sizeof temporary_suffix - 1;
    if (length >= suffix && strcmp(path + length - suffix, temporary_suffix) == 0) {
        error_set(error, "%s: names that end in %s are minikv's own, choose another", path,
                  temporary_suffix);
        return false;
    }
    return true;
}

/* Returns the descriptor, or -1 with `error` set. */
static int open_file(const char *path, int flags, struct error *error) {
    if (!check_regular(path, error)) {
        return -1;
    }
    int fd = file_open(path, flags | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        error_set_system(error, errno, "cannot open %s", path);
    }
    return fd;
}

/* Whether `path` still leads to the file that is open as `fd`. */
static bool leads_to(const char *path, int fd) {
    struct stat by_path;
    struct stat by_fd;
    return stat(path, &by_path) == 0 && fstat(fd, &by_fd) == 0 && by_path.st_dev == by_fd.st_dev &&
           by_path.st_ino == by_fd.st_ino;
}

/*
 * The lock is on the file itself, which a compaction replaces: whoever opened the old file just
 * before and gets its lock just after would hold a file that nobody reads any more. Hence the
 * second look at the path.
 */
static bool lock_file(struct log *log, struct error *error) {
    bool locked = flock(log->fd, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK) {
        error_set_system(error, errno, "cannot lock %s", log->path);
        return false;
    }
    if (!locked || !leads_to(log->path, log->fd)) {
        error_set(error, "%s is in use by another minikv: end that one first", log->path);
        return false;
    }
    return true;
}

/* `path` with `suffix` as a new string; NULL when memory runs out. */
static char *path_with(const char *path, const char *suffix) {
    size_t length = strlen(path) + strlen(suffix) + 1;
    char *joined = malloc(length);
    if (joined != NULL) {
        (void)snprintf(joined, length, "%s%s", path, suffix);
    }
    return joined;
}

static bool no_memory(struct error *error) {
    error_set(error, "out of memory");
    return false;
}

/* A number that no other log has: the time, to the nanosecond. */
static uint64_t new_id(void) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool start_file(struct log *log, struct error *error) {
    unsigned char header[LOG_HEADER_SIZE];
    log->seed = record_start_log(header, new_id());
    if (!file_truncate(log->fd, 0) || !file_write_all(log->fd, slice_from(header, sizeof header))) {
        error_set_system(error, errno, "cannot start a log in %s", log->path);
        return false;
    }
    log->end = LOG_HEADER_SIZE;
    return true;
}

static bool cut_tail(struct log *log, const struct log_recovery *recovery, struct error *error) {
    if (recovery->cut_bytes > 0 && !file_truncate(log->fd, recovery->end)) {
        error_set_system(error, errno, "cannot cut the torn tail of %s", log->path);
        return false;
    }
    log->end = recovery->end;
    return true;
}

static bool recover(struct log *log, log_apply apply, void *context, struct log_recovery *recovery,
                    struct error *error) {
    if (!replay_run(log->fd, log->path, apply, context, recovery, error)) {
        return false;
    }
    log->next_number = recovery->records + 1;
    log->seed = recovery->seed;
    return recovery->end == 0 ? start_file(log, error) : cut_tail(log, recovery, error);
}

/*
 * A process that was killed may have written, or renamed, what only the system's memory holds yet.
 * The device must have it before anything is promised that builds on it.
 */
static bool settle(const struct log *log, struct error *error) {
    if (!file_sync(log->fd) || !file_sync_folder_of(log->path)) {
        error_set_system(error, errno, "cannot sync %s", log->path);
        return false;
    }
    return true;
}

/* What a compaction writes before it takes the log's place; a crash may leave it behind. */
static char *temporary_path(const struct log *log) {
    return path_with(log->path, temporary_suffix);
}

static void remove_leftover(const struct log *log) {
    char *temporary = temporary_path(log);
    if (temporary != NULL) {
        (void)unlink(temporary); /* there is none, normally; the next compaction tries again */
        free(temporary);
    }
}

static void free_log(struct log *log) {
    bytes_release(&log->scratch);
    free(log->path);
    free(log);
}

struct log *log_open(const char *path, bool sync, log_apply apply, void *context,
                     struct log_recovery *recovery, struct error *error) {
    struct log *log = calloc(1, sizeof *log);
    if (log == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    log->sync = sync;
    log->fd = check_name(path, error) ? open_file(path, O_RDWR | O_CREAT | O_APPEND, error) : -1;
    if (log->fd < 0) {
        free_log(log);
        return NULL;
    }
    log->path = realpath(path, NULL);
    if (log->path == NULL) {
        error_set_system(error, errno, "cannot resolve %s", path);
    } else if (check_name(log->path, error) && lock_file(log, error) &&
               recover(log, apply, context, recovery, error) && settle(log, error)) {
        remove_leftover(log);
        return log;
    }
    (void)close(log->fd); /* the open has failed already, for the reason in `error` */
    free_log(log);
    return NULL;
}

bool log_close(struct log *log, struct error *error) {
    bool ok = close(log->fd) == 0;
    if (!ok) {
        error_set_system(error, errno, "cannot close %s", log->path);
    }
    free_log(log);
    return ok;
}

static bool is_broken(const struct log *log, struct error *error) {
    if (log->broken != 0) {
        error_set(error, "no more writes since one failed (%s): find the reason, then reopen",
                  strerror(log->broken));
    }
    return log->broken != 0;
}

/*
 * Takes back what a failed write left behind `end`. The log stays broken whether this works or
 * not; but if it works, a reopened log is what memory shows now.
 */
static void break_log(struct log *log, int code) {
    log->broken = code;
    if (!file_truncate(log->fd, log->end)) {
        return; /* the next open cuts a torn record; a whole one that got no OK may then appear */
    }
    if (log->sync) {
        (void)file_sync_data(log->fd);
    }
}

bool log_append(struct log *log, const struct log_record *record, struct error *error) {
    if (is_broken(log, error)) {
        return false;
    }
    bytes_clear(&log->scratch);
    if (!record_encode(record, log->seed, log->next_number, &log->scratch)) {
        return no_memory(error);
    }
    uint64_t size = log->scratch.length;
    bool written = file_write_all(log->fd, bytes_view(&log->scratch)) &&
                   (!log->sync || file_sync_data(log->fd));
    int code = errno;
    if (log->scratch.capacity > SCRATCH_KEPT) {
        bytes_release(&log->scratch);
    }
    if (!written) {
        break_log(log, code);
        error_set_system(error, code, "write failed, no more writes until the log is reopened");
        return false;
    }
    log->end += size; /* the commit point: from here on the record counts */
    log->next_number++;
    return true;
}

uint64_t log_size(const struct log *log) {
    return log->end;
}

/* A new log that is being written. */
struct copy {
    int fd;
    struct bytes block; /* encoded and not written yet */
    uint64_t written;
    uint32_t seed;
    uint64_t next_number;
};

static bool copy_flush(struct copy *copy, struct error *error) {
    if (!file_write_all(copy->fd, bytes_view(&copy->block))) {
        error_set_system(error, errno, "cannot write the new log");
        return false;
    }
    copy->written += copy->block.length;
    bytes_clear(&copy->block);
    return true;
}

static bool copy_records(struct copy *copy, log_source next, void *context, struct error *error) {
    struct log_record record = {.op = LOG_SET};
    unsigned char header[LOG_HEADER_SIZE];
    copy->seed = record_start_log(header, new_id());
    if (!bytes_append(&copy->block, slice_from(header, sizeof header))) {
        return no_memory(error);
    }
    while (next(context, &record.key, &record.value)) {
        if (!record_encode(&record, copy->seed, copy->next_number, &copy->block)) {
            return no_memory(error);
        }
        copy->next_number++;
        if (copy->block.length >= COPY_BLOCK && !copy_flush(copy, error)) {
            return false;
        }
    }
    return copy_flush(copy, error);
}

/* Fills the new file of `copy`, down to the device. */
static bool copy_fill(struct copy *copy, log_source next, void *context, struct error *error) {
    copy->written = 0;
    copy->next_number = 1;
    bytes_init(&copy->block);
    bool ok = copy_records(copy, next, context, error);
    bytes_release(&copy->block);
    if (ok && !file_sync(copy->fd)) {
        error_set_system(error, errno, "cannot sync the new log");
        ok = false;
    }
    return ok;
}

static bool create_file(const char *path, int flags, int *fd, struct error *error) {
    *fd = file_open(path, O_RDWR | O_CREAT | O_EXCL | flags);
    if (*fd < 0) {
        error_set_system(error, errno, "cannot create %s", path);
    }
    return *fd >= 0;
}

/* The new log is to be as accessible as the old one, and locked before anyone can open it. */
static bool take_over_identity(const struct log *log, int fd, struct error *error) {
    struct stat status;
    if (fstat(log->fd, &status) != 0 || !file_set_mode(fd, status.st_mode & 07777) ||
        flock(fd, LOCK_EX | LOCK_NB) != 0) {
        error_set_system(error, errno, "cannot prepare the new log");
        return false;
    }
    if (fchown(fd, status.st_uid, status.st_gid) != 0) {
        return true; /* only root may give files away; then the log belongs to who compacted it */
    }
    return true;
}

static bool fill_and_rename(const struct log *log, struct copy *copy, const char *temporary,
                            log_source next, void *context, struct error *error) {
    if (!take_over_identity(log, copy->fd, error) || !copy_fill(copy, next, context, error)) {
        return false;
    }
    if (rename(temporary, log->path) != 0) { /* the commit point of a compaction */
        error_set_system(error, errno, "cannot replace %s", log->path);
        return false;
    }
    return true;
}

static void switch_to(struct log *log, const struct copy *copy) {
    (void)close(log->fd); /* its records are all in the new log, which is on the device */
    log->fd = copy->fd;
    log->end = copy->written;
    log->seed = copy->seed;
    log->next_number = copy->next_number;
}

/* Makes the new log at `temporary` and puts it in the old one's place. */
static bool replace_log(struct log *log, const char *temporary, log_source next, void *context,
                        struct error *error) {
    struct copy copy = {0};
    (void)unlink(temporary); /* what a crash may have left */
    if (!create_file(temporary, O_APPEND, &copy.fd, error)) {
        return false;
    }
    if (!fill_and_rename(log, &copy, temporary, next, context, error)) {
        (void)close(copy.fd);
        (void)unlink(temporary);
        return false;
    }
    switch_to(log, &copy);
    if (!file_sync_folder_of(log->path)) {
        /* After power loss the path might lead to the old log, without what is written from now. */
        log->broken = errno;
        error_set_system(error, errno, "cannot sync the folder of %s, no more writes", log->path);
        return false;
    }
    return true;
}

bool log_compact(struct log *log, log_source next, void *context, struct error *error) {
    if (is_broken(log, error)) {
        return false;
    }
    char *temporary = temporary_path(log);
    if (temporary == NULL) {
        return no_memory(error);
    }
    bool ok = replace_log(log, temporary, next, context, error);
    free(temporary);
    return ok;
}

/* link() rather than rename(): it refuses to replace what has come up at `path` meanwhile. */
static bool fill_and_link(const char *path, const char *temporary, log_source next, void *context,
                          struct error *error) {
    struct copy copy = {0};
    if (!create_file(temporary, 0, &copy.fd, error)) {
        return false;
    }
    bool ok = copy_fill(&copy, next, context, error);
    if (close(copy.fd) != 0 && ok) {
        error_set_system(error, errno, "cannot close %s", temporary);
        ok = false;
    }
    if (ok && link(temporary, path) != 0) {
        error_set_system(error, errno, "cannot create %s", path);
        ok = false;
    }
    (void)unlink(temporary);
    if (ok && !file_sync_folder_of(path)) {
        error_set_system(error, errno, "cannot sync the folder of %s", path);
        (void)unlink(path); /* no copy rather than one that may not last */
        ok = false;
    }
    return ok;
}

bool log_write_copy(const char *path, log_source next, void *context, struct error *error) {
    struct stat status;
    char suffix[32];
    if (!check_name(path, error)) {
        return false;
    }
    if (lstat(path, &status) == 0) {
        error_set(error, "%s exists already: nothing was written", path);
        return false;
    }
    (void)snprintf(suffix, sizeof suffix, ".%" PRIx64 ".tmp", new_id()); /* not what a crash left */
    char *temporary = path_with(path, suffix);
    if (temporary == NULL) {
        return no_memory(error);
    }
    bool ok = fill_and_link(path, temporary, next, context, error);
    free(temporary);
    return ok;
}

bool log_read(const char *path, log_apply apply, void *context, struct log_recovery *recovery,
              struct error *error) {
    *recovery = (struct log_recovery){0};
    int fd = open_file(path, O_RDONLY, error);
    if (fd < 0) {
        return false;
    }
    bool ok = replay_run(fd, path, apply, context, recovery, error);
    (void)close(fd); /* nothing was written through it */
    return ok;
}
