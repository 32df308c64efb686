#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_SEED 20240229

uint64_t random_seed(const char *test) {
    const char *text = getenv("TEST_SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 10) : DEFAULT_SEED;
    printf("%s: seed %" PRIu64 " (TEST_SEED=%" PRIu64 " repeats it)\n", test, seed, seed);
    fflush(stdout);
    return seed;
}

void random_init(struct random *random, uint64_t seed) {
    random->state = seed;
}

/* SplitMix64 (Steele, Lea, Flood 2014): every seed is a good one, zero too. */
uint64_t random_next(struct random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* The modulo's bias is far below what a test could see. */
size_t random_below(struct random *random, size_t limit) {
    return (size_t)(random_next(random) % limit);
}
