/* Every time that a comparison takes, as it was taken. */
#ifndef BENCH_RECORDS_H
#define BENCH_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One batch. */
struct record {
    uint32_t row;       /* its place in the settings */
    uint32_t unit;      /* from 0 */
    uint32_t pair;      /* in the unit, from 0 */
    uint32_t round;     /* in the pair, from 0 */
    uint8_t side;       /* SIDE_A or SIDE_B */
    bool ran_first;     /* in its round */
    bool started_first; /* in its pair */
    uint64_t count;     /* operations */
    uint64_t ns;        /* all of them together */
};

/* All zero is empty. */
struct records {
    struct record *items;
    size_t count;
    size_t capacity;
};

/* False after a complaint: no memory. */
bool records_add(struct records *records, const struct record *record);

void records_release(struct records *records);

#endif
