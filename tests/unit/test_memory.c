/* What each module does when memory runs out: refuses, and is as it was before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "alloc.h"
#include "blob.h"
#include "buffer.h"
#include "dirs.h"
#include "index.h"
#include "lines.h"
#include "log.h"
#include "rate.h"
#include "template.h"
#include "tmpdir.h"
#include "watchdog.h"

static void test_buffer_alloc(void **state) {
    (void)state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct buffer buffer;
        buffer_init(&buffer);
        for (size_t length = 1; length < 5000; length *= 3) {
            size_t before = buffer_length(&buffer);
            alloc_fail(n, 1);
            unsigned char *place = buffer_alloc(&buffer, length);
            alloc_stop();
            assert_int_equal(buffer_length(&buffer), before + (place != NULL ? length : 0));
            if (place == NULL) {
                place = buffer_alloc(&buffer, length);
                assert_non_null(place);
            }
            memset(place, 'x', length);
            assert_ptr_equal(buffer_peek(&buffer, before).data, place);
        }
        buffer_release(&buffer);
    }
}

/* Behind external bytes, which the internal ones cannot be a part of. */
static void test_room_that_could_not_be_used_is_used_next(void **state) {
    (void)state;
    char external[] = "external";
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct buffer buffer;
        buffer_init(&buffer);
        unsigned char *first = buffer_alloc(&buffer, 4);
        assert_non_null(first);
        assert_true(buffer_append_external(&buffer, external, 8, NULL));
        alloc_fail(n, 1);
        unsigned char *place = buffer_alloc(&buffer, 3);
        alloc_stop();
        if (place == NULL) {
            place = buffer_alloc(&buffer, 3);
        }
        assert_ptr_equal(place, first + 4);
        buffer_release(&buffer);
    }
}

static void test_buffer_appends(void **state) {
    (void)state;
    char external[] = "external";
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct buffer buffer;
        char content[20] = "";
        buffer_init(&buffer);
        alloc_fail(n, 1);
        bool one = buffer_append(&buffer, slice_from_string("one"));
        bool two = buffer_append_external(&buffer, external, 8, NULL);
        bool three = buffer_append(&buffer, slice_from_string("three"));
        alloc_stop();
        char expected[20] = "";
        strcat(expected, one ? "one" : "");
        strcat(expected, two ? "external" : "");
        strcat(expected, three ? "three" : "");
        assert_int_equal(buffer_copy(&buffer, 0, sizeof content - 1, content), strlen(expected));
        assert_string_equal(content, expected);
        assert_int_equal(buffer_length(&buffer), strlen(expected));
        buffer_release(&buffer);
    }
}

static void test_template_compile(void **state) {
    (void)state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        alloc_fail(n, 1);
        struct template *compiled = template_compile("ERR '@name', try HELP");
        alloc_stop();
        assert_true((compiled == NULL) == alloc_failed());
        template_free(compiled);
    }
}

static void check_render(const char *source, struct slice value, const char *expected) {
    struct template *compiled = template_compile(source);
    assert_non_null(compiled);
    const struct template_value values[] = {{"name", value}};
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct text text = {.data = source, .length = 12345};
        alloc_fail(n, 1);
        enum template_result result = template_render(compiled, values, 1, &text);
        alloc_stop();
        if (result == TEMPLATE_OK) {
            assert_true(
                slice_equal(slice_from(text.data, text.length), slice_from_string(expected)));
            text_release(&text);
        } else {
            assert_int_equal(result, TEMPLATE_NO_MEMORY);
            assert_ptr_equal(text.data, source);
        }
    }
    template_free(compiled);
}

static void test_template_render(void **state) {
    (void)state;
    check_render("plain", slice_from_string("x"), "plain");
    check_render("a long text that takes more than one step: @name",
                 slice_from("\n1234567890123456789012345678901234567890", 41),
                 "a long text that takes more than one step: "
                 "\\x0a1234567890123456789012345678901234567890");
    check_render("@name@name", slice_from("\n\n\n\n", 4),
                 "\\x0a\\x0a\\x0a\\x0a\\x0a\\x0a\\x0a\\x0a");
}

static void test_rate(void **state) {
    (void)state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        alloc_fail(n, 1);
        struct rate *rate = rate_new(1000000);
        size_t noted = 0;
        for (uint64_t now = 0; rate != NULL && now < 1000; now++) {
            size_t count;
            if (rate_update(rate, now, &count)) {
                noted++;
                assert_int_equal(count, noted);
            } else {
                assert_true(alloc_failed());
            }
        }
        alloc_stop();
        assert_true(rate == NULL || noted >= 999);
        rate_free(rate);
    }
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* With memory for `n` allocations and no more, and with all but one. */
static void check_dirs(const char *path, size_t n, size_t failures) {
    struct error error = {""};
    alloc_fail(n, failures);
    bool ensured = dirs_ensure(path, &error);
    alloc_stop();
    assert_true(ensured || error.text[0] != '\0');
    assert_true(!ensured || is_folder(path));
}

static void test_dirs(void **state) {
    (void)state;
    char *folder = tmpdir_make();
    char *path = tmpdir_path(folder, "a/b/c");
    char *above = tmpdir_path(folder, "a/b");
    char *file = tmpdir_path(folder, "file");
    char *behind_file = tmpdir_path(folder, "file/x/y");
    blob_write_file(file, "", 0);
    for (size_t failures = 1; failures <= 1000; failures += 999) {
        for (size_t n = 0; alloc_goes_on(n); n++) {
            check_dirs(path, n, failures);
            (void)rmdir(path); /* whichever of them were made */
            (void)rmdir(above);
        }
        for (size_t n = 0; alloc_goes_on(n); n++) {
            check_dirs(folder, n, failures);
        }
        for (size_t n = 0; alloc_goes_on(n); n++) {
            check_dirs(behind_file, n, failures);
            assert_false(is_folder(file));
        }
    }
    free(path);
    free(above);
    free(file);
    free(behind_file);
    tmpdir_remove(folder);
}

static void test_lines(void **state) {
    (void)state;
    if (!alloc_can_fail()) {
        skip();
    }
    int ends[2];
    struct slice line;
    struct lines lines;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "line\n", 5), 5);
    lines_init(&lines, ends[0], 100);
    alloc_fail(0, 1);
    errno = 0;
    enum lines_result result = lines_fill(&lines);
    alloc_stop();
    assert_int_equal(result, LINES_FAILED);
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(lines_fill(&lines), LINES_OK);
    assert_true(lines_next(&lines, &line));
    assert_true(slice_equal(line, slice_from_string("line")));
    lines_release(&lines);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
}

static void test_a_new_index(void **state) {
    (void)state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        alloc_fail(n, 1);
        struct index *index = index_new();
        alloc_stop();
        assert_true((index == NULL) == alloc_failed());
        index_free(index);
    }
}

typedef bool (*prepare_change)(struct index *index, struct slice key, struct slice value,
                               struct index_change *change);

static void check_prepare(prepare_change prepare, struct slice key) {
    struct index *index = index_new();
    struct index_change change;
    assert_non_null(index);
    assert_true(index_prepare_set(index, slice_from_string("a"), slice_from_string("1"), &change));
    index_commit(index, &change);
    for (size_t n = 0; alloc_goes_on(n); n++) {
        alloc_fail(n, 1);
        bool prepared = prepare(index, key, slice_from_string("a value of some length"), &change);
        alloc_stop();
        assert_true(prepared == !alloc_failed());
        if (prepared) {
            index_abandon(&change);
        }
        assert_int_equal(index_count(index), 1);
        assert_true(slice_equal(bytes_view(index_find(index, slice_from_string("a"))),
                                slice_from_string("1")));
    }
    index_free(index);
}

static void test_index_changes(void **state) {
    (void)state;
    check_prepare(index_prepare_set, slice_from_string("a"));
    check_prepare(index_prepare_set, slice_from_string("b"));
    check_prepare(index_prepare_append, slice_from_string("a"));
    check_prepare(index_prepare_append, slice_from_string("b"));
}

/* A commit cannot fail, so a table that finds no memory to grow goes on with what it has. */
static void test_an_index_that_cannot_grow(void **state) {
    (void)state;
    enum { KEYS = 500 };
    struct index *index = index_new();
    assert_non_null(index);
    for (size_t i = 0; i < KEYS; i++) {
        struct index_change change;
        struct slice key = slice_from(&i, sizeof i);
        assert_true(index_prepare_set(index, key, key, &change));
        alloc_fail(0, i < KEYS - 1 ? SIZE_MAX : 0); /* the last one can, and catches up */
        index_commit(index, &change);
        alloc_stop();
    }
    assert_int_equal(index_count(index), KEYS);
    for (size_t i = 0; i < KEYS; i++) {
        struct slice key = slice_from(&i, sizeof i);
        const struct bytes *value = index_find(index, key);
        assert_non_null(value);
        assert_true(slice_equal(bytes_view(value), key));
    }
    index_free(index);
}

/* A log of one record in a folder of its own. */
struct log_fixture {
    char *folder;
    char *path;
    char *copy;
    size_t shown;
    struct log_recovery recovery;
    struct error error;
};

static enum log_applied count_record(void *context, const struct log_record *record) {
    struct log_fixture *fixture = context;
    (void)record;
    fixture->shown++;
    return LOG_APPLIED;
}

static struct log *open_log(struct log_fixture *fixture) {
    fixture->shown = 0;
    fixture->error.text[0] = '\0';
    return log_open(fixture->path, false, count_record, fixture, &fixture->recovery,
                    &fixture->error);
}

static bool write_record(struct log *log, struct error *error) {
    struct log_record record = {LOG_SET, slice_from_string("key"), slice_from_string("value")};
    return log_append(log, &record, error);
}

static void close_log(struct log *log) {
    struct error error;
    assert_true(log_close(log, &error));
}

static int setup_log(void **state) {
    struct log_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->folder = tmpdir_make();
    fixture->path = tmpdir_path(fixture->folder, "test.log");
    fixture->copy = tmpdir_path(fixture->folder, "copy.log");
    struct log *log = open_log(fixture);
    assert_non_null(log);
    assert_true(write_record(log, &fixture->error));
    close_log(log);
    *state = fixture;
    return 0;
}

static int teardown_log(void **state) {
    struct log_fixture *fixture = *state;
    free(fixture->path);
    free(fixture->copy);
    tmpdir_remove(fixture->folder);
    free(fixture);
    return 0;
}

/* There are `count` records in the log, and no other file beside it. */
static void assert_holds_records(struct log_fixture *fixture, size_t count) {
    struct log *log = open_log(fixture);
    assert_non_null(log);
    assert_int_equal(fixture->shown, count);
    assert_int_equal(fixture->recovery.cut_bytes, 0);
    close_log(log);
}

static void test_opening_a_log(void **state) {
    struct log_fixture *fixture = *state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        alloc_fail(n, 1);
        struct log *log = open_log(fixture);
        alloc_stop();
        if (log != NULL) {
            assert_int_equal(fixture->shown, 1);
            close_log(log);
        } else {
            assert_string_not_equal(fixture->error.text, "");
        }
    }
    assert_holds_records(fixture, 1);
}

static void test_making_a_log(void **state) {
    struct log_fixture *fixture = *state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        (void)unlink(fixture->path);
        alloc_fail(n, 1);
        struct log *log = open_log(fixture);
        alloc_stop();
        if (log != NULL) {
            close_log(log);
        } else {
            assert_string_not_equal(fixture->error.text, "");
        }
        assert_holds_records(fixture, 0);
    }
}

static void test_reading_a_log(void **state) {
    struct log_fixture *fixture = *state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        fixture->shown = 0;
        fixture->error.text[0] = '\0';
        alloc_fail(n, 1);
        bool read =
            log_read(fixture->path, count_record, fixture, &fixture->recovery, &fixture->error);
        alloc_stop();
        assert_true(read ? fixture->shown == 1 : fixture->error.text[0] != '\0');
    }
}

/* Unlike a write that fails, one that was never tried leaves the log as good as before. */
static void test_writing_a_record(void **state) {
    struct log_fixture *fixture = *state;
    size_t count = 1;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct log *log = open_log(fixture);
        assert_non_null(log);
        fixture->error.text[0] = '\0';
        alloc_fail(n, 1);
        bool written = write_record(log, &fixture->error);
        alloc_stop();
        assert_true(written || fixture->error.text[0] != '\0');
        assert_true(write_record(log, &fixture->error));
        count += written ? 2 : 1;
        close_log(log);
        assert_holds_records(fixture, count);
    }
}

static bool next_pair(void *context, struct slice *key, struct slice *value) {
    size_t *left = context;
    *key = slice_from_string("key");
    *value = slice_from_string("value");
    return (*left)-- > 0;
}

/* Only where the last step fails is the new log in place, and takes no more writes. */
static void test_compacting_a_log(void **state) {
    struct log_fixture *fixture = *state;
    size_t count = 1;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        struct log *log = open_log(fixture);
        assert_non_null(log);
        size_t left = 20000;
        fixture->error.text[0] = '\0';
        alloc_fail(n, 1);
        bool compacted = log_compact(log, next_pair, &left, &fixture->error);
        alloc_stop();
        assert_true(compacted || fixture->error.text[0] != '\0');
        bool writes = write_record(log, &fixture->error);
        assert_true(writes || !compacted);
        count = compacted || !writes ? 20000 : count;
        count += writes;
        close_log(log);
        assert_holds_records(fixture, count);
    }
}

static void test_copying_into_a_log(void **state) {
    struct log_fixture *fixture = *state;
    for (size_t n = 0; alloc_goes_on(n); n++) {
        size_t left = 20000;
        fixture->error.text[0] = '\0';
        alloc_fail(n, 1);
        bool copied = log_write_copy(fixture->copy, next_pair, &left, &fixture->error);
        alloc_stop();
        assert_true(copied || fixture->error.text[0] != '\0');
        assert_true(copied == (access(fixture->copy, F_OK) == 0));
    }
    assert_int_equal(unlink(fixture->copy), 0);
    assert_int_equal(unlink(fixture->path), 0);
    assert_int_equal(rmdir(fixture->folder), 0); /* nothing else was left there */
    assert_int_equal(mkdir(fixture->folder, 0700), 0);
}

#define WITH_LOG(test) cmocka_unit_test_setup_teardown(test, setup_log, teardown_log)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffer_alloc),
        cmocka_unit_test(test_room_that_could_not_be_used_is_used_next),
        cmocka_unit_test(test_buffer_appends),
        cmocka_unit_test(test_template_compile),
        cmocka_unit_test(test_template_render),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_dirs),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_a_new_index),
        cmocka_unit_test(test_index_changes),
        cmocka_unit_test(test_an_index_that_cannot_grow),
        WITH_LOG(test_opening_a_log),
        WITH_LOG(test_making_a_log),
        WITH_LOG(test_reading_a_log),
        WITH_LOG(test_writing_a_record),
        WITH_LOG(test_compacting_a_log),
        WITH_LOG(test_copying_into_a_log),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
