/* Orders and random numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picks.h"
#include "schedule.h"

#define DRAWS 4000
#define ROUNDS 6

/* Within five standard deviations of half of DRAWS. */
static void assert_about_half(size_t count) {
    assert_in_range(count, DRAWS / 2 - 160, DRAWS / 2 + 160);
}

static void test_each_side_is_first_in_half_of_a_pair(void **state) {
    (void)state;
    struct prng prng;
    prng_init(&prng, 1);
    for (int i = 0; i < DRAWS; i++) {
        struct schedule schedule;
        schedule_draw(&schedule, &prng, ROUNDS);
        assert_int_equal(schedule.rounds, ROUNDS);
        for (size_t round = 0; round < ROUNDS; round += 2) {
            assert_int_not_equal(schedule.first_side[round], schedule.first_side[round + 1]);
        }
    }
}

static void test_what_comes_first_is_drawn(void **state) {
    (void)state;
    struct prng prng;
    prng_init(&prng, 2);
    size_t started_a = 0;
    size_t first_a = 0;
    size_t same = 0;
    size_t more_padding_a = 0;
    for (int i = 0; i < DRAWS; i++) {
        struct schedule schedule;
        schedule_draw(&schedule, &prng, ROUNDS);
        started_a += schedule.started_first == SIDE_A;
        first_a += schedule.first_side[0] == SIDE_A;
        same += schedule.first_side[0] == schedule.first_side[2];
        more_padding_a += schedule.padding[SIDE_A] > schedule.padding[SIDE_B];
    }
    assert_about_half(started_a);
    assert_about_half(first_a);
    assert_about_half(same);
    assert_about_half(more_padding_a);
}

static void test_no_two_rounds_use_the_same_keys(void **state) {
    (void)state;
    struct prng prng;
    struct schedule schedule;
    prng_init(&prng, 3);
    schedule_draw(&schedule, &prng, SCHEDULE_ROUNDS_MAX);
    for (size_t i = 0; i < SCHEDULE_ROUNDS_MAX; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(schedule.seeds[i] != schedule.seeds[j]);
        }
    }
}

static void test_the_same_seed_gives_the_same_numbers(void **state) {
    (void)state;
    struct prng a;
    struct prng b;
    prng_init(&a, 4);
    prng_init(&b, 4);
    for (int i = 0; i < 100; i++) {
        assert_true(prng_next(&a) == prng_next(&b));
    }
    prng_init(&b, 5);
    assert_true(prng_next(&a) != prng_next(&b));
}

static void test_a_shuffle_keeps_all_and_favours_none(void **state) {
    (void)state;
    struct prng prng;
    prng_init(&prng, 6);
    size_t at[3][3] = {{0}};
    for (int i = 0; i < 6000; i++) {
        size_t numbers[] = {0, 1, 2};
        prng_shuffle(&prng, numbers, 3);
        assert_int_equal(numbers[0] + numbers[1] + numbers[2], 3);
        assert_true(numbers[0] != numbers[1]);
        for (size_t place = 0; place < 3; place++) {
            at[numbers[place]][place]++;
        }
    }
    for (size_t number = 0; number < 3; number++) {
        for (size_t place = 0; place < 3; place++) {
            assert_in_range(at[number][place], 1800, 2200);
        }
    }
}

static void count_picks(bool zipf, size_t *counts, size_t keys, size_t draws) {
    struct prng prng;
    prng_init(&prng, 7);
    struct picks *picks = picks_new(keys, zipf);
    assert_non_null(picks);
    for (size_t i = 0; i < draws; i++) {
        uint32_t number;
        picks_fill(picks, &prng, &number, 1);
        assert_in_range(number, 0, keys - 1);
        counts[number]++;
    }
    picks_free(picks);
}

static void test_uniform_picks_favour_none(void **state) {
    (void)state;
    size_t counts[10] = {0};
    count_picks(false, counts, 10, 100000);
    for (size_t i = 0; i < 10; i++) {
        assert_in_range(counts[i], 9500, 10500);
    }
}

/* Of ten keys the busiest has 1 of 2.956 parts, the next 1 / 2^0.99 = 0.503 as many. */
static void test_zipf_picks_favour_by_rank(void **state) {
    (void)state;
    size_t counts[10] = {0};
    count_picks(true, counts, 10, 100000);
    size_t most = 0;
    size_t second = 0;
    for (size_t i = 0; i < 10; i++) {
        if (counts[i] > most) {
            second = most;
            most = counts[i];
        } else if (counts[i] > second) {
            second = counts[i];
        }
    }
    assert_in_range(most, 33000, 34600);
    assert_in_range(second, 16400, 17700);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_side_is_first_in_half_of_a_pair),
        cmocka_unit_test(test_what_comes_first_is_drawn),
        cmocka_unit_test(test_no_two_rounds_use_the_same_keys),
        cmocka_unit_test(test_the_same_seed_gives_the_same_numbers),
        cmocka_unit_test(test_a_shuffle_keeps_all_and_favours_none),
        cmocka_unit_test(test_uniform_picks_favour_none),
        cmocka_unit_test(test_zipf_picks_favour_by_rank),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
