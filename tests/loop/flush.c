/*
 * Waits until files and folders are on the disk.
 *
 *     flush PATH...       of folders the list of their files
 *     flush -r PATH...    folders with all that is in them
 *
 * Exit code: 0, or 1 when something could not be flushed, which is named.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OPEN_FOLDERS 16

static int complain(const char *path) {
    (void)fprintf(stderr, "%s: not on the disk: %s\n", path, strerror(errno));
    return 1;
}

static int flush_one(const char *path) {
    const int file = open(path, O_RDONLY);
    if (file < 0) {
        return complain(path);
    }
    /* Some file systems cannot flush a folder, and say so with EINVAL. */
    const int result = fsync(file) == 0 || errno == EINVAL ? 0 : complain(path);
    (void)close(file);
    return result;
}

static int flush_found(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)place;
    return type == FTW_F || type == FTW_DP ? flush_one(path) : 0;
}

static int flush_tree(const char *path) {
    const int result = nftw(path, flush_found, OPEN_FOLDERS, FTW_PHYS | FTW_DEPTH);
    return result < 0 ? complain(path) : result;
}

int main(int argc, char **argv) {
    const bool recursive = argc > 1 && strcmp(argv[1], "-r") == 0;
    int result = 0;
    for (int i = recursive ? 2 : 1; i < argc && result == 0; i++) {
        result = recursive ? flush_tree(argv[i]) : flush_one(argv[i]);
    }
    return result;
}
