/*
 * The thought: a load from memory is a load from memory. Here the same 256 MB are gone through in
 * random order by one chain of pointers, and by eight at once.
 */
#include <stdlib.h>

#include "cost.h"
#include "prng.h"

enum { COUNT = 1 << 22, CHAINS = 8, LINE = 64 };

struct node {
    struct node *next;
    char rest[LINE - sizeof(struct node *)];
};

struct chains {
    struct node *nodes;
    struct node *at[CHAINS];
};

static void close_chains(void *state) {
    struct chains *chains = state;
    free(chains->nodes);
    free(chains);
}

/* One ring through all nodes in random order (Sattolo); the chains begin at different places. */
static void *open_chains(uint64_t size) {
    struct chains *chains = calloc(1, sizeof *chains);
    uint32_t *order = malloc(COUNT * sizeof *order);
    struct prng prng;
    (void)size;
    if (chains == NULL || order == NULL ||
        (chains->nodes = malloc(COUNT * sizeof(struct node))) == NULL) {
        cost_cannot("no memory");
        free(chains);
        free(order);
        return NULL;
    }
    prng_init(&prng, 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        order[i] = i;
    }
    for (uint32_t i = COUNT; i > 1; i--) {
        const uint32_t j = (uint32_t)prng_below(&prng, i - 1);
        const uint32_t swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        chains->nodes[i].next = &chains->nodes[order[i]];
    }
    for (size_t i = 0; i < CHAINS; i++) {
        chains->at[i] = &chains->nodes[i * (COUNT / CHAINS)];
    }
    free(order);
    return chains;
}

static uint64_t follow_one(void *state, uint64_t steps) {
    struct chains *chains = state;
    struct node *node = chains->at[0];
    for (uint64_t step = 0; step < CHAINS * steps; step++) {
        node = node->next;
    }
    chains->at[0] = node;
    return (uintptr_t)node;
}

static uint64_t follow_many(void *state, uint64_t steps) {
    struct chains *chains = state;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        for (int i = 0; i < CHAINS; i++) {
            chains->at[i] = chains->at[i]->next;
        }
    }
    for (int i = 0; i < CHAINS; i++) {
        sum += (uintptr_t)chains->at[i];
    }
    return sum;
}

#define ALL .per_step = CHAINS, .open = open_chains, .close = close_chains

const struct cost_row mine[] = {
    {.name = "chain", .what = "a load from memory, one chain", ALL, .run = follow_one},
    {.name = "chains",
     .what = "a load from memory, eight chains",
     ALL,
     .mode = COST_THROUGHPUT,
     .run = follow_many},
    {.name = NULL},
};
