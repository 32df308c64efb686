#include "prng.h"

static uint64_t splitmix64(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
}

void prng_init(struct prng *prng, uint64_t seed) {
    for (size_t i = 0; i < 4; i++) {
        prng->state[i] = splitmix64(&seed);
    }
}

uint64_t prng_next(struct prng *prng) {
    uint64_t *s = prng->state;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t prng_below(struct prng *prng, uint64_t limit) {
    /* The numbers below 2^64 mod limit would make the first results likelier. */
    const uint64_t refused = (0 - limit) % limit;
    uint64_t number;
    do {
        number = prng_next(prng);
    } while (number < refused);
    return number % limit;
}

double prng_unit(struct prng *prng) {
    return (double)(prng_next(prng) >> 11) * 0x1p-53;
}

void prng_shuffle(struct prng *prng, size_t *numbers, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)prng_below(prng, i);
        const size_t last = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = last;
    }
}
