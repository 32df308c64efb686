/*
 * The statistics of a comparison: pure functions of numbers. docs/measuring.md says why it is
 * these.
 *
 * Ratios are handled as natural logarithms throughout, "log ratios": so that twice as fast and half
 * as fast are equally far from no change, and differences of 0.01 are about one per cent.
 */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts `values` in rising order. */
void statistics_sort(double *values, size_t count);

/* The median of `count` >= 1 values that are in rising order. */
double statistics_median(const double *sorted, size_t count);

/*
 * The value that a part `p` (0 to 1) of `count` >= 1 values lies below, which are in rising order;
 * between two of them in proportion.
 */
double statistics_quantile(const double *sorted, size_t count, double p);

/*
 * What `count` independent log ratios say about the true one: their 20 % trimmed mean (without the
 * highest and the lowest fifth) and how sure it is (Tukey and McLaughlin, 1963).
 */
struct estimate {
    size_t count;
    double mean;           /* the trimmed one */
    double standard_error; /* of the trimmed mean, from the winsorised variance */
    double degrees;        /* of freedom, for Student's distribution */
    double median;
};

/* From `count` >= 2 values in any order, which are sorted. */
struct estimate statistics_estimate(double *values, size_t count);

/*
 * How far the interval reaches to either side of the mean: it holds the true value with probability
 * `level` (0.99, say).
 */
double statistics_half_width(const struct estimate *estimate, double level);

/* The value that Student's t stays below with probability `p` (0 < p < 1). `degrees` >= 1. */
double statistics_t_quantile(double p, double degrees);

enum verdict {
    VERDICT_FASTER, /* or slower: see the sign of the mean */
    VERDICT_SLOWER,
    VERDICT_NO_CHANGE, /* none that would matter */
    VERDICT_INCONCLUSIVE
};

/* The least effect that is called one, and the widest that is called none; log ratios. */
#define VERDICT_EFFECT 0.01
#define VERDICT_EQUIVALENCE 0.02

/* The levels of the intervals that the two are judged by. */
#define VERDICT_EFFECT_LEVEL 0.99
#define VERDICT_EQUIVALENCE_LEVEL 0.95

/*
 * The verdict on the log ratio of B's time to A's. `family` is the number of verdicts that are
 * given together and that share the chance of a false one (Bonferroni); 1 for a primary workload.
 */
enum verdict statistics_judge(const struct estimate *estimate, size_t family);

/* `level` for one of `family` intervals, so that all of them hold with probability `level`. */
double statistics_family_level(double level, size_t family);

/*
 * Whether more units have to be measured: while the half width of the interval of level 0.99 is
 * above STATISTICS_WIDTH_WANTED or, for effects of more than a fifth, a twentieth of the effect.
 *
 * Where the interval lies has no say until it lies far from where a verdict changes: stopping as
 * soon as a difference shows would find differences that are not there.
 */
#define STATISTICS_WIDTH_WANTED 0.01
bool statistics_wants_more(const struct estimate *estimate);

/*
 * The Mann-Whitney U of two lists of `count` values: the smaller of the numbers of pairs in which
 * the one list's value is below the other's; a tie counts half. Used for comparison only.
 */
double statistics_mann_whitney(const double *a, const double *b, size_t count);

/* The mean of `count` >= 2 values, and their standard deviation. */
void statistics_describe(const double *values, size_t count, double *mean, double *deviation);

/*
 * Whether the means of two lists of `count` values differ, by Welch's t test: the interval of level
 * `level` of their difference leaves out 0. Used for comparison only.
 */
bool statistics_welch(const double *a, const double *b, size_t count, double level);

/*
 * The 95 % interval of a probability, of which `hits` of `count` >= 1 were seen (Clopper and
 * Pearson, 1934).
 */
void statistics_proportion(size_t hits, size_t count, double *low, double *high);

#endif
