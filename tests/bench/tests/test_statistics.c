/* The statistics, against known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "statistics.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.12g is not within %g of %.12g", value, tolerance, expected);
    }
}

static void test_median_of_odd_and_even_counts(void **state) {
    (void)state;
    const double sorted[] = {1, 2, 4, 9};
    assert_near(statistics_median(sorted, 1), 1, 0);
    assert_near(statistics_median(sorted, 3), 2, 0);
    assert_near(statistics_median(sorted, 4), 3, 0);
}

/* Quantiles as tables of Student's t print them; with one degree they are tangents. */
static void test_t_quantiles(void **state) {
    (void)state;
    assert_near(statistics_t_quantile(0.975, 12), 2.178813, 1e-6);
    assert_near(statistics_t_quantile(0.995, 23), 2.807336, 1e-6);
    assert_near(statistics_t_quantile(0.9, 5), 1.475884, 1e-6);
    assert_near(statistics_t_quantile(0.75, 2), 0.816497, 1e-6);
    assert_near(statistics_t_quantile(0.9995, 30), 3.645959, 1e-6);
    assert_near(statistics_t_quantile(0.995, 1), tan(acos(-1) * 0.495), 1e-8);
    assert_near(statistics_t_quantile(0.5, 7), 0, 1e-12);
    assert_near(statistics_t_quantile(0.025, 12), -2.178813, 1e-6);
}

/* Without 3 of 19 values at each end; the figures were worked out apart from this code. */
static void test_estimate_of_a_worked_example(void **state) {
    (void)state;
    double values[] = {2611, 77,  88,  87,  1310, 114, 151, 666, 515, 428,
                       376,  306, 299, 296, 262,  253, 210, 219, 246};
    const struct estimate estimate = statistics_estimate(values, 19);
    assert_int_equal(estimate.count, 19);
    assert_near(estimate.mean, 282.692307692, 1e-8);
    assert_near(estimate.median, 262, 0);
    assert_near(estimate.degrees, 12, 0);
    assert_near(estimate.standard_error, 56.1319286, 1e-6);
    assert_near(statistics_half_width(&estimate, 0.95), 122.30096, 1e-4);
}

/* Eight of forty may be as wrong as they like, on either side. */
static void test_estimate_ignores_a_fifth_at_each_end(void **state) {
    (void)state;
    double calm[40];
    double wild[40];
    for (size_t i = 0; i < 40; i++) {
        calm[i] = wild[i] = (double)i;
    }
    for (size_t i = 0; i < 8; i++) {
        wild[i] = -1e9;
        wild[39 - i] = 1e6;
    }
    const struct estimate a = statistics_estimate(calm, 40);
    const struct estimate b = statistics_estimate(wild, 40);
    assert_near(b.mean, a.mean, 1e-12);
    assert_near(b.standard_error, a.standard_error, 1e-12);
}

static struct estimate estimate_of(double mean, double standard_error) {
    return (struct estimate){
        .count = 40, .mean = mean, .median = mean, .standard_error = standard_error, .degrees = 23};
}

/* With 23 degrees the 99 % interval reaches 2.807 standard errors, the 95 % one 2.069. */
static void test_verdicts(void **state) {
    (void)state;
    const struct {
        double mean;
        double standard_error;
        enum verdict verdict;
    } cases[] = {
        {-0.030, 0.0106, VERDICT_FASTER},       /* 0.030 > 0.0298 */
        {-0.030, 0.0108, VERDICT_INCONCLUSIVE}, /* 0.030 < 0.0303 */
        {0.030, 0.0106, VERDICT_SLOWER},
        {0.011, 0.0030, VERDICT_SLOWER},
        {0.009, 0.0030, VERDICT_NO_CHANGE}, /* there, but too small to matter */
        {-0.009, 0.0030, VERDICT_NO_CHANGE},
        {0.009, 0.0060, VERDICT_INCONCLUSIVE}, /* up to 0.0214 */
        {0.0, 0.0096, VERDICT_NO_CHANGE},      /* up to 0.0199 */
        {0.0, 0.0097, VERDICT_INCONCLUSIVE},   /* up to 0.0201 */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct estimate estimate = estimate_of(cases[i].mean, cases[i].standard_error);
        assert_int_equal(statistics_judge(&estimate, 1), cases[i].verdict);
    }
}

static void test_a_family_shares_the_chance_of_error(void **state) {
    (void)state;
    assert_near(statistics_family_level(0.99, 1), 0.99, 1e-15);
    assert_near(statistics_family_level(0.95, 5), 0.99, 1e-15);
    const struct estimate estimate = estimate_of(-0.030, 0.0106);
    assert_int_equal(statistics_judge(&estimate, 1), VERDICT_FASTER);
    assert_int_equal(statistics_judge(&estimate, 2), VERDICT_INCONCLUSIVE);
}

/* 0.01 / 2.807 = 0.003562; and the mean has no say, near 0. */
static void test_more_is_wanted_for_the_width_alone(void **state) {
    (void)state;
    const double means[] = {0, 0.011, -0.19};
    for (size_t i = 0; i < 3; i++) {
        const struct estimate wide = estimate_of(means[i], 0.00357);
        const struct estimate narrow = estimate_of(means[i], 0.00355);
        assert_true(statistics_wants_more(&wide));
        assert_false(statistics_wants_more(&narrow));
    }
}

/* -0.8 / 20 / 2.807 = 0.01425 */
static void test_a_large_effect_may_be_less_exact(void **state) {
    (void)state;
    const struct estimate wide = estimate_of(-0.8, 0.0143);
    const struct estimate narrow = estimate_of(-0.8, 0.0142);
    assert_true(statistics_wants_more(&wide));
    assert_false(statistics_wants_more(&narrow));
}

static void test_mann_whitney(void **state) {
    (void)state;
    const double low[] = {1, 2, 3};
    const double high[] = {4, 5, 6};
    const double mixed[] = {3, 2, 9};
    assert_near(statistics_mann_whitney(low, high, 3), 0, 0);
    assert_near(statistics_mann_whitney(high, low, 3), 0, 0);
    assert_near(statistics_mann_whitney(low, low, 3), 4.5, 0);
    assert_near(statistics_mann_whitney(low, mixed, 3), 2, 0); /* 3 > 2, and two ties */
}

/* t = 2.2822 with 7.8214 degrees, p = 0.05262: worked out apart from this code. */
static void test_welch(void **state) {
    (void)state;
    const double a[] = {20.1, 19.8, 20.5, 20.0, 19.9, 20.3};
    const double b[] = {21.0, 20.4, 20.2, 21.3, 20.6, 20.1};
    double mean;
    double deviation;
    statistics_describe(a, 6, &mean, &deviation);
    assert_near(mean, 20.1, 1e-12);
    assert_near(deviation, 0.2607681, 1e-6);
    assert_true(statistics_welch(a, b, 6, 0.9473));
    assert_true(statistics_welch(b, a, 6, 0.9473));
    assert_false(statistics_welch(a, b, 6, 0.9475));
    const double flat[] = {2, 2, 2};
    const double other[] = {3, 3, 3};
    assert_false(statistics_welch(flat, flat, 3, 0.99));
    assert_true(statistics_welch(flat, other, 3, 0.99));
}

static void test_quantiles_lie_between_values(void **state) {
    (void)state;
    const double sorted[] = {1, 2, 4, 8};
    assert_near(statistics_quantile(sorted, 4, 0), 1, 0);
    assert_near(statistics_quantile(sorted, 4, 0.5), 3, 1e-12);
    assert_near(statistics_quantile(sorted, 4, 0.75), 5, 1e-12);
    assert_near(statistics_quantile(sorted, 4, 1), 8, 0);
    assert_near(statistics_quantile(sorted, 1, 0.3), 1, 0);
}

/* 0 of n: 1 - 0.025^(1/n); 5 of 10 as tables print it. */
static void test_proportions(void **state) {
    (void)state;
    double low;
    double high;
    statistics_proportion(0, 100, &low, &high);
    assert_near(low, 0, 0);
    assert_near(high, 1 - pow(0.025, 0.01), 1e-9);
    statistics_proportion(5, 10, &low, &high);
    assert_near(low, 0.187086, 1e-6);
    assert_near(high, 0.812914, 1e-6);
    statistics_proportion(10, 10, &low, &high);
    assert_near(low, pow(0.025, 0.1), 1e-9);
    assert_near(high, 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_median_of_odd_and_even_counts),
        cmocka_unit_test(test_t_quantiles),
        cmocka_unit_test(test_estimate_of_a_worked_example),
        cmocka_unit_test(test_estimate_ignores_a_fifth_at_each_end),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_a_family_shares_the_chance_of_error),
        cmocka_unit_test(test_more_is_wanted_for_the_width_alone),
        cmocka_unit_test(test_a_large_effect_may_be_less_exact),
        cmocka_unit_test(test_mann_whitney),
        cmocka_unit_test(test_welch),
        cmocka_unit_test(test_quantiles_lie_between_values),
        cmocka_unit_test(test_proportions),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
