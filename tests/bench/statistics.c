#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#define TRIMMED_PART 0.2

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

void statistics_sort(double *values, size_t count) {
    qsort(values, count, sizeof(*values), compare);
}

double statistics_median(const double *sorted, size_t count) {
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double statistics_quantile(const double *sorted, size_t count, double p) {
    const double at = p * (double)(count - 1);
    const size_t below = (size_t)at;
    const size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum / (double)count;
}

/*
 * The variance after each of the `cut` lowest and highest values was replaced by its next inner
 * neighbour.
 */
static double winsorised_variance(const double *sorted, size_t count, size_t cut) {
    const size_t kept = count - 2 * cut;
    const double low = sorted[cut];
    const double high = sorted[count - 1 - cut];
    const double mean =
        (mean_of(sorted + cut, kept) * (double)kept + (low + high) * (double)cut) / (double)count;
    double sum = (double)cut * ((low - mean) * (low - mean) + (high - mean) * (high - mean));
    for (size_t i = cut; i < count - cut; i++) {
        sum += (sorted[i] - mean) * (sorted[i] - mean);
    }
    return sum / (double)(count - 1);
}

struct estimate statistics_estimate(double *values, size_t count) {
    statistics_sort(values, count);
    const size_t cut = (size_t)(TRIMMED_PART * (double)count);
    const double variance = winsorised_variance(values, count, cut);
    return (struct estimate){
        .count = count,
        .mean = mean_of(values + cut, count - 2 * cut),
        .standard_error = sqrt(variance / (double)count) / (1 - 2 * TRIMMED_PART),
        .degrees = (double)(count - 2 * cut - 1),
        .median = statistics_median(values, count),
    };
}

double statistics_half_width(const struct estimate *estimate, double level) {
    return statistics_t_quantile((1 + level) / 2, estimate->degrees) * estimate->standard_error;
}

/* Keeps a denominator away from zero. */
static double not_zero(double x) {
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/*
 * The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), by
 * Lentz's method.
 */
static double beta_fraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m < 1000; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        fraction *= c * d;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        fraction *= c * d;
        if (fabs(c * d - 1) < 1e-15) {
            break;
        }
    }
    return fraction;
}

/* The regularised incomplete beta function. */
static double incomplete_beta(double a, double b, double x) {
    if (x <= 0) {
        return 0;
    }
    if (x >= 1) {
        return 1;
    }
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    /* The fraction converges fast on this side only. */
    if (x < (a + 1) / (a + b + 2)) {
        return front * beta_fraction(a, b, x) / a;
    }
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* The probability that Student's t lies above `t` >= 0. */
static double t_upper_tail(double t, double degrees) {
    return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
}

double statistics_t_quantile(double p, double degrees) {
    if (p < 0.5) {
        return -statistics_t_quantile(1 - p, degrees);
    }
    double low = 0;
    double high = 1;
    while (t_upper_tail(high, degrees) > 1 - p) {
        high *= 2;
    }
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (t_upper_tail(middle, degrees) > 1 - p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

double statistics_family_level(double level, size_t family) {
    return 1 - (1 - level) / (double)family;
}

enum verdict statistics_judge(const struct estimate *estimate, size_t family) {
    const double effect_width =
        statistics_half_width(estimate, statistics_family_level(VERDICT_EFFECT_LEVEL, family));
    const double equivalence_width =
        statistics_half_width(estimate, statistics_family_level(VERDICT_EQUIVALENCE_LEVEL, family));
    const double size = fabs(estimate->mean);
    if (size > effect_width && size >= VERDICT_EFFECT) {
        return estimate->mean < 0 ? VERDICT_FASTER : VERDICT_SLOWER;
    }
    if (size + equivalence_width < VERDICT_EQUIVALENCE) {
        return VERDICT_NO_CHANGE;
    }
    return VERDICT_INCONCLUSIVE;
}

bool statistics_wants_more(const struct estimate *estimate) {
    const double wanted = fmax(STATISTICS_WIDTH_WANTED, fabs(estimate->mean) / 20);
    return statistics_half_width(estimate, VERDICT_EFFECT_LEVEL) > wanted;
}

double statistics_mann_whitney(const double *a, const double *b, size_t count) {
    double below = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            below += a[i] < b[j] ? 1 : a[i] > b[j] ? 0 : 0.5;
        }
    }
    const double pairs = (double)count * (double)count;
    return fmin(below, pairs - below);
}

void statistics_describe(const double *values, size_t count, double *mean, double *deviation) {
    double sum = 0;
    *mean = mean_of(values, count);
    for (size_t i = 0; i < count; i++) {
        sum += (values[i] - *mean) * (values[i] - *mean);
    }
    *deviation = sqrt(sum / (double)(count - 1));
}

bool statistics_welch(const double *a, const double *b, size_t count, double level) {
    double means[2];
    double deviations[2];
    statistics_describe(a, count, &means[0], &deviations[0]);
    statistics_describe(b, count, &means[1], &deviations[1]);
    const double va = deviations[0] * deviations[0] / (double)count;
    const double vb = deviations[1] * deviations[1] / (double)count;
    if (va + vb <= 0) {
        return means[0] != means[1];
    }
    const double degrees = (va + vb) * (va + vb) * (double)(count - 1) / (va * va + vb * vb);
    const double t = fabs(means[0] - means[1]) / sqrt(va + vb);
    return t > statistics_t_quantile((1 + level) / 2, degrees);
}

/* The p for which the incomplete beta function is `target`. */
static double beta_quantile(double a, double b, double target) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (incomplete_beta(a, b, middle) < target) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

void statistics_proportion(size_t hits, size_t count, double *low, double *high) {
    const double seen = (double)hits;
    const double unseen = (double)(count - hits);
    *low = hits == 0 ? 0 : beta_quantile(seen, unseen + 1, 0.025);
    *high = hits == count ? 1 : beta_quantile(seen + 1, unseen, 0.975);
}
