/* What may be a log, what may not, and that only one store uses it at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "die.h"
#include "path.h"
#include "program.h"
#include "session.h"
#include "tmpdir.h"
#include "watchdog.h"

/* Opening must fail with a reason. */
static void assert_refused(const char *path) {
    struct error error = {""};
    assert_null(minikv_open(path, NULL, &error));
    assert_string_not_equal(error.text, "");
}

/* Points the session, closed, at another log in its folder. */
static void use_log(struct session *session, const char *name) {
    session_close(session);
    free(session->log);
    session->log = tmpdir_path(session->folder, name);
}

/* --- What the path leads to ---------------------------------------------------------------- */

static void test_a_log_that_is_missing_is_made(void **state) {
    struct session *session = *state;
    struct stat status;
    use_log(session, "new.log");
    assert_true(path_is_missing(session->log));
    session_open(session);
    assert_int_equal(session->notice.length, 0);
    assert_int_equal(stat(session->log, &status), 0);
    assert_true(S_ISREG(status.st_mode));
}

static void test_an_empty_file_becomes_a_log(void **state) {
    struct session *session = *state;
    use_log(session, "empty.log");
    blob_write_file(session->log, "", 0);
    session_open(session);
    assert_reply(session, "SET a 1", "OK");
    session_reopen(session);
    assert_reply(session, "GET a", "\"1\"");
}

static void test_a_log_in_a_missing_folder_is_refused_and_nothing_is_made(void **state) {
    struct session *session = *state;
    char *folder = tmpdir_path(session->folder, "missing");
    char *log = tmpdir_path(folder, "test.log");
    assert_refused(log);
    assert_true(path_is_missing(folder));
    free(log);
    free(folder);
}

static void test_a_folder_is_no_log(void **state) {
    struct session *session = *state;
    char *with_slash = tmpdir_path(session->folder, "");
    assert_refused(session->folder);
    assert_refused(with_slash);
    free(with_slash);
}

static void test_a_path_that_cannot_be_is_refused(void **state) {
    struct session *session = *state;
    struct blob path = {0};
    char *below_file = tmpdir_path(session->log, "test.log");
    assert_refused(below_file);
    assert_refused("");
    blob_print(&path, "%s/", session->folder);
    blob_add_run(&path, 'n', 5000);
    blob_add_byte(&path, '\0');
    assert_refused((const char *)path.data);
    blob_release(&path);
    free(below_file);
}

/* With nobody at its other end, opening a pipe can take for ever. */
/* A store would remove such a file as the leftover of a compaction that was cut short. */
static void test_a_name_of_minikvs_own_is_refused_and_nothing_is_made(void **state) {
    struct session *session = *state;
    struct error error;
    char path[PATH_MAX];
    size_t before = path_entries(session->folder);
    (void)snprintf(path, sizeof path, "%s.compact-tmp", session->log);
    assert_null(minikv_open(path, NULL, &error));
    assert_int_equal(path_entries(session->folder), before);
}

static void test_a_link_to_a_name_of_minikvs_own_is_refused(void **state) {
    struct session *session = *state;
    char target[PATH_MAX];
    (void)snprintf(target, sizeof target, "%s.compact-tmp", session->log);
    blob_write_file(target, "", 0);
    use_log(session, "link");
    must(symlink("test.log.compact-tmp", session->log), session->log);
    assert_refused(session->log);
    assert_true(path_is_link(session->log));
    assert_true(path_holds(target, slice_from_string("")));
}

static void test_a_named_pipe_is_no_log(void **state) {
    struct session *session = *state;
    use_log(session, "pipe");
    must(mkfifo(session->log, 0600), session->log);
    assert_refused(session->log);
}

static void test_a_device_is_no_log(void **state) {
    (void)state;
    assert_refused("/dev/null");
    assert_refused("/dev/zero");
    assert_refused("/dev/tty");
}

static void test_a_file_of_other_content_is_refused_and_left_as_it_is(void **state) {
    static const char *const contents[] = {
        "x", "some text\n", "#!/bin/sh\necho hello\n", "SET a 1\nSET b 2\n",
        "a text that is longer than the head of a log and longer than a record's head, too"};
    struct session *session = *state;
    use_log(session, "other");
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        blob_write_file(session->log, contents[i], strlen(contents[i]));
        assert_refused(session->log);
        assert_true(path_holds(session->log, slice_from_string(contents[i])));
    }
}

static void test_a_large_file_of_zeros_is_refused_and_left_as_it_is(void **state) {
    struct session *session = *state;
    struct blob zeros = {0};
    use_log(session, "zeros");
    blob_add_run(&zeros, 0, 100000);
    blob_write_file(session->log, zeros.data, zeros.length);
    assert_refused(session->log);
    assert_true(path_holds(session->log, blob_view(&zeros)));
    blob_release(&zeros);
}

/* --- Symbolic links ------------------------------------------------------------------------ */

static void test_a_link_to_a_log_is_followed_and_stays_a_link(void **state) {
    struct session *session = *state;
    char *target = strdup(session->log);
    assert_reply(session, "SET a 1", "OK");
    use_log(session, "link");
    must(symlink("test.log", session->log), session->log);
    session_open(session);
    assert_reply(session, "GET a", "\"1\"");
    assert_reply(session, "SET a 2", "OK");
    assert_reply(session, "COMPACT", "OK");
    assert_reply(session, "SET b 3", "OK");
    assert_true(path_is_link(session->log));

    session_close(session);
    free(session->log);
    session->log = target;
    session_open(session);
    assert_reply(session, "GET a", "\"2\"");
    assert_reply(session, "GET b", "\"3\"");
}

static void test_a_dangling_link_leads_to_a_new_log(void **state) {
    struct session *session = *state;
    char *target = tmpdir_path(session->folder, "target.log");
    use_log(session, "dangling");
    must(symlink("target.log", session->log), session->log);
    session_open(session);
    assert_reply(session, "SET a 1", "OK");
    assert_true(path_is_link(session->log));

    session_close(session);
    free(session->log);
    session->log = target;
    session_open(session);
    assert_reply(session, "GET a", "\"1\"");
}

static void test_a_dangling_link_into_a_missing_folder_is_refused(void **state) {
    struct session *session = *state;
    use_log(session, "dangling");
    must(symlink("missing/target.log", session->log), session->log);
    assert_refused(session->log);
    assert_true(path_is_link(session->log));
}

static void test_links_that_lead_in_a_circle_are_refused(void **state) {
    struct session *session = *state;
    char *other = tmpdir_path(session->folder, "there");
    use_log(session, "here");
    must(symlink("there", session->log), session->log);
    must(symlink("here", other), other);
    assert_refused(session->log);
    free(other);
}

/* --- Permissions --------------------------------------------------------------------------- */

static void test_a_file_that_may_not_be_written_is_refused(void **state) {
    struct session *session = *state;
    if (geteuid() == 0) {
        skip(); /* root may write every file */
    }
    session_close(session);
    must(chmod(session->log, 0400), session->log);
    assert_refused(session->log);
}

static void test_a_new_log_in_a_folder_that_may_not_be_written_is_refused(void **state) {
    struct session *session = *state;
    if (geteuid() == 0) {
        skip();
    }
    use_log(session, "new.log");
    must(chmod(session->folder, 0500), session->folder);
    assert_refused(session->log);
    must(chmod(session->folder, 0700), session->folder);
    assert_true(path_is_missing(session->log));
}

/* --- One store at a time ------------------------------------------------------------------- */

static void run_on_log(struct session *session, const char *input, struct program_result *result) {
    const char *const arguments[] = {session->log, NULL};
    program_run(program_minikv(), arguments, slice_from_string(input), result);
}

static void test_a_second_process_is_refused_and_the_first_goes_on(void **state) {
    struct session *session = *state;
    struct program_result result;
    assert_reply(session, "SET a 1", "OK");
    run_on_log(session, "SET a 2\n", &result);
    assert_int_equal(result.status, 1);
    assert_int_equal(result.out.length, 0);
    assert_int_not_equal(result.err.length, 0);
    program_result_release(&result);

    assert_reply(session, "SET b 2", "OK");
    session_reopen(session);
    assert_reply(session, "GET a", "\"1\"");
    assert_reply(session, "GET b", "\"2\"");
}

static void test_a_second_process_gets_the_log_once_the_first_has_ended(void **state) {
    struct session *session = *state;
    struct program_result result;
    assert_reply(session, "SET a 1", "OK");
    session_close(session);
    run_on_log(session, "GET a\n", &result);
    assert_int_equal(result.status, 0);
    assert_true(blob_equals(&result.out, slice_from_string("\"1\"\n")));
    program_result_release(&result);
}

static void test_a_second_store_in_the_same_process_is_refused(void **state) {
    struct session *session = *state;
    assert_refused(session->log);
    assert_reply(session, "SET a 1", "OK");
    session_reopen(session);
    assert_reply(session, "GET a", "\"1\"");
}

static void test_a_refused_second_store_leaves_the_first_ones_lock(void **state) {
    struct session *session = *state;
    assert_refused(session->log);
    assert_refused(session->log);
    struct program_result result;
    run_on_log(session, "", &result);
    assert_int_equal(result.status, 1);
    program_result_release(&result);
}

static void test_a_log_stays_locked_through_compact(void **state) {
    struct session *session = *state;
    struct program_result result;
    assert_reply(session, "COMPACT", "OK");
    assert_refused(session->log);
    run_on_log(session, "SET a 1\n", &result);
    assert_int_equal(result.status, 1);
    program_result_release(&result);
    session_reopen(session);
    assert_reply(session, "COUNT", "(integer) 0");
}

static void test_a_second_store_is_refused_under_another_name_of_the_log(void **state) {
    struct session *session = *state;
    char *soft = tmpdir_path(session->folder, "soft");
    char *hard = tmpdir_path(session->folder, "hard");
    must(symlink("test.log", soft), soft);
    assert_refused(soft);
    must(link(session->log, hard), hard);
    assert_refused(hard);
    free(soft);
    free(hard);
}

/* --- Processes that end badly -------------------------------------------------------------- */

/* Starts minikv on the closed session's log and has a reply to each of a few writes. */
static void start_and_write(struct session *session, struct program *program) {
    const char *const arguments[] = {session->log, NULL};
    struct blob line = {0};
    program_start(program, program_minikv(), arguments, NULL);
    program_write(program, slice_from_string("SET a 1\nSET b 2\nDEL a\n"));
    for (int i = 0; i < 3; i++) {
        assert_true(program_read_line(program, &line));
    }
    assert_true(blob_equals(&line, slice_from_string("(integer) 1")));
    blob_release(&line);
}

static void check_ended_by(struct session *session, int number) {
    struct program program;
    struct program_result result;
    session_close(session);
    start_and_write(session, &program);
    must(kill(program.pid, number), "kill");
    program_finish(&program, &result);
    program_result_release(&result);
    session_open(session);
    assert_reply(session, "GET a", "(nil)");
    assert_reply(session, "GET b", "\"2\"");
    assert_reply(session, "SET c 3", "OK");
}

static void test_what_was_answered_is_there_after_an_interrupt(void **state) {
    check_ended_by(*state, SIGINT);
}

static void test_what_was_answered_is_there_after_a_kill(void **state) {
    check_ended_by(*state, SIGKILL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_a_log_that_is_missing_is_made),
        IN_SESSION(test_an_empty_file_becomes_a_log),
        IN_SESSION(test_a_log_in_a_missing_folder_is_refused_and_nothing_is_made),
        IN_SESSION(test_a_folder_is_no_log),
        IN_SESSION(test_a_path_that_cannot_be_is_refused),
        IN_SESSION(test_a_name_of_minikvs_own_is_refused_and_nothing_is_made),
        IN_SESSION(test_a_link_to_a_name_of_minikvs_own_is_refused),
        IN_SESSION(test_a_named_pipe_is_no_log),
        IN_SESSION(test_a_device_is_no_log),
        IN_SESSION(test_a_file_of_other_content_is_refused_and_left_as_it_is),
        IN_SESSION(test_a_large_file_of_zeros_is_refused_and_left_as_it_is),
        IN_SESSION(test_a_link_to_a_log_is_followed_and_stays_a_link),
        IN_SESSION(test_a_dangling_link_leads_to_a_new_log),
        IN_SESSION(test_a_dangling_link_into_a_missing_folder_is_refused),
        IN_SESSION(test_links_that_lead_in_a_circle_are_refused),
        IN_SESSION(test_a_file_that_may_not_be_written_is_refused),
        IN_SESSION(test_a_new_log_in_a_folder_that_may_not_be_written_is_refused),
        IN_SESSION(test_a_second_process_is_refused_and_the_first_goes_on),
        IN_SESSION(test_a_second_process_gets_the_log_once_the_first_has_ended),
        IN_SESSION(test_a_second_store_in_the_same_process_is_refused),
        IN_SESSION(test_a_refused_second_store_leaves_the_first_ones_lock),
        IN_SESSION(test_a_log_stays_locked_through_compact),
        IN_SESSION(test_a_second_store_is_refused_under_another_name_of_the_log),
        IN_SESSION(test_what_was_answered_is_there_after_an_interrupt),
        IN_SESSION(test_what_was_answered_is_there_after_a_kill),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
