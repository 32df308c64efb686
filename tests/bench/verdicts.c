#include "verdicts.h"

#include <math.h>
#include <stdio.h>

#include "units.h"

const char *verdicts_name(enum verdict verdict) {
    static const char *const names[] = {[VERDICT_FASTER] = "faster",
                                        [VERDICT_SLOWER] = "slower",
                                        [VERDICT_NO_CHANGE] = "no change",
                                        [VERDICT_INCONCLUSIVE] = "inconclusive"};
    return names[verdict];
}

size_t verdicts_family(const struct settings *settings, size_t row) {
    return row == 0 ? 1 : settings->row_count - 1;
}

/* A log ratio as a change in per cent. */
static double percent(double log_ratio) {
    return 100 * expm1(log_ratio);
}

/* The least true effect that would have been called one 95 times of 100. */
static double visible_effect(const struct estimate *estimate, double level) {
    const double power = statistics_t_quantile(0.95, estimate->degrees);
    return fmax(VERDICT_EFFECT, statistics_half_width(estimate, level)) +
           power * estimate->standard_error;
}

static void say_effect(const struct estimate *estimate, double width, char *text, size_t size) {
    const double change = percent(estimate->mean);
    const double ends[2] = {fabs(percent(estimate->mean - width)),
                            fabs(percent(estimate->mean + width))};
    snprintf(text, size, "B is %s: it takes %.1f %% %s time [%.1f, %.1f], %.2f times as fast",
             change < 0 ? "faster" : "slower", fabs(change), change < 0 ? "less" : "more",
             fmin(ends[0], ends[1]), fmax(ends[0], ends[1]), exp(-estimate->mean));
}

void verdicts_say(const struct estimate *estimate, size_t family, char *text, size_t size) {
    const double level = statistics_family_level(VERDICT_EFFECT_LEVEL, family);
    const double width = statistics_half_width(estimate, level);
    switch (statistics_judge(estimate, family)) {
    case VERDICT_FASTER:
    case VERDICT_SLOWER:
        say_effect(estimate, width, text, size);
        break;
    case VERDICT_NO_CHANGE:
        snprintf(text, size,
                 "no measurable change (this run would have seen %.1f %%): take it back unless "
                 "the code became simpler",
                 percent(visible_effect(estimate, level)));
        break;
    case VERDICT_INCONCLUSIVE:
        snprintf(text, size, "inconclusive, +-%.1f %%: the machine is too noisy", percent(width));
        break;
    }
}

/* More than the system's own bookkeeping takes, and than ticks are wrong by. */
#define RIVALS_MAX 0.1

static void print_times(const struct settings *settings, const struct outcome *outcome,
                        double width) {
    const struct estimate *estimate = &outcome->comparison.estimate;
    char a[UNITS_TEXT_MAX];
    char b[UNITS_TEXT_MAX];
    units_say_time(outcome->ns[SIDE_A], a);
    units_say_time(outcome->ns[SIDE_B], b);
    printf("  A %s, B %s; B's time to A's %+.2f %% [%+.2f, %+.2f], median %+.2f %%\n", a, b,
           percent(estimate->mean), percent(estimate->mean - width),
           percent(estimate->mean + width), percent(estimate->median));
    const bool one = settings->left_out == LEFT_OUT_LAYOUTS;
    printf("  %zu layout%s of each, %zu pairs of processes, %.0f s\n", one ? 1 : estimate->count,
           one ? "" : "s", estimate->count * COMPARISON_PAIRS, outcome->seconds);
    if (outcome->rivals > RIVALS_MAX) {
        printf("  ATTENTION: about %.0f %% of the processor that measures went to others. Measure "
               "again "
               "without them.\n",
               100 * outcome->rivals);
    }
    if (one) {
        printf("  ATTENTION: one layout of each (LAYOUTS=one): this may be the layouts' "
               "difference.\n");
    }
    if (fabs(estimate->median - estimate->mean) > width) {
        printf("  Mean and median disagree by more than the interval: look at the plot.\n");
    }
}

void verdicts_print(const struct settings *settings, size_t row, const struct outcome *outcome) {
    const struct estimate *estimate = &outcome->comparison.estimate;
    const size_t family = verdicts_family(settings, row);
    const double level = statistics_family_level(VERDICT_EFFECT_LEVEL, family);
    char verdict[256];
    verdicts_say(estimate, family, verdict, sizeof(verdict));
    printf("\n%s: %s%s\n  %s\n", settings->rows[row].name, settings->rows[row].measures,
           row == 0 && settings->row_count > 1 ? " (the primary one)" : "", verdict);
    if (row == 0 && settings->bound > 0) {
        printf("  Asked for: %.2f times as fast. %s\n", settings->bound,
               exp(-estimate->mean) >= settings->bound ? "Reached." : "Not reached.");
    }
    print_times(settings, outcome, statistics_half_width(estimate, level));
    fflush(stdout);
}
