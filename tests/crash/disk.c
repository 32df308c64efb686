/* With _FORTIFY_SOURCE some of the functions below would be defined in the headers already. */
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE

#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "die.h"
#include "path.h"
#include "tmpdir.h"

/* --- The record ---------------------------------------------------------------------------- */

static char *copy_string(const char *string) {
    char *copy = string != NULL ? strdup(string) : NULL;
    if (string != NULL && copy == NULL) {
        die("strdup");
    }
    return copy;
}

/* A step at the end of the record; names are copied. */
static struct disk_step *add_step(struct disk *disk, enum disk_kind kind, size_t file,
                                  const char *name, const char *to) {
    if (disk->count == disk->capacity) {
        disk->capacity = disk->capacity == 0 ? 64 : disk->capacity * 2;
        disk->steps = realloc(disk->steps, disk->capacity * sizeof *disk->steps);
        if (disk->steps == NULL) {
            die("disk");
        }
    }
    struct disk_step *step = &disk->steps[disk->count];
    disk->count++;
    *step = (struct disk_step){.kind = kind,
                               .file = file,
                               .name = copy_string(name),
                               .to = copy_string(to),
                               .low = disk->low,
                               .high = disk->high};
    return step;
}

void disk_mark(struct disk *disk, size_t low, size_t high) {
    disk->low = low;
    disk->high = high;
}

void disk_copy(struct disk *copy, const struct disk *disk, size_t count) {
    *copy = (struct disk){.files = disk->files};
    for (size_t i = 0; i < count; i++) {
        const struct disk_step *from = &disk->steps[i];
        struct disk_step *step = add_step(copy, from->kind, from->file, from->name, from->to);
        step->at = from->at;
        step->low = from->low;
        step->high = from->high;
        blob_add(&step->data, from->data.data, from->data.length);
    }
}

void disk_release(struct disk *disk) {
    for (size_t i = 0; i < disk->count; i++) {
        free(disk->steps[i].name);
        free(disk->steps[i].to);
        blob_release(&disk->steps[i].data);
    }
    free(disk->steps);
    *disk = (struct disk){0};
}

/* --- Images -------------------------------------------------------------------------------- */

void disk_image_init(struct disk_image *image, const struct disk *disk) {
    *image = (struct disk_image){.file_count = disk->files};
    image->files = calloc(disk->files + 1, sizeof *image->files);
    if (image->files == NULL) {
        die("disk");
    }
}

void disk_image_release(struct disk_image *image) {
    for (size_t i = 0; i < image->file_count; i++) {
        blob_release(&image->files[i]);
    }
    free(image->files);
    *image = (struct disk_image){0};
}

const struct disk_entry *disk_find(const struct disk_image *image, const char *name) {
    for (size_t i = 0; i < image->entry_count; i++) {
        if (strcmp(image->entries[i].name, name) == 0) {
            return &image->entries[i];
        }
    }
    return NULL;
}

static void remove_entry(struct disk_image *image, const char *name) {
    for (size_t i = 0; i < image->entry_count; i++) {
        if (strcmp(image->entries[i].name, name) == 0) {
            image->entry_count--;
            image->entries[i] = image->entries[image->entry_count];
            return;
        }
    }
}

static void put_entry(struct disk_image *image, char *name, bool folder, size_t file) {
    remove_entry(image, name);
    if (image->entry_count == DISK_ENTRIES) {
        errno = ENOBUFS;
        die("disk");
    }
    image->entries[image->entry_count] = (struct disk_entry){name, folder, file};
    image->entry_count++;
}

static void set_length(struct blob *file, size_t length) {
    if (length > file->length) {
        blob_add_run(file, 0, length - file->length);
    }
    file->length = length;
}

static void write_at(struct blob *file, size_t at, const struct blob *data) {
    if (at + data->length > file->length) {
        set_length(file, at + data->length);
    }
    if (data->length > 0) {
        memcpy(file->data + at, data->data, data->length);
    }
}

void disk_apply(struct disk_image *image, const struct disk_step *step) {
    switch (step->kind) {
    case DISK_CREATE:
        put_entry(image, step->name, false, step->file);
        break;
    case DISK_WRITE:
        write_at(&image->files[step->file], (size_t)step->at, &step->data);
        break;
    case DISK_TRUNCATE:
        set_length(&image->files[step->file], (size_t)step->at);
        break;
    case DISK_MKDIR:
        put_entry(image, step->name, true, 0);
        break;
    case DISK_RENAME:
        remove_entry(image, step->name);
        put_entry(image, step->to, false, step->file);
        break;
    case DISK_LINK:
        put_entry(image, step->to, false, step->file);
        break;
    case DISK_UNLINK:
        remove_entry(image, step->name);
        break;
    case DISK_SYNC:
    case DISK_SYNC_FOLDER:
        break;
    }
}

void disk_cached(const struct disk *disk, size_t count, struct disk_image *image) {
    disk_image_init(image, disk);
    for (size_t i = 0; i < count; i++) {
        disk_apply(image, &disk->steps[i]);
    }
}

size_t disk_folder_length(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash != NULL ? (size_t)(slash - name) : 0;
}

/* Whether all folders on the way to `name` are in the image. */
static bool is_reachable(const struct disk_image *image, const char *name) {
    char folder[256];
    size_t length = disk_folder_length(name);
    if (length == 0) {
        return true;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)length, name);
    return disk_find(image, folder) != NULL && is_reachable(image, folder);
}

/* The folders in front of what they hold. */
static int by_name(const void *a, const void *b) {
    const struct disk_entry *first = a;
    const struct disk_entry *second = b;
    return strcmp(first->name, second->name);
}

void disk_write(const struct disk_image *image, const char *folder) {
    struct disk_entry entries[DISK_ENTRIES];
    memcpy(entries, image->entries, image->entry_count * sizeof *entries);
    qsort(entries, image->entry_count, sizeof *entries, by_name);
    for (size_t i = 0; i < image->entry_count; i++) {
        if (!is_reachable(image, entries[i].name)) {
            continue;
        }
        char *path = tmpdir_path(folder, entries[i].name);
        if (entries[i].folder) {
            must(mkdir(path, 0700), path);
        } else {
            const struct blob *file = &image->files[entries[i].file];
            blob_write_file(path, file->data, file->length);
        }
        free(path);
    }
}

bool disk_matches(const struct disk_image *image, const char *folder) {
    bool same = true;
    for (size_t i = 0; i < image->entry_count && same; i++) {
        char *path = tmpdir_path(folder, image->entries[i].name);
        same = !path_is_missing(path) &&
               (image->entries[i].folder ||
                path_holds(path, blob_view(&image->files[image->entries[i].file])));
        free(path);
    }
    return same;
}

/* --- Recording ----------------------------------------------------------------------------- */

enum handle_kind { HANDLE_NONE, HANDLE_FILE, HANDLE_FOLDER };

struct handle {
    enum handle_kind kind;
    size_t file;
    char *name;
};

#define HANDLES 1024

static struct handle handles[HANDLES];
static struct disk *recorded; /* NULL: nothing is */
static struct disk_image names;
static char *root;

void disk_record(struct disk *disk, const char *folder) {
    disk_cached(disk, disk->count, &names);
    recorded = disk;
    root = copy_string(folder);
}

void disk_stop(void) {
    recorded = NULL;
    disk_image_release(&names);
    free(root);
    for (size_t i = 0; i < HANDLES; i++) {
        free(handles[i].name);
        handles[i] = (struct handle){0};
    }
}

/* The name of `path` within the recorded folder, "" for the folder itself; NULL elsewhere. */
static const char *name_of(const char *path) {
    size_t length = recorded != NULL ? strlen(root) : 0;
    if (recorded == NULL || strncmp(path, root, length) != 0) {
        return NULL;
    }
    return path[length] == '/' ? path + length + 1 : path[length] == '\0' ? "" : NULL;
}

static struct handle *handle_of(int fd, enum handle_kind kind) {
    bool known = recorded != NULL && fd >= 0 && fd < HANDLES && handles[fd].kind == kind;
    return known ? &handles[fd] : NULL;
}

/* Records a step about entries. */
static void record_names(enum disk_kind kind, size_t file, const char *name, const char *to) {
    disk_apply(&names, add_step(recorded, kind, file, name, to));
}

static void record_open(int fd, const char *name, int flags) {
    if (fd >= HANDLES) {
        errno = EMFILE;
        die("disk");
    }
    struct handle *handle = &handles[fd];
    const struct disk_entry *entry = disk_find(&names, name);
    if (name[0] == '\0' || (entry != NULL && entry->folder)) {
        *handle = (struct handle){.kind = HANDLE_FOLDER, .name = copy_string(name)};
        return;
    }
    *handle = (struct handle){.kind = HANDLE_FILE, .file = recorded->files};
    if (entry != NULL) {
        handle->file = entry->file;
        if ((flags & O_TRUNC) != 0) {
            add_step(recorded, DISK_TRUNCATE, handle->file, NULL, NULL);
        }
    } else {
        recorded->files++;
        record_names(DISK_CREATE, handle->file, name, NULL);
    }
}

static void record_write(int fd, const struct iovec *pieces, int count, ssize_t written,
                         off_t end) {
    const struct handle *handle = handle_of(fd, HANDLE_FILE);
    if (handle == NULL || written <= 0) {
        return;
    }
    struct disk_step *step = add_step(recorded, DISK_WRITE, handle->file, NULL, NULL);
    step->at = (uint64_t)(end - written);
    for (int i = 0; i < count && step->data.length < (size_t)written; i++) {
        size_t rest = (size_t)written - step->data.length;
        blob_add(&step->data, pieces[i].iov_base,
                 pieces[i].iov_len < rest ? pieces[i].iov_len : rest);
    }
}

static int record_sync(int fd) {
    const struct handle *handle = handle_of(fd, HANDLE_FILE);
    if (handle != NULL) {
        add_step(recorded, DISK_SYNC, handle->file, NULL, NULL);
    }
    handle = handle_of(fd, HANDLE_FOLDER);
    if (handle != NULL) {
        add_step(recorded, DISK_SYNC_FOLDER, 0, handle->name, NULL);
    }
    return 0;
}

/* --- The functions that win over libc's ---------------------------------------------------- */

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    const char *name = name_of(path);
    if (fd >= 0 && name != NULL) {
        record_open(fd, name, flags);
    }
    return fd;
}

int close(int fd) {
    if (recorded != NULL && fd >= 0 && fd < HANDLES) {
        free(handles[fd].name);
        handles[fd] = (struct handle){0};
    }
    return (int)syscall(SYS_close, fd);
}

ssize_t write(int fd, const void *data, size_t length) {
    ssize_t written = syscall(SYS_write, fd, data, length);
    struct iovec piece = {(void *)data, length};
    record_write(fd, &piece, 1, written, lseek(fd, 0, SEEK_CUR));
    return written;
}

ssize_t writev(int fd, const struct iovec *pieces, int count) {
    ssize_t written = syscall(SYS_writev, fd, pieces, count);
    record_write(fd, pieces, count, written, lseek(fd, 0, SEEK_CUR));
    return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
    ssize_t written = syscall(SYS_pwrite64, fd, data, length, at);
    struct iovec piece = {(void *)data, length};
    record_write(fd, &piece, 1, written, at + written);
    return written;
}

int ftruncate(int fd, off_t length) {
    int result = (int)syscall(SYS_ftruncate, fd, length);
    const struct handle *handle = handle_of(fd, HANDLE_FILE);
    if (result == 0 && handle != NULL) {
        add_step(recorded, DISK_TRUNCATE, handle->file, NULL, NULL)->at = (uint64_t)length;
    }
    return result;
}

int fsync(int fd) {
    return record_sync(fd);
}

int fdatasync(int fd) {
    return record_sync(fd);
}

int mkdir(const char *path, mode_t mode) {
    int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    const char *name = name_of(path);
    if (result == 0 && name != NULL) {
        record_names(DISK_MKDIR, 0, name, NULL);
    }
    return result;
}

int rename(const char *from, const char *to) {
    int result = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    const char *name = name_of(from);
    if (result == 0 && name != NULL) {
        record_names(DISK_RENAME, disk_find(&names, name)->file, name, name_of(to));
    }
    return result;
}

int link(const char *from, const char *to) {
    int result = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    const char *name = name_of(from);
    if (result == 0 && name != NULL) {
        record_names(DISK_LINK, disk_find(&names, name)->file, name, name_of(to));
    }
    return result;
}

int unlink(const char *path) {
    int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    const char *name = name_of(path);
    if (result == 0 && name != NULL) {
        record_names(DISK_UNLINK, 0, name, NULL);
    }
    return result;
}
