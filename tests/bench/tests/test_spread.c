/*
 * The spread of layouts, on simulated workers: how much layouts and processes differ is known, and
 * nothing is timed here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "prng.h"
#include "spread.h"

#define LAYOUTS 60
#define PASSES 6
#define ROUNDS 20

struct simulation {
    /* What is simulated: standard deviations of logarithms, 0 for none. */
    double layout_spread;
    double process_spread;
    double noise; /* a batch's mean excess over the shortest possible */
    double drift; /* from one block to the next */
    size_t fail_at;

    /* What went on. */
    struct prng prng;
    double layouts[LAYOUTS];
    double now; /* how slow the machine is */
    double own[SURVEY_BLOCK_MAX];
    size_t open;
    size_t runs;
    size_t opened[LAYOUTS];
    size_t first[SURVEY_BLOCK_MAX]; /* how often a member was the first in its round */
    size_t order[SURVEY_BLOCK_MAX]; /* of the round before this one, or of this one */
    size_t run_in_round;
};

/* Normally distributed, variance 1 (sum of twelve). */
static double draw_normal(struct prng *prng) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += prng_unit(prng);
    }
    return sum;
}

static bool open_member(void *context, size_t member, size_t layout, size_t padding) {
    struct simulation *simulation = context;
    (void)padding;
    assert_int_equal(member, simulation->open);
    if (member == 0) {
        simulation->now += simulation->drift * draw_normal(&simulation->prng);
    }
    simulation->open++;
    simulation->opened[layout]++;
    simulation->own[member] =
        simulation->layouts[layout] + simulation->process_spread * draw_normal(&simulation->prng);
    return true;
}

static bool run_member(void *context, size_t member, size_t round, uint64_t seed, double *ns) {
    struct simulation *simulation = context;
    (void)seed;
    simulation->runs++;
    simulation->first[member] += simulation->run_in_round == 0;
    if (round % 2 == 0) {
        simulation->order[simulation->run_in_round] = member;
    } else { /* back again, so that a steady drift cancels out */
        assert_int_equal(simulation->order[simulation->open - 1 - simulation->run_in_round],
                         member);
    }
    simulation->run_in_round = (simulation->run_in_round + 1) % simulation->open;
    const double noise = -simulation->noise * log(1 - prng_unit(&simulation->prng));
    *ns = 1e6 * exp(simulation->own[member] + simulation->now + noise);
    return simulation->runs != simulation->fail_at;
}

static void close_members(void *context, size_t count) {
    struct simulation *simulation = context;
    assert_int_equal(count, simulation->open);
    simulation->open = 0;
}

struct result {
    double logs[PASSES * LAYOUTS];
    size_t blocks[PASSES * LAYOUTS];
    double effects[LAYOUTS];
    double halves[2][LAYOUTS];
    struct spread spread;
};

static bool simulate(struct simulation *simulation, struct result *result, uint64_t seed) {
    const struct survey_subject subject = {
        .context = simulation, .open = open_member, .run = run_member, .close = close_members};
    const struct survey survey = {.layouts = LAYOUTS,
                                  .passes = PASSES,
                                  .rounds = ROUNDS,
                                  .logs = result->logs,
                                  .blocks = result->blocks};
    prng_init(&simulation->prng, ~seed);
    for (size_t i = 0; i < LAYOUTS; i++) {
        simulation->layouts[i] = simulation->layout_spread * draw_normal(&simulation->prng);
    }
    if (!survey_run(&survey, &subject, seed)) {
        return false;
    }
    double *halves[2] = {result->halves[0], result->halves[1]};
    return spread_find(&result->spread, &survey, result->effects, halves);
}

static double deviation(const double *values, size_t count) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        squares += values[i] * values[i];
    }
    return sqrt((squares - sum * sum / (double)count) / (double)(count - 1));
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.6g is not within %g of %.6g", value, tolerance, expected);
    }
}

static void test_each_layout_gets_a_process_in_each_pass(void **state) {
    (void)state;
    struct simulation simulation = {.layout_spread = 0.01};
    struct result result;
    assert_true(simulate(&simulation, &result, 1));
    for (size_t i = 0; i < LAYOUTS; i++) {
        assert_int_equal(simulation.opened[i], PASSES);
    }
    assert_int_equal(simulation.runs, LAYOUTS * PASSES * ROUNDS);
    assert_int_equal(simulation.open, 0);
}

/* 1200 rounds, 200 for each of six: none is always in front. */
static void test_no_member_comes_first_more_often(void **state) {
    (void)state;
    struct simulation simulation = {.layout_spread = 0.01};
    struct result result;
    assert_true(simulate(&simulation, &result, 1));
    for (size_t i = 0; i < SURVEY_BLOCK_MAX; i++) {
        assert_in_range(simulation.first[i], 150, 250);
    }
}

static void test_exact_without_noise(void **state) {
    (void)state;
    struct simulation simulation = {.layout_spread = 0.03, .drift = 0.2};
    struct result result;
    assert_true(simulate(&simulation, &result, 2));
    double mean = 0;
    for (size_t i = 0; i < LAYOUTS; i++) {
        mean += simulation.layouts[i] / LAYOUTS;
    }
    for (size_t i = 0; i < LAYOUTS; i++) {
        assert_near(result.effects[i], simulation.layouts[i] - mean, 1e-6);
        assert_near(result.halves[0][i], simulation.layouts[i] - mean, 1e-6);
        assert_near(result.halves[1][i], simulation.layouts[i] - mean, 1e-6);
    }
    assert_near(result.spread.real, deviation(simulation.layouts, LAYOUTS), 1e-6);
    assert_near(result.spread.noise, 0, 1e-6);
    assert_near(result.spread.layout_part, 1, 1e-6);
    assert_near(result.spread.correlation, 1, 1e-6);
}

#define REPEATS 100

/*
 * What the components are estimated at, on average over many surveys, and how often the interval
 * holds the true spread.
 */
static void assert_components(const struct simulation *model, double noise) {
    double variance = 0;
    double seen_noise = 0;
    size_t held = 0;
    for (uint64_t seed = 0; seed < REPEATS; seed++) {
        struct simulation simulation = *model;
        struct result result;
        assert_true(simulate(&simulation, &result, seed));
        const struct spread *spread = &result.spread;
        variance += spread->real * spread->real / REPEATS;
        seen_noise += spread->noise / REPEATS;
        held += spread->low <= model->layout_spread && model->layout_spread <= spread->high;
    }
    assert_near(sqrt(variance), model->layout_spread, 0.05 * model->layout_spread);
    assert_near(seen_noise, noise, 0.03 * noise);
    assert_in_range(held, 88, 99);
}

static void test_layouts_are_told_from_noise(void **state) {
    (void)state;
    /* The shortest of 20 batches that exceed by 4 % on average exceeds by 0.2 +- 0.2 %. */
    const double batches = 0.04 / ROUNDS;
    assert_components(
        &(struct simulation){
            .layout_spread = 0.02, .process_spread = 0.01, .noise = 0.04, .drift = 0.1},
        hypot(0.01, batches));
    assert_components(&(struct simulation){.layout_spread = 0.008, .process_spread = 0.02}, 0.02);
}

/* Where all layouts are the same, their figures' plain deviation is above 0.03 / sqrt(6) = 1.2 %.
 */
static void test_noise_is_no_spread(void **state) {
    (void)state;
    double plain = 0;
    double real = 0;
    size_t shown = 0;
    for (uint64_t seed = 0; seed < REPEATS; seed++) {
        struct simulation simulation = {.process_spread = 0.03, .drift = 0.1};
        struct result result;
        assert_true(simulate(&simulation, &result, seed));
        plain += deviation(result.effects, LAYOUTS) / REPEATS;
        real += result.spread.real / REPEATS;
        shown += result.spread.low > 0;
    }
    assert_true(plain > 0.012);
    assert_true(real < 0.003);
    assert_in_range(shown, 0, 6);
}

/* Six processes and a noise as large as the layouts' spread: see hypot(1, 1 / sqrt(6)). */
static void test_part_and_correlation(void **state) {
    (void)state;
    double part = 0;
    double correlation = 0;
    for (uint64_t seed = 0; seed < REPEATS; seed++) {
        struct simulation simulation = {.layout_spread = 0.02, .process_spread = 0.02};
        struct result result;
        assert_true(simulate(&simulation, &result, seed));
        part += result.spread.layout_part / REPEATS;
        correlation += result.spread.correlation / REPEATS;
    }
    assert_near(part, 0.5, 0.03);
    /* 1 / (1 + 1 / 3), less what is lost because blocks have to be fitted, too. */
    assert_near(correlation, 0.7, 0.05);
}

static void test_a_failure_ends_it_with_nothing_left_open(void **state) {
    (void)state;
    const size_t at[] = {1, 17, LAYOUTS * PASSES * ROUNDS};
    for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
        struct simulation simulation = {.fail_at = at[i]};
        struct result result;
        assert_false(simulate(&simulation, &result, 1));
        assert_int_equal(simulation.open, 0);
        assert_int_equal(simulation.runs, at[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_layout_gets_a_process_in_each_pass),
        cmocka_unit_test(test_no_member_comes_first_more_often),
        cmocka_unit_test(test_exact_without_noise),
        cmocka_unit_test(test_layouts_are_told_from_noise),
        cmocka_unit_test(test_noise_is_no_spread),
        cmocka_unit_test(test_part_and_correlation),
        cmocka_unit_test(test_a_failure_ends_it_with_nothing_left_open),
    };
    return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
