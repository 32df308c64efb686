/* What POSIX leaves to every caller of its file functions. */
#ifndef MINIKV_FILE_H
#define MINIKV_FILE_H

#include "bytes.h"

/* Writes all of `bytes`, however little each write(2) takes. False with errno set on failure. */
bool file_write_all(int fd, struct slice bytes);

/*
 * Waits until the entries of the folder that holds `path` are on the device, so that a file made
 * or renamed there survives power loss. False with errno set on failure.
 */
bool file_sync_folder_of(const char *path);

/* fsync() that is not given up when a signal comes. False with errno set on failure. */
bool file_sync(int fd);

/* The same of the content alone: the times of the file may stay behind. */
bool file_sync_data(int fd);

#endif
