/* Times for people: read, written, and compared in powers of ten. */
#ifndef COSTS_DURATION_H
#define COSTS_DURATION_H

#include <stdbool.h>

#define DURATION_TEXT_MAX 32

/* Puts a time into `text`, with two or three digits that count: "0.24 ns", "12 ns", "3.4 us". */
void duration_say(double ns, char text[DURATION_TEXT_MAX]);

/*
 * Reads a time such as "0.5 ns", "20us" or "3 ms"; s and the Greek mu are understood as well. NULL
 * when it is one, else what is wrong with it and what to write, without a full stop.
 */
const char *duration_read(const char *text, double *ns);

/*
 * How many powers of ten a guess is off, rounded: 0 is a hit, which is a guess that is not more
 * than 3.16 times (the root of ten) too high or too low; -2 is a hundred times too low. Both times
 * are above 0.
 */
int duration_off(double guess_ns, double measured_ns);

#endif
