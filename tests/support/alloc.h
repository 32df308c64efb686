/*
 * Makes memory run out at will.
 *
 *     for (size_t n = 0; alloc_goes_on(n); n++) {
 *         alloc_fail(n, 1);
 *         bool done = ...;              (one call, whose nth allocation fails)
 *         alloc_stop();
 *         ...
 *     }
 *
 * Between alloc_fail() and alloc_stop() nothing but the call under test should run: a test's own
 * tools end the program when they get no memory.
 */
#ifndef TESTS_ALLOC_H
#define TESTS_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether any of this works: not with every libc, and not under AddressSanitizer, which has an
 * allocator of its own. Where it does not, nothing ever fails.
 */
bool alloc_can_fail(void);

/* From now on `after` allocations succeed, then `count` fail, then all succeed again. */
void alloc_fail(size_t after, size_t count);

/* No allocation fails any more. */
void alloc_stop(void);

/* Whether an allocation has failed since the last alloc_fail(). */
bool alloc_failed(void);

/*
 * Whether to try once more, with `n` allocations that succeed: true for 0, and then as long as
 * one failed the last time.
 */
bool alloc_goes_on(size_t n);

#endif
