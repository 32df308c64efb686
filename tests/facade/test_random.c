/* Random commands against the model: each reply, and after each step the whole content. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "generator.h"
#include "model.h"
#include "program.h"
#include "random.h"
#include "session.h"
#include "tmpdir.h"
#include "watchdog.h"

#define COMMANDS 20000
#define BROKEN_LINES 20000
#define PIPED_COMMANDS 5000

/* Between commands, about once in so many, the store is reopened or backed up. */
#define REOPEN_RARITY 500
#define BACKUP_RARITY 2000

static void fail_on(struct slice line, const struct model_reply *expected, struct slice actual) {
    struct blob text = {0};
    blob_add_quoted(&text, line);
    blob_print(&text, "\nexpected ");
    switch (expected->form) {
    case MODEL_NOTHING:
        blob_print(&text, "nothing");
        break;
    case MODEL_EXACT:
        blob_add_quoted(&text, blob_view(&expected->exact));
        break;
    case MODEL_TEXT:
        blob_print(&text, "a line of text");
        break;
    case MODEL_ERROR:
        blob_print(&text, "an error");
        break;
    }
    blob_print(&text, "\nanswered ");
    blob_add_quoted(&text, actual);
    blob_add_byte(&text, '\0');
    print_error("%s\n", (const char *)text.data);
    blob_release(&text);
    fail();
}

static void check_line(struct session *session, struct model *model, struct slice line) {
    struct model_reply expected = {0};
    struct blob actual = {0};
    model_execute_line(model, line, &expected);
    session_execute(session, line, &actual);
    if (!model_reply_matches(&expected, blob_view(&actual))) {
        fail_on(line, &expected, blob_view(&actual));
    }
    blob_release(&actual);
    model_reply_release(&expected);
}

/* The backup must open and hold the same; the store must go on as if nothing had been. */
static void check_backup(struct session *session, const struct model *model, int number) {
    char name[64];
    snprintf(name, sizeof name, "backups/%d/copy.log", number);
    struct session copy = {.folder = session->folder, .log = tmpdir_path(session->folder, name)};
    struct blob line = {0};
    blob_print(&line, "BACKUP ");
    blob_add_quoted(&line, slice_from_string(copy.log));
    assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
    session_open(&copy);
    session_assert_model(&copy, model);
    session_close(&copy);
    blob_release(&copy.notice);
    blob_release(&line);
    free(copy.log);
}

static void test_random_commands_do_what_the_model_does(void **state) {
    struct session *session = *state;
    struct random random;
    struct model model = {0};
    struct blob line = {0};
    random_init(&random, random_seed("random commands"));
    for (int i = 0; i < COMMANDS; i++) {
        generator_command(&random, &line);
        check_line(session, &model, blob_view(&line));
        if (random_below(&random, REOPEN_RARITY) == 0) {
            session_reopen(session);
            assert_int_equal(session->notice.length, 0);
            session_assert_model(session, &model);
        }
        if (random_below(&random, BACKUP_RARITY) == 0) {
            check_backup(session, &model, i);
        }
    }
    session_assert_model(session, &model);
    session_reopen(session);
    session_assert_model(session, &model);
    blob_release(&line);
    model_release(&model);
}

static void test_broken_lines_do_what_the_model_does(void **state) {
    struct random random;
    struct model model = {0};
    struct blob line = {0};
    random_init(&random, random_seed("broken lines"));
    for (int i = 0; i < BROKEN_LINES; i++) {
        generator_command(&random, &line);
        generator_break_line(&random, &line);
        check_line(*state, &model, blob_view(&line));
    }
    session_reopen(*state);
    session_assert_model(*state, &model);
    blob_release(&line);
    model_release(&model);
}

static void check_piped_replies(struct model *model, const struct blob *lines, struct slice out) {
    struct model_reply expected = {0};
    size_t start = 0;
    for (size_t i = 0; i < lines->length; i++) {
        if (lines->data[i] != '\n') {
            continue;
        }
        struct slice line = slice_from(lines->data + start, i - start);
        model_execute_line(model, line, &expected);
        start = i + 1;
        struct slice reply = {out.data, 0};
        while (expected.form != MODEL_NOTHING && reply.length < out.length &&
               (reply.length == 0 || reply.data[reply.length - 1] != '\n')) {
            reply.length++;
        }
        if (!model_reply_matches(&expected, reply)) {
            fail_on(line, &expected, reply);
        }
        out.data += reply.length;
        out.length -= reply.length;
    }
    assert_int_equal(out.length, 0);
    model_reply_release(&expected);
}

/* The same through the program: lines with either end, all of them sent at once. */
static void test_random_commands_through_a_pipe_do_what_the_model_does(void **state) {
    struct session *session = *state;
    struct random random;
    struct model model = {0};
    struct blob line = {0};
    struct blob lines = {0};
    struct blob input = {0};
    random_init(&random, random_seed("piped commands"));
    for (int i = 0; i < PIPED_COMMANDS; i++) {
        generator_command(&random, &line);
        if (random_below(&random, 4) == 0) {
            generator_break_line(&random, &line);
        }
        blob_add(&lines, line.data, line.length);
        blob_add_byte(&lines, '\n');
        blob_add(&input, line.data, line.length);
        blob_print(&input, "%s", random_below(&random, 2) == 0 ? "\n" : "\r\n");
    }
    session_close(session);
    const char *const arguments[] = {session->log, NULL};
    struct program_result result;
    program_run(program_minikv(), arguments, blob_view(&input), &result);
    assert_int_equal(result.status, 0);
    check_piped_replies(&model, &lines, blob_view(&result.out));
    session_open(session);
    session_assert_model(session, &model);
    program_result_release(&result);
    blob_release(&line);
    blob_release(&lines);
    blob_release(&input);
    model_release(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_random_commands_do_what_the_model_does),
        IN_SESSION(test_broken_lines_do_what_the_model_does),
        IN_SESSION(test_random_commands_through_a_pipe_do_what_the_model_does),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
