/* How a row's time is taken, on a clock that tells what the test wants; and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "dead.h"
#include "near.h"
#include "runner.h"

/* The clock of these tests, in nanoseconds, and what was done meanwhile. */
static uint64_t clock_ns;
static uint64_t batches;

static uint64_t fake_now(void) {
    return clock_ns;
}

static uint64_t take(uint64_t ns, uint64_t steps) {
    clock_ns += ns;
    return steps;
}

static uint64_t empty(void *state, uint64_t steps) {
    (void)state;
    return take(steps, steps);
}

static uint64_t ten_each(void *state, uint64_t steps) {
    (void)state;
    return take(10 * steps, steps);
}

static uint64_t four_each(void *state, uint64_t steps) {
    (void)state;
    return take(4 * steps, steps);
}

static uint64_t none_each(void *state, uint64_t steps) {
    (void)state;
    return take(20, steps);
}

static uint64_t all_at_once(void *state, uint64_t steps) {
    (void)state;
    return take(50000000, steps);
}

static uint64_t one_each(void *state, uint64_t steps) {
    (void)state;
    return take(steps, steps);
}

static uint64_t slow(void *state, uint64_t steps) {
    (void)state;
    return take(70000000 * steps, steps);
}

/* Every third batch takes twice as long, as if something had come between. */
static uint64_t disturbed(void *state, uint64_t steps) {
    (void)state;
    return take((batches++ % 3 == 0 ? 20 : 10) * steps, steps);
}

static const struct runner fake = {.now = fake_now, .empty = empty, .batch_ns = 1000000};

static struct outcome measure(struct cost_row row) {
    struct outcome outcome;
    memset(&outcome, 0xff, sizeof outcome);
    clock_ns = 1000;
    batches = 0;
    runner_measure(&fake, &row, NULL, &outcome);
    return outcome;
}

static void test_the_time_is_that_of_one_step(void **state) {
    (void)state;
    const struct outcome outcome = measure((struct cost_row){.run = ten_each});
    assert_int_equal(outcome.kind, OUTCOME_MEASURED);
    assert_near(outcome.median, 10, 0.01);
    assert_near(outcome.lowest, 10, 0.01);
    assert_near(outcome.highest, 10, 0.01);
}

static void test_a_step_may_hold_many_operations(void **state) {
    (void)state;
    const struct outcome outcome = measure((struct cost_row){.run = ten_each, .per_step = 4});
    assert_near(outcome.median, 2.5, 0.01);
}

static void test_a_step_may_take_longer_than_a_batch(void **state) {
    (void)state;
    const struct outcome outcome = measure((struct cost_row){.run = slow});
    assert_int_equal(outcome.kind, OUTCOME_MEASURED);
    assert_near(outcome.median, 7e7, 1);
}

static void test_what_is_not_meant_is_taken_off(void **state) {
    (void)state;
    const struct cost_row row = {.run = ten_each, .less = four_each, .factor = 0.5, .per_step = 3};
    const struct outcome outcome = measure(row);
    assert_int_equal(outcome.kind, OUTCOME_MEASURED);
    assert_near(outcome.median, 1, 0.01);
}

static void test_what_is_lost_in_noise_is_not_made_up(void **state) {
    (void)state;
    const struct cost_row row = {.run = four_each, .less = ten_each, .factor = 1};
    assert_int_equal(measure(row).kind, OUTCOME_IMPOSSIBLE);
}

static void test_median_lowest_and_highest_are_told_apart(void **state) {
    (void)state;
    const struct outcome outcome = measure((struct cost_row){.run = disturbed});
    assert_int_equal(outcome.kind, OUTCOME_MEASURED);
    assert_near(outcome.median, 10, 0.01);
    assert_near(outcome.lowest, 10, 0.01);
    assert_near(outcome.highest, 20, 0.01);
}

static void test_a_row_without_work_is_refused(void **state) {
    (void)state;
    const struct outcome outcome = measure((struct cost_row){.run = none_each});
    assert_int_equal(outcome.kind, OUTCOME_REFUSED);
    assert_true(strlen(outcome.why) > 0);
}

static void test_a_row_that_works_once_for_all_steps_is_refused(void **state) {
    (void)state;
    assert_int_equal(measure((struct cost_row){.run = all_at_once}).kind, OUTCOME_REFUSED);
}

static void test_a_step_like_an_empty_loop_is_refused(void **state) {
    (void)state;
    assert_int_equal(measure((struct cost_row){.run = one_each}).kind, OUTCOME_REFUSED);
    /* Nor does it help to claim that there is much in it. */
    assert_int_equal(measure((struct cost_row){.run = one_each, .per_step = 64}).kind,
                     OUTCOME_REFUSED);
}

static void test_what_is_taken_off_has_to_work_as_well(void **state) {
    (void)state;
    const struct cost_row row = {.run = ten_each, .less = none_each, .factor = 1};
    assert_int_equal(measure(row).kind, OUTCOME_REFUSED);
}

/* On the real clock, with what a real compiler leaves out. */
static void check_is_refused(cost_run run) {
    const struct runner runner = runner_real();
    const struct cost_row row = {.run = run};
    struct outcome outcome;
    runner_measure(&runner, &row, NULL, &outcome);
    assert_int_equal(outcome.kind, OUTCOME_REFUSED);
}

static void test_results_that_nobody_sees_are_refused(void **state) {
    (void)state;
    check_is_refused(dead_unused);
}

static void test_a_result_that_is_always_the_same_is_refused(void **state) {
    (void)state;
    check_is_refused(dead_hoisted);
}

static void test_a_sum_with_a_formula_is_refused(void **state) {
    (void)state;
    check_is_refused(dead_series);
}

static void test_a_loop_of_which_only_the_loop_is_left_is_refused(void **state) {
    (void)state;
    check_is_refused(dead_within_a_loop);
}

static void test_hidden_work_is_measured(void **state) {
    (void)state;
    const struct runner runner = runner_real();
    const struct cost_row row = {.run = alive};
    struct outcome outcome;
    runner_measure(&runner, &row, NULL, &outcome);
    assert_int_equal(outcome.kind, OUTCOME_MEASURED);
    assert_true(outcome.lowest > 0);
    assert_true(outcome.lowest <= outcome.median && outcome.median <= outcome.highest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_time_is_that_of_one_step),
        cmocka_unit_test(test_a_step_may_hold_many_operations),
        cmocka_unit_test(test_a_step_may_take_longer_than_a_batch),
        cmocka_unit_test(test_what_is_not_meant_is_taken_off),
        cmocka_unit_test(test_what_is_lost_in_noise_is_not_made_up),
        cmocka_unit_test(test_median_lowest_and_highest_are_told_apart),
        cmocka_unit_test(test_a_row_without_work_is_refused),
        cmocka_unit_test(test_a_row_that_works_once_for_all_steps_is_refused),
        cmocka_unit_test(test_a_step_like_an_empty_loop_is_refused),
        cmocka_unit_test(test_what_is_taken_off_has_to_work_as_well),
        cmocka_unit_test(test_results_that_nobody_sees_are_refused),
        cmocka_unit_test(test_a_result_that_is_always_the_same_is_refused),
        cmocka_unit_test(test_a_sum_with_a_formula_is_refused),
        cmocka_unit_test(test_a_loop_of_which_only_the_loop_is_left_is_refused),
        cmocka_unit_test(test_hidden_work_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
