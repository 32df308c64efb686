/* What the processor does without leaving it. */
#include <stdlib.h>

#include "prng.h"
#include "rows.h"

#define EIGHT(statement)                                                                           \
    statement statement statement statement statement statement statement statement

enum { ADDS = 64, CALLS = 16, BRANCHES = 64 };

/* Each sum is hidden, or 64 additions would become one multiplication. */
static uint64_t add_in_a_chain(void *state, uint64_t steps) {
    (void)state;
    const uint64_t addend = cost_hide(3);
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        EIGHT(EIGHT(sum = cost_hide(sum + addend);))
    }
    return sum;
}

static uint64_t add_side_by_side(void *state, uint64_t steps) {
    (void)state;
    const uint64_t addend = cost_hide(3);
    uint64_t a = 0;
    uint64_t b = 0;
    uint64_t c = 0;
    uint64_t d = 0;
    for (uint64_t step = 0; step < steps; step++) {
        EIGHT(a = cost_hide(a + addend); b = cost_hide(b + addend); c = cost_hide(c + addend);
              d = cost_hide(d + addend);)
        EIGHT(a = cost_hide(a + addend); b = cost_hide(b + addend); c = cost_hide(c + addend);
              d = cost_hide(d + addend);)
    }
    return a + b + c + d;
}

static uint64_t divide_in_a_chain(void *state, uint64_t steps) {
    (void)state;
    const uint64_t divisor = cost_hide(3);
    uint64_t number = 1;
    for (uint64_t step = 0; step < steps; step++) {
        EIGHT(number = cost_hide((number | UINT64_C(0x7000000000000000)) / divisor);)
    }
    return number;
}

/* Calls */

static __attribute__((noinline)) uint64_t add_one(uint64_t number) {
    return cost_hide(number) + 1;
}

static uint64_t call_directly(void *state, uint64_t steps) {
    (void)state;
    uint64_t number = 0;
    for (uint64_t step = 0; step < steps; step++) {
        EIGHT(number = add_one(number);)
        EIGHT(number = add_one(number);)
    }
    return number;
}

typedef uint64_t (*function)(uint64_t);

static function hide_function(function pointer) {
    __asm__ volatile("" : "+r"(pointer));
    return pointer;
}

static uint64_t call_through_a_pointer(void *state, uint64_t steps) {
    (void)state;
    function called = add_one;
    uint64_t number = 0;
    for (uint64_t step = 0; step < steps; step++) {
        EIGHT(called = hide_function(called); number = called(number);)
        EIGHT(called = hide_function(called); number = called(number);)
    }
    return number;
}

/* Branches: each bit of the words is one, taken or not. More words than any predictor learns. */

enum { WORDS = 1 << 16 };

static void *open_words(uint64_t size) {
    (void)size;
    uint64_t *words = malloc(2 * WORDS * sizeof *words);
    struct prng prng;
    if (words == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    prng_init(&prng, 1);
    for (size_t i = 0; i < WORDS; i++) {
        words[i] = prng_next(&prng);
        words[WORDS + i] = 0;
    }
    return words;
}

/*
 * What the branches lead to differs in what the compiler is told of it, so that it cannot make one
 * piece of code without a branch of both.
 */
static uint64_t follow_bits(const uint64_t *words, uint64_t steps) {
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        uint64_t word = words[step % WORDS];
        for (int bit = 0; bit < BRANCHES; bit++) {
            if ((word & 1) != 0) {
                sum = cost_hide(sum + 5);
            } else {
                __asm__ volatile("" : "+r"(sum) : "r"(word));
            }
            word >>= 1;
        }
    }
    return sum;
}

static uint64_t branch_at_random(void *state, uint64_t steps) {
    return follow_bits(state, steps);
}

static uint64_t branch_one_way(void *state, uint64_t steps) {
    return follow_bits((const uint64_t *)state + WORDS, steps);
}

const struct cost_row processor_rows[] = {
    {.name = "add", .what = "an add", .run = add_in_a_chain, .per_step = ADDS, .book = "0.5 ns"},
    {.name = "add-side-by-side",
     .what = "an add, four chains side by side",
     .mode = COST_THROUGHPUT,
     .run = add_side_by_side,
     .per_step = ADDS},
    {.name = "divide", .what = "a division", .run = divide_in_a_chain, .per_step = 8},
    {.name = "branch",
     .what = "a branch that is predicted",
     .mode = COST_THROUGHPUT,
     .run = branch_one_way,
     .per_step = BRANCHES,
     .open = open_words,
     .close = free},
    {.name = "branch-miss",
     .what = "what a wrongly predicted branch adds",
     .run = branch_at_random,
     .less = branch_one_way,
     .factor = 2, /* every other one is predicted wrongly */
     .per_step = BRANCHES,
     .open = open_words,
     .close = free},
    {.name = "call", .what = "a call", .run = call_directly, .per_step = CALLS},
    {.name = "call-pointer",
     .what = "a call through a pointer",
     .run = call_through_a_pointer,
     .per_step = CALLS},
    {.name = NULL},
};
