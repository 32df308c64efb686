#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/vfs.h>
#endif

#include "rows.h"

enum { RECORD = 100, FILE_BYTES = 1 << 20 };

static const char *folder = ".";

void files_set_folder(const char *chosen) {
    folder = chosen;
}

struct file {
    int descriptor;
    off_t end;
    char record[RECORD];
};

static void close_file(void *state) {
    struct file *file = state;
    (void)close(file->descriptor);
    free(file);
}

/* An empty file without a name any more: whatever happens, nothing of it stays. */
static void *open_file(uint64_t size) {
    char path[4096];
    struct file *file = calloc(1, sizeof *file);
    (void)size;
    if (file == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    (void)snprintf(path, sizeof path, "%s/costs-XXXXXX", folder);
    file->descriptor = mkstemp(path);
    if (file->descriptor < 0) {
        cost_cannot("no file can be made in %s: %s. DIR=... names another folder", folder,
                    strerror(errno));
        free(file);
        return NULL;
    }
    (void)unlink(path);
    memset(file->record, 'a', RECORD);
    return file;
}

/* Whether the file is in memory, on no device at all. */
static bool is_in_memory(int descriptor) {
#ifdef __linux__
    enum { TMPFS = 0x01021994 };
    const unsigned long ramfs = 0x858458f6UL;
    struct statfs about;
    return fstatfs(descriptor, &about) == 0 &&
           ((unsigned long)about.f_type == TMPFS || (unsigned long)about.f_type == ramfs);
#else
    (void)descriptor;
    return false;
#endif
}

/* As open_file(), for a row that asks the device. */
static void *open_file_on_device(uint64_t size) {
    struct file *file = open_file(size);
    if (file != NULL && is_in_memory(file->descriptor)) {
        cost_cannot("%s is in memory (tmpfs), so there is no device to wait for. DIR=... names "
                    "another folder",
                    folder);
        close_file(file);
        return NULL;
    }
    return file;
}

/* One record at the end of the file, as minikv's log has it; a full file begins anew. */
static bool add_record(struct file *file) {
    if (file->end + RECORD > FILE_BYTES) {
        file->end = 0;
    }
    const bool ok = pwrite(file->descriptor, file->record, RECORD, file->end) == RECORD;
    file->end += RECORD;
    return ok;
}

static uint64_t write_records(void *state, uint64_t steps) {
    uint64_t written = 0;
    for (uint64_t step = 0; step < steps; step++) {
        written += add_record(state);
    }
    return written;
}

static uint64_t write_records_synced(void *state, uint64_t steps) {
    struct file *file = state;
    uint64_t written = 0;
    for (uint64_t step = 0; step < steps; step++) {
        written += add_record(file) && fdatasync(file->descriptor) == 0;
    }
    return written;
}

const struct cost_row file_rows[] = {
    {.name = "write",
     .what = "a write of 100 bytes to a file",
     .run = write_records,
     .open = open_file,
     .close = close_file},
    {.name = "write-synced",
     .what = "a write of 100 bytes, and fdatasync",
     .run = write_records_synced,
     .open = open_file_on_device,
     .close = close_file,
     .book = "10-100 us flash"},
    {.name = NULL},
};
