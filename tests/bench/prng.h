/*
 * Pseudo-random numbers: xoshiro256** (Blackman and Vigna), seeded through splitmix64. The same
 * seed gives the same numbers on every machine. Not for secrets.
 */
#ifndef BENCH_PRNG_H
#define BENCH_PRNG_H

#include <stddef.h>
#include <stdint.h>

struct prng {
    uint64_t state[4];
};

/* Any seed will do; neighbouring seeds give unrelated numbers. */
void prng_init(struct prng *prng, uint64_t seed);

/* 64 random bits. */
uint64_t prng_next(struct prng *prng);

/* A number from 0 to `limit` - 1, each as likely as any other. `limit` is at least 1. */
uint64_t prng_below(struct prng *prng, uint64_t limit);

/* A number from 0 up to, but not including, 1. */
double prng_unit(struct prng *prng);

/* Puts `count` numbers into random order, each order as likely as any other. */
void prng_shuffle(struct prng *prng, size_t *numbers, size_t count);

#endif
