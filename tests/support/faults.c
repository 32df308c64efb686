/* With _FORTIFY_SOURCE some of the functions below would be defined in the headers already. */
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE

#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "die.h"

struct fault {
    enum fault_call call;
    size_t after;
    size_t count;
    int how;
};

static struct fault faults[FAULTS_MAX];
static size_t fault_count;
static size_t calls[FAULT_CALLS];
static size_t happened;
static bool on;
static void (*before[FAULT_CALLS])(void);

void faults_clear(void) {
    on = false;
    fault_count = 0;
    happened = 0;
    for (size_t i = 0; i < FAULT_CALLS; i++) {
        calls[i] = 0;
        before[i] = NULL;
    }
}

void faults_add(enum fault_call call, size_t after, size_t count, int how) {
    if (fault_count == FAULTS_MAX) {
        errno = ENOBUFS;
        die("faults_add");
    }
    faults[fault_count] = (struct fault){call, calls[call] + after, count, how};
    fault_count++;
}

void faults_before(enum fault_call call, void (*others)(void)) {
    before[call] = others;
}

void faults_on(void) {
    on = true;
}

void faults_off(void) {
    on = false;
}

size_t faults_calls(enum fault_call call) {
    return calls[call];
}

size_t faults_happened(void) {
    return happened;
}

const char *faults_name(enum fault_call call) {
    static const char *const names[FAULT_CALLS] = {
        [FAULT_OPEN] = "open",     [FAULT_READ] = "read",           [FAULT_WRITE] = "write",
        [FAULT_FSYNC] = "fsync",   [FAULT_FDATASYNC] = "fdatasync", [FAULT_FTRUNCATE] = "ftruncate",
        [FAULT_CLOSE] = "close",   [FAULT_RENAME] = "rename",       [FAULT_LINK] = "link",
        [FAULT_UNLINK] = "unlink", [FAULT_MKDIR] = "mkdir",         [FAULT_STAT] = "stat",
        [FAULT_FSTAT] = "fstat",   [FAULT_LSTAT] = "lstat",         [FAULT_FLOCK] = "flock",
        [FAULT_FCHMOD] = "fchmod", [FAULT_FCHOWN] = "fchown",       [FAULT_REALPATH] = "realpath",
    };
    return names[call];
}

#ifndef __GLIBC__

bool faults_can_happen(void) {
    return false;
}

#else

bool faults_can_happen(void) {
    return true;
}

static void run_before(enum fault_call call) {
    void (*others)(void) = before[call];
    if (others != NULL) {
        before[call] = NULL;
        on = false;
        others();
        on = true;
    }
}

/* Counts a call and tells how it goes wrong; 0: it does not. */
static int next_fault(enum fault_call call) {
    if (!on) {
        return 0;
    }
    run_before(call);
    size_t number = calls[call]++;
    for (size_t i = 0; i < fault_count; i++) {
        const struct fault *fault = &faults[i];
        if (fault->call == call && number >= fault->after && number - fault->after < fault->count) {
            happened++;
            return fault->how;
        }
    }
    return 0;
}

/* Whether a call that either works or does not is to fail; sets errno. */
static bool fails(enum fault_call call) {
    int how = next_fault(call);
    if (how != 0) {
        errno = how;
    }
    return how != 0;
}

/* As fails(), for a call that transfers bytes: 0 and -1 are what it returns, 1 lets it run. */
static int transfers(enum fault_call call, size_t *length) {
    int how = next_fault(call);
    if (how == FAULT_NOTHING) {
        return 0;
    }
    if (how == FAULT_SHORT) {
        *length -= *length / 2;
    } else if (how != 0) {
        errno = how;
        return -1;
    }
    return 1;
}

/*
 * What asks the system instead is a sibling that the C library has under another name, or the bare
 * system call. The siblings are preferred where bytes are handed over: sanitizers watch them.
 */

ssize_t read(int fd, void *data, size_t length) {
    int runs = transfers(FAULT_READ, &length);
    const struct iovec piece = {data, length};
    return runs == 1 ? readv(fd, &piece, 1) : runs;
}

ssize_t write(int fd, const void *data, size_t length) {
    int runs = transfers(FAULT_WRITE, &length);
    const struct iovec piece = {(void *)data, length};
    return runs == 1 ? writev(fd, &piece, 1) : runs;
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    return fails(FAULT_OPEN) ? -1 : openat(AT_FDCWD, path, flags, mode);
}

int fsync(int fd) {
    if (fails(FAULT_FSYNC)) {
        return -1;
    }
    return on ? 0 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    if (fails(FAULT_FDATASYNC)) {
        return -1;
    }
    return on ? 0 : (int)syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t length) {
    return fails(FAULT_FTRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, length);
}

int close(int fd) {
    int result = (int)syscall(SYS_close, fd);
    return fails(FAULT_CLOSE) ? -1 : result;
}

int rename(const char *from, const char *to) {
    return fails(FAULT_RENAME) ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int link(const char *from, const char *to) {
    return fails(FAULT_LINK) ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    return fails(FAULT_UNLINK) ? -1 : unlinkat(AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
    return fails(FAULT_MKDIR) ? -1 : mkdirat(AT_FDCWD, path, mode);
}

int stat(const char *path, struct stat *status) {
    return fails(FAULT_STAT) ? -1 : fstatat(AT_FDCWD, path, status, 0);
}

int fstat(int fd, struct stat *status) {
    return fails(FAULT_FSTAT) ? -1 : fstatat(fd, "", status, AT_EMPTY_PATH);
}

int lstat(const char *path, struct stat *status) {
    return fails(FAULT_LSTAT) ? -1 : fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int flock(int fd, int operation) {
    return fails(FAULT_FLOCK) ? -1 : (int)syscall(SYS_flock, fd, operation);
}

int fchmod(int fd, mode_t mode) {
    return fails(FAULT_FCHMOD) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int fchown(int fd, uid_t owner, gid_t group) {
    return fails(FAULT_FCHOWN) ? -1 : (int)syscall(SYS_fchown, fd, owner, group);
}

/* No caller here has room of its own for the result. */
char *realpath(const char *path, char *resolved) {
    if (resolved != NULL) {
        errno = ENOTSUP;
        return NULL;
    }
    return fails(FAULT_REALPATH) ? NULL : canonicalize_file_name(path);
}

#endif
