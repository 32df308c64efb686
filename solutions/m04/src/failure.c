#include "failure.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAVE_BACKTRACE
#endif
#endif

/* Text buffers for the system start with this size and double as long as it says ERANGE. */
#define TEXT_SIZE_START 1024
#define TEXT_SIZE_MAX ((size_t)1024 * 1024)

static char *describe(const char *action, const char *path) {
    size_t size = strlen(action) + strlen(path) + sizeof("cannot  ''");
    char *message = malloc(size);
    if (message != NULL) {
        snprintf(message, size, "cannot %s '%s'", action, path);
    }
    return message;
}

static char *find_folder(void) {
    for (size_t size = TEXT_SIZE_START; size <= TEXT_SIZE_MAX; size *= 2) {
        char *folder = malloc(size);
        if (folder == NULL || getcwd(folder, size) != NULL) {
            return folder;
        }
        int code = errno;
        free(folder);
        if (code != ERANGE) {
            return NULL;
        }
    }
    return NULL;
}

static char *find_user(void) {
    for (size_t size = TEXT_SIZE_START; size <= TEXT_SIZE_MAX; size *= 2) {
        char *text = malloc(size);
        if (text == NULL) {
            return NULL;
        }
        struct passwd entry;
        struct passwd *found = NULL;
        int code = getpwuid_r(geteuid(), &entry, text, size, &found);
        char *user = found != NULL ? strdup(found->pw_name) : NULL;
        free(text);
        if (code != ERANGE) {
            return user;
        }
    }
    return NULL;
}

static int find_frames(void *frames[FAILURE_FRAMES_MAX]) {
#ifdef HAVE_BACKTRACE
    return backtrace(frames, FAILURE_FRAMES_MAX);
#else
    (void)frames;
    return 0;
#endif
}

void failure_init(struct failure *failure, int code, const char *action, const char *path) {
    *failure = (struct failure){
        .code = code,
        .message = describe(action, path),
        .folder = find_folder(),
        .user = find_user(),
    };
    if (clock_gettime(CLOCK_REALTIME, &failure->when) != 0) {
        failure->when = (struct timespec){0};
    }
    failure->frame_count = find_frames(failure->frames);
}

void failure_release(struct failure *failure) {
    free(failure->message);
    free(failure->folder);
    free(failure->user);
    *failure = (struct failure){0};
}
