/* Error texts: one sentence, of bounded length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <string.h>

#include <cmocka.h>

#include "error.h"

static void test_a_text_is_formatted(void **state) {
    (void)state;
    struct error error;
    memset(&error, 'x', sizeof error);
    error_set(&error, "%s at byte %d", "damaged", 42);
    assert_string_equal(error.text, "damaged at byte 42");
}

static void test_the_reason_of_the_system_is_added(void **state) {
    (void)state;
    struct error error;
    char expected[sizeof error.text] = "cannot open 'demo.log': ";
    strcat(expected, strerror(ENOENT));
    errno = EIO;
    error_set_system(&error, ENOENT, "cannot open '%s'", "demo.log");
    assert_string_equal(error.text, expected);
}

static void test_a_long_text_is_cut_at_its_end(void **state) {
    (void)state;
    struct error error;
    char text[2 * sizeof error.text];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    error_set(&error, "%s", text);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_memory_equal(error.text, text, sizeof error.text - 1);
}

static void test_the_reason_stays_however_long_the_text_is(void **state) {
    (void)state;
    struct error error;
    const char *reason = strerror(ENOSPC);
    for (size_t length = 400; length < 600; length++) {
        char text[600];
        memset(text, 'a', length);
        text[length] = '\0';
        error_set_system(&error, ENOSPC, "%s", text);
        size_t cut = strlen(error.text) - strlen(reason);
        assert_true(strlen(error.text) < sizeof error.text);
        assert_string_equal(error.text + cut, reason);
        assert_memory_equal(error.text + cut - 2, ": ", 2);
        assert_memory_equal(error.text, text, cut - 2);
        assert_true(cut - 2 == length || strlen(error.text) == sizeof error.text - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_text_is_formatted),
        cmocka_unit_test(test_the_reason_of_the_system_is_added),
        cmocka_unit_test(test_a_long_text_is_cut_at_its_end),
        cmocka_unit_test(test_the_reason_stays_however_long_the_text_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
