/* Logs that are whole, record by record, and that no store can have written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "die.h"
#include "log.h"
#include "minikv.h"
#include "path.h"
#include "tmpdir.h"
#include "watchdog.h"

static enum log_applied accept(void *context, const struct log_record *record) {
    (void)context;
    (void)record;
    return LOG_APPLIED;
}

/* Writes the records into a new log; returns where the last one starts. */
static size_t write_log(const char *path, const struct log_record *records, size_t count) {
    struct log_recovery recovery;
    struct error error;
    uint64_t start = 0;
    struct log *log = log_open(path, false, accept, NULL, &recovery, &error);
    assert_non_null(log);
    for (size_t i = 0; i < count; i++) {
        start = log_size(log);
        assert_true(log_append(log, &records[i], &error));
    }
    assert_true(log_close(log, &error));
    return (size_t)start;
}

/* A value that has all the bytes that a value may have, and then grows. */
static void test_a_value_that_grows_beyond_the_limit_is_damage(void **state) {
    char *folder = tmpdir_make();
    char *path = tmpdir_path(folder, "test.log");
    unsigned char *longest = calloc(1, LOG_FIELD_MAX);
    if (longest == NULL) {
        die("test_store");
    }
    (void)state;
    const struct slice key = slice_from_string("a");
    const struct log_record records[] = {
        {.op = LOG_SET, .key = key, .value = slice_from(longest, LOG_FIELD_MAX)},
        {.op = LOG_APPEND, .key = key, .value = slice_from(longest, 1)},
    };
    struct error error = {""};
    char place[32];
    snprintf(place, sizeof place, "byte %zu ", write_log(path, records, 2));
    size_t size = path_size(path);
    assert_null(minikv_open(path, NULL, &error));
    assert_non_null(strstr(error.text, place));
    assert_int_equal(path_size(path), size);
    free(longest);
    free(path);
    tmpdir_remove(folder);
}

/* A removal of what is not there, or an append to it, changes nothing or makes it. */
static void test_records_about_missing_keys_are_no_damage(void **state) {
    char *folder = tmpdir_make();
    char *path = tmpdir_path(folder, "test.log");
    (void)state;
    const struct log_record records[] = {
        {.op = LOG_DEL, .key = slice_from_string("a")},
        {.op = LOG_APPEND, .key = slice_from_string("b"), .value = slice_from_string("1")},
    };
    struct error error = {""};
    struct buffer reply;
    char text[32] = "";
    write_log(path, records, 2);
    struct minikv *kv = minikv_open(path, NULL, &error);
    assert_non_null(kv);
    buffer_init(&reply);
    minikv_execute(kv, slice_from_string("GET b"), &reply);
    minikv_execute(kv, slice_from_string("COUNT"), &reply);
    buffer_copy(&reply, 0, sizeof text - 1, text);
    assert_string_equal(text, "\"1\"\n(integer) 1\n");
    buffer_release(&reply);
    assert_true(minikv_close(kv, &error));
    free(path);
    tmpdir_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_value_that_grows_beyond_the_limit_is_damage),
        cmocka_unit_test(test_records_about_missing_keys_are_no_damage),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
