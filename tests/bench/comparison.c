#include "comparison.h"

#include <math.h>
#include <string.h>

/* Lets both sides run one round; keeps each side's shortest time. */
static bool run_round(const struct comparison_subject *subject, const struct schedule *schedule,
                      size_t round, double shortest[2]) {
    enum side side = schedule->first_side[round];
    for (int i = 0; i < 2; i++, side = schedule_other(side)) {
        double ns;
        if (!subject->run(subject->context, side, round, schedule->seeds[round], &ns)) {
            return false;
        }
        if (ns < shortest[side]) {
            shortest[side] = ns;
        }
    }
    return true;
}

static bool run_pair(const struct comparison_subject *subject, const struct schedule *schedule,
                     size_t unit, double *log_ratio) {
    double shortest[2] = {HUGE_VAL, HUGE_VAL};
    if (!subject->open_pair(subject->context, unit, schedule)) {
        return false;
    }
    for (size_t round = 0; round < schedule->rounds; round++) {
        if (!run_round(subject, schedule, round, shortest)) {
            subject->abandon_pair(subject->context);
            return false;
        }
    }
    *log_ratio = log(shortest[SIDE_B] / shortest[SIDE_A]);
    return subject->close_pair(subject->context, *log_ratio);
}

static void fix_order(struct schedule *schedule) {
    schedule->started_first = SIDE_A;
    for (size_t round = 0; round < schedule->rounds; round++) {
        schedule->first_side[round] = SIDE_A;
    }
}

static bool run_unit(struct comparison *comparison, const struct comparison_subject *subject,
                     struct prng *prng) {
    const size_t unit = comparison->unit_count;
    double sum = 0;
    for (int pair = 0; pair < COMPARISON_PAIRS; pair++) {
        struct schedule schedule;
        double log_ratio;
        schedule_draw(&schedule, prng, comparison->rounds);
        if (comparison->fixed_order) {
            fix_order(&schedule);
        }
        if (!run_pair(subject, &schedule, unit, &log_ratio)) {
            return false;
        }
        sum += log_ratio;
    }
    comparison->ratios[unit] = sum / COMPARISON_PAIRS;
    comparison->unit_count++;
    return true;
}

bool comparison_run(struct comparison *comparison, const struct comparison_subject *subject,
                    uint64_t seed) {
    struct prng prng;
    prng_init(&prng, seed);
    comparison->unit_count = 0;
    do {
        const size_t end = comparison->unit_count + COMPARISON_STAGE;
        if (!subject->prepare(subject->context, comparison->unit_count, end)) {
            return false;
        }
        while (comparison->unit_count < end) {
            if (!run_unit(comparison, subject, &prng)) {
                return false;
            }
        }
        double sorted[COMPARISON_UNITS_MAX];
        memcpy(sorted, comparison->ratios, comparison->unit_count * sizeof(*sorted));
        comparison->estimate = statistics_estimate(sorted, comparison->unit_count);
    } while (statistics_wants_more(&comparison->estimate) &&
             comparison->unit_count < COMPARISON_UNITS_MAX);
    return true;
}
