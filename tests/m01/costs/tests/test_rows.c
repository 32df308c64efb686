/* The tables of rows, and what may be picked of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "dead.h"
#include "rows.h"

static const struct cost_row ones[] = {
    {.name = "add", .what = "an add", .run = alive},
    {.name = "add-2", .what = "two adds", .run = alive},
    {.name = NULL},
};

static const struct cost_row others[] = {
    {.name = "load", .what = "a load", .run = alive},
    {.name = NULL},
};

static const struct cost_group groups[] = {
    {"ones", "Ones", ones}, {"others", "Others", others}, {NULL, NULL, NULL}};

static void test_rows_are_found_by_their_whole_name(void **state) {
    (void)state;
    assert_ptr_equal(rows_find(groups, "add"), &ones[0]);
    assert_ptr_equal(rows_find(groups, "load"), &others[0]);
    assert_null(rows_find(groups, "ad"));
    assert_null(rows_find(groups, "adds"));
    assert_ptr_equal(rows_find_what(groups, "two adds"), &ones[1]);
    assert_null(rows_find_what(groups, "two"));
}

static void test_rows_and_groups_are_picked(void **state) {
    (void)state;
    assert_true(rows_picked("load add", &groups[0], &ones[0]));
    assert_false(rows_picked("load add", &groups[0], &ones[1]));
    assert_true(rows_picked("  ones ", &groups[0], &ones[1]));
    assert_false(rows_picked("ones", &groups[1], &others[0]));
    assert_false(rows_picked("", &groups[0], &ones[0]));
}

static void test_names_that_are_none_are_told(void **state) {
    (void)state;
    char unknown[ROWS_NAME_MAX] = "";
    assert_true(rows_all_known(groups, "add others load", unknown));
    assert_true(rows_all_known(groups, "", unknown));
    assert_false(rows_all_known(groups, "add stores load", unknown));
    assert_string_equal(unknown, "stores");
    assert_false(
        rows_all_known(groups, "a-name-that-is-much-longer-than-any-name-may-be", unknown));
    assert_int_equal(strlen(unknown), ROWS_NAME_MAX - 1);
}

/* That a table with this row in it is refused. */
static void check_fault(struct cost_row row) {
    const struct cost_row rows[] = {row, {.name = NULL}};
    const struct cost_group faulty[] = {
        {"ones", "Ones", ones}, {"mine", "Mine", rows}, {NULL, NULL, NULL}};
    assert_non_null(rows_fault(faulty));
}

static void test_two_rows_of_one_name_are_refused(void **state) {
    (void)state;
    check_fault((struct cost_row){.name = "add", .what = "another add", .run = alive});
    const struct cost_row twins[] = {{.name = "a", .what = "an a", .run = alive},
                                     {.name = "b", .what = "a b", .run = alive},
                                     {.name = "a", .what = "an a", .run = alive},
                                     {.name = NULL}};
    const struct cost_group faulty[] = {{"mine", "Mine", twins}, {NULL, NULL, NULL}};
    assert_non_null(rows_fault(faulty));
    assert_non_null(strstr(rows_fault(faulty), "\"a\""));
}

static void test_rows_that_say_too_little_are_refused(void **state) {
    (void)state;
    check_fault((struct cost_row){.name = "ones", .what = "a group's name", .run = alive});
    check_fault((struct cost_row){.name = "", .what = "no name", .run = alive});
    check_fault((struct cost_row){.name = "Add 3", .what = "not to be typed", .run = alive});
    check_fault((struct cost_row){.name = "x", .run = alive});
    check_fault((struct cost_row){.name = "x", .what = "", .run = alive});
    check_fault((struct cost_row){.name = "x", .what = "nothing to run"});
    check_fault((struct cost_row){
        .name = "x", .what = "a description that is longer than its column", .run = alive});
}

static void test_the_tables_are_right(void **state) {
    (void)state;
    assert_null(rows_fault(groups));
    assert_null(rows_fault(rows_groups));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_found_by_their_whole_name),
        cmocka_unit_test(test_rows_and_groups_are_picked),
        cmocka_unit_test(test_names_that_are_none_are_told),
        cmocka_unit_test(test_two_rows_of_one_name_are_refused),
        cmocka_unit_test(test_rows_that_say_too_little_are_refused),
        cmocka_unit_test(test_the_tables_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
