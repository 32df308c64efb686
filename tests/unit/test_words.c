/*
 * How a line is taken apart into words.
 *
 * Only where words.h is the baseline's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "alloc.h"
#include "blob.h"
#include "generator.h"
#include "random.h"
#include "watchdog.h"
#include "words.h"

/* The words of `line`, each in brackets; or what is wrong with it. */
static void describe(struct slice line, struct blob *description) {
    struct words words;
    switch (words_split(line, &words)) {
    case WORDS_OK:
        for (size_t i = 0; i < words.count; i++) {
            blob_print(description, "[");
            blob_add(description, words.items[i].data, words.items[i].length);
            blob_print(description, "]");
        }
        words_release(&words);
        break;
    case WORDS_UNBALANCED_QUOTES:
        blob_print(description, "unbalanced quotes");
        break;
    case WORDS_BAD_ESCAPE:
        blob_print(description, "bad escape");
        break;
    default:
        blob_print(description, "neither words nor a mistake in them");
    }
}

static void assert_words_of(struct slice line, struct slice expected) {
    struct blob actual = {0};
    describe(line, &actual);
    if (!blob_equals(&actual, expected)) {
        fail_msg("<%.*s> became %.*s", (int)line.length, (const char *)line.data,
                 (int)actual.length, (const char *)actual.data);
    }
    blob_release(&actual);
}

static void assert_words(const char *line, const char *expected) {
    assert_words_of(slice_from_string(line), slice_from_string(expected));
}

#define UNBALANCED "unbalanced quotes"
#define BAD_ESCAPE "bad escape"

static void test_words_are_separated_by_blanks(void **state) {
    (void)state;
    assert_words("SET a 1", "[SET][a][1]");
    assert_words(" \t SET \t\t a\t1 \t", "[SET][a][1]");
    assert_words("SET", "[SET]");
}

static void test_a_line_may_have_no_words(void **state) {
    (void)state;
    assert_words("", "");
    assert_words(" \t ", "");
    assert_words_of(slice_from(NULL, 0), slice_from_string(""));
}

static void test_very_many_words(void **state) {
    (void)state;
    struct blob line = {0};
    struct blob expected = {0};
    for (int i = 0; i < 10000; i++) {
        blob_print(&line, "%d ", i);
        blob_print(&expected, "[%d]", i);
    }
    assert_words_of(blob_view(&line), blob_view(&expected));
    blob_release(&line);
    blob_release(&expected);
}

static void test_outside_quotes_every_other_byte_stands_for_itself(void **state) {
    (void)state;
    assert_words("a\\n 'b' \\x41", "[a\\n]['b'][\\x41]");
    struct blob line = {0};
    struct blob expected = {0};
    blob_print(&expected, "[");
    for (int byte = 0; byte <= UINT8_MAX; byte++) {
        if (strchr(" \t\"", byte) == NULL || byte == '\0') {
            blob_add_byte(&line, (unsigned char)byte);
            blob_add_byte(&expected, (unsigned char)byte);
        }
    }
    blob_print(&expected, "]");
    assert_words_of(blob_view(&line), blob_view(&expected));
    blob_release(&line);
    blob_release(&expected);
}

static void test_in_quotes_every_byte_but_two_stands_for_itself(void **state) {
    (void)state;
    assert_words("\"a b\" \"\" \" \t\"", "[a b][][ \t]");
    for (int byte = 0; byte <= UINT8_MAX; byte++) {
        const char line[] = {'"', (char)byte, '"'};
        const char expected[] = {'[', (char)byte, ']'};
        if (byte != '"' && byte != '\\') {
            assert_words_of(slice_from(line, 3), slice_from(expected, 3));
        }
    }
}

static void test_escapes_stand_for_their_bytes(void **state) {
    (void)state;
    assert_words("\"\\\"\\\\\\n\\r\\t\"", "[\"\\\n\r\t]");
    assert_words("\"a\\x41\\x7a\\x7Az\"", "[aAzzz]");
    assert_words_of(slice_from_string("\"\\x00\\xff\\xFF\\xaB\""),
                    slice_from("[\0\xff\xff\xab]", 6));
}

static void test_every_value_in_hexadecimal(void **state) {
    (void)state;
    for (unsigned value = 0; value <= UINT8_MAX; value++) {
        struct blob line = {0};
        const char expected[] = {'[', (char)value, ']'};
        blob_print(&line, value % 2 == 0 ? "\"\\x%02x\"" : "\"\\x%02X\"", value);
        assert_words_of(blob_view(&line), slice_from(expected, 3));
        blob_release(&line);
    }
}

static void test_every_other_escape_is_a_mistake(void **state) {
    (void)state;
    for (int byte = 0; byte <= UINT8_MAX; byte++) {
        const char line[] = {'"', '\\', (char)byte, '4', '1', '"'};
        if (byte == 0 || strchr("\"\\nrtx", byte) == NULL) {
            assert_words_of(slice_from(line, sizeof line), slice_from_string(BAD_ESCAPE));
        }
    }
    assert_words("\"\\x\"", BAD_ESCAPE);
    assert_words("\"\\x4\"", BAD_ESCAPE);
    assert_words("\"\\x4g\"", BAD_ESCAPE);
    assert_words("\"\\xg4\"", BAD_ESCAPE);
    assert_words("\"\\x 4\"", BAD_ESCAPE);
    assert_words("\"\\x-4\"", BAD_ESCAPE);
}

static void test_quotes_that_do_not_match_are_a_mistake(void **state) {
    (void)state;
    assert_words("\"", UNBALANCED);
    assert_words("a \"", UNBALANCED);
    assert_words("\"a", UNBALANCED);
    assert_words("\"a\\\"", UNBALANCED);
    assert_words("\"a\\", UNBALANCED);
    assert_words("a\"b\"", UNBALANCED);
    assert_words("a\"", UNBALANCED);
    assert_words("\"a\"b", UNBALANCED);
    assert_words("\"a\"\"b\"", UNBALANCED);
    assert_words("\"\"\"", UNBALANCED);
}

static void test_the_first_mistake_counts(void **state) {
    (void)state;
    assert_words("a \"\\q\" \"", BAD_ESCAPE);
    assert_words("a b\" \"\\q\"", UNBALANCED);
}

static void test_next_takes_one_word_at_a_time(void **state) {
    (void)state;
    const char *line = " one \"t w o\"\tthree ";
    struct slice rest = slice_from_string(line);
    static const char *const expected[] = {"one", "t w o", "three"};
    for (size_t i = 0; i < 3; i++) {
        struct bytes word;
        assert_int_equal(words_next(&rest, &word), WORDS_OK);
        assert_true(slice_equal(bytes_view(&word), slice_from_string(expected[i])));
        bytes_release(&word);
        assert_ptr_equal(rest.data + rest.length, line + strlen(line));
    }
    struct bytes word;
    assert_int_equal(words_next(&rest, &word), WORDS_END);
    assert_int_equal(words_next(&rest, &word), WORDS_END);
}

static void test_next_takes_words_before_a_mistake(void **state) {
    (void)state;
    struct slice rest = slice_from_string("one \"two");
    struct bytes word;
    assert_int_equal(words_next(&rest, &word), WORDS_OK);
    bytes_release(&word);
    assert_int_equal(words_next(&rest, &word), WORDS_UNBALANCED_QUOTES);
}

static void test_words_are_copies(void **state) {
    (void)state;
    char line[] = "one \"two\"";
    struct words words;
    assert_int_equal(words_split(slice_from_string(line), &words), WORDS_OK);
    memset(line, '#', sizeof line - 1);
    assert_int_equal(words.count, 2);
    assert_true(slice_equal(bytes_view(&words.items[0]), slice_from_string("one")));
    assert_true(slice_equal(bytes_view(&words.items[1]), slice_from_string("two")));
    words_release(&words);
    assert_int_equal(words.count, 0);
    words_release(&words);
}

static void test_words_typed_in_any_way_are_read_back(void **state) {
    (void)state;
    struct random random;
    random_init(&random, random_seed("words"));
    for (int i = 0; i < 20000; i++) {
        struct blob line = {0};
        struct blob expected = {0};
        for (size_t count = random_below(&random, 5); count > 0; count--) {
            struct blob word = {0};
            for (size_t length = random_below(&random, 10); length > 0; length--) {
                blob_add_byte(&word, (unsigned char)random_next(&random));
            }
            generator_type_word(&random, blob_view(&word), &line);
            blob_add(&line, " ", 1);
            blob_print(&expected, "[");
            blob_add(&expected, word.data, word.length);
            blob_print(&expected, "]");
            blob_release(&word);
        }
        assert_words_of(blob_view(&line), blob_view(&expected));
        blob_release(&line);
        blob_release(&expected);
    }
}

static void test_lines_of_any_bytes_are_words_or_a_mistake(void **state) {
    (void)state;
    static const char alphabet[] = "\"\"\"\\\\ \tnrtx4fQ";
    struct random random;
    random_init(&random, random_seed("words, any bytes"));
    for (int i = 0; i < 100000; i++) {
        char line[16];
        size_t length = random_below(&random, sizeof line + 1);
        for (size_t j = 0; j < length; j++) {
            line[j] = alphabet[random_below(&random, sizeof alphabet)]; /* its NUL too */
        }
        struct words words;
        enum words_result result = words_split(slice_from(line, length), &words);
        assert_in_set(
            result, ((const unsigned long[]){WORDS_OK, WORDS_UNBALANCED_QUOTES, WORDS_BAD_ESCAPE}),
            3);
        if (result == WORDS_OK) {
            words_release(&words);
        }
    }
}

static void test_memory_may_run_out(void **state) {
    (void)state;
    struct slice line = slice_from_string("a long \"\\x00 quoted word\" b c d e \"f\" g");
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct words words;
        alloc_fail(n, 1);
        enum words_result result = words_split(line, &words);
        alloc_stop();
        assert_int_equal(result, alloc_failed() ? WORDS_NO_MEMORY : WORDS_OK);
        if (result == WORDS_OK) {
            assert_int_equal(words.count, 9);
            words_release(&words);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_are_separated_by_blanks),
        cmocka_unit_test(test_a_line_may_have_no_words),
        cmocka_unit_test(test_very_many_words),
        cmocka_unit_test(test_outside_quotes_every_other_byte_stands_for_itself),
        cmocka_unit_test(test_in_quotes_every_byte_but_two_stands_for_itself),
        cmocka_unit_test(test_escapes_stand_for_their_bytes),
        cmocka_unit_test(test_every_value_in_hexadecimal),
        cmocka_unit_test(test_every_other_escape_is_a_mistake),
        cmocka_unit_test(test_quotes_that_do_not_match_are_a_mistake),
        cmocka_unit_test(test_the_first_mistake_counts),
        cmocka_unit_test(test_next_takes_one_word_at_a_time),
        cmocka_unit_test(test_next_takes_words_before_a_mistake),
        cmocka_unit_test(test_words_are_copies),
        cmocka_unit_test(test_words_typed_in_any_way_are_read_back),
        cmocka_unit_test(test_lines_of_any_bytes_are_words_or_a_mistake),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
