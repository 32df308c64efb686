/*
 * A full account of what failed: for reports that a person reads later, far from where it happened.
 */
#ifndef MINIKV_FAILURE_H
#define MINIKV_FAILURE_H

#include <time.h>

#define FAILURE_FRAMES_MAX 32

/* Parts that could not be found out are NULL or 0. */
struct failure {
    int code;                         /* errno as it was */
    struct timespec when;             /* wall clock */
    char *message;                    /* what was tried, and on what */
    char *folder;                     /* the working folder */
    char *user;                       /* who ran the process */
    void *frames[FAILURE_FRAMES_MAX]; /* the call stack, as from backtrace() */
    int frame_count;
};

/*
 * Describes that `action` on `path` failed with error number `code`. Always sets that; where memory
 * runs out, other parts are missing. Ended with failure_release().
 */
void failure_init(struct failure *failure, int code, const char *action, const char *path);

void failure_release(struct failure *failure);

#endif
