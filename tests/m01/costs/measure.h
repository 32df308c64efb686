/* Measuring one row after the other, each in a process of its own. */
#ifndef COSTS_MEASURE_H
#define COSTS_MEASURE_H

#include "chase.h"
#include "rows.h"
#include "runner.h"

/* Measures a row with run(). Says what became of it, whatever that is. */
void measure_row(const struct cost_row *row, struct outcome *outcome);

/* Measures the curves of loads. False, with `why`, when that cannot be. */
bool measure_chase(struct chase *chase, char why[OUTCOME_WHY_MAX]);

#endif
