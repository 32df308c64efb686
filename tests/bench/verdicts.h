/* Results in plain words. */
#ifndef BENCH_VERDICTS_H
#define BENCH_VERDICTS_H

#include "contest.h"

/* Prints what came out for row number `row`: times, ratio, verdict. */
void verdicts_print(const struct settings *settings, size_t row, const struct outcome *outcome);

/*
 * Puts the verdict on an estimate into `text`, as a sentence. `family` as in statistics_judge().
 */
void verdicts_say(const struct estimate *estimate, size_t family, char *text, size_t size);

/* The verdict's name for programs: "faster", "slower", "no change", "inconclusive". */
const char *verdicts_name(enum verdict verdict);

/* How many verdicts share the chance of error with that on row number `row`. */
size_t verdicts_family(const struct settings *settings, size_t row);

#endif
