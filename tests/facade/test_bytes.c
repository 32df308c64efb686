/* Every byte from 0 to 255, in keys and in values, through everything that a store does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session.h"
#include "watchdog.h"

/* What a test does to the store between writing and reading. */
static void do_nothing(struct session *session) {
    (void)session;
}

static void compact(struct session *session) {
    assert_reply(session, "COMPACT", "OK");
}

static void compact_and_reopen(struct session *session) {
    compact(session);
    session_reopen(session);
}

static void reopen_and_compact(struct session *session) {
    session_reopen(session);
    compact(session);
}

static void add_all_bytes(struct blob *bytes) {
    for (unsigned byte = 0; byte < 256; byte++) {
        blob_add_byte(bytes, (unsigned char)byte);
    }
}

/* Carries out "<command> <key> [<value>]" with both words quoted; `value` may have no data. */
static void execute(struct session *session, const char *command, const struct blob *key,
                    const struct blob *value, struct blob *reply) {
    struct blob line = {0};
    blob_print(&line, "%s ", command);
    blob_add_quoted(&line, blob_view(key));
    if (value != NULL) {
        blob_add_byte(&line, ' ');
        blob_add_quoted(&line, blob_view(value));
    }
    session_execute(session, blob_view(&line), reply);
    blob_release(&line);
}

static void set(struct session *session, const struct blob *key, const struct blob *value) {
    struct blob reply = {0};
    execute(session, "SET", key, value, &reply);
    assert_true(blob_equals(&reply, slice_from_string("OK\n")));
    blob_release(&reply);
}

static void assert_value(struct session *session, const struct blob *key,
                         const struct blob *value) {
    struct blob reply = {0};
    struct blob expected = {0};
    blob_add_quoted(&expected, blob_view(value));
    blob_add_byte(&expected, '\n');
    execute(session, "GET", key, NULL, &reply);
    assert_true(blob_equals(&reply, blob_view(&expected)));
    blob_release(&reply);
    blob_release(&expected);
}

/* One key with all bytes, whose value has all bytes. */
static void check_long(struct session *session, void (*between)(struct session *)) {
    struct blob all = {0};
    add_all_bytes(&all);
    set(session, &all, &all);
    between(session);
    assert_value(session, &all, &all);
    assert_reply(session, "COUNT", "(integer) 1");
    blob_release(&all);
}

/* A key of one byte for each byte, whose value is that byte twice. */
static void check_short(struct session *session, void (*between)(struct session *)) {
    struct blob key = {0};
    struct blob value = {0};
    for (int round = 0; round < 2; round++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            blob_clear(&key);
            blob_clear(&value);
            blob_add_byte(&key, (unsigned char)byte);
            blob_add_run(&value, (unsigned char)byte, 2);
            if (round == 0) {
                set(session, &key, &value);
            } else {
                assert_value(session, &key, &value);
            }
        }
        between(session);
    }
    assert_reply(session, "COUNT", "(integer) 256");
    blob_release(&key);
    blob_release(&value);
}

static void test_a_key_and_a_value_of_all_bytes(void **state) {
    check_long(*state, do_nothing);
}

static void test_a_key_and_a_value_of_all_bytes_through_the_log(void **state) {
    check_long(*state, session_reopen);
}

static void test_a_key_and_a_value_of_all_bytes_through_compact(void **state) {
    check_long(*state, compact);
}

static void test_a_key_and_a_value_of_all_bytes_through_compact_and_the_log(void **state) {
    check_long(*state, compact_and_reopen);
}

static void test_each_byte_as_a_key_and_as_a_value(void **state) {
    check_short(*state, do_nothing);
}

static void test_each_byte_as_a_key_and_as_a_value_through_the_log(void **state) {
    check_short(*state, session_reopen);
}

static void test_each_byte_as_a_key_and_as_a_value_through_the_log_and_compact(void **state) {
    check_short(*state, reopen_and_compact);
}

static void test_appended_bytes_of_every_kind_go_through_the_log(void **state) {
    struct blob key = {0};
    struct blob half = {0};
    struct blob whole = {0};
    struct blob reply = {0};
    add_all_bytes(&half);
    add_all_bytes(&whole);
    add_all_bytes(&whole);
    blob_print(&key, "a");
    execute(*state, "APPEND", &key, &half, &reply);
    assert_true(blob_equals(&reply, slice_from_string("(integer) 256\n")));
    execute(*state, "APPEND", &key, &half, &reply);
    assert_true(blob_equals(&reply, slice_from_string("(integer) 512\n")));
    session_reopen(*state);
    assert_value(*state, &key, &whole);
    blob_release(&key);
    blob_release(&half);
    blob_release(&whole);
    blob_release(&reply);
}

/* The reply is pasted exactly as it came, without being understood. */
static void test_the_reply_to_get_can_be_pasted_into_set(void **state) {
    struct blob line = {0};
    struct blob first = {0};
    struct blob second = {0};
    blob_print(&line, "SET a ");
    struct blob all = {0};
    add_all_bytes(&all);
    blob_add_quoted(&line, blob_view(&all));
    session_execute(*state, blob_view(&line), &first);
    session_execute(*state, slice_from_string("GET a"), &first);

    blob_clear(&line);
    blob_print(&line, "SET b ");
    blob_add(&line, first.data, first.length - 1);
    assert_reply_bytes(*state, blob_view(&line), slice_from_string("OK"));
    session_execute(*state, slice_from_string("GET b"), &second);
    assert_true(blob_equals(&second, blob_view(&first)));
    assert_reply(*state, "APPEND b \"\"", "(integer) 256");
    blob_release(&all);
    blob_release(&line);
    blob_release(&first);
    blob_release(&second);
}

static void test_only_printable_ascii_stands_for_itself_in_a_reply(void **state) {
    struct blob line = {0};
    struct blob reply = {0};
    for (unsigned byte = 0; byte < 256; byte++) {
        blob_clear(&line);
        blob_print(&line, "SET a \"\\x%02x\"", byte);
        session_execute(*state, blob_view(&line), &reply);
        session_execute(*state, slice_from_string("GET a"), &reply);
        for (size_t i = 0; i + 1 < reply.length; i++) {
            assert_in_range(reply.data[i], 0x20, 0x7e);
        }
        bool plain = byte >= 0x20 && byte <= 0x7e && byte != '"' && byte != '\\';
        assert_true((reply.length == 4) == plain);
    }
    blob_release(&line);
    blob_release(&reply);
}

static void test_a_key_with_a_line_feed_and_a_blank_survives_in_the_log(void **state) {
    assert_reply(*state, "SET \"two\\nlines and blanks\" 1", "OK");
    session_reopen(*state);
    assert_reply(*state, "GET \"two\\nlines and blanks\"", "\"1\"");
    assert_reply(*state, "COUNT", "(integer) 1");
}

/* Grows beyond what one line can hold; the log's reader has to put the pieces together. */
static void test_a_value_may_become_longer_than_a_line(void **state) {
    struct blob line = {0};
    struct blob value = {0};
    struct blob key = {0};
    struct blob reply = {0};
    blob_print(&key, "a");
    blob_print(&line, "APPEND a ");
    blob_add_run(&line, 0xfe, 1000000);
    for (int i = 0; i < 3; i++) {
        session_execute(*state, blob_view(&line), &reply);
    }
    assert_true(blob_equals(&reply, slice_from_string("(integer) 3000000\n")));
    blob_add_run(&value, 0xfe, 3000000);
    assert_value(*state, &key, &value);
    compact_and_reopen(*state);
    assert_value(*state, &key, &value);
    blob_release(&line);
    blob_release(&value);
    blob_release(&key);
    blob_release(&reply);
}

/* The length is asked for by appending nothing. */
static void test_a_value_cannot_become_longer_than_64_mebibytes(void **state) {
    enum { PIECE = 1024 * 1000, PIECES = 65, REST = 64 * 1024 * 1024 - PIECES * PIECE };
    struct blob line = {0};
    struct blob reply = {0};
    for (int i = 0; i <= PIECES; i++) {
        blob_clear(&line);
        blob_print(&line, "APPEND a ");
        blob_add_run(&line, 'x', i < PIECES ? PIECE : REST);
        session_execute(*state, blob_view(&line), &reply);
    }
    assert_true(blob_equals(&reply, slice_from_string("(integer) 67108864\n")));
    assert_error(*state, "APPEND a x");
    assert_reply(*state, "APPEND a \"\"", "(integer) 67108864");
    session_reopen(*state);
    assert_reply(*state, "APPEND a \"\"", "(integer) 67108864");
    assert_error(*state, "APPEND a x");
    blob_release(&line);
    blob_release(&reply);
}

/* Opens the session's store for longer lines. */
static void allow_long_lines(struct session *session) {
    struct minikv_options options = {.line_limit = (size_t)100 * 1024 * 1024};
    struct error error;
    session_close(session);
    session->kv = minikv_open(session->log, &options, &error);
    assert_non_null(session->kv);
}

static void test_a_key_and_a_value_of_more_than_64_mebibytes_are_refused(void **state) {
    static const char *const commands[] = {"SET", "APPEND"};
    allow_long_lines(*state);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct blob line = {0};
        blob_print(&line, "%s a ", commands[i]);
        size_t blank = line.length - 1;
        blob_add_run(&line, 'x', (size_t)64 * 1024 * 1024 + 1);
        assert_error_bytes(*state, blob_view(&line));
        line.data[blank] = 'x'; /* one long word: the key */
        blob_print(&line, " 1");
        assert_error_bytes(*state, blob_view(&line));
        assert_reply(*state, "COUNT", "(integer) 0");
        blob_release(&line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_a_key_and_a_value_of_all_bytes),
        IN_SESSION(test_a_key_and_a_value_of_all_bytes_through_the_log),
        IN_SESSION(test_a_key_and_a_value_of_all_bytes_through_compact),
        IN_SESSION(test_a_key_and_a_value_of_all_bytes_through_compact_and_the_log),
        IN_SESSION(test_each_byte_as_a_key_and_as_a_value),
        IN_SESSION(test_each_byte_as_a_key_and_as_a_value_through_the_log),
        IN_SESSION(test_each_byte_as_a_key_and_as_a_value_through_the_log_and_compact),
        IN_SESSION(test_appended_bytes_of_every_kind_go_through_the_log),
        IN_SESSION(test_the_reply_to_get_can_be_pasted_into_set),
        IN_SESSION(test_only_printable_ascii_stands_for_itself_in_a_reply),
        IN_SESSION(test_a_key_with_a_line_feed_and_a_blank_survives_in_the_log),
        IN_SESSION(test_a_value_may_become_longer_than_a_line),
        IN_SESSION(test_a_value_cannot_become_longer_than_64_mebibytes),
        IN_SESSION(test_a_key_and_a_value_of_more_than_64_mebibytes_are_refused),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
