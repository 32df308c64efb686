/*
 * Commands for which memory runs out: no reply, an error, or the right reply, but never a wrong
 * one; and the store holds what it held before or what it should hold after, in memory as on disk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc.h"
#include "dump.h"
#include "session.h"
#include "watchdog.h"

/* Adds what the store says of the keys that the commands here are about. */
static void describe(struct session *session, struct blob *description) {
    static const char *const questions[] = {"GET a", "GET n", "GET new", "COUNT"};
    struct blob reply = {0};
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        session_execute(session, slice_from_string(questions[i]), &reply);
        blob_add(description, reply.data, reply.length);
    }
    blob_release(&reply);
}

/* Everything in the store goes back to a known state. */
static void reset(struct session *session) {
    assert_reply(session, "SET a \"a value \\x00\"", "OK");
    assert_reply(session, "SET n 41", "OK");
    struct blob reply = {0};
    session_execute(session, slice_from_string("DEL new"), &reply);
    blob_release(&reply);
}

/* What the command says, and what it makes of the store, when memory does not run out. */
struct outcome {
    struct blob reply;
    struct blob before;
    struct blob after;
};

static void find_outcome(struct session *session, const char *line, struct outcome *outcome) {
    *outcome = (struct outcome){0};
    reset(session);
    describe(session, &outcome->before);
    session_execute(session, slice_from_string(line), &outcome->reply);
    describe(session, &outcome->after);
}

static void release_outcome(struct outcome *outcome) {
    blob_release(&outcome->reply);
    blob_release(&outcome->before);
    blob_release(&outcome->after);
}

static bool starts_with(struct slice bytes, const char *start) {
    size_t length = strlen(start);
    return bytes.length >= length && memcmp(bytes.data, start, length) == 0;
}

/* Judges the reply to a command during which memory may have run out, and what it left behind. */
static void check(struct session *session, const struct outcome *outcome, enum minikv_result result,
                  const struct buffer *reply) {
    unsigned char text[4096];
    struct slice said = slice_from(text, buffer_copy(reply, 0, sizeof text, text));
    struct blob now = {0};
    describe(session, &now);
    bool as_before = blob_equals(&now, blob_view(&outcome->before));
    bool as_after = blob_equals(&now, blob_view(&outcome->after));
    if (result == MINIKV_NO_REPLY) {
        assert_int_equal(said.length, 0);
        assert_true(alloc_failed());
        assert_true(as_before || as_after);
    } else if (blob_equals(&outcome->reply, said)) {
        assert_true(as_after);
    } else {
        assert_true(starts_with(said, "ERR ") && said.data[said.length - 1] == '\n');
        assert_true(alloc_failed());
        assert_true(as_before);
    }
    struct blob reopened = {0};
    session_reopen(session);
    assert_int_equal(session->notice.length, 0);
    describe(session, &reopened);
    assert_true(blob_equals(&now, blob_view(&reopened)));
    blob_release(&reopened);
    blob_release(&now);
}

/* Lets each allocation of the command fail in its turn: it alone, or it and all that follow. */
static void check_command(struct session *session, const char *line, size_t failures) {
    struct outcome outcome;
    find_outcome(session, line, &outcome);
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct buffer reply;
        buffer_init(&reply);
        reset(session);
        alloc_fail(n, failures);
        enum minikv_result result = minikv_execute(session->kv, slice_from_string(line), &reply);
        alloc_stop();
        check(session, &outcome, result, &reply);
        buffer_release(&reply);
    }
    release_outcome(&outcome);
}

static void test_every_command_without_memory(void **state) {
    static const char *const lines[] = {
        "GET a",
        "GET missing",
        "\"GET\" \"a\"",
        "SET a 2",
        "SET new \"a longer value, to take more than one step \\xff\"",
        "DEL a",
        "DEL missing",
        "EXISTS a",
        "INCR n",
        "INCR a",
        "INCR new",
        "APPEND a \"and more, so that the value has to grow beyond its room\"",
        "APPEND new more",
        "COUNT",
        "COMPACT",
        "HELP",
        "HELP set",
        "HELP nothing",
        "QUIT",
        "nothing \"\\x00\"",
        "SET a",
        "SET a \"",
        "SET a \"\\q\"",
        "\"\"",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        check_command(*state, lines[i], 1);
        check_command(*state, lines[i], SIZE_MAX);
    }
}

/* A reply of its own kind: its numbers may differ, so only its form is looked at. */
static void test_stats_without_memory(void **state) {
    struct session *session = *state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct buffer reply;
        unsigned char text[4096];
        buffer_init(&reply);
        alloc_fail(n, 1);
        enum minikv_result result = minikv_execute(session->kv, slice_from_string("STATS"), &reply);
        alloc_stop();
        size_t length = buffer_copy(&reply, 0, sizeof text, text);
        assert_true(result == MINIKV_NO_REPLY ? length == 0 : text[length - 1] == '\n');
        assert_true(result != MINIKV_NO_REPLY || alloc_failed());
        buffer_release(&reply);
    }
}

/* Lets each allocation of `line`, a GET, fail in its turn: its reply is whole, an error or none. */
static void check_get(struct session *session, const char *line) {
    struct blob expected = {0};
    session_execute(session, slice_from_string(line), &expected);
    unsigned char *text = malloc(expected.length);
    assert_non_null(text);
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct buffer reply;
        buffer_init(&reply);
        alloc_fail(n, 1);
        enum minikv_result result = minikv_execute(session->kv, slice_from_string(line), &reply);
        alloc_stop();
        size_t copied = buffer_copy(&reply, 0, expected.length, text);
        if (result == MINIKV_NO_REPLY) {
            assert_int_equal(buffer_length(&reply), 0);
        } else if (!starts_with(slice_from(text, copied), "ERR ")) {
            assert_int_equal(buffer_length(&reply), expected.length);
            assert_memory_equal(text, expected.data, expected.length);
        }
        buffer_release(&reply);
    }
    free(text);
    blob_release(&expected);
}

static void test_long_values_without_memory(void **state) {
    struct blob line = {0};
    blob_print(&line, "SET long ");
    blob_add_run(&line, 'x', 100000);
    assert_reply_bytes(*state, blob_view(&line), slice_from_string("OK"));
    check_get(*state, "GET long");
    blob_release(&line);
}

/* A quoted reply grows byte by byte; at some length, each byte of an escape is the one too many. */
static void test_escapes_without_memory(void **state) {
    static const char *const escapes[] = {"\\\\", "\\\"", "\\n", "\\x00"};
    static const char plain[] = "0123456789012345678901234567890123456789";
    struct session *session = *state;
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        for (size_t length = 0; length < sizeof plain; length++) {
            struct blob line = {0};
            blob_print(&line, "SET a \"%.*s%s\"", (int)length, plain, escapes[i]);
            assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
            check_get(session, "GET a");
            blob_release(&line);
        }
    }
}

/* The command's reply, an error or none stands behind the `before` bytes that were there. */
static void check_reply_behind(struct session *session, size_t before, size_t failing) {
    struct buffer reply;
    unsigned char text[4096];
    buffer_init(&reply);
    for (size_t i = 0; i < before; i++) {
        assert_true(buffer_append(&reply, slice_from_string("x")));
    }
    alloc_fail(failing, 1);
    enum minikv_result result = minikv_execute(session->kv, slice_from_string("COUNT"), &reply);
    alloc_stop();
    struct slice said =
        slice_from(text + before, buffer_copy(&reply, 0, sizeof text, text) - before);
    assert_true(before == 0 || text[before - 1] == 'x');
    if (result == MINIKV_NO_REPLY) {
        assert_int_equal(said.length, 0);
    } else if (!slice_equal(said, slice_from_string("(integer) 0\n"))) {
        assert_true(starts_with(said, "ERR ") && said.data[said.length - 1] == '\n');
    }
    buffer_release(&reply);
}

/* Replies gather in one buffer, whose room may end at each byte of them. */
static void test_a_reply_without_memory_leaves_those_before_it(void **state) {
    for (size_t before = 0; before < 1024; before++) {
        for (size_t n = 0; alloc_goes_on(n); n++) {
            check_reply_behind(*state, before, n);
        }
    }
}

static void test_opening_without_memory(void **state) {
    struct session *session = *state;
    struct blob before = {0};
    struct blob after = {0};
    reset(session);
    assert_reply(session, "APPEND a more", "(integer) 13");
    assert_reply(session, "DEL n", "(integer) 1");
    describe(session, &before);
    session_close(session);
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct error error = {""};
        alloc_fail(n, 1);
        session->kv = minikv_open(session->log, NULL, &error);
        alloc_stop();
        assert_true((session->kv == NULL) == (error.text[0] != '\0'));
        if (session->kv != NULL) {
            blob_clear(&after);
            describe(session, &after);
            assert_true(blob_equals(&after, blob_view(&before)));
            session_close(session);
        }
    }
    session_open(session);
    blob_release(&before);
    blob_release(&after);
}

/* All records and true; or the first of them, and false with the reason. */
static void test_dumping_without_memory(void **state) {
    static const char all[] = "SET \"a\" \"a value \\x00\"\nSET \"n\" \"41\"\n";
    struct session *session = *state;
    reset(session);
    session_close(session);
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct error error = {""};
        char text[1024] = "";
        FILE *out = fmemopen(text, sizeof text, "w");
        FILE *notes = tmpfile();
        assert_non_null(out);
        assert_non_null(notes);
        alloc_fail(n, 1);
        bool dumped = dump_log(session->log, out, notes, &error);
        alloc_stop();
        assert_int_equal(fclose(out), 0);
        assert_int_equal(fclose(notes), 0);
        assert_true(dumped == (error.text[0] == '\0'));
        assert_true(dumped ? strcmp(text, all) == 0 : alloc_failed());
    }
    session_open(session);
}

#define IN_SESSION(test) cmocka_unit_test_setup_teardown(test, session_setup, session_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_every_command_without_memory),
        IN_SESSION(test_stats_without_memory),
        IN_SESSION(test_long_values_without_memory),
        IN_SESSION(test_escapes_without_memory),
        IN_SESSION(test_a_reply_without_memory_leaves_those_before_it),
        IN_SESSION(test_opening_without_memory),
        IN_SESSION(test_dumping_without_memory),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
