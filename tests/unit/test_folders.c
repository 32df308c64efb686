/* The program that counts folders, as it is run from a shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "die.h"
#include "program.h"
#include "tmpdir.h"
#include "watchdog.h"

#define ARGUMENTS_MAX 8

static const char *program_folders(void) {
    const char *path = getenv("FOLDERS_PROGRAM");
    if (path == NULL) {
        die("FOLDERS_PROGRAM is not set");
    }
    return path;
}

/* The program runs in this test's own, empty folder. */
struct fixture {
    char *folder;
    char *before;
};

static int setup(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->before = getcwd(NULL, 0);
    assert_non_null(fixture->before);
    fixture->folder = tmpdir_make();
    assert_int_equal(chdir(fixture->folder), 0);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(chdir(fixture->before), 0);
    tmpdir_remove(fixture->folder);
    free(fixture->before);
    free(fixture);
    return 0;
}

/* Runs the program with `arguments`, separated by single blanks. */
static void run(const char *arguments, struct program_result *result) {
    char *text = strdup(arguments);
    assert_non_null(text);
    const char *words[ARGUMENTS_MAX + 1] = {NULL};
    size_t count = 0;
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(count < ARGUMENTS_MAX);
        words[count] = word;
        count++;
    }
    program_run(program_folders(), words, slice_from_string(""), result);
    free(text);
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool contains(struct blob *text, const char *part) {
    blob_add_byte(text, '\0');
    text->length--;
    return strstr((const char *)text->data, part) != NULL;
}

/* Two lines and nothing else; the first tells `average` and `window`, if they are not negative. */
static void assert_reports(const char *arguments, long average, long window) {
    struct program_result result;
    run(arguments, &result);
    assert_int_equal(result.status, 0);
    assert_int_equal(result.err.length, 0);
    blob_add_byte(&result.out, '\0');

    long actual_average;
    long actual_window;
    long spent;
    int length = -1;
    int count =
        sscanf((const char *)result.out.data, "average: %ld folders in %ld ms\nspent: %ld ms\n%n",
               &actual_average, &actual_window, &spent, &length);
    assert_int_equal(count, 3);
    assert_int_equal((size_t)length + 1, result.out.length);
    assert_true(average < 0 || actual_average == average);
    assert_true(window < 0 || actual_window == window);
    assert_true(actual_average >= 1);
    assert_true(spent >= 0);
    program_result_release(&result);
}

static void test_it_ensures_the_folder_and_prints_two_lines(void **state) {
    (void)state;
    assert_reports("--events 10 --window 100000 x/y/z", 5, 100000);
    assert_true(is_folder("x/y/z"));
    assert_reports("--events 10 --window 100000 x/y/z", 5, 100000);
}

static void test_the_folder_has_a_default(void **state) {
    (void)state;
    assert_reports("--events=3 --window=1000000", 2, 1000000);
    assert_true(is_folder("a/b"));
}

static void test_the_window_has_a_default(void **state) {
    (void)state;
    assert_reports("--events 1 here", 1, -1);
    assert_true(is_folder("here"));
}

static void test_options_may_follow_the_path(void **state) {
    (void)state;
    assert_reports("here --events 1 --window 7", 1, 7);
    assert_true(is_folder("here"));
}

static void test_a_path_that_looks_like_an_option(void **state) {
    (void)state;
    assert_reports("--events 1 -- --help", 1, -1);
    assert_true(is_folder("--help"));
}

static void test_help_goes_to_standard_output(void **state) {
    (void)state;
    struct program_result result;
    run("--help", &result);
    assert_int_equal(result.status, 0);
    assert_int_equal(result.err.length, 0);
    assert_true(contains(&result.out, "usage: folders"));
    assert_true(contains(&result.out, "--events"));
    assert_true(contains(&result.out, "--window"));
    assert_false(is_folder("a"));
    program_result_release(&result);
}

static void assert_wrong_usage(const char *arguments) {
    struct program_result result;
    run(arguments, &result);
    if (result.status != 2) {
        fail_msg("'%s' gave exit code %d", arguments, result.status);
    }
    assert_int_equal(result.out.length, 0);
    assert_true(contains(&result.err, "usage: folders"));
    assert_false(is_folder("a"));
    program_result_release(&result);
}

static void test_a_wrong_command_line_is_refused(void **state) {
    (void)state;
    assert_wrong_usage("--unknown");
    assert_wrong_usage("-x");
    assert_wrong_usage("one two");
    assert_wrong_usage("--events");
    assert_wrong_usage("--window");
}

static void test_wrong_numbers_are_refused(void **state) {
    (void)state;
    static const char *const numbers[] = {
        "0",
        "-1",
        "+1",
        "1x",
        "x",
        "1.5",
        "1e3",
        "0x10",
        "--",
        "4294967296000",
        "18446744073709551617",
        "99999999999999999999999999",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "--events=%s", numbers[i]);
        assert_wrong_usage(arguments);
        snprintf(arguments, sizeof arguments, "--window=%s", numbers[i]);
        assert_wrong_usage(arguments);
    }
    assert_wrong_usage("--events=");
    assert_wrong_usage("--window=");
}

static void test_a_folder_that_cannot_be_made_is_told(void **state) {
    (void)state;
    blob_write_file("file", "", 0);
    struct program_result result;
    run("--events 10 file/b", &result);
    assert_int_equal(result.status, 1);
    assert_int_equal(result.out.length, 0);
    assert_true(contains(&result.err, "file"));
    program_result_release(&result);
}

static void test_an_empty_path_is_told(void **state) {
    (void)state;
    const char *const arguments[] = {"", NULL};
    struct program_result result;
    program_run(program_folders(), arguments, slice_from_string(""), &result);
    assert_int_equal(result.status, 1);
    assert_true(result.err.length > 0);
    program_result_release(&result);
}

static void test_an_output_that_takes_nothing_is_told(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    char command[4096];
    snprintf(command, sizeof command, "exec '%s' --events 1 >/dev/full", program_folders());
    const char *const arguments[] = {"-c", command, NULL};
    struct program_result result;
    program_run("/bin/sh", arguments, slice_from_string(""), &result);
    assert_int_equal(result.status, 1);
    assert_true(result.err.length > 0);
    program_result_release(&result);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_it_ensures_the_folder_and_prints_two_lines),
        IN_FOLDER(test_the_folder_has_a_default),
        IN_FOLDER(test_the_window_has_a_default),
        IN_FOLDER(test_options_may_follow_the_path),
        IN_FOLDER(test_a_path_that_looks_like_an_option),
        IN_FOLDER(test_help_goes_to_standard_output),
        IN_FOLDER(test_a_wrong_command_line_is_refused),
        IN_FOLDER(test_wrong_numbers_are_refused),
        IN_FOLDER(test_a_folder_that_cannot_be_made_is_told),
        IN_FOLDER(test_an_empty_path_is_told),
        IN_FOLDER(test_an_output_that_takes_nothing_is_told),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
