/* What is printed, for people. */
#ifndef COSTS_REPORT_H
#define COSTS_REPORT_H

#include "results.h"

/* What was measured with what, and what the columns mean. `guessed`: there is a column for that. */
void report_head(const char *compiler, bool guessed);

/* The heading of a group, with `note` behind it if there is one. */
void report_group(const struct cost_group *group, const char *note);

/* One row. `guessed`: as for report_head(). */
void report_row(const struct result *result, bool guessed);

/* The plateaus of loads, and what there is to say about them. */
void report_chase(const struct chase *chase);

/* The measured beside what the book says, where that is no single number. */
void report_book(const struct results *results);

/* How good the guess was. */
void report_score(const struct results *results);

/*
 * The medians of several runs side by side, and whether they agree in the order of magnitude: the
 * largest less than 3.16 times the smallest.
 */
void report_agreement(const struct results *runs, size_t count);

#endif
