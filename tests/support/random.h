/*
 * Random numbers for tests, the same on every machine for the same seed.
 *
 * A test takes its seed from random_seed(): a fixed one, unless the environment says TEST_SEED=N,
 * so that a failure can be repeated and the search can be widened. The seed is printed.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

/* The seed to use: TEST_SEED, or else a fixed one. Prints it with the name of the test. */
uint64_t random_seed(const char *test);

void random_init(struct random *random, uint64_t seed);

/* 64 random bits. */
uint64_t random_next(struct random *random);

/* A number from 0 to `limit` - 1; `limit` is at least 1. */
size_t random_below(struct random *random, size_t limit);

#endif
