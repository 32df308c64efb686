/* Times as people write them, and the guesses made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "duration.h"
#include "guess.h"
#include "near.h"
#include "rows.h"

static void check_reads(const char *text, double expected) {
    double ns = 0;
    assert_null(duration_read(text, &ns));
    assert_near(ns / expected, 1, 1e-9);
}

static void test_times_are_read_with_their_units(void **state) {
    (void)state;
    check_reads("20 ns", 20);
    check_reads("0.5ns", 0.5);
    check_reads(".5 ns", 0.5);
    check_reads("3.25 us", 3250);
    check_reads("3 \u00b5s", 3000);
    check_reads("3 \u03bcs", 3000);
    check_reads(" 1\tms", 1e6);
    check_reads("2 s", 2e9);
}

static void test_what_is_no_time_is_told(void **state) {
    (void)state;
    const char *const bad[] = {"",
                               "___",
                               "20",
                               "ns",
                               "-1 ns",
                               "0 ns",
                               "1,5 ns",
                               "1.2.3 ns",
                               "1e3 ns",
                               "20 m",
                               "20 nss",
                               "20 NS",
                               "a lot",
                               "0x10 ns",
                               "inf ns",
                               "nan s",
                               "99999999999999999999 s",
                               "20 ns or 30 ns"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double ns = 0;
        const char *wrong = duration_read(bad[i], &ns);
        assert_non_null(wrong);
        assert_true(strlen(wrong) > 0);
    }
}

static void check_says(double ns, const char *expected) {
    char text[DURATION_TEXT_MAX];
    duration_say(ns, text);
    assert_string_equal(text, expected);
}

static void test_times_are_said_in_a_unit_that_leaves_them_short(void **state) {
    (void)state;
    check_says(0.243, "0.24 ns");
    check_says(4.56, "4.6 ns");
    check_says(9.96, "10 ns");
    check_says(999.4, "999 ns");
    check_says(999.6, "1.0 us");
    check_says(123456, "123 us");
    check_says(4.5e6, "4.5 ms");
    check_says(2e9, "2.0 s");
}

static void test_guesses_are_scored_in_powers_of_ten(void **state) {
    (void)state;
    assert_int_equal(duration_off(100, 100), 0);
    assert_int_equal(duration_off(310, 100), 0);
    assert_int_equal(duration_off(32, 100), 0);
    assert_int_equal(duration_off(320, 100), 1);
    assert_int_equal(duration_off(31, 100), -1);
    assert_int_equal(duration_off(1e6, 1), 6);
    assert_int_equal(duration_off(0.1, 1e5), -6);
}

/* A form and a guess in files, and what was said about them. */
struct files {
    char form[32];
    char path[32];
    FILE *complaints;
};

static void write_file(char path[32], const char *text) {
    strcpy(path, "/tmp/test_guess-XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(descriptor), 0);
}

static struct guess guess;
static char said[4096];

/* Reads the guess `text` for a form of "an add" and "a load". */
static enum guess_result read_text(const char *text) {
    struct files files;
    write_file(files.form, "# how long?\n\nan add: ___\na load: ___\n");
    write_file(files.path, text);
    memset(said, 0, sizeof said);
    files.complaints = fmemopen(said, sizeof said - 1, "w");
    assert_non_null(files.complaints);
    const enum guess_result result = guess_read(files.form, files.path, files.complaints, &guess);
    assert_int_equal(fclose(files.complaints), 0);
    assert_int_equal(unlink(files.form), 0);
    assert_int_equal(unlink(files.path), 0);
    return result;
}

static void test_a_guess_is_read(void **state) {
    (void)state;
    assert_int_equal(read_text("a load: 4 ns\r\n# so\n\n  an   add : 0.5 ns"), GUESS_COMPLETE);
    assert_string_equal(said, "");
    assert_near(guess_of(&guess, "an add"), 0.5, 1e-9);
    assert_near(guess_of(&guess, "a load"), 4, 1e-9);
    assert_near(guess_of(&guess, "a store"), 0, 0);
}

static void test_a_byte_order_mark_means_nothing(void **state) {
    (void)state;
    assert_int_equal(read_text("\xef\xbb\xbf"
                               "an add: 1 ns\na load: 4 ns\n"),
                     GUESS_COMPLETE);
}

static void test_the_form_as_handed_out_is_no_guess(void **state) {
    (void)state;
    assert_int_equal(read_text("an add: ___\na load: ___\n"), GUESS_UNTOUCHED);
    assert_int_equal(read_text(""), GUESS_UNTOUCHED);
}

/* That `text` is refused, and that the fault is told of line `line`. */
static void check_fault(const char *text, const char *line) {
    assert_int_equal(read_text(text), GUESS_MALFORMED);
    assert_non_null(strstr(said, line));
}

static void test_every_fault_is_told_with_its_line(void **state) {
    (void)state;
    check_fault("an add: 1 ns\na load: ___\n", ":2: ");
    check_fault("an add: 1\na load: 4 ns\n", ":1: ");
    check_fault("\n\nan add: 1,5 ns\na load: 4 ns\n", ":3: ");
    check_fault("an add: 1 ns\na lod: 4 ns\n", ":2: ");
    check_fault("an add: 1 ns\nan add: 2 ns\na load: 4 ns\n", ":2: ");
    check_fault("an add 1 ns\na load: 4 ns\n", ":1: ");
    assert_int_equal(read_text("an add: 1\na load: 4\n"), GUESS_MALFORMED);
    assert_non_null(strstr(said, ":1: "));
    assert_non_null(strstr(said, ":2: "));
}

static void test_a_line_that_was_taken_out_is_missed(void **state) {
    (void)state;
    assert_int_equal(read_text("an add: 1 ns\n"), GUESS_MALFORMED);
    assert_non_null(strstr(said, "a load"));
}

static void test_a_missing_file_is_told(void **state) {
    (void)state;
    FILE *complaints = fmemopen(said, sizeof said - 1, "w");
    assert_non_null(complaints);
    assert_int_equal(guess_read("/none/form", "/none/guess", complaints, &guess), GUESS_UNREADABLE);
    assert_int_equal(fclose(complaints), 0);
}

static void test_the_form_asks_for_rows_that_there_are(void **state) {
    (void)state;
    FILE *complaints = fmemopen(said, sizeof said - 1, "w");
    assert_non_null(complaints);
    assert_int_equal(
        guess_read("exercises/m01/guess.txt", "exercises/m01/guess.txt", complaints, &guess),
        GUESS_UNTOUCHED);
    assert_int_equal(fclose(complaints), 0);
    assert_true(guess.count >= 25);
    for (size_t i = 0; i < guess.count; i++) {
        assert_non_null(rows_find_what(rows_groups, guess.lines[i].what));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_read_with_their_units),
        cmocka_unit_test(test_what_is_no_time_is_told),
        cmocka_unit_test(test_times_are_said_in_a_unit_that_leaves_them_short),
        cmocka_unit_test(test_guesses_are_scored_in_powers_of_ten),
        cmocka_unit_test(test_a_guess_is_read),
        cmocka_unit_test(test_a_byte_order_mark_means_nothing),
        cmocka_unit_test(test_the_form_as_handed_out_is_no_guess),
        cmocka_unit_test(test_every_fault_is_told_with_its_line),
        cmocka_unit_test(test_a_line_that_was_taken_out_is_missed),
        cmocka_unit_test(test_a_missing_file_is_told),
        cmocka_unit_test(test_the_form_asks_for_rows_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
