#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_open(const char *path, int flags) {
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

bool file_write_all(int fd, struct slice bytes) {
    while (bytes.length > 0) {
        ssize_t count = write(fd, bytes.data, bytes.length);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            errno = count == 0 ? EIO : errno; /* 0 would go round for ever */
            return false;
        }
        bytes.data += count;
        bytes.length -= (size_t)count;
    }
    return true;
}

bool file_truncate(int fd, uint64_t length) {
    int result;
    do {
        result = ftruncate(fd, (off_t)length);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool file_set_mode(int fd, mode_t mode) {
    int result;
    do {
        result = fchmod(fd, mode);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool file_sync(int fd) {
    int result;
    do {
        result = fsync(fd);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool file_sync_data(int fd) {
    int result;
    do {
        result = fdatasync(fd);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

/* The folder part of `path` as a new string; NULL when memory runs out. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return strdup(".");
    }
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

bool file_sync_folder_of(const char *path) {
    char *folder = folder_of(path);
    if (folder == NULL) {
        return false;
    }
    int fd = file_open(folder, O_RDONLY | O_DIRECTORY);
    free(folder);
    if (fd < 0) {
        return false;
    }
    bool synced = file_sync(fd) || errno == EINVAL; /* some file systems cannot sync a folder */
    int code = errno;
    (void)close(fd); /* nothing was written through it */
    errno = code;
    return synced;
}

bool file_sync_folders_above(const char *path) {
    bool ok;
    char *slash;
    char *rest = strdup(path);
    if (rest == NULL) {
        return false;
    }
    do {
        ok = file_sync_folder_of(rest) || errno == EACCES;
        slash = strrchr(rest, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    } while (ok && slash != NULL && slash != rest);
    int code = errno;
    free(rest);
    errno = code;
    return ok;
}
