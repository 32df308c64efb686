#include "alloc.h"

#include <errno.h>
#include <stdlib.h>

#include "sanitized.h"

/* glibc lets a program replace malloc() and its family, and keeps its own under other names. */
#if defined(__GLIBC__) && !SANITIZED
#define CAN_FAIL 1
#else
#define CAN_FAIL 0
#endif

static size_t fail_after;
static size_t fail_count;
static bool has_failed;

bool alloc_can_fail(void) {
    return CAN_FAIL != 0;
}

void alloc_fail(size_t after, size_t count) {
    fail_after = after;
    fail_count = count;
    has_failed = false;
}

void alloc_stop(void) {
    fail_count = 0;
}

bool alloc_failed(void) {
    return has_failed;
}

bool alloc_goes_on(size_t n) {
    return n == 0 || has_failed;
}

#if CAN_FAIL

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);

/* Counts one allocation, and says whether it is one that fails. */
static bool fails(void) {
    if (fail_count == 0) {
        return false;
    }
    if (fail_after > 0) {
        fail_after--;
        return false;
    }
    fail_count--;
    has_failed = true;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *data, size_t size) {
    return fails() ? NULL : __libc_realloc(data, size);
}

#endif
