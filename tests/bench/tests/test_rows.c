/* The table of benchmarks, and the values of options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "options.h"
#include "row.h"
#include "settings.h"

static const struct row table[] = {{.name = "set"}, {.name = "get"}, {.name = NULL}};

static void test_a_row_is_found_by_its_whole_name(void **state) {
    (void)state;
    assert_ptr_equal(row_find(table, "set"), &table[0]);
    assert_ptr_equal(row_find(table, "get"), &table[1]);
    assert_null(row_find(table, "ge"));
    assert_null(row_find(table, "gets"));
    assert_null(row_find(table, ""));
}

static void test_two_rows_of_one_name_are_refused(void **state) {
    (void)state;
    const struct row twins[] = {
        {.name = "get"}, {.name = "set"}, {.name = "exists"}, {.name = "set"}, {.name = NULL}};
    assert_string_equal(row_find_twin(twins), "set");
    assert_null(row_find_twin(table));
}

static uint64_t return_count(struct fixture *fixture, const uint32_t *picks, size_t count) {
    (void)fixture;
    return count + picks[0];
}

static void test_all_picks_are_handed_on(void **state) {
    (void)state;
    const uint32_t picks[] = {40, 1};
    assert_int_equal(row_run_all(return_count, NULL, picks, 2), 42);
}

static void test_numbers_are_read_strictly(void **state) {
    (void)state;
    const char *const bad[] = {"",
                               "x",
                               "-1",
                               "+1",
                               " 1",
                               "1 ",
                               "1.5",
                               "0x10",
                               "9",
                               "21",
                               "1e1",
                               "18446744073709551616",
                               "99999999999999999999999"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint64_t number = 0;
        if (options_read_number("KEYS", bad[i], 10, 20, &number)) {
            fail_msg("'%s' was taken for a number from 10 to 20", bad[i]);
        }
        assert_int_equal(number, 0);
    }
    uint64_t number = 0;
    assert_true(options_read_number("KEYS", "10", 10, 20, &number));
    assert_int_equal(number, 10);
    assert_true(options_read_number("KEYS", "020", 10, 20, &number));
    assert_int_equal(number, 20);
}

static void test_factors_are_read_strictly(void **state) {
    (void)state;
    const char *const bad[] = {"", "x", "0.9", "-2", " 2", "2x", "nan", "inf"};
    double factor = 0;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (options_read_factor("BOUND", bad[i], &factor)) {
            fail_msg("'%s' was taken for a factor", bad[i]);
        }
    }
    assert_true(options_read_factor("BOUND", "2.5", &factor));
    assert_true(factor > 2.49 && factor < 2.51);
}

static bool read_two(struct settings *settings, const char *name, const char *value) {
    char name_space[32];
    static char value_space[64];
    char *argv[] = {"ruler", "compare", name_space, value_space, NULL};
    snprintf(name_space, sizeof(name_space), "%s", name);
    snprintf(value_space, sizeof(value_space), "%s", value);
    return settings_read(settings, 4, argv);
}

static void test_settings_take_a_list_of_rows(void **state) {
    (void)state;
    struct settings settings = {.keys = 1, .value_bytes = 1};
    assert_true(read_two(&settings, "--rows", "get-hit  set,incr"));
    assert_int_equal(settings.row_count, 3);
    assert_string_equal(settings.rows[0].name, "get-hit");
    assert_string_equal(settings.rows[1].name, "set");
    assert_string_equal(settings.rows[2].name, "incr");
    assert_false(read_two(&settings, "--rows", " "));
}

static void test_settings_refuse_what_makes_no_sense(void **state) {
    (void)state;
    struct settings settings = {.keys = 1000000, .value_bytes = 1};
    assert_true(read_two(&settings, "--choice", "zipf"));
    assert_false(read_two(&settings, "--choice", "random"));
    assert_false(read_two(&settings, "--nonsense", "1"));
    assert_false(read_two(&settings, "--keys", "0"));
    assert_false(read_two(&settings, "--value", "1000000")); /* a terabyte */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_is_found_by_its_whole_name),
        cmocka_unit_test(test_two_rows_of_one_name_are_refused),
        cmocka_unit_test(test_all_picks_are_handed_on),
        cmocka_unit_test(test_numbers_are_read_strictly),
        cmocka_unit_test(test_factors_are_read_strictly),
        cmocka_unit_test(test_settings_take_a_list_of_rows),
        cmocka_unit_test(test_settings_refuse_what_makes_no_sense),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
