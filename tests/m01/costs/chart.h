/*
 * The picture: times on a logarithmic scale, a mark for each row, with the guesses; and the time of
 * a load by the size of its set.
 */
#ifndef COSTS_CHART_H
#define COSTS_CHART_H

#include "results.h"

/*
 * Draws `folder`/costs.svg with the program `gnuplot` and prints where it is; the figures are left
 * beside it, costs.tsv and loads.tsv. Where there is no such program it prints bars of text. False
 * after a complaint: when a file cannot be written.
 */
bool chart_draw(const struct results *results, const char *folder, const char *gnuplot);

#endif
