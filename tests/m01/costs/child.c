#include "child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

static bool write_all(int file, const char *data, size_t size) {
    while (size > 0) {
        const ssize_t written = write(file, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* In the child. */
static _Noreturn void be_child(child_work work, const void *task, size_t size, int file) {
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive its parent */
#endif
    void *result = calloc(1, size);
    if (result == NULL) {
        _exit(EXIT_FAILURE);
    }
    work(task, result);
    _exit(write_all(file, result, size) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static int64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum reading { READ_ALL, READ_END, READ_LATE };

static enum reading read_all(int file, char *data, size_t size, int seconds) {
    const int64_t deadline = now_ms() + (int64_t)seconds * 1000;
    while (size > 0) {
        struct pollfd ready = {.fd = file, .events = POLLIN};
        const int64_t left = deadline - now_ms();
        if (left <= 0) {
            return READ_LATE;
        }
        if (poll(&ready, 1, (int)left) <= 0) {
            continue;
        }
        const ssize_t got = read(file, data, size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return READ_END;
        }
        data += got;
        size -= (size_t)got;
    }
    return READ_ALL;
}

/* Says what became of a child that left no result. */
static void say_why(enum reading reading, int status, int seconds, char why[CHILD_WHY_MAX]) {
    if (reading == READ_LATE) {
        (void)snprintf(why, CHILD_WHY_MAX, "it had not ended after %d seconds", seconds);
    } else if (WIFSIGNALED(status)) {
        (void)snprintf(why, CHILD_WHY_MAX, "it crashed: signal %d, %s", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    } else {
        (void)snprintf(why, CHILD_WHY_MAX, "it ended the process, exit code %d",
                       WEXITSTATUS(status));
    }
}

bool child_run(child_work work, const void *task, void *result, size_t size, int seconds,
               char why[CHILD_WHY_MAX]) {
    int ends[2];
    if (pipe(ends) != 0) {
        (void)snprintf(why, CHILD_WHY_MAX, "no pipe: %s", strerror(errno));
        return false;
    }
    (void)fflush(stdout); /* or the child would have it, too */
    const pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        be_child(work, task, size, ends[1]);
    }
    (void)close(ends[1]);
    if (child < 0) {
        (void)snprintf(why, CHILD_WHY_MAX, "no process: %s", strerror(errno));
        (void)close(ends[0]);
        return false;
    }
    const enum reading reading = read_all(ends[0], result, size, seconds);
    (void)close(ends[0]);
    if (reading == READ_LATE) {
        (void)kill(child, SIGKILL);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (reading != READ_ALL) {
        say_why(reading, status, seconds, why);
    }
    return reading == READ_ALL;
}
