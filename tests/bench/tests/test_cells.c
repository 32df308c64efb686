/* The results of a calibration: written, read again, added up. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "cells.h"
#include "folder.h"

static char top[FOLDER_PATH_MAX];

static int enter_folder(void **state) {
    (void)state;
    return folder_make(top) && chdir(top) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
    (void)state;
    folder_remove(top);
    return chdir("/");
}

static bool read_text(const char *text, struct tally tallies[CELLS]) {
    FILE *file = fopen("results", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return cells_read("results", tallies);
}

static void test_what_is_written_is_read(void **state) {
    (void)state;
    struct tally tallies[CELLS];
    const struct trial trials[] = {
        {.verdict = VERDICT_NO_CHANGE, .log_ratio = 0.001, .half_width = 0.005, .seconds = 10},
        {.verdict = VERDICT_NO_CHANGE, .log_ratio = 0.003, .half_width = 0.001, .seconds = 14},
        {.verdict = VERDICT_SLOWER, .log_ratio = 0.02, .half_width = 0.006, .seconds = 30},
    };
    FILE *file = fopen("results", "w");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++) {
        assert_true(cells_write(file, CELL_BUSY, &trials[i]));
    }
    fclose(file);
    assert_true(cells_read("results", tallies));
    const struct tally *busy = &tallies[CELL_BUSY];
    assert_int_equal(busy->count, 3);
    assert_int_equal(busy->verdicts[VERDICT_NO_CHANGE], 2);
    assert_int_equal(busy->verdicts[VERDICT_SLOWER], 1);
    assert_int_equal(busy->verdicts[VERDICT_FASTER], 0);
    assert_int_equal(busy->missed, 2);
    assert_true(fabs(busy->log_ratio - 0.024) < 1e-9);
    assert_true(fabs(busy->seconds[VERDICT_NO_CHANGE] - 24) < 1e-9);
    assert_true(fabs(busy->longest[VERDICT_NO_CHANGE] - 14) < 1e-9);
    assert_true(fabs(busy->longest[VERDICT_SLOWER] - 30) < 1e-9);
    assert_int_equal(tallies[CELL_IDLE].count, 0);
}

/* Up to a tenth of the other processors' time is idle. */
static void test_a_disturbed_try_is_not_idle(void **state) {
    (void)state;
    struct tally tallies[CELLS];
    const double shares[] = {-1, 0, 0.1, 0.11, 1};
    FILE *file = fopen("results", "w");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        const struct trial trial = {.verdict = VERDICT_NO_CHANGE, .others = shares[i]};
        assert_true(cells_write(file, CELL_IDLE, &trial));
        assert_true(cells_write(file, CELL_BUSY, &trial));
    }
    fclose(file);
    assert_true(cells_read("results", tallies));
    assert_int_equal(tallies[CELL_IDLE].count, 3);
    assert_int_equal(tallies[CELL_DISTURBED].count, 2);
    assert_int_equal(tallies[CELL_BUSY].count, 5);
}

/* Before the share of others was recorded there were five fields. */
static void test_older_lines_and_remarks_are_read(void **state) {
    (void)state;
    struct tally tallies[CELLS];
    assert_true(read_text("# 2026-12-01, some machine\n"
                          "same, idle\tno change\t0.001000\t0.005000\t10.0\n"
                          "same, idle\tfaster\t-0.020000\t0.005000\t11.0\t0.010\n"
                          "same, idle\tno change\t0.002000\t0.005000\t11.0\t0.020\t0.500\n",
                          tallies));
    assert_int_equal(tallies[CELL_IDLE].count, 3);
    assert_int_equal(tallies[CELL_IDLE].verdicts[VERDICT_FASTER], 1);
    assert_int_equal(tallies[CELL_IDLE].told, 2);
    assert_true(fabs(tallies[CELL_IDLE].others - 0.03) < 1e-9);
}

/* 5 % more time is a log ratio of 0.04879. */
static void test_an_interval_holds_the_truth_or_not(void **state) {
    (void)state;
    struct tally tallies[CELLS];
    assert_true(read_text("slower by 5 %\tslower\t0.040000\t0.0090\t10.0\t0.0\n"
                          "slower by 5 %\tslower\t0.040000\t0.0085\t10.0\t0.0\n"
                          "same, idle\tno change\t-0.004000\t0.0045\t10.0\t0.0\n"
                          "same, idle\tno change\t-0.004000\t0.0035\t10.0\t0.0\n",
                          tallies));
    assert_int_equal(tallies[cells_find("slower by 5 %")].missed, 1);
    assert_int_equal(tallies[CELL_IDLE].missed, 1);
}

/* Either direction is false where both are the same; a slower side is found only as slower. */
static void test_a_wrong_direction_is_no_find(void **state) {
    (void)state;
    struct tally tallies[CELLS];
    const size_t slower = cells_find("slower by 5 %");
    assert_true(read_text("slower by 5 %\tslower\t0.050000\t0.0090\t10.0\t0.0\n"
                          "slower by 5 %\tfaster\t-0.080000\t0.0070\t10.0\t0.0\n"
                          "slower by 5 %\tinconclusive\t0.030000\t0.0400\t10.0\t0.0\n"
                          "same, idle\tslower\t0.020000\t0.0050\t10.0\t0.0\n"
                          "same, idle\tfaster\t-0.020000\t0.0050\t10.0\t0.0\n"
                          "same, idle\tno change\t0.001000\t0.0050\t10.0\t0.0\n",
                          tallies));
    assert_int_equal(cells_declared(&cells[slower], &tallies[slower]), 1);
    assert_int_equal(cells_declared(&cells[CELL_IDLE], &tallies[CELL_IDLE]), 2);
}

static void test_other_lines_are_refused(void **state) {
    (void)state;
    struct tally tallies[CELLS];
    const char *const lines[] = {
        "something else\n",
        "\n",
        "no such cell\tno change\t0.001\t0.005\t10.0\t0.0\n",
        "same, idle\tmaybe\t0.001\t0.005\t10.0\t0.0\n",
        "same, idle\tno change\t0.001\t0.005\n",
        "same, idle\tno change\t0.001\t0.005\t10.0\tx\n",
        "same, idle\tno change\t0.001\t0.005\t10.0\t0.0\tx\n",
        "same, idle\tno change\t0.001\t0.005\t10.0\t0.0\t0.0\t0.0\n",
        "same, idle\tno change\t0.001\t0.005\t10.0\t0.0", /* cut off */
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        assert_false(read_text(lines[i], tallies));
    }
}

static void test_no_file_is_no_result(void **state) {
    (void)state;
    struct tally tallies[CELLS];
    assert_true(cells_read("results", tallies));
    for (size_t i = 0; i < CELLS; i++) {
        assert_int_equal(tallies[i].count, 0);
    }
    assert_false(cells_read(".", tallies));
}

static void test_cells_are_found_by_name(void **state) {
    (void)state;
    for (size_t i = 0; i < CELLS; i++) {
        /* What is sorted in later cannot be asked for. */
        assert_int_equal(cells_find(cells[i].name), i == CELL_DISTURBED ? CELLS : i);
    }
    assert_int_equal(cells_find("nonsense"), CELLS);
    assert_int_equal(cells_find(""), CELLS);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_what_is_written_is_read),
        IN_FOLDER(test_a_disturbed_try_is_not_idle),
        IN_FOLDER(test_older_lines_and_remarks_are_read),
        IN_FOLDER(test_an_interval_holds_the_truth_or_not),
        IN_FOLDER(test_a_wrong_direction_is_no_find),
        IN_FOLDER(test_other_lines_are_refused),
        IN_FOLDER(test_no_file_is_no_result),
        IN_FOLDER(test_cells_are_found_by_name),
    };
    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
