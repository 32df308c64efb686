/* Every command and every form of reply, as docs/protocol.md has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "session.h"
#include "watchdog.h"

static void test_a_value_that_was_set_is_read_back(void **state) {
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "GET a", "\"1\"");
}

static void test_set_replaces_the_value(void **state) {
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "SET a a-longer-value", "OK");
    assert_reply(*state, "GET a", "\"a-longer-value\"");
    assert_reply(*state, "SET a x", "OK");
    assert_reply(*state, "GET a", "\"x\"");
    assert_reply(*state, "COUNT", "(integer) 1");
}

static void test_a_missing_key_is_nil(void **state) {
    assert_reply(*state, "GET a", "(nil)");
}

static void test_keys_are_told_apart_by_every_byte(void **state) {
    assert_reply(*state, "SET key 1", "OK");
    assert_reply(*state, "SET KEY 2", "OK");
    assert_reply(*state, "SET ke 3", "OK");
    assert_reply(*state, "SET keys 4", "OK");
    assert_reply(*state, "SET \"key\\x00\" 5", "OK");
    assert_reply(*state, "GET key", "\"1\"");
    assert_reply(*state, "GET KEY", "\"2\"");
    assert_reply(*state, "GET ke", "\"3\"");
    assert_reply(*state, "GET keys", "\"4\"");
    assert_reply(*state, "GET \"key\\x00\"", "\"5\"");
    assert_reply(*state, "COUNT", "(integer) 5");
}

static void test_the_empty_key_and_the_empty_value_are_like_any_other(void **state) {
    assert_reply(*state, "EXISTS \"\"", "(integer) 0");
    assert_reply(*state, "SET \"\" \"\"", "OK");
    assert_reply(*state, "EXISTS \"\"", "(integer) 1");
    assert_reply(*state, "GET \"\"", "\"\"");
    session_reopen(*state);
    assert_reply(*state, "GET \"\"", "\"\"");
    assert_reply(*state, "APPEND \"\" x", "(integer) 1");
    assert_reply(*state, "GET \"\"", "\"x\"");
    assert_reply(*state, "DEL \"\"", "(integer) 1");
    assert_reply(*state, "GET \"\"", "(nil)");
}

static void test_del_removes_a_key_and_tells_whether_it_was_there(void **state) {
    assert_reply(*state, "DEL a", "(integer) 0");
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "DEL a", "(integer) 1");
    assert_reply(*state, "GET a", "(nil)");
    assert_reply(*state, "DEL a", "(integer) 0");
    assert_reply(*state, "COUNT", "(integer) 0");
}

static void test_exists_tells_whether_a_key_is_there(void **state) {
    assert_reply(*state, "EXISTS a", "(integer) 0");
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "EXISTS a", "(integer) 1");
    assert_reply(*state, "EXISTS b", "(integer) 0");
}

static void test_count_counts_keys_not_writes(void **state) {
    assert_reply(*state, "COUNT", "(integer) 0");
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "SET b 1", "OK");
    assert_reply(*state, "SET a 2", "OK");
    assert_reply(*state, "INCR c", "(integer) 1");
    assert_reply(*state, "APPEND d x", "(integer) 1");
    assert_reply(*state, "COUNT", "(integer) 4");
}

static void test_append_adds_to_the_end(void **state) {
    assert_reply(*state, "APPEND a one", "(integer) 3");
    assert_reply(*state, "APPEND a \" two\"", "(integer) 7");
    assert_reply(*state, "APPEND a \"\"", "(integer) 7");
    assert_reply(*state, "GET a", "\"one two\"");
    session_reopen(*state);
    assert_reply(*state, "GET a", "\"one two\"");
}

static void test_append_of_nothing_makes_an_empty_value(void **state) {
    assert_reply(*state, "APPEND a \"\"", "(integer) 0");
    assert_reply(*state, "EXISTS a", "(integer) 1");
    session_reopen(*state);
    assert_reply(*state, "GET a", "\"\"");
}

static void test_incr_counts_from_zero_and_stores_the_sum(void **state) {
    assert_reply(*state, "INCR n", "(integer) 1");
    assert_reply(*state, "INCR n", "(integer) 2");
    assert_reply(*state, "GET n", "\"2\"");
    session_reopen(*state);
    assert_reply(*state, "INCR n", "(integer) 3");
}

static void test_incr_takes_every_integer_but_the_largest(void **state) {
    assert_reply(*state, "SET n -1", "OK");
    assert_reply(*state, "INCR n", "(integer) 0");
    assert_reply(*state, "SET n -10", "OK");
    assert_reply(*state, "INCR n", "(integer) -9");
    assert_reply(*state, "SET n -9223372036854775808", "OK");
    assert_reply(*state, "INCR n", "(integer) -9223372036854775807");
    assert_reply(*state, "SET n 9223372036854775806", "OK");
    assert_reply(*state, "INCR n", "(integer) 9223372036854775807");
}

static void test_incr_past_the_largest_integer_is_refused(void **state) {
    assert_reply(*state, "SET n 9223372036854775807", "OK");
    assert_error(*state, "INCR n");
    assert_reply(*state, "GET n", "\"9223372036854775807\"");
}

static void test_incr_refuses_what_is_no_integer_in_its_shortest_form(void **state) {
    static const char *const values[] = {
        "\"\"",
        "x",
        "+1",
        "007",
        "00",
        "-0",
        "-",
        "--1",
        "-01",
        "\" 1\"",
        "\"1 \"",
        "\"1\\n\"",
        "\"1\\x00\"",
        "1.0",
        "1e3",
        "0x10",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "18446744073709551617",
        "100000000000000000000000000000000000000000000000000",
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct blob set = {0};
        struct blob before = {0};
        struct blob after = {0};
        blob_print(&set, "SET n %s", values[i]);
        session_execute(*state, blob_view(&set), &before);
        session_execute(*state, slice_from_string("GET n"), &before);
        assert_error(*state, "INCR n");
        session_execute(*state, slice_from_string("GET n"), &after);
        assert_true(blob_equals(&after, blob_view(&before)));
        blob_release(&set);
        blob_release(&before);
        blob_release(&after);
    }
}

static void test_compact_keeps_everything(void **state) {
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "SET a 2", "OK");
    assert_reply(*state, "SET b 3", "OK");
    assert_reply(*state, "DEL b", "(integer) 1");
    assert_reply(*state, "COMPACT", "OK");
    assert_reply(*state, "GET a", "\"2\"");
    assert_reply(*state, "GET b", "(nil)");
    assert_reply(*state, "SET c 4", "OK");
    session_reopen(*state);
    assert_reply(*state, "GET a", "\"2\"");
    assert_reply(*state, "GET b", "(nil)");
    assert_reply(*state, "GET c", "\"4\"");
    assert_reply(*state, "COUNT", "(integer) 2");
}

/* Leaves the line feed out and ends the text with a NUL. */
static const char *reply_text(struct session *session, const char *line, struct blob *reply) {
    session_execute(session, slice_from_string(line), reply);
    assert_true(reply->length > 0);
    assert_ptr_equal(memchr(reply->data, '\n', reply->length), reply->data + reply->length - 1);
    reply->data[reply->length - 1] = '\0';
    return (const char *)reply->data;
}

/* Which counters there are is up to each store, as are their values; their order is not. */
static void test_stats_are_one_line_of_names_and_numbers_in_a_fixed_order(void **state) {
    static const char *const names[] = {"commands", "keyspace_hits", "keyspace_misses",
                                        "compactions"};
    struct blob reply = {0};
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "GET a", "\"1\"");
    assert_reply(*state, "GET b", "(nil)");
    assert_reply(*state, "COMPACT", "OK");
    const char *rest = reply_text(*state, "stats", &reply);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(rest, names[i], length) == 0 && rest[length] == '=') {
            rest += length + 1;
            assert_true(isdigit((unsigned char)*rest));
            rest += strspn(rest, "0123456789");
            rest += *rest == ' ' ? 1 : 0;
        }
    }
    assert_string_equal(rest, "");
    blob_release(&reply);
}

static void test_stats_of_a_fresh_store_are_one_line_too(void **state) {
    struct blob reply = {0};
    assert_int_not_equal(strncmp(reply_text(*state, "STATS", &reply), "ERR", 3), 0);
    blob_release(&reply);
}

static const char *const command_names[] = {"SET",   "GET",   "DEL",     "EXISTS", "INCR", "APPEND",
                                            "COUNT", "STATS", "COMPACT", "BACKUP", "HELP", "QUIT"};

#define COMMAND_NAMES (sizeof command_names / sizeof command_names[0])

static void test_help_names_every_command(void **state) {
    struct blob reply = {0};
    const char *text = reply_text(*state, "HELP", &reply);
    assert_int_not_equal(text[0], '"');
    for (size_t i = 0; i < COMMAND_NAMES; i++) {
        assert_non_null(strstr(text, command_names[i]));
    }
    blob_release(&reply);
}

static void test_help_tells_how_to_use_each_command(void **state) {
    for (size_t i = 0; i < COMMAND_NAMES; i++) {
        struct blob line = {0};
        struct blob reply = {0};
        blob_print(&line, "help %s", command_names[i]);
        blob_add_byte(&line, '\0');
        const char *text = reply_text(*state, (const char *)line.data, &reply);
        assert_non_null(strstr(text, command_names[i]));
        assert_int_not_equal(strncmp(text, "ERR", 3), 0);
        blob_release(&line);
        blob_release(&reply);
    }
}

static void test_help_takes_a_name_in_any_case(void **state) {
    struct blob upper = {0};
    struct blob lower = {0};
    session_execute(*state, slice_from_string("HELP SET"), &upper);
    session_execute(*state, slice_from_string("HELP sEt"), &lower);
    assert_true(blob_equals(&lower, blob_view(&upper)));
    blob_release(&upper);
    blob_release(&lower);
}

static void test_quit_is_answered_and_told_to_the_caller(void **state) {
    struct blob reply = {0};
    assert_int_equal(session_execute(*state, slice_from_string("COUNT"), &reply), MINIKV_CONTINUE);
    assert_int_equal(session_execute(*state, slice_from_string("quit"), &reply), MINIKV_QUIT);
    assert_true(blob_equals(&reply, slice_from_string("OK\n")));
    blob_release(&reply);
}

static void test_quit_with_an_argument_does_not_quit(void **state) {
    struct blob reply = {0};
    assert_int_equal(session_execute(*state, slice_from_string("QUIT now"), &reply),
                     MINIKV_CONTINUE);
    blob_release(&reply);
    assert_error(*state, "QUIT now");
}

static void test_a_blank_line_has_no_reply(void **state) {
    static const char *const lines[] = {"", " ", "\t", " \t  "};
    struct blob reply = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(session_execute(*state, slice_from_string(lines[i]), &reply),
                         MINIKV_CONTINUE);
        assert_int_equal(reply.length, 0);
    }
    blob_release(&reply);
}

static void execute_into(struct session *session, const char *line, struct buffer *buffer) {
    assert_int_equal(minikv_execute(session->kv, slice_from_string(line), buffer), MINIKV_CONTINUE);
}

static void test_replies_are_added_behind_one_another(void **state) {
    static const char expected[] = "OK\n\"1\"\n(nil)\n";
    char actual[sizeof expected] = "";
    struct buffer buffer;
    buffer_init(&buffer);
    execute_into(*state, "SET a 1", &buffer);
    execute_into(*state, "GET a", &buffer);
    execute_into(*state, "GET b", &buffer);
    assert_int_equal(buffer_length(&buffer), sizeof expected - 1);
    buffer_copy(&buffer, 0, sizeof actual, actual);
    assert_memory_equal(actual, expected, sizeof expected - 1);
    buffer_release(&buffer);
}

/* Long enough that a store might think of lending its own bytes instead of copying them. */
static void test_a_reply_outlives_the_value_that_it_shows(void **state) {
    struct session *session = *state;
    struct blob line = {0};
    struct blob expected = {0};
    blob_print(&line, "SET a ");
    blob_add_run(&line, 'x', 100000);
    session_execute(session, blob_view(&line), &expected);

    struct buffer buffer;
    buffer_init(&buffer);
    execute_into(session, "GET a", &buffer);
    assert_reply(session, "SET a 1", "OK");
    assert_reply(session, "DEL a", "(integer) 1");
    assert_reply(session, "COMPACT", "OK");
    session_close(session);

    blob_clear(&expected);
    blob_add_byte(&expected, '"');
    blob_add_run(&expected, 'x', 100000);
    blob_print(&expected, "\"\n");
    assert_int_equal(buffer_length(&buffer), expected.length);
    buffer_copy(&buffer, 0, expected.length, line.data);
    line.length = expected.length;
    assert_true(blob_equals(&line, blob_view(&expected)));
    buffer_release(&buffer);
    blob_release(&line);
    blob_release(&expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_a_value_that_was_set_is_read_back),
        IN_SESSION(test_set_replaces_the_value),
        IN_SESSION(test_a_missing_key_is_nil),
        IN_SESSION(test_keys_are_told_apart_by_every_byte),
        IN_SESSION(test_the_empty_key_and_the_empty_value_are_like_any_other),
        IN_SESSION(test_del_removes_a_key_and_tells_whether_it_was_there),
        IN_SESSION(test_exists_tells_whether_a_key_is_there),
        IN_SESSION(test_count_counts_keys_not_writes),
        IN_SESSION(test_append_adds_to_the_end),
        IN_SESSION(test_append_of_nothing_makes_an_empty_value),
        IN_SESSION(test_incr_counts_from_zero_and_stores_the_sum),
        IN_SESSION(test_incr_takes_every_integer_but_the_largest),
        IN_SESSION(test_incr_past_the_largest_integer_is_refused),
        IN_SESSION(test_incr_refuses_what_is_no_integer_in_its_shortest_form),
        IN_SESSION(test_compact_keeps_everything),
        IN_SESSION(test_stats_are_one_line_of_names_and_numbers_in_a_fixed_order),
        IN_SESSION(test_stats_of_a_fresh_store_are_one_line_too),
        IN_SESSION(test_help_names_every_command),
        IN_SESSION(test_help_tells_how_to_use_each_command),
        IN_SESSION(test_help_takes_a_name_in_any_case),
        IN_SESSION(test_quit_is_answered_and_told_to_the_caller),
        IN_SESSION(test_quit_with_an_argument_does_not_quit),
        IN_SESSION(test_a_blank_line_has_no_reply),
        IN_SESSION(test_replies_are_added_behind_one_another),
        IN_SESSION(test_a_reply_outlives_the_value_that_it_shows),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
