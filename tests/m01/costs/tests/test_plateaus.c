/* Plateaus of made-up curves, what they are called, and what the rows make of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "chase.h"
#include "near.h"
#include "plateaus.h"

#define KB 1024.0
#define MB (1024 * KB)

enum { SIZES = 33 };

/* A machine: its caches end at these sizes, and a load from each level and from memory costs so. */
struct machine {
    double ends[3];
    double ns[4];
    double noise; /* each point off by up to this share, up and down in turn */
};

static const struct machine usual = {
    .ends = {48 * KB, 1 * MB, 32 * MB}, .ns = {1, 3.5, 12, 150}, .noise = 0};

/* The time of a load from a set: what does not fit comes from the next level, share by share. */
static double time_of(const struct machine *machine, double bytes) {
    double ns = machine->ns[0];
    for (int i = 0; i < 3; i++) {
        const double outside = fmax(0, fmin(1, 2 * (1 - machine->ends[i] / bytes)));
        ns += outside * (machine->ns[i + 1] - machine->ns[i]);
    }
    return ns;
}

static void make_curve(const struct machine *machine, struct curve *curve) {
    curve->count = SIZES;
    for (int i = 0; i < SIZES; i++) {
        struct point *point = &curve->points[i];
        point->bytes = 4 * KB * pow(2, i / 2.0);
        point->ns = time_of(machine, point->bytes) * (1 + (i % 2 == 0 ? 1 : -1) * machine->noise);
        point->lowest = point->ns * 0.9;
        point->highest = point->ns * 1.5;
    }
}

static struct caches caches_of(size_t count, size_t l1, size_t l2, size_t l3) {
    return (struct caches){.count = count, .bytes = {l1, l2, l3}, .source = "the test"};
}

static struct curve curve;
static struct plateau plateaus[PLATEAUS_MAX];

static size_t find(const struct machine *machine, const struct caches *caches) {
    make_curve(machine, &curve);
    const size_t count = plateaus_find(curve.points, curve.count, plateaus);
    plateaus_name(plateaus, count, curve.points, caches);
    return count;
}

static void check_plateau(size_t i, int level, double ns) {
    assert_int_equal(plateaus[i].level, level);
    assert_true(plateaus[i].ns > 0.8 * ns && plateaus[i].ns < 1.25 * ns);
}

static void test_each_cache_is_a_plateau_and_memory_too(void **state) {
    (void)state;
    const struct caches caches = caches_of(3, 48 << 10, 1 << 20, 32 << 20);
    assert_int_equal(find(&usual, &caches), 4);
    check_plateau(0, 1, 1);
    check_plateau(1, 2, 3.5);
    check_plateau(2, 3, 12);
    check_plateau(3, PLATEAU_MEMORY, 150);
}

static void test_noise_makes_no_plateaus(void **state) {
    (void)state;
    struct machine noisy = usual;
    noisy.noise = 0.08;
    const struct caches caches = caches_of(3, 48 << 10, 1 << 20, 32 << 20);
    assert_int_equal(find(&noisy, &caches), 4);
    check_plateau(2, 3, 12);
}

static void test_two_levels_of_caches_are_enough(void **state) {
    (void)state;
    const struct machine small = {
        .ends = {32 * KB, 1 * MB, 1 * MB}, .ns = {2, 10, 10, 120}, .noise = 0};
    const struct caches caches = caches_of(2, 32 << 10, 1 << 20, 0);
    assert_int_equal(find(&small, &caches), 3);
    check_plateau(0, 1, 2);
    check_plateau(1, 2, 10);
    check_plateau(2, PLATEAU_MEMORY, 120);
}

static void test_a_cache_that_others_fill_is_found_where_it_is(void **state) {
    (void)state;
    struct machine shared = usual;
    shared.ends[2] = 10 * MB;
    const struct caches caches = caches_of(3, 48 << 10, 1 << 20, 32 << 20);
    assert_int_equal(find(&shared, &caches), 4);
    check_plateau(2, 3, 12);
    check_plateau(3, PLATEAU_MEMORY, 150);
}

static void test_a_cache_that_cannot_be_seen_is_not_made_up(void **state) {
    (void)state;
    struct machine without = usual;
    without.ends[2] = 1 * MB;
    const struct caches caches = caches_of(3, 48 << 10, 1 << 20, 32 << 20);
    assert_int_equal(find(&without, &caches), 3);
    check_plateau(2, PLATEAU_MEMORY, 150);
}

static void test_levels_are_counted_where_the_system_says_nothing(void **state) {
    (void)state;
    const struct caches caches = caches_of(0, 0, 0, 0);
    assert_int_equal(find(&usual, &caches), 4);
    check_plateau(0, 1, 1);
    check_plateau(1, 2, 3.5);
    check_plateau(2, 3, 12);
    check_plateau(3, PLATEAU_MEMORY, 150);
}

static void test_a_slope_has_no_plateau(void **state) {
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        curve.points[i] = (struct point){.bytes = 4 * KB * pow(2, i / 2.0), .ns = pow(1.3, i)};
    }
    assert_int_equal(plateaus_find(curve.points, SIZES, plateaus), 0);
    assert_int_equal(plateaus_find(curve.points, 0, plateaus), 0);
    assert_int_equal(plateaus_find(curve.points, 2, plateaus), 0);
}

static void test_two_that_are_close_are_one(void **state) {
    (void)state;
    const double ns[] = {1, 1, 1, 1, 1.4, 1.4, 1.4, 1.4, 10, 10, 10, 10};
    for (size_t i = 0; i < 12; i++) {
        curve.points[i] = (struct point){.bytes = 4 * KB * pow(2, (double)i / 2), .ns = ns[i]};
    }
    assert_int_equal(plateaus_find(curve.points, 12, plateaus), 2);
    assert_int_equal(plateaus[0].last, 7);
}

static struct chase make_chase(void) {
    struct chase chase = {.caches = caches_of(3, 48 << 10, 1 << 20, 32 << 20)};
    struct machine plain = usual;
    plain.ns[3] = 200;
    make_curve(&plain, &chase.plain);
    make_curve(&usual, &chase.huge);
    chase.plateau_count = plateaus_find(chase.huge.points, chase.huge.count, chase.plateaus);
    plateaus_name(chase.plateaus, chase.plateau_count, chase.huge.points, &chase.caches);
    return chase;
}

static void test_rows_take_the_times_of_their_plateaus(void **state) {
    (void)state;
    const struct chase chase = make_chase();
    struct outcome outcome;
    chase_judge(&chase, 1, &outcome);
    assert_int_equal(outcome.kind, OUTCOME_MEASURED);
    assert_near(outcome.median, 1, 0.01);
    assert_near(outcome.lowest, 0.9, 0.01);
    assert_true(outcome.highest > 1.4);
    chase_judge(&chase, PLATEAU_MEMORY, &outcome);
    assert_true(outcome.median > 130 && outcome.median < 151);
    chase_judge(&chase, CHASE_MEMORY_PLAIN, &outcome);
    assert_true(outcome.median > 170 && outcome.median < 201);
}

static void test_rows_without_a_plateau_say_why(void **state) {
    (void)state;
    struct chase chase = make_chase();
    struct outcome outcome;
    chase.plateau_count = 2;
    chase_judge(&chase, 3, &outcome);
    assert_int_equal(outcome.kind, OUTCOME_IMPOSSIBLE);
    assert_true(strlen(outcome.why) > 0);
    chase.caches.count = 2;
    chase_judge(&chase, 3, &outcome);
    assert_int_equal(outcome.kind, OUTCOME_IMPOSSIBLE);
    chase.huge.count = 0;
    chase_judge(&chase, CHASE_MEMORY_PLAIN, &outcome);
    assert_int_equal(outcome.kind, OUTCOME_IMPOSSIBLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_cache_is_a_plateau_and_memory_too),
        cmocka_unit_test(test_noise_makes_no_plateaus),
        cmocka_unit_test(test_two_levels_of_caches_are_enough),
        cmocka_unit_test(test_a_cache_that_others_fill_is_found_where_it_is),
        cmocka_unit_test(test_a_cache_that_cannot_be_seen_is_not_made_up),
        cmocka_unit_test(test_levels_are_counted_where_the_system_says_nothing),
        cmocka_unit_test(test_a_slope_has_no_plateau),
        cmocka_unit_test(test_two_that_are_close_are_one),
        cmocka_unit_test(test_rows_take_the_times_of_their_plateaus),
        cmocka_unit_test(test_rows_without_a_plateau_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
