/*
 * A full account of what failed: for reports that a person reads later, far from where it happened.
 */
#ifndef MINIKV_FAILURE_H
#define MINIKV_FAILURE_H

#include <time.h>

#define FAILURE_FRAMES_MAX 32

struct failure {
    int code;                         /* errno as it was */
    struct timespec when;             /* wall clock */
    char *message;                    /* what was tried, on what, and the system's reason */
    char *folder;                     /* the working folder */
    char *user;                       /* who ran the process */
    void *frames[FAILURE_FRAMES_MAX]; /* the call stack, as from backtrace() */
    int frame_count;
};

/*
 * Describes that `action` on `path` failed with error number `code`. Parts that cannot be found out
 * are NULL or 0. NULL when memory runs out. Ended with failure_free().
 */
struct failure *failure_new(int code, const char *action, const char *path);

/* NULL is allowed. */
void failure_free(struct failure *failure);

#endif
