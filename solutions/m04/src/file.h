/* What POSIX leaves to every caller of its file functions. */
#ifndef MINIKV_FILE_H
#define MINIKV_FILE_H

#include <stdint.h>
#include <sys/types.h>

#include "bytes.h"

/*
 * open() of a new file's usual permissions, which the umask cuts down, and closed on exec. -1 with
 * errno set on failure. Like all functions here, it is not given up when a signal comes.
 */
int file_open(const char *path, int flags);

/* Writes all of `bytes`, however little each write(2) takes. False with errno set on failure. */
bool file_write_all(int fd, struct slice bytes);

/*
 * Waits until the entries of the folder that holds `path` are on the device, so that a file made
 * or renamed there survives power loss. False with errno set on failure.
 */
bool file_sync_folder_of(const char *path);

/*
 * The same for all folders above `path`, for where some of them may be new. One that may not be
 * read is passed over: it was there before.
 */
bool file_sync_folders_above(const char *path);

/* Cuts the file down to `length` bytes. False with errno set on failure. */
bool file_truncate(int fd, uint64_t length);

/* Sets the permissions. False with errno set on failure. */
bool file_set_mode(int fd, mode_t mode);

/* Waits until the file is on the device. False with errno set on failure. */
bool file_sync(int fd);

/* The same of the content alone: the times of the file may stay behind. */
bool file_sync_data(int fd);

#endif
