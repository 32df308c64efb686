/* Results in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "units.h"
#include "verdicts.h"

static void assert_said(double mean, double standard_error, const char *expected) {
    const struct estimate estimate = {
        .count = 40, .mean = mean, .median = mean, .standard_error = standard_error, .degrees = 23};
    char text[256];
    verdicts_say(&estimate, 1, text, sizeof(text));
    assert_string_equal(text, expected);
}

/* Ends: 100 exp(-0.6931 -+ 2.807 * 0.01) is 48.6 and 51.4. */
static void test_a_gain(void **state) {
    (void)state;
    assert_said(log(0.5), 0.01,
                "B is faster: it takes 50.0 % less time [48.6, 51.4], 2.00 times as fast");
}

static void test_a_loss(void **state) {
    (void)state;
    assert_said(log(1.25), 0.01,
                "B is slower: it takes 25.0 % more time [21.5, 28.6], 0.80 times as fast");
}

/* 0.01 is what counts as an effect, and 1.714 standard errors are added. */
static void test_nothing(void **state) {
    (void)state;
    assert_said(0.001, 0.002,
                "no measurable change (this run would have seen 1.4 %): take it back unless the "
                "code became simpler");
}

static void test_too_much_noise(void **state) {
    (void)state;
    assert_said(0.001, 0.02, "inconclusive, +-5.8 %: the machine is too noisy");
}

static void test_times_are_short(void **state) {
    (void)state;
    const struct {
        double ns;
        const char *text;
    } cases[] = {{4.75, "4.8 ns"},     {99.94, "99.9 ns"},   {100, "100 ns"},
                 {1283.4, "1283 ns"},  {99999, "99999 ns"},  {126540, "126.5 us"},
                 {9.9e6, "9900.0 us"}, {3.638e7, "36.4 ms"}, {1.2e9, "1200.0 ms"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[UNITS_TEXT_MAX];
        units_say_time(cases[i].ns, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_every_verdict_has_a_name(void **state) {
    (void)state;
    assert_string_equal(verdicts_name(VERDICT_FASTER), "faster");
    assert_string_equal(verdicts_name(VERDICT_SLOWER), "slower");
    assert_string_equal(verdicts_name(VERDICT_NO_CHANGE), "no change");
    assert_string_equal(verdicts_name(VERDICT_INCONCLUSIVE), "inconclusive");
}

static void test_the_primary_row_stands_alone(void **state) {
    (void)state;
    const struct settings settings = {.row_count = 4};
    assert_int_equal(verdicts_family(&settings, 0), 1);
    assert_int_equal(verdicts_family(&settings, 1), 3);
    assert_int_equal(verdicts_family(&settings, 3), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gain),
        cmocka_unit_test(test_a_loss),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_too_much_noise),
        cmocka_unit_test(test_times_are_short),
        cmocka_unit_test(test_every_verdict_has_a_name),
        cmocka_unit_test(test_the_primary_row_stands_alone),
    };
    return cmocka_run_group_tests_name("verdicts", tests, NULL, NULL);
}
