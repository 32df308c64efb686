/* Rows that go wrong, each in a process of its own; and the program as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "files.h"
#include "measure.h"

/* Children */

static void hang(const void *task, void *result) {
    (void)task;
    (void)result;
    for (;;) {
        (void)pause();
    }
}

static void write_much(const void *task, void *result) {
    memset(result, *(const char *)task, 1 << 20);
}

static void test_a_child_that_does_not_end_is_ended(void **state) {
    (void)state;
    char why[CHILD_WHY_MAX] = "";
    int result;
    assert_false(child_run(hang, NULL, &result, sizeof result, 0, why));
    assert_true(strlen(why) > 0);
}

static void test_a_large_result_arrives_whole(void **state) {
    (void)state;
    char why[CHILD_WHY_MAX];
    char *result = calloc(1, 1 << 20);
    assert_non_null(result);
    assert_true(child_run(write_much, "x", result, 1 << 20, 60, why));
    assert_int_equal(result[0], 'x');
    assert_int_equal(result[(1 << 20) - 1], 'x');
    free(result);
}

/* Rows */

static struct outcome measure(const char *name) {
    struct outcome outcome;
    const struct cost_row *row = rows_find(rows_groups, name);
    assert_non_null(row);
    measure_row(row, &outcome);
    return outcome;
}

static void test_a_row_that_crashes_is_refused(void **state) {
    (void)state;
    const struct outcome outcome = measure("crashing");
    assert_int_equal(outcome.kind, OUTCOME_REFUSED);
    assert_non_null(strstr(outcome.why, "signal 9"));
}

static void test_a_row_that_ends_its_process_is_refused(void **state) {
    (void)state;
    assert_int_equal(measure("leaving").kind, OUTCOME_REFUSED);
}

static void test_a_row_without_what_it_needs_says_so(void **state) {
    (void)state;
    const struct outcome outcome = measure("without");
    assert_int_equal(outcome.kind, OUTCOME_IMPOSSIBLE);
    assert_string_equal(outcome.why, "there are no 42 things here");
}

static void test_a_row_gets_its_size_and_its_state(void **state) {
    (void)state;
    assert_int_equal(measure("sized").kind, OUTCOME_MEASURED);
}

static void test_files_that_cannot_be_made_are_told(void **state) {
    (void)state;
    files_set_folder("/none");
    assert_int_equal(measure("write").kind, OUTCOME_IMPOSSIBLE);
    assert_int_equal(measure("write-synced").kind, OUTCOME_IMPOSSIBLE);
    files_set_folder(".");
}

/* The program */

static char output[1 << 16];

/* Runs the program with `options`; its output is in `output`. Returns its exit code. */
static int run_costs(const char *options) {
    char command[512];
    (void)snprintf(
        command, sizeof command,
        "build/costs/tests/costs --out build/costs/tests --dir build/costs/tests %s 2>&1", options);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_only_what_was_picked_is_measured(void **state) {
    (void)state;
    assert_int_equal(run_costs("--rows 'alive sized' --gnuplot no-such-program"), 0);
    assert_non_null(strstr(output, "a row that works"));
    assert_non_null(strstr(output, "a row with a size"));
    assert_non_null(strstr(output, "#"));
    assert_null(strstr(output, "an add"));
}

static void test_a_refused_row_is_a_failure_and_stops_no_other(void **state) {
    (void)state;
    assert_int_equal(run_costs("--rows 'dead crashing alive'"), 1);
    assert_non_null(strstr(output, "REFUSED"));
    assert_non_null(strstr(output, "a row that works"));
}

static void test_a_row_that_cannot_be_measured_is_no_failure(void **state) {
    (void)state;
    assert_int_equal(run_costs("--rows without"), 0);
    assert_non_null(strstr(output, "42 things"));
}

static void test_several_runs_are_compared(void **state) {
    (void)state;
    assert_int_equal(run_costs("--rows alive --times 2"), 0);
    assert_non_null(strstr(output, "agree"));
}

static void test_nothing_is_measured_for_wrong_options(void **state) {
    (void)state;
    assert_int_equal(run_costs("--rows no-such-row"), 2);
    assert_non_null(strstr(output, "no-such-row"));
    assert_int_equal(run_costs("--times 0"), 2);
    assert_int_equal(run_costs("--times many"), 2);
    assert_int_equal(run_costs("--no-such-option"), 2);
    assert_int_equal(run_costs("too much"), 2);
}

static void test_nothing_is_measured_with_a_wrong_guess(void **state) {
    (void)state;
    FILE *file = fopen("build/costs/tests/guess.txt", "w");
    assert_non_null(file);
    assert_true(fputs("an add: fast\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(
        run_costs(
            "--rows alive --guess build/costs/tests/guess.txt --form exercises/m01/guess.txt"),
        2);
    assert_non_null(strstr(output, "guess.txt:1: "));
    assert_null(strstr(output, "a row that works"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_child_that_does_not_end_is_ended),
        cmocka_unit_test(test_a_large_result_arrives_whole),
        cmocka_unit_test(test_a_row_that_crashes_is_refused),
        cmocka_unit_test(test_a_row_that_ends_its_process_is_refused),
        cmocka_unit_test(test_a_row_without_what_it_needs_says_so),
        cmocka_unit_test(test_a_row_gets_its_size_and_its_state),
        cmocka_unit_test(test_files_that_cannot_be_made_are_told),
        cmocka_unit_test(test_only_what_was_picked_is_measured),
        cmocka_unit_test(test_a_refused_row_is_a_failure_and_stops_no_other),
        cmocka_unit_test(test_a_row_that_cannot_be_measured_is_no_failure),
        cmocka_unit_test(test_several_runs_are_compared),
        cmocka_unit_test(test_nothing_is_measured_for_wrong_options),
        cmocka_unit_test(test_nothing_is_measured_with_a_wrong_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
