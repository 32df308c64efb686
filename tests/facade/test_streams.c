/* The program under load, and with pipes that stay open, do not block, or close. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "sanitized.h"
#include "session.h"
#include "watchdog.h"

/* Far less than the endless line, far more than minikv needs. */
#define MEMORY_LIMIT ((size_t)64 * 1024 * 1024)
#define ENDLESS ((size_t)200 * 1024 * 1024)

#define PIPED_COMMANDS (SANITIZED ? 200000 : 1000000)

static void start(struct session *session, struct program *program,
                  const struct program_options *options) {
    const char *const arguments[] = {session->log, NULL};
    program_start(program, program_minikv(), arguments, options);
}

static void write_text(struct program *program, const char *text) {
    assert_true(program_write(program, slice_from_string(text)));
}

static void assert_next_line(struct program *program, const char *text) {
    struct blob line = {0};
    assert_true(program_read_line(program, &line));
    assert_true(blob_equals(&line, slice_from_string(text)));
    blob_release(&line);
}

/* Ends the program, which must have nothing more to say. */
static void finish(struct program *program, int status) {
    struct program_result result;
    program_finish(program, &result);
    assert_int_equal(result.status, status);
    assert_int_equal(result.out.length, 0);
    program_result_release(&result);
}

/* --- Talking ------------------------------------------------------------------------------- */

static void test_each_command_is_answered_while_the_input_stays_open(void **state) {
    struct program program;
    start(*state, &program, NULL);
    write_text(&program, "SET a 1\n");
    assert_next_line(&program, "OK");
    write_text(&program, "GET a\r\n");
    assert_next_line(&program, "\"1\"");
    write_text(&program, "NOSUCH\n");
    assert_next_line(&program, "ERR unknown command 'NOSUCH', try HELP");
    finish(&program, 0);
}

static void test_a_whole_line_is_answered_while_the_next_is_unfinished(void **state) {
    struct program program;
    start(*state, &program, NULL);
    write_text(&program, "SET a 1\nGET");
    assert_next_line(&program, "OK");
    write_text(&program, " a");
    write_text(&program, "\n");
    assert_next_line(&program, "\"1\"");
    finish(&program, 0);
}

static void test_a_line_may_arrive_byte_by_byte(void **state) {
    static const char input[] = "SET a \"\\x41\\\"\"\r\nGET a\r\n";
    struct program program;
    start(*state, &program, NULL);
    for (size_t i = 0; i < sizeof input - 1; i++) {
        assert_true(program_write(&program, slice_from(input + i, 1)));
    }
    assert_next_line(&program, "OK");
    assert_next_line(&program, "\"A\\\"\"");
    finish(&program, 0);
}

static void test_quit_ends_the_program_while_the_input_stays_open(void **state) {
    struct program program;
    struct blob line = {0};
    start(*state, &program, NULL);
    write_text(&program, "QUIT\n");
    assert_next_line(&program, "OK");
    assert_false(program_read_line(&program, &line));
    assert_int_equal(line.length, 0);
    blob_release(&line);
    finish(&program, 0);
}

/* --- Endless input ------------------------------------------------------------------------- */

/* Memory is limited where that can be done, so that a program that keeps the input fails. */
static const struct program_options limited = {.memory_limit = SANITIZED ? 0 : MEMORY_LIMIT};

static void write_endless(struct program *program, unsigned char byte) {
    struct blob block = {0};
    blob_add_run(&block, byte, 1024 * 1024);
    for (size_t written = 0; written < ENDLESS; written += block.length) {
        assert_true(program_write(program, blob_view(&block)));
    }
    blob_release(&block);
}

static void check_endless(struct session *session, unsigned char byte, const char *reply) {
    struct program program;
    start(session, &program, &limited);
    write_text(&program, "SET a 1\n");
    assert_next_line(&program, "OK");
    write_endless(&program, byte);
    write_text(&program, "\nGET a\n");
    if (reply != NULL) {
        assert_next_line(&program, reply);
    }
    assert_next_line(&program, "\"1\"");
    finish(&program, 0);
}

static void test_a_line_of_200_megabytes_takes_no_memory(void **state) {
    check_endless(*state, 'x', "ERR line longer than 1048576 bytes");
}

static void test_200_megabytes_of_nul_take_no_memory(void **state) {
    check_endless(*state, '\0', "ERR line longer than 1048576 bytes");
}

static void test_200_megabytes_of_blank_lines_take_no_memory(void **state) {
    check_endless(*state, '\n', NULL);
}

static void test_a_line_that_never_ends_is_one_error(void **state) {
    struct program program;
    start(*state, &program, &limited);
    write_endless(&program, '"');
    program_close_input(&program);
    assert_next_line(&program, "ERR line longer than 1048576 bytes");
    finish(&program, 0);
}

/* --- Much of everything -------------------------------------------------------------------- */

static void test_a_million_piped_commands_are_all_answered(void **state) {
    struct session *session = *state;
    struct blob input = {0};
    struct blob expected = {0};
    for (int i = 0; i < PIPED_COMMANDS / 2; i++) {
        blob_print(&input, "SET key:%d %d\nGET key:%d\n", i % 1000, i, i % 1000);
        blob_print(&expected, "OK\n\"%d\"\n", i);
    }
    const char *const arguments[] = {session->log, NULL};
    struct program_result result;
    program_run(program_minikv(), arguments, blob_view(&input), &result);
    assert_int_equal(result.status, 0);
    assert_true(blob_equals(&result.out, blob_view(&expected)));
    program_result_release(&result);
    blob_release(&input);
    blob_release(&expected);
}

/* 200 MB of replies to a reader that takes one after the other; minikv must not hoard them. */
static void test_replies_wait_for_a_slow_reader_without_taking_memory(void **state) {
    enum { GETS = 2000, VALUE = 100000 };
    struct program program;
    struct blob line = {0};
    struct blob expected = {0};
    start(*state, &program, &limited);
    blob_print(&line, "SET a ");
    blob_add_run(&line, 'v', VALUE);
    blob_add_byte(&line, '\n');
    assert_true(program_write(&program, blob_view(&line)));
    assert_next_line(&program, "OK");
    blob_print(&expected, "\"");
    blob_add_run(&expected, 'v', VALUE);
    blob_print(&expected, "\"");

    for (int i = 0; i < GETS; i++) {
        write_text(&program, "GET a\n");
    }
    for (int i = 0; i < GETS; i++) {
        assert_true(program_read_line(&program, &line));
        assert_true(blob_equals(&line, blob_view(&expected)));
    }
    finish(&program, 0);
    blob_release(&line);
    blob_release(&expected);
}

/* Both directions full at once: whoever waits for the other to read first never ends. */
static void test_streams_that_do_not_block_work_like_others(void **state) {
    static const struct program_options nonblocking = {.nonblocking = true};
    struct program program;
    struct blob line = {0};
    start(*state, &program, &nonblocking);
    write_text(&program, "SET a ");
    blob_add_run(&line, 'v', 200000);
    blob_add_byte(&line, '\n');
    assert_true(program_write(&program, blob_view(&line)));
    assert_next_line(&program, "OK");
    for (int i = 0; i < 100; i++) {
        write_text(&program, "GET a\n");
    }
    for (int i = 0; i < 100; i++) {
        assert_true(program_read_line(&program, &line));
        assert_int_equal(line.length, 200002);
    }
    write_text(&program, "COUNT\n");
    assert_next_line(&program, "(integer) 1");
    finish(&program, 0);
    blob_release(&line);
}

/* --- Streams that close -------------------------------------------------------------------- */

static void test_a_closed_output_ends_the_program_and_keeps_what_was_answered(void **state) {
    struct session *session = *state;
    struct program program;
    struct program_result result;
    start(session, &program, NULL);
    write_text(&program, "SET a 1\n");
    assert_next_line(&program, "OK");
    program_close_output(&program);
    while (program_write(&program, slice_from_string("GET a\n"))) {
        /* until the program has noticed and closed its end, too */
    }
    program_finish(&program, &result);
    assert_int_equal(result.status, 1);
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);
    session_open(session);
    assert_int_equal(session->notice.length, 0);
    assert_reply(session, "GET a", "\"1\"");
}

static void test_a_closed_input_ends_the_program_after_the_last_reply(void **state) {
    struct program program;
    start(*state, &program, NULL);
    write_text(&program, "SET a 1\nGET a");
    program_close_input(&program);
    assert_next_line(&program, "OK");
    assert_next_line(&program, "\"1\"");
    finish(&program, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_CLOSED_SESSION(test_each_command_is_answered_while_the_input_stays_open),
        IN_CLOSED_SESSION(test_a_whole_line_is_answered_while_the_next_is_unfinished),
        IN_CLOSED_SESSION(test_a_line_may_arrive_byte_by_byte),
        IN_CLOSED_SESSION(test_quit_ends_the_program_while_the_input_stays_open),
        IN_CLOSED_SESSION(test_a_line_of_200_megabytes_takes_no_memory),
        IN_CLOSED_SESSION(test_200_megabytes_of_nul_take_no_memory),
        IN_CLOSED_SESSION(test_200_megabytes_of_blank_lines_take_no_memory),
        IN_CLOSED_SESSION(test_a_line_that_never_ends_is_one_error),
        IN_CLOSED_SESSION(test_a_million_piped_commands_are_all_answered),
        IN_CLOSED_SESSION(test_replies_wait_for_a_slow_reader_without_taking_memory),
        IN_CLOSED_SESSION(test_streams_that_do_not_block_work_like_others),
        IN_CLOSED_SESSION(test_a_closed_output_ends_the_program_and_keeps_what_was_answered),
        IN_CLOSED_SESSION(test_a_closed_input_ends_the_program_after_the_last_reply),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
