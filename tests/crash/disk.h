/*
 * Records what a program asks of the file system within one folder, so that every state can be
 * rebuilt that a power loss might leave there.
 *
 *     struct disk disk = {0};
 *     disk_record(&disk, folder);
 *     ...                              (open a store in the folder, and use it)
 *     disk_stop();
 *     disk_cached(&disk, disk.count, &image);     what programs see
 *     ...
 *     disk_release(&disk);
 *
 * disk.c defines open(), write(), fsync() and so on, which win over those of libc in whatever is
 * linked with it. All are passed on, but for the syncs: a test needs no real device.
 *
 * Names are paths relative to the folder. Trouble ends the test program.
 */
#ifndef TESTS_DISK_H
#define TESTS_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blob.h"

enum disk_kind {
    DISK_CREATE,      /* `name` now leads to the new, empty file `file` */
    DISK_WRITE,       /* `data` is written to `file` at `at` */
    DISK_TRUNCATE,    /* `file` has `at` bytes */
    DISK_SYNC,        /* what was done to the content of `file` is on the device */
    DISK_MKDIR,       /* the folder `name` is made */
    DISK_RENAME,      /* `name`, the file `file`, becomes `to` */
    DISK_LINK,        /* `to` leads to `file`, too */
    DISK_UNLINK,      /* `name` is gone */
    DISK_SYNC_FOLDER, /* what was done to the entries of the folder `name` is on the device */
};

/* One thing that was done. */
struct disk_step {
    enum disk_kind kind;
    size_t file;
    char *name;
    char *to;
    uint64_t at;
    struct blob data;
    size_t low; /* disk_mark() as it was then */
    size_t high;
};

/* All zero is an empty record. Ended with disk_release(). */
struct disk {
    struct disk_step *steps;
    size_t count;
    size_t capacity;
    size_t files; /* the number of the next file */
    size_t low;   /* as disk_mark() set them last */
    size_t high;
};

struct disk_entry {
    char *name; /* borrowed from the steps */
    bool folder;
    size_t file;
};

#define DISK_ENTRIES 32

/* The entries and files at one time. `files[n]` is the content of file n. */
struct disk_image {
    struct disk_entry entries[DISK_ENTRIES];
    size_t entry_count;
    struct blob *files;
    size_t file_count;
};

/*
 * From now on what is done within `folder`, an absolute path, is added to `disk`. What the record
 * holds already is what the folder must contain.
 */
void disk_record(struct disk *disk, const char *folder);
void disk_stop(void);

/* Each step carries the two numbers set last: what they mean is the test's affair. */
void disk_mark(struct disk *disk, size_t low, size_t high);

/* Makes `copy` a record of the first `count` steps. */
void disk_copy(struct disk *copy, const struct disk *disk, size_t count);

void disk_release(struct disk *disk);

/* An image before the first step. Ended with disk_image_release(). */
void disk_image_init(struct disk_image *image, const struct disk *disk);
void disk_image_release(struct disk_image *image);

/* Does what one step did. Syncs do nothing here. */
void disk_apply(struct disk_image *image, const struct disk_step *step);

/* Makes `image` what programs see after the first `count` steps, until the power is lost. */
void disk_cached(const struct disk *disk, size_t count, struct disk_image *image);

/* The entry of that name, NULL where there is none. Borrowed from the image. */
const struct disk_entry *disk_find(const struct disk_image *image, const char *name);

/*
 * Makes the files and folders of the image in `folder`, which is empty. An entry whose folder is
 * not in the image cannot be reached, and is left out.
 */
void disk_write(const struct disk_image *image, const char *folder);

/* Whether `folder` holds the files of the image, and they their content. */
bool disk_matches(const struct disk_image *image, const char *folder);

/* The length of the folder part of `name`: 0 for an entry of the recorded folder itself. */
size_t disk_folder_length(const char *name);

#endif
