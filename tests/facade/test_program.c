/* The program's command line, exit codes and session, through its pipes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "path.h"
#include "program.h"
#include "session.h"
#include "watchdog.h"

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Runs minikv and checks its exit code. */
static void run(const char *const *arguments, struct slice input, int status,
                struct program_result *result) {
    program_run(program_minikv(), arguments, input, result);
    if (result->status != status) {
        blob_add_byte(&result->err, '\0');
        print_error("exit code %d: %s\n", result->status, (const char *)result->err.data);
    }
    assert_int_equal(result->status, status);
}

/* Runs minikv on the session's log, which must end well and answer exactly `output`. */
static void assert_answers(struct session *session, struct slice input, const char *output) {
    struct program_result result;
    run(ARGUMENTS(session->log), input, 0, &result);
    assert_true(blob_equals(&result.out, slice_from_string(output)));
    assert_int_equal(result.err.length, 0);
    program_result_release(&result);
}

#define ANSWERS(state, input, output)                                                              \
    assert_answers(*(state), slice_from(input, sizeof input - 1), output)

/* --- The command line ---------------------------------------------------------------------- */

static void assert_has(const struct blob *text, const char *part) {
    struct blob string = {0};
    blob_add(&string, text->data, text->length);
    blob_add_byte(&string, '\0');
    assert_non_null(strstr((const char *)string.data, part));
    blob_release(&string);
}

static void test_help_is_printed_with_every_option(void **state) {
    static const char *const parts[] = {"--sync",    "always", "never",  "--max-line", "--dump",
                                        "--version", "--help", "minikv", "LOG"};
    struct program_result result;
    (void)state;
    run(ARGUMENTS("--help"), slice_from_string("SET a 1\n"), 0, &result);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_has(&result.out, parts[i]);
    }
    assert_int_equal(result.err.length, 0);
    program_result_release(&result);
}

static void test_version_is_printed(void **state) {
    struct program_result result;
    (void)state;
    run(ARGUMENTS("--version"), slice_from_string(""), 0, &result);
    assert_has(&result.out, MINIKV_VERSION);
    assert_ptr_equal(memchr(result.out.data, '\n', result.out.length),
                     result.out.data + result.out.length - 1);
    program_result_release(&result);
}

static void assert_usage_error(const char *const *arguments) {
    struct program_result result;
    run(arguments, slice_from_string("SET a 1\n"), 2, &result);
    assert_int_equal(result.out.length, 0);
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);
}

static void test_a_wrong_command_line_is_refused_and_nothing_is_made(void **state) {
    struct session *session = *state;
    const char *log = session->log;
    assert_int_equal(unlink(log), 0);
    assert_usage_error((const char *const[]){NULL});
    assert_usage_error(ARGUMENTS(log, log));
    assert_usage_error(ARGUMENTS("--nosuch", log));
    assert_usage_error(ARGUMENTS("-x", log));
    assert_usage_error(ARGUMENTS("--sync"));
    assert_usage_error(ARGUMENTS("--sync", "sometimes", log));
    assert_usage_error(ARGUMENTS("--sync", "", log));
    assert_usage_error(ARGUMENTS("--sync", "always"));
    assert_usage_error(ARGUMENTS("--dump"));
    assert_usage_error(ARGUMENTS("--dump", log, log));
    assert_usage_error(ARGUMENTS("--max-line", log));
    assert_true(path_is_missing(log));
}

static void test_a_line_limit_that_is_no_number_of_bytes_is_refused(void **state) {
    static const char *const values[] = {"",     "0",   "-1",         "+1",
                                         " 1",   "1 ",  "1k",         "x",
                                         "0x10", "1.5", "1073741825", "99999999999999999999999"};
    struct session *session = *state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        assert_usage_error(ARGUMENTS("--max-line", values[i], session->log));
    }
}

static void test_a_line_limit_is_kept(void **state) {
    struct session *session = *state;
    struct program_result result;
    run(ARGUMENTS("--max-line", "9", session->log),
        slice_from_string("SET a 123\nSET a 1234\r\nSET a 1234\nGET a\n"), 0, &result);
    assert_true(
        blob_equals(&result.out, slice_from_string("OK\nERR line longer than 9 bytes\n"
                                                   "ERR line longer than 9 bytes\n\"123\"\n")));
    program_result_release(&result);
}

static void test_both_ways_to_sync_keep_what_was_written(void **state) {
    struct session *session = *state;
    struct program_result result;
    run(ARGUMENTS("--sync", "always", session->log),
        slice_from_string("SET a 1\nDEL a\nINCR n\nCOMPACT\nAPPEND n 2\n"), 0, &result);
    assert_true(blob_equals(&result.out,
                            slice_from_string("OK\n(integer) 1\n(integer) 1\nOK\n(integer) 2\n")));
    program_result_release(&result);
    run(ARGUMENTS("--sync=never", session->log), slice_from_string("GET a\nGET n\n"), 0, &result);
    assert_true(blob_equals(&result.out, slice_from_string("(nil)\n\"12\"\n")));
    program_result_release(&result);
}

static void test_a_log_that_cannot_be_opened_is_told_and_no_command_is_run(void **state) {
    struct session *session = *state;
    struct program_result result;
    run(ARGUMENTS(session->folder), slice_from_string("COUNT\n"), 1, &result);
    assert_int_equal(result.out.length, 0);
    assert_has(&result.err, session->folder);
    program_result_release(&result);
}

static void test_a_torn_tail_is_told_and_the_session_goes_on(void **state) {
    struct session *session = *state;
    struct program_result result;
    struct blob content = {0};
    ANSWERS(state, "SET a 1\nSET b 2\n", "OK\nOK\n");
    blob_read_file(&content, session->log);
    blob_write_file(session->log, content.data, content.length - 1);
    run(ARGUMENTS(session->log), slice_from_string("GET a\nGET b\n"), 0, &result);
    assert_true(blob_equals(&result.out, slice_from_string("\"1\"\n(nil)\n")));
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);
    blob_release(&content);
}

static void test_a_damaged_log_is_told_and_left_as_it_is(void **state) {
    struct session *session = *state;
    struct program_result result;
    struct blob before = {0};
    ANSWERS(state, "SET a 1\nSET b 2\n", "OK\nOK\n");
    blob_read_file(&before, session->log);
    before.data[before.length / 2] ^= 1;
    blob_write_file(session->log, before.data, before.length);
    run(ARGUMENTS(session->log), slice_from_string("SET c 3\n"), 1, &result);
    assert_int_equal(result.out.length, 0);
    assert_has(&result.err, session->log);
    assert_true(path_holds(session->log, blob_view(&before)));
    program_result_release(&result);
    blob_release(&before);
}

/* --- Lines --------------------------------------------------------------------------------- */

static void test_the_demonstration_works(void **state) {
    ANSWERS(state, "SET a 1\nGET a\n", "OK\n\"1\"\n");
}

static void test_no_input_is_no_output(void **state) {
    ANSWERS(state, "", "");
}

static void test_blank_lines_have_no_reply(void **state) {
    ANSWERS(state, "\n\r\n  \n\t\r\nCOUNT\n\n", "(integer) 0\n");
}

static void test_both_line_ends_work_side_by_side(void **state) {
    ANSWERS(state, "SET a 1\r\nGET a\nSET b 2\nGET b\r\n", "OK\n\"1\"\nOK\n\"2\"\n");
}

static void test_a_carriage_return_elsewhere_belongs_to_its_word(void **state) {
    ANSWERS(state, "SET a\rb 1\r\r\nGET \"a\\rb\"\r\n", "OK\n\"1\\r\"\n");
}

static void test_a_last_line_without_an_end_is_carried_out(void **state) {
    ANSWERS(state, "SET a 1\nGET a", "OK\n\"1\"\n");
}

static void test_a_nul_in_a_line_belongs_to_its_word(void **state) {
    ANSWERS(state, "SET a\0b 1\nGET a\0b\nGET a\n\0\n",
            "OK\n\"1\"\n(nil)\nERR unknown command '\\x00', try HELP\n");
}

static void test_quit_ends_the_reading(void **state) {
    ANSWERS(state, "QUIT\nSET a 1\n", "OK\n");
    ANSWERS(state, "EXISTS a\nquit\nSET a 1\n", "(integer) 0\nOK\n");
    ANSWERS(state, "EXISTS a\n", "(integer) 0\n");
}

static void test_a_line_over_the_limit_is_one_error_and_none_of_it_is_run(void **state) {
    struct session *session = *state;
    struct blob input = {0};
    blob_add_run(&input, 'x', MINIKV_LINE_LIMIT + 1);
    for (int i = 0; i < 300000; i++) {
        blob_print(&input, " SET a 1 "); /* whatever the pieces are that it is read in */
    }
    blob_print(&input, "SET a 1\nEXISTS a\n");
    assert_answers(session, blob_view(&input), "ERR line longer than 1048576 bytes\n(integer) 0\n");
    blob_release(&input);
}

static void test_the_line_end_does_not_count_for_the_limit(void **state) {
    static const char *const ends[] = {"\n", "\r\n", ""};
    for (size_t i = 0; i < 3; i++) {
        struct blob input = {0};
        blob_print(&input, "SET a ");
        blob_add_run(&input, 'x', MINIKV_LINE_LIMIT - input.length);
        blob_print(&input, "%s", ends[i]);
        assert_answers(*state, blob_view(&input), "OK\n");
        blob_clear(&input);
        blob_print(&input, "SET a ");
        blob_add_run(&input, 'x', MINIKV_LINE_LIMIT + 1 - input.length);
        blob_print(&input, "%s", ends[i]);
        assert_answers(*state, blob_view(&input), "ERR line longer than 1048576 bytes\n");
        blob_release(&input);
    }
}

/* --- Streams that are no pipes ------------------------------------------------------------- */

static void run_with(struct session *session, const struct program_options *options,
                     const char *input, struct program_result *result) {
    struct program program;
    program_start(&program, program_minikv(), ARGUMENTS(session->log), options);
    program_write(&program, slice_from_string(input));
    program_finish(&program, result);
}

static void test_commands_may_come_from_a_file_and_replies_go_to_one(void **state) {
    struct session *session = *state;
    struct program_result result;
    struct blob replies = {0};
    char input[512];
    char output[512];
    snprintf(input, sizeof input, "%s/input", session->folder);
    snprintf(output, sizeof output, "%s/output", session->folder);
    blob_write_file(input, "SET a 1\nGET a\n", 14);
    blob_write_file(output, "", 0);
    struct program_options options = {.input = input, .output = output};
    run_with(session, &options, "", &result);
    assert_int_equal(result.status, 0);
    blob_read_file(&replies, output);
    assert_true(blob_equals(&replies, slice_from_string("OK\n\"1\"\n")));
    blob_release(&replies);
    program_result_release(&result);
}

/*
 * The carriage return stands where it would belong to the end of a line that is just short enough;
 * the line feed comes `gap` bytes later, first in the next piece that is read if that is the size
 * of a piece.
 */
static void check_carriage_return_within_a_long_line(struct session *session, size_t gap) {
    const char *const arguments[] = {"--max-line", "9", session->log, NULL};
    char path[512];
    struct program program;
    struct program_result result;
    struct blob input = {0};
    snprintf(path, sizeof path, "%s/input", session->folder);
    blob_print(&input, "SET a 123\r");
    blob_add_run(&input, 'x', gap - input.length);
    blob_print(&input, "\nEXISTS a\n");
    blob_write_file(path, input.data, input.length);
    struct program_options options = {.input = path};
    program_start(&program, program_minikv(), arguments, &options);
    program_finish(&program, &result);
    assert_true(
        blob_equals(&result.out, slice_from_string("ERR line longer than 9 bytes\n(integer) 0\n")));
    program_result_release(&result);
    blob_release(&input);
}

static void test_a_carriage_return_within_a_line_over_the_limit_ends_nothing(void **state) {
    for (size_t gap = 16; gap <= (size_t)1024 * 1024; gap *= 2) {
        check_carriage_return_within_a_long_line(*state, gap);
    }
}

static void test_input_that_cannot_be_read_ends_the_program_with_a_message(void **state) {
    struct session *session = *state;
    struct program_result result;
    struct program_options options = {.input = session->folder};
    run_with(session, &options, "", &result);
    assert_int_equal(result.status, 1);
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);
}

static void test_output_that_cannot_be_written_ends_the_program_with_a_message(void **state) {
    struct session *session = *state;
    struct program_result result;
    struct program_options options = {.output = "/dev/full"};
    if (access(options.output, W_OK) != 0) {
        skip(); /* not every system has it */
    }
    run_with(session, &options, "SET a 1\n", &result);
    assert_int_equal(result.status, 1);
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);

    static const char *const texts[] = {"--help", "--version"};
    for (size_t i = 0; i < 2; i++) {
        struct program program;
        program_start(&program, program_minikv(), ARGUMENTS(texts[i]), &options);
        program_finish(&program, &result);
        assert_int_equal(result.status, 1);
        program_result_release(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_CLOSED_SESSION(test_help_is_printed_with_every_option),
        IN_CLOSED_SESSION(test_version_is_printed),
        IN_CLOSED_SESSION(test_a_wrong_command_line_is_refused_and_nothing_is_made),
        IN_CLOSED_SESSION(test_a_line_limit_that_is_no_number_of_bytes_is_refused),
        IN_CLOSED_SESSION(test_a_line_limit_is_kept),
        IN_CLOSED_SESSION(test_both_ways_to_sync_keep_what_was_written),
        IN_CLOSED_SESSION(test_a_log_that_cannot_be_opened_is_told_and_no_command_is_run),
        IN_CLOSED_SESSION(test_a_torn_tail_is_told_and_the_session_goes_on),
        IN_CLOSED_SESSION(test_a_damaged_log_is_told_and_left_as_it_is),
        IN_CLOSED_SESSION(test_the_demonstration_works),
        IN_CLOSED_SESSION(test_no_input_is_no_output),
        IN_CLOSED_SESSION(test_blank_lines_have_no_reply),
        IN_CLOSED_SESSION(test_both_line_ends_work_side_by_side),
        IN_CLOSED_SESSION(test_a_carriage_return_elsewhere_belongs_to_its_word),
        IN_CLOSED_SESSION(test_a_last_line_without_an_end_is_carried_out),
        IN_CLOSED_SESSION(test_a_nul_in_a_line_belongs_to_its_word),
        IN_CLOSED_SESSION(test_quit_ends_the_reading),
        IN_CLOSED_SESSION(test_a_line_over_the_limit_is_one_error_and_none_of_it_is_run),
        IN_CLOSED_SESSION(test_the_line_end_does_not_count_for_the_limit),
        IN_CLOSED_SESSION(test_commands_may_come_from_a_file_and_replies_go_to_one),
        IN_CLOSED_SESSION(test_a_carriage_return_within_a_line_over_the_limit_ends_nothing),
        IN_CLOSED_SESSION(test_input_that_cannot_be_read_ends_the_program_with_a_message),
        IN_CLOSED_SESSION(test_output_that_cannot_be_written_ends_the_program_with_a_message),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
