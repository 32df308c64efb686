/* The sliding-window rate meter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>

#include <cmocka.h>

#include "random.h"
#include "rate.h"
#include "watchdog.h"

static size_t update(struct rate *rate, uint64_t now_ns) {
    size_t count = SIZE_MAX;
    assert_true(rate_update(rate, now_ns, &count));
    return count;
}

static struct rate *new_rate(uint64_t window_ns) {
    struct rate *rate = rate_new(window_ns);
    assert_non_null(rate);
    return rate;
}

static void test_events_of_one_window_add_up(void **state) {
    (void)state;
    struct rate *rate = new_rate(100);
    assert_int_equal(update(rate, 1000), 1);
    assert_int_equal(update(rate, 1001), 2);
    assert_int_equal(update(rate, 1050), 3);
    assert_int_equal(update(rate, 1100), 4);
    rate_free(rate);
}

static void test_an_event_as_old_as_the_window_counts_and_an_older_one_does_not(void **state) {
    (void)state;
    struct rate *rate = new_rate(100);
    assert_int_equal(update(rate, 1000), 1);
    assert_int_equal(update(rate, 1100), 2);
    assert_int_equal(update(rate, 1101), 2);
    assert_int_equal(update(rate, 1200), 3);
    assert_int_equal(update(rate, 1201), 3);
    rate_free(rate);
}

static void test_after_a_long_pause_only_the_new_event_counts(void **state) {
    (void)state;
    struct rate *rate = new_rate(100);
    for (uint64_t now = 1000; now < 1050; now++) {
        update(rate, now);
    }
    assert_int_equal(update(rate, 5000), 1);
    assert_int_equal(update(rate, 5001), 2);
    rate_free(rate);
}

static void test_events_at_one_time_all_count(void **state) {
    (void)state;
    struct rate *rate = new_rate(100);
    for (size_t i = 1; i <= 50; i++) {
        assert_int_equal(update(rate, 7), i);
    }
    assert_int_equal(update(rate, 107), 51);
    assert_int_equal(update(rate, 108), 2);
    rate_free(rate);
}

static void test_a_window_of_no_length_holds_one_time(void **state) {
    (void)state;
    struct rate *rate = new_rate(0);
    assert_int_equal(update(rate, 0), 1);
    assert_int_equal(update(rate, 0), 2);
    assert_int_equal(update(rate, 1), 1);
    assert_int_equal(update(rate, 1), 2);
    rate_free(rate);
}

static void test_a_clock_younger_than_the_window(void **state) {
    (void)state;
    struct rate *rate = new_rate(1000);
    assert_int_equal(update(rate, 0), 1);
    assert_int_equal(update(rate, 1), 2);
    assert_int_equal(update(rate, 999), 3);
    assert_int_equal(update(rate, 1000), 4);
    assert_int_equal(update(rate, 1001), 4);
    rate_free(rate);
}

static void test_the_largest_numbers(void **state) {
    (void)state;
    struct rate *rate = new_rate(UINT64_MAX);
    assert_int_equal(update(rate, 0), 1);
    assert_int_equal(update(rate, UINT64_MAX - 1), 2);
    assert_int_equal(update(rate, UINT64_MAX), 3);
    rate_free(rate);

    rate = new_rate(10);
    assert_int_equal(update(rate, UINT64_MAX - 11), 1);
    assert_int_equal(update(rate, UINT64_MAX - 10), 2);
    assert_int_equal(update(rate, UINT64_MAX), 2);
    rate_free(rate);
}

static void test_meters_know_nothing_of_each_other(void **state) {
    (void)state;
    struct rate *narrow = new_rate(10);
    struct rate *wide = new_rate(1000);
    for (uint64_t now = 0; now < 500; now++) {
        size_t expected = now < 10 ? (size_t)now + 1 : 11;
        assert_int_equal(update(narrow, now), expected);
        assert_int_equal(update(wide, now), now + 1);
    }
    rate_free(narrow);
    rate_free(wide);
}

/* Against counting all events so far. The pauses make the window empty, fill and stand still. */
static void test_random_times(void **state) {
    (void)state;
    enum { EVENTS = 3000 };
    struct random random;
    random_init(&random, random_seed("rate"));
    for (uint64_t window = 0; window <= 5000; window = window * 5 + 1) {
        struct rate *rate = new_rate(window);
        static uint64_t times[EVENTS];
        uint64_t now = random_below(&random, 100);
        for (size_t i = 0; i < EVENTS; i++) {
            now += random_below(&random, random_below(&random, 100) == 0 ? 3000 : 5);
            times[i] = now;
            size_t expected = 0;
            for (size_t j = 0; j <= i; j++) {
                expected += now - times[j] <= window;
            }
            assert_int_equal(update(rate, now), expected);
        }
        rate_free(rate);
    }
}

static void test_the_end_of_no_meter_and_of_an_unused_one(void **state) {
    (void)state;
    rate_free(NULL);
    rate_free(new_rate(1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_of_one_window_add_up),
        cmocka_unit_test(test_an_event_as_old_as_the_window_counts_and_an_older_one_does_not),
        cmocka_unit_test(test_after_a_long_pause_only_the_new_event_counts),
        cmocka_unit_test(test_events_at_one_time_all_count),
        cmocka_unit_test(test_a_window_of_no_length_holds_one_time),
        cmocka_unit_test(test_a_clock_younger_than_the_window),
        cmocka_unit_test(test_the_largest_numbers),
        cmocka_unit_test(test_meters_know_nothing_of_each_other),
        cmocka_unit_test(test_random_times),
        cmocka_unit_test(test_the_end_of_no_meter_and_of_an_unused_one),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
