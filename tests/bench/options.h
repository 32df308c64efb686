/* The values of options, checked. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a whole decimal number between `low` and `high` into `*number`. False after a complaint
 * that names `option`, which is how the user knows it, and says what would be right.
 */
bool options_read_number(const char *option, const char *text, uint64_t low, uint64_t high,
                         uint64_t *number);

/* Reads a factor of at least 1, such as 2.40. False after a complaint as above. */
bool options_read_factor(const char *option, const char *text, double *factor);

#endif
