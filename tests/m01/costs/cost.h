/*
 * What can be measured here: rows. Adding one takes a function that does the operation over and
 * over, and a line in a table. How often it is done, how the time is taken, what the time is
 * compared with and what becomes of the results is the runner's business (runner.h), the same for
 * all rows. Every row runs in a process of its own.
 *
 * A compiler leaves out what nobody can see. So the function returns something that depends on
 * all its results, and hides from the compiler what it would otherwise work out in advance: the
 * three functions below are for that. A row of which nothing is left is refused.
 */
#ifndef COSTS_COST_H
#define COSTS_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the time of a row is.
 *
 * COST_LATENCY: each operation needs the result of the one before it, so the time is how long one
 * takes from its start to its result. COST_THROUGHPUT: the operations are independent, the
 * processor works on several at once, and the time is how long after one the next is done.
 */
enum cost_mode { COST_LATENCY, COST_THROUGHPUT };

/*
 * Does `steps` steps of `per_step` operations each. `state` is what the row's open() returned.
 * Returns something that depends on all results.
 */
typedef uint64_t (*cost_run)(void *state, uint64_t steps);

struct cost_row {
    const char *name; /* as in ROWS=: lower case, digits and '-'; no other row has it */
    const char *what; /* one operation, for people; at most COST_WHAT_MAX characters */
    enum cost_mode mode;
    cost_run run;
    uint64_t per_step; /* operations in one step; 0 means 1 */

    /*
     * Makes ready, untimed; `size` is the row's. Returns what run() gets as its state, or NULL
     * after cost_cannot(). Without open() the state is NULL.
     */
    void *(*open)(uint64_t size);
    void (*close)(void *state); /* undoes open(); may be NULL */
    uint64_t size;

    /* Set: the row's time is `factor` times what run() takes beyond this one. */
    cost_run less;
    double factor;

    const char *book; /* what the book says about it, briefly; may be NULL */
    int level;        /* of the hierarchy of memory, see chase.h: instead of run() */
};

#define COST_WHAT_MAX 38

/*
 * Says why a row cannot be measured here, for open(), which then returns NULL. Formatted as
 * printf() would; kept until the next call.
 */
void cost_cannot(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What cost_cannot() was told last; "" when nothing. */
const char *cost_why_not(void);

/* Returns `number`, of which the compiler then knows nothing. */
static inline uint64_t cost_hide(uint64_t number) {
    __asm__ volatile("" : "+r"(number));
    return number;
}

/* For cost_hide_pointer(). */
static inline void *cost_hide_address(uintptr_t address) {
    __asm__ volatile("" : "+r"(address) : : "memory");
    return (void *)address;
}

/*
 * void *cost_hide_pointer(const void *pointer): returns `pointer`; the compiler does not know any
 * more where it leads, nor what lies there.
 */
#define cost_hide_pointer(pointer) cost_hide_address((uintptr_t)(pointer))

/* Somebody may read what `pointer` points at: the compiler has to have it written by now. */
static inline void cost_use(const void *pointer) {
    __asm__ volatile("" : : "r"(pointer) : "memory");
}

#endif
