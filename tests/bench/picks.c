#include "picks.h"

#include <math.h>
#include <stdlib.h>

#define RANKING_SEED 1

struct picks {
    size_t keys;
    double *cumulated; /* by rank: the probability of this rank or a better one; NULL: uniform */
    size_t *key_of_rank;
};

static void rank_keys(struct picks *picks) {
    double sum = 0;
    for (size_t i = 0; i < picks->keys; i++) {
        sum += pow((double)(i + 1), -PICKS_ZIPF_EXPONENT);
        picks->cumulated[i] = sum;
        picks->key_of_rank[i] = i;
    }
    for (size_t i = 0; i < picks->keys; i++) {
        picks->cumulated[i] /= sum;
    }
    struct prng prng;
    prng_init(&prng, RANKING_SEED);
    prng_shuffle(&prng, picks->key_of_rank, picks->keys);
}

struct picks *picks_new(size_t keys, bool zipf) {
    struct picks *picks = calloc(1, sizeof(*picks));
    if (picks == NULL) {
        return NULL;
    }
    picks->keys = keys;
    if (zipf) {
        picks->cumulated = calloc(keys, sizeof(*picks->cumulated));
        picks->key_of_rank = calloc(keys, sizeof(*picks->key_of_rank));
        if (picks->cumulated == NULL || picks->key_of_rank == NULL) {
            picks_free(picks);
            return NULL;
        }
        rank_keys(picks);
    }
    return picks;
}

void picks_free(struct picks *picks) {
    if (picks != NULL) {
        free(picks->cumulated);
        free(picks->key_of_rank);
        free(picks);
    }
}

/* The first rank whose cumulated probability exceeds `chance`. */
static size_t find_rank(const struct picks *picks, double chance) {
    size_t low = 0;
    size_t high = picks->keys - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (picks->cumulated[middle] > chance) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void picks_fill(const struct picks *picks, struct prng *prng, uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t key = picks->cumulated == NULL
                               ? (size_t)prng_below(prng, picks->keys)
                               : picks->key_of_rank[find_rank(picks, prng_unit(prng))];
        numbers[i] = (uint32_t)key;
    }
}
