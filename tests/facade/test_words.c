/* How a line is taken apart: blanks, quotes, escapes, and what is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session.h"
#include "watchdog.h"

static void test_command_names_are_taken_in_any_case(void **state) {
    assert_reply(*state, "set a 1", "OK");
    assert_reply(*state, "gEt a", "\"1\"");
    assert_reply(*state, "Exists a", "(integer) 1");
    assert_reply(*state, "dEL a", "(integer) 1");
}

static void test_a_command_name_may_be_quoted(void **state) {
    assert_reply(*state, "\"SET\" a 1", "OK");
    assert_reply(*state, "\"g\\x45t\" a", "\"1\"");
}

static void test_words_are_separated_by_any_number_of_spaces_and_tabs(void **state) {
    assert_reply(*state, "  SET \t a\t\t  1  \t", "OK");
    assert_reply(*state, "\tGET\ta\t", "\"1\"");
}

static void test_a_quoted_word_may_hold_blanks(void **state) {
    assert_reply(*state, "SET \"a key\" \" \t a  value \"", "OK");
    assert_reply(*state, "GET \"a key\"", "\" \\t a  value \"");
}

static void test_each_escape_stands_for_its_byte(void **state) {
    assert_reply(*state, "SET a \"\\\"\\\\\\n\\r\\t\\x41\"", "OK");
    assert_reply(*state, "APPEND a \"\"", "(integer) 6");
    assert_reply(*state, "GET a", "\"\\\"\\\\\\n\\r\\tA\"");
}

static void test_hexadecimal_digits_are_taken_in_any_case(void **state) {
    assert_reply(*state, "SET a \"\\xab\\xAB\\xaB\\xAb\"", "OK");
    assert_reply(*state, "GET a", "\"\\xab\\xab\\xab\\xab\"");
}

static void test_exactly_two_hexadecimal_digits_belong_to_an_escape(void **state) {
    assert_reply(*state, "SET a \"\\x4142\"", "OK");
    assert_reply(*state, "GET a", "\"A42\"");
}

static void test_outside_quotes_backslash_and_single_quote_are_plain(void **state) {
    assert_reply(*state, "SET \\n it's\\", "OK");
    assert_reply(*state, "GET \"\\\\n\"", "\"it's\\\\\"");
    assert_reply(*state, "SET 'a \\x41", "OK");
    assert_reply(*state, "GET 'a", "\"\\\\x41\"");
}

static void test_a_bare_and_a_quoted_word_of_the_same_bytes_are_the_same(void **state) {
    assert_reply(*state, "SET key 1", "OK");
    assert_reply(*state, "GET \"key\"", "\"1\"");
    assert_reply(*state, "GET \"\\x6b\\x65\\x79\"", "\"1\"");
}

/* The slice of a literal that has NULs in it. */
#define LITERAL(text) slice_from(text, sizeof text - 1)

static void test_a_nul_in_a_line_is_part_of_its_word(void **state) {
    assert_reply_bytes(*state, LITERAL("SET a\0b 1\0002"), slice_from_string("OK"));
    assert_reply_bytes(*state, LITERAL("GET a\0b"), slice_from_string("\"1\\x002\""));
    assert_reply(*state, "GET \"a\\x00b\"", "\"1\\x002\"");
    assert_reply(*state, "GET a", "(nil)");
}

static void test_a_nul_in_quotes_is_a_byte_like_any_other(void **state) {
    assert_reply_bytes(*state, LITERAL("SET \"\0\" \"\0\0\""), slice_from_string("OK"));
    assert_reply(*state, "GET \"\\x00\"", "\"\\x00\\x00\"");
}

static void test_other_control_bytes_do_not_separate_words(void **state) {
    assert_reply(*state, "SET a\vb\fc\rd 1", "OK");
    assert_reply(*state, "GET \"a\\x0bb\\x0cc\\rd\"", "\"1\"");
}

static void test_bytes_above_ascii_are_plain(void **state) {
    assert_reply(*state, "SET gr\xc3\xbc\xc3\x9f \xff", "OK");
    assert_reply(*state, "GET \"gr\\xc3\\xbc\\xc3\\x9f\"", "\"\\xff\"");
}

/* None of these lines may do anything, whatever their first words say. */
static void test_a_line_with_wrong_quotes_does_nothing(void **state) {
    static const char *const lines[] = {
        "SET a \"",     "SET a \"1",      "SET a \"1\\\"",    "SET a 1\"",
        "SET a 1\"2\"", "SET a \"1\"2",   "SET a \"1\"\"2\"", "SET a \"1\"\\n",
        "SET \"a 1",    "SET \"a\"\"1\"", "SET a 1 \"",       "SET a \"1\\",
        "SET a\" 1",    "SET a\"b\" 1",   "SET a \"\"\"",     "SET a \"1\"\v",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_error(*state, lines[i]);
        assert_reply(*state, "COUNT", "(integer) 0");
    }
}

static void test_a_line_with_a_wrong_escape_does_nothing(void **state) {
    static const char *const lines[] = {
        "SET a \"\\a\"",   "SET a \"\\0\"",     "SET a \"\\N\"",   "SET a \"\\'\"",
        "SET a \"\\ \"",   "SET a \"\\x\"",     "SET a \"\\x4\"",  "SET a \"\\x4g\"",
        "SET a \"\\xg4\"", "SET a \"\\x 4\"",   "SET a \"\\X41\"", "SET a \"\\x-1\"",
        "SET a \"\\x+1\"", "SET a \"\\x",       "SET a \"\\x4",    "SET \"\\q\" 1",
        "SET a 1 \"\\q\"", "SET a \"\\u0041\"",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_error(*state, lines[i]);
        assert_reply(*state, "COUNT", "(integer) 0");
    }
}

static void test_a_wrong_number_of_words_does_nothing(void **state) {
    static const char *const lines[] = {
        "SET",      "SET a",        "SET a 1 2",    "SET a 1 2 3 4 5 6 7 8 9",
        "GET",      "GET a b",      "DEL",          "DEL a b",
        "EXISTS",   "EXISTS a b",   "INCR",         "INCR a 1",
        "APPEND",   "APPEND a",     "APPEND a b c", "COUNT a",
        "STATS a",  "COMPACT a",    "BACKUP",       "BACKUP a b",
        "HELP a b", "HELP SET GET", "QUIT a",       "SET a \"\" \"\"",
    };
    assert_reply(*state, "SET a before", "OK");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_error(*state, lines[i]);
    }
    assert_reply(*state, "GET a", "\"before\"");
    assert_reply(*state, "COUNT", "(integer) 1");
}

static void test_unknown_commands_are_refused(void **state) {
    static const char *const lines[] = {
        "NOSUCH",      "SETT a 1",  "SE a 1", "\"\"",      "\"SET \" a 1", "\"\" a",
        "HELP NOSUCH", "HELP \"\"", "-",      "\\SET a 1", "'SET' a 1",    "\"a\\nb\""};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_error(*state, lines[i]);
    }
    assert_reply(*state, "COUNT", "(integer) 0");
}

/* A NUL ends C strings: a store that compares names as such would take this for GET. */
static void test_a_command_name_with_a_nul_behind_it_is_unknown(void **state) {
    assert_error_bytes(*state, LITERAL("GET\0 a"));
    assert_error_bytes(*state, LITERAL("GET\0X a"));
}

static void test_an_unknown_command_of_any_bytes_is_answered_in_one_line(void **state) {
    struct blob line = {0};
    for (unsigned byte = 0; byte < 256; byte++) {
        blob_clear(&line);
        blob_print(&line, "\"NO\\x%02xSUCH\"", byte);
        assert_error_bytes(*state, blob_view(&line));
    }
    blob_release(&line);
}

static void test_a_very_long_command_name_is_refused(void **state) {
    struct blob line = {0};
    blob_add_run(&line, 'N', 500000);
    assert_error_bytes(*state, blob_view(&line));
    blob_release(&line);
}

static void test_very_many_words_are_refused(void **state) {
    struct blob line = {0};
    blob_print(&line, "GET");
    for (int i = 0; i < 300000; i++) {
        blob_print(&line, " a");
    }
    assert_error_bytes(*state, blob_view(&line));
    blob_release(&line);
    assert_reply(*state, "SET a 1", "OK");
}

/* Makes "SET a xxx..." of `length` bytes. */
static void make_line(struct blob *line, size_t length) {
    blob_clear(line);
    blob_print(line, "SET a ");
    blob_add_run(line, 'x', length - line->length);
}

static void test_a_line_may_be_as_long_as_the_limit_and_no_longer(void **state) {
    struct blob line = {0};
    make_line(&line, MINIKV_LINE_LIMIT + 1);
    assert_error_bytes(*state, blob_view(&line));
    assert_reply(*state, "COUNT", "(integer) 0");
    make_line(&line, MINIKV_LINE_LIMIT);
    assert_reply_bytes(*state, blob_view(&line), slice_from_string("OK"));
    assert_reply(*state, "COUNT", "(integer) 1");
    blob_release(&line);
}

static void test_the_line_limit_can_be_chosen(void **state) {
    struct session *session = *state;
    struct minikv_options options = {.line_limit = 20};
    struct error error;
    struct blob line = {0};
    session_close(session);
    session->kv = minikv_open(session->log, &options, &error);
    assert_non_null(session->kv);
    make_line(&line, 21);
    assert_error_bytes(session, blob_view(&line));
    make_line(&line, 20);
    assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
    blob_release(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_command_names_are_taken_in_any_case),
        IN_SESSION(test_a_command_name_may_be_quoted),
        IN_SESSION(test_words_are_separated_by_any_number_of_spaces_and_tabs),
        IN_SESSION(test_a_quoted_word_may_hold_blanks),
        IN_SESSION(test_each_escape_stands_for_its_byte),
        IN_SESSION(test_hexadecimal_digits_are_taken_in_any_case),
        IN_SESSION(test_exactly_two_hexadecimal_digits_belong_to_an_escape),
        IN_SESSION(test_outside_quotes_backslash_and_single_quote_are_plain),
        IN_SESSION(test_a_bare_and_a_quoted_word_of_the_same_bytes_are_the_same),
        IN_SESSION(test_a_nul_in_a_line_is_part_of_its_word),
        IN_SESSION(test_a_nul_in_quotes_is_a_byte_like_any_other),
        IN_SESSION(test_other_control_bytes_do_not_separate_words),
        IN_SESSION(test_bytes_above_ascii_are_plain),
        IN_SESSION(test_a_line_with_wrong_quotes_does_nothing),
        IN_SESSION(test_a_line_with_a_wrong_escape_does_nothing),
        IN_SESSION(test_a_wrong_number_of_words_does_nothing),
        IN_SESSION(test_unknown_commands_are_refused),
        IN_SESSION(test_a_command_name_with_a_nul_behind_it_is_unknown),
        IN_SESSION(test_an_unknown_command_of_any_bytes_is_answered_in_one_line),
        IN_SESSION(test_a_very_long_command_name_is_refused),
        IN_SESSION(test_very_many_words_are_refused),
        IN_SESSION(test_a_line_may_be_as_long_as_the_limit_and_no_longer),
        IN_SESSION(test_the_line_limit_can_be_chosen),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
