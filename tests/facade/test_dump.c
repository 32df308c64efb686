/* --dump prints a log's records as commands, and does nothing to the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "generator.h"
#include "model.h"
#include "path.h"
#include "program.h"
#include "random.h"
#include "session.h"
#include "tmpdir.h"
#include "watchdog.h"

#define COMMANDS 3000

static void dump(const char *log, int status, struct program_result *result) {
    const char *const arguments[] = {"--dump", log, NULL};
    program_run(program_minikv(), arguments, slice_from_string(""), result);
    assert_int_equal(result->status, status);
}

static void assert_dump(struct session *session, int status, const char *output) {
    struct blob before = {0};
    struct program_result result;
    blob_read_file(&before, session->log);
    dump(session->log, status, &result);
    assert_true(blob_equals(&result.out, slice_from_string(output)));
    assert_true(path_holds(session->log, blob_view(&before)));
    program_result_release(&result);
    blob_release(&before);
}

static void write_some(struct session *session) {
    assert_reply(session, "SET a 1", "OK");
    assert_reply(session, "SET \"b\\x00\" \" \\n\\xff\"", "OK");
    assert_reply(session, "APPEND a 2", "(integer) 2");
    assert_reply(session, "DEL \"b\\x00\"", "(integer) 1");
    assert_reply(session, "INCR a", "(integer) 13");
}

static const char some[] = "SET \"a\" \"1\"\n"
                           "SET \"b\\x00\" \" \\n\\xff\"\n"
                           "APPEND \"a\" \"2\"\n"
                           "DEL \"b\\x00\"\n"
                           "SET \"a\" \"13\"\n";

static void test_the_records_are_printed_as_commands(void **state) {
    write_some(*state);
    session_close(*state);
    assert_dump(*state, 0, some);
}

static void test_an_empty_log_is_no_output(void **state) {
    session_close(*state);
    assert_dump(*state, 0, "");
}

static void test_a_log_in_use_can_be_dumped(void **state) {
    write_some(*state);
    assert_dump(*state, 0, some);
    assert_reply(*state, "DEL a", "(integer) 1");
}

static void test_a_log_that_was_compacted_holds_one_record_for_each_key(void **state) {
    write_some(*state);
    assert_reply(*state, "COMPACT", "OK");
    assert_dump(*state, 0, "SET \"a\" \"13\"\n");
}

static void test_of_a_torn_log_the_whole_records_are_printed(void **state) {
    struct session *session = *state;
    struct blob content = {0};
    write_some(session);
    assert_reply(session, "SET torn 1", "OK");
    session_close(session);
    blob_read_file(&content, session->log);
    blob_write_file(session->log, content.data, content.length - 1);
    assert_dump(session, 0, some);
    blob_release(&content);
}

static void test_of_a_damaged_log_the_records_before_the_damage_are_printed(void **state) {
    struct session *session = *state;
    struct blob content = {0};
    write_some(session);
    blob_read_file(&content, session->log);
    size_t damage = content.length + 1; /* in the record that follows */
    blob_release(&content);
    assert_reply(session, "SET damaged 1", "OK");
    assert_reply(session, "SET last 1", "OK");
    session_close(session);
    blob_read_file(&content, session->log);
    content.data[damage] ^= 1;
    blob_write_file(session->log, content.data, content.length);
    assert_dump(session, 1, some);
    blob_release(&content);
}

static void test_what_is_no_log_is_refused(void **state) {
    struct session *session = *state;
    struct program_result result;
    session_close(session);
    blob_write_file(session->log, "some text that is no log", 24);
    assert_dump(session, 1, "");
    dump(session->folder, 1, &result);
    assert_int_equal(result.out.length, 0);
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);
}

static void test_a_missing_log_is_refused_and_not_made(void **state) {
    struct session *session = *state;
    struct program_result result;
    char *missing = tmpdir_path(session->folder, "missing.log");
    dump(missing, 1, &result);
    assert_int_equal(result.out.length, 0);
    assert_int_not_equal(result.err.length, 0);
    assert_true(path_is_missing(missing));
    program_result_release(&result);
    free(missing);
}

static void write_randomly(struct session *session, struct model *model) {
    struct random random;
    struct blob line = {0};
    struct blob reply = {0};
    struct model_reply expected = {0};
    random_init(&random, random_seed("dump"));
    for (int i = 0; i < COMMANDS; i++) {
        generator_command(&random, &line);
        model_execute_line(model, blob_view(&line), &expected);
        session_execute(session, blob_view(&line), &reply);
        assert_true(model_reply_matches(&expected, blob_view(&reply)));
    }
    model_reply_release(&expected);
    blob_release(&line);
    blob_release(&reply);
}

static void test_a_dump_that_is_replayed_gives_an_equal_store(void **state) {
    struct session *session = *state;
    struct session copy = {.log = tmpdir_path(session->folder, "copy.log")};
    const char *const arguments[] = {copy.log, NULL};
    struct model model = {0};
    struct program_result dumped;
    struct program_result replayed;
    write_randomly(session, &model);
    dump(session->log, 0, &dumped);
    program_run(program_minikv(), arguments, blob_view(&dumped.out), &replayed);
    assert_int_equal(replayed.status, 0);
    session_open(&copy);
    session_assert_model(&copy, &model);
    session_close(&copy);
    program_result_release(&dumped);
    program_result_release(&replayed);
    model_release(&model);
    free(copy.log);
}

static void test_a_dump_into_a_closed_pipe_ends(void **state) {
    struct session *session = *state;
    const char *const arguments[] = {"--dump", session->log, NULL};
    struct program program;
    struct program_result result;
    struct blob line = {0};
    blob_print(&line, "SET a ");
    blob_add_run(&line, 'v', 1000000); /* more than a pipe holds: the end of it cannot be written */
    assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
    blob_release(&line);
    program_start(&program, program_minikv(), arguments, NULL);
    program_close_output(&program);
    program_finish(&program, &result);
    assert_int_equal(result.status, 1);
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_the_records_are_printed_as_commands),
        IN_SESSION(test_an_empty_log_is_no_output),
        IN_SESSION(test_a_log_in_use_can_be_dumped),
        IN_SESSION(test_a_log_that_was_compacted_holds_one_record_for_each_key),
        IN_SESSION(test_of_a_torn_log_the_whole_records_are_printed),
        IN_SESSION(test_of_a_damaged_log_the_records_before_the_damage_are_printed),
        IN_SESSION(test_what_is_no_log_is_refused),
        IN_SESSION(test_a_missing_log_is_refused_and_not_made),
        IN_SESSION(test_a_dump_that_is_replayed_gives_an_equal_store),
        IN_SESSION(test_a_dump_into_a_closed_pipe_ends),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
