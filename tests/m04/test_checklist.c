/*
 * The checklist of exercise m04, as far as a machine can tick it off by what the code does. Calls
 * are counted at link time: the linker turns the copy's calls of bytes_append() from other files
 * into calls of the function below.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#include "bytes.h"
#include "session.h"
#include "watchdog.h"

/* The lengths of two values that are compared. */
enum { SHORT_VALUE = 100, LONGER_VALUE = 300 };

static size_t appends;

bool __real_bytes_append(struct bytes *bytes, struct slice tail);
bool __wrap_bytes_append(struct bytes *bytes, struct slice tail);

bool __wrap_bytes_append(struct bytes *bytes, struct slice tail) {
    appends++;
    return __real_bytes_append(bytes, tail);
}

/* How often one line appends to bytes. */
static size_t count_line(struct session *session, struct slice line) {
    struct buffer buffer;
    buffer_init(&buffer);
    appends = 0;
    minikv_execute(session->kv, line, &buffer);
    buffer_release(&buffer);
    return appends;
}

/* How often SET a does, with a quoted value of that length. */
static size_t count_set(struct session *session, size_t value_length) {
    struct blob line = {0};
    blob_print(&line, "SET a \"");
    blob_add_run(&line, 'v', value_length);
    blob_add_byte(&line, '"');
    size_t count = count_line(session, blob_view(&line));
    blob_release(&line);
    return count;
}

/* How often GET a does, when it finds a value of that length. */
static size_t count_get(struct session *session, size_t value_length) {
    (void)count_set(session, value_length);
    return count_line(session, slice_from_string("GET a"));
}

/* Without it, all counts would be zero and the tests below would pass. */
static void test_appends_are_counted(void **state) {
    assert_true(count_line(*state, slice_from_string("SET a 1")) >= 1);
}

static void test_a_byte_of_a_reply_needs_no_append(void **state) {
    assert_int_equal(count_get(*state, LONGER_VALUE), count_get(*state, SHORT_VALUE));
}

static void test_a_byte_of_a_quoted_word_needs_no_append(void **state) {
    assert_int_equal(count_set(*state, LONGER_VALUE), count_set(*state, SHORT_VALUE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_appends_are_counted),
        IN_SESSION(test_a_byte_of_a_reply_needs_no_append),
        IN_SESSION(test_a_byte_of_a_quoted_word_needs_no_append),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
