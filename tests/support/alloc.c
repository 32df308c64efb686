#include "alloc.h"

#include <errno.h>
#include <stdlib.h>

#include "sanitized.h"

/* glibc lets a program replace malloc() and its family, and keeps its own under other names. */
#if defined(__GLIBC__) && !SANITIZED
#define CAN_FAIL true
#else
#define CAN_FAIL false
#endif

static size_t fail_after;
static size_t fail_count;
static bool has_failed;

bool alloc_can_fail(void) {
    return CAN_FAIL;
}

void alloc_fail(size_t after, size_t count) {
    fail_after = after;
    fail_count = count;
    has_failed = false;
}

void alloc_stop(void) {
    fail_count = 0;
}

bool alloc_goes_on(size_t n) {
    return n == 0 || has_failed;
}

