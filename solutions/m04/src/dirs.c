#include "dirs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "failure.h"

/* How often to begin again where somebody else removes folders that were just there. */
enum { RETRIES_MAX = 16 };

enum outcome {
    OUTCOME_THERE,          /* the folder is there, made or found */
    OUTCOME_PARENT_SUSPECT, /* the folder above is missing, or may be what is in the way */
    OUTCOME_VANISHED,       /* something was there and is gone */
    OUTCOME_REFUSED
};

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Whether there is nothing at `path`, not even a dangling link. */
static bool is_missing(const char *path) {
    struct stat status;
    return lstat(path, &status) != 0 && errno == ENOENT;
}

static enum outcome judge(const char *path, int code) {
    /* Not only after EEXIST: a read-only file system may say that first. */
    if (is_folder(path)) {
        return OUTCOME_THERE;
    }
    switch (code) {
    case EEXIST:
        return is_missing(path) ? OUTCOME_VANISHED : OUTCOME_REFUSED;
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case EACCES:
        return OUTCOME_PARENT_SUSPECT;
    default:
        return OUTCOME_REFUSED;
    }
}

/* Makes the one folder `path`. Unless it is there, `failure` is set and the caller's to release. */
static enum outcome make_folder(const char *path, struct failure *failure) {
    if (mkdir(path, S_IRWXU | S_IRWXG | S_IRWXO) == 0) {
        return OUTCOME_THERE;
    }
    failure_init(failure, errno, "make the folder", path);
    enum outcome outcome = judge(path, failure->code);
    if (outcome == OUTCOME_THERE) {
        failure_release(failure);
    }
    return outcome;
}

/* Takes the slashes at the end of `path` away, but for one that is all there is. */
static void cut_slashes(char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    path[length] = '\0';
}

/*
 * Cuts `path` down to the folder above. Returns false where it names none: above the first
 * component is the root or the working folder, which nobody can make.
 */
static bool cut_component(char *path) {
    char *slash = strrchr(path, '/');
    while (slash != NULL && slash > path && slash[-1] == '/') {
        slash--;
    }
    if (slash == NULL || slash == path) {
        return false;
    }
    *slash = '\0';
    return true;
}

/* Undoes the last cut: the rest of the path still stands behind the NUL. */
static void restore_component(char *path) {
    path[strlen(path)] = '/';
}

/*
 * Tries to ensure the folder `path`, whose whole length is `length`: down to the first folder that
 * is there or can be made, then up again. Where that fails, `path` is left cut to the folder that
 * failed, and `failure` is the caller's to release.
 */
static enum outcome ensure_once(char *path, size_t length, struct failure *failure) {
    enum outcome outcome = make_folder(path, failure);
    while (outcome == OUTCOME_PARENT_SUSPECT && cut_component(path)) {
        failure_release(failure);
        outcome = make_folder(path, failure);
    }
    while (outcome == OUTCOME_THERE && strlen(path) < length) {
        restore_component(path);
        outcome = make_folder(path, failure);
    }
    return outcome;
}

static void report(struct error *error, const struct failure *failure) {
    const char *message = failure->message != NULL ? failure->message : "cannot make a folder";
    error_set_system(error, failure->code, "%s", message);
}

/* As dirs_ensure(); `path` is cut and restored on the way. */
static bool ensure(char *path, struct error *error) {
    size_t length = strlen(path);
    for (int retries = 0;; retries++) {
        struct failure failure;
        enum outcome outcome = ensure_once(path, length, &failure);
        if (outcome == OUTCOME_THERE) {
            return true;
        }
        bool others_remove = outcome == OUTCOME_VANISHED || failure.code == ENOENT;
        bool give_up = !others_remove || retries == RETRIES_MAX;
        if (give_up) {
            report(error, &failure);
        }
        failure_release(&failure);
        if (give_up) {
            return false;
        }
    }
}

bool dirs_ensure(const char *path, struct error *error) {
    if (path[0] == '\0') {
        error_set(error, "cannot make a folder: its path is empty");
        return false;
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        error_set_system(error, errno, "cannot make the folder '%s'", path);
        return false;
    }
    cut_slashes(copy);
    bool ensured = ensure(copy, error);
    free(copy);
    return ensured;
}
