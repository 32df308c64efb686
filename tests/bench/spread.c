#include "spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "prng.h"
#include "statistics.h"

/* Enough for any design that is drawn at random; each step is cheap. */
#define FIT_STEPS_MAX 1000
#define FIT_EXACT 1e-12

#define RESAMPLES 2000
#define RESAMPLE_SEED 1

/* A set of passes, a bit for each. */
typedef unsigned passes_set;

static bool has(passes_set passes, size_t pass) {
    return (passes >> pass & 1) != 0;
}

/* What is needed while fitting. */
struct fit {
    const struct survey *survey;
    size_t block_count;
    double *blocks;  /* what each block has in common */
    double *members; /* how many it has */
    double *products;
    double *resampled;
};

static void fit_blocks(struct fit *fit, passes_set passes, const double *effects) {
    const struct survey *survey = fit->survey;
    memset(fit->blocks, 0, fit->block_count * sizeof(*fit->blocks));
    memset(fit->members, 0, fit->block_count * sizeof(*fit->members));
    for (size_t at = 0; at < survey->passes * survey->layouts; at++) {
        if (has(passes, at / survey->layouts)) {
            fit->blocks[survey->blocks[at]] += survey->logs[at] - effects[at % survey->layouts];
            fit->members[survey->blocks[at]]++;
        }
    }
    for (size_t i = 0; i < fit->block_count; i++) {
        fit->blocks[i] /= fmax(1, fit->members[i]);
    }
}

/* The largest change of an effect. */
static double fit_effects(const struct fit *fit, passes_set passes, double *effects) {
    const struct survey *survey = fit->survey;
    double change = 0;
    for (size_t layout = 0; layout < survey->layouts; layout++) {
        double sum = 0;
        size_t count = 0;
        for (size_t pass = 0; pass < survey->passes; pass++) {
            if (has(passes, pass)) {
                const size_t at = pass * survey->layouts + layout;
                sum += survey->logs[at] - fit->blocks[survey->blocks[at]];
                count++;
            }
        }
        const double effect = sum / (double)count;
        change = fmax(change, fabs(effect - effects[layout]));
        effects[layout] = effect;
    }
    return change;
}

static void center(double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    for (size_t i = 0; i < count; i++) {
        values[i] -= sum / (double)count;
    }
}

/* By turns, until nothing changes any more: least squares. The effects' mean is 0. */
static void fit_passes(struct fit *fit, passes_set passes, double *effects) {
    const size_t layouts = fit->survey->layouts;
    memset(effects, 0, layouts * sizeof(*effects));
    double change = HUGE_VAL;
    for (int i = 0; i < FIT_STEPS_MAX && change > FIT_EXACT; i++) {
        fit_blocks(fit, passes, effects);
        change = fit_effects(fit, passes, effects);
        center(effects, layouts);
    }
    fit_blocks(fit, passes, effects);
}

/* Standard deviation of what neither a block nor a layout explains. */
static double find_noise(const struct fit *fit, const double *effects) {
    const struct survey *survey = fit->survey;
    const size_t count = survey->passes * survey->layouts;
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        const double rest =
            survey->logs[at] - effects[at % survey->layouts] - fit->blocks[survey->blocks[at]];
        sum += rest * rest;
    }
    return sqrt(sum / (double)(count - fit->block_count - (survey->layouts - 1)));
}

static double sum_products(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static size_t count_bits(passes_set passes) {
    size_t count = 0;
    for (; passes != 0; passes >>= 1) {
        count += passes & 1;
    }
    return count;
}

/*
 * Goes through all ways to halve the passes. Adds up, for each layout, the product of what both
 * halves say of it; returns the halves' mean correlation.
 */
static double halve(struct fit *fit, double *halves[2]) {
    const size_t layouts = fit->survey->layouts;
    const size_t passes = fit->survey->passes;
    const passes_set all = (1u << passes) - 1;
    double correlation = 0;
    double ways = 0;
    memset(fit->products, 0, layouts * sizeof(*fit->products));
    for (passes_set half = 1; half <= all; half += 2) { /* those with the first pass in them */
        if (count_bits(half) != passes / 2) {
            continue;
        }
        fit_passes(fit, half, halves[0]);
        fit_passes(fit, all & ~half, halves[1]);
        for (size_t i = 0; i < layouts; i++) {
            fit->products[i] += halves[0][i] * halves[1][i];
        }
        const double scale = sqrt(sum_products(halves[0], halves[0], layouts) *
                                  sum_products(halves[1], halves[1], layouts));
        correlation += scale > 0 ? sum_products(halves[0], halves[1], layouts) / scale : 0;
        ways++;
    }
    for (size_t i = 0; i < layouts; i++) {
        fit->products[i] /= ways;
    }
    return correlation / ways;
}

static double root_of(double variance) {
    return variance > 0 ? sqrt(variance) : 0;
}

/* The interval of the standard deviation whose square the mean of `products` estimates. */
static void resample(const struct fit *fit, struct spread *spread) {
    const size_t layouts = fit->survey->layouts;
    struct prng prng;
    prng_init(&prng, RESAMPLE_SEED);
    for (size_t i = 0; i < RESAMPLES; i++) {
        double sum = 0;
        for (size_t j = 0; j < layouts; j++) {
            sum += fit->products[prng_below(&prng, layouts)];
        }
        fit->resampled[i] = sum / (double)(layouts - 1);
    }
    statistics_sort(fit->resampled, RESAMPLES);
    spread->low = root_of(fit->resampled[RESAMPLES / 40]);
    spread->high = root_of(fit->resampled[RESAMPLES - 1 - RESAMPLES / 40]);
}

static void find(struct fit *fit, struct spread *spread, double *effects, double *halves[2]) {
    const size_t layouts = fit->survey->layouts;
    const passes_set all = (1u << fit->survey->passes) - 1;
    const passes_set even = 0x55555555u & all;
    double variance = 0;
    spread->correlation = halve(fit, halves);
    for (size_t i = 0; i < layouts; i++) {
        variance += fit->products[i] / (double)(layouts - 1);
    }
    resample(fit, spread);
    fit_passes(fit, even, halves[0]);
    fit_passes(fit, all & ~even, halves[1]);
    fit_passes(fit, all, effects);
    spread->real = root_of(variance);
    spread->noise = find_noise(fit, effects);
    const double both = spread->real * spread->real + spread->noise * spread->noise;
    spread->layout_part = both > 0 ? spread->real * spread->real / both : 0;
}

bool spread_find(struct spread *spread, const struct survey *survey, double *effects,
                 double *halves[2]) {
    const size_t block_count = survey->passes * survey_blocks(survey->layouts);
    struct fit fit = {
        .survey = survey,
        .block_count = block_count,
        .blocks = calloc(block_count, sizeof(double)),
        .members = calloc(block_count, sizeof(double)),
        .products = calloc(survey->layouts, sizeof(double)),
        .resampled = calloc(RESAMPLES, sizeof(double)),
    };
    const bool ok =
        fit.blocks != NULL && fit.members != NULL && fit.products != NULL && fit.resampled != NULL;
    if (ok) {
        find(&fit, spread, effects, halves);
    } else {
        complain("no memory for the statistics of %zu layouts", survey->layouts);
    }
    free(fit.blocks);
    free(fit.members);
    free(fit.products);
    free(fit.resampled);
    return ok;
}
