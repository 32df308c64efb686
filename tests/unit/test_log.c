/*
 * The log on disk: what is written, what is read back, and what becomes of a file that a crash or
 * an accident has changed. docs/log-format.md is the reference for every byte here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "blob.h"
#include "crc32c.h"
#include "log.h"
#include "tmpdir.h"
#include "watchdog.h"

/* --- The format, a second time ------------------------------------------------------------- */

#define HEADER_SIZE 20
#define OVERHEAD 25

static void add_number(struct blob *blob, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) {
        blob_add_byte(blob, (unsigned char)(number >> (8 * i)));
    }
}

static void add_header(struct blob *file, uint64_t id) {
    blob_add(file, "minikv\0\1", 8);
    add_number(file, id, 8);
    add_number(file, crc32c(0, file->data, 16), 4);
}

/* A record for the log with that id, with lengths as they should be, or not. */
static void add_record_lengths(struct blob *file, uint64_t id, uint64_t number, int op,
                               struct slice key, struct slice value, uint64_t key_length,
                               uint64_t value_length) {
    struct blob covered = {0};
    uint32_t body = crc32c(crc32c(0, key.data, key.length), value.data, value.length);
    add_number(&covered, id, 8);
    add_number(&covered, body, 4);
    add_number(&covered, number, 8);
    add_number(&covered, key_length, 4);
    add_number(&covered, value_length, 4);
    blob_add_byte(&covered, (unsigned char)op);
    add_number(file, crc32c(0, covered.data, covered.length), 4);
    blob_add(file, covered.data + 8, covered.length - 8);
    blob_add(file, key.data, key.length);
    blob_add(file, value.data, value.length);
    blob_release(&covered);
}

static void add_record(struct blob *file, uint64_t id, uint64_t number, int op, const char *key,
                       const char *value) {
    add_record_lengths(file, id, number, op, slice_from_string(key), slice_from_string(value),
                       strlen(key), strlen(value));
}

/* --- One log and what was read from it ----------------------------------------------------- */

struct fixture {
    char *folder;
    char *path;
    struct blob shown; /* every record that was shown, as a line of text */
    size_t stop_after; /* the number of records after which apply() gives `stop_with` */
    enum log_applied stop_with;
    struct log_recovery recovery;
    struct error error;
};

static int setup(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->folder = tmpdir_make();
    fixture->path = tmpdir_path(fixture->folder, "test.log");
    fixture->stop_after = SIZE_MAX;
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    blob_release(&fixture->shown);
    free(fixture->path);
    tmpdir_remove(fixture->folder);
    free(fixture);
    return 0;
}

static void print_record(struct blob *text, enum log_op op, struct slice key, struct slice value) {
    static const char *const names[] = {"?", "SET", "DEL", "APPEND"};
    blob_print(text, "%s ", names[op]);
    blob_add_quoted(text, key);
    blob_print(text, " ");
    blob_add_quoted(text, value);
    blob_print(text, "\n");
}

static enum log_applied show(void *context, const struct log_record *record) {
    struct fixture *fixture = context;
    if (fixture->stop_after == 0) {
        return fixture->stop_with;
    }
    fixture->stop_after--;
    print_record(&fixture->shown, record->op, record->key, record->value);
    return LOG_APPLIED;
}

/* Opens the log at `path`; NULL where that is refused, and then the reason must have been set. */
static struct log *try_open(struct fixture *fixture, const char *path) {
    blob_clear(&fixture->shown);
    fixture->error.text[0] = '\0';
    struct log *log = log_open(path, false, show, fixture, &fixture->recovery, &fixture->error);
    assert_true(log != NULL || fixture->error.text[0] != '\0');
    return log;
}

static struct log *open_log(struct fixture *fixture) {
    struct log *log = try_open(fixture, fixture->path);
    if (log == NULL) {
        fail_msg("refused: %s", fixture->error.text);
    }
    return log;
}

static void close_log(struct log *log) {
    struct error error;
    assert_true(log_close(log, &error));
}

static bool read_log(struct fixture *fixture) {
    blob_clear(&fixture->shown);
    fixture->error.text[0] = '\0';
    return log_read(fixture->path, show, fixture, &fixture->recovery, &fixture->error);
}

static bool append(struct log *log, enum log_op op, const char *key, const char *value,
                   struct error *error) {
    struct log_record record = {op, slice_from_string(key), slice_from_string(value)};
    return log_append(log, &record, error);
}

static void write_record(struct log *log, enum log_op op, const char *key, const char *value) {
    struct error error = {""};
    if (!append(log, op, key, value, &error)) {
        fail_msg("not written: %s", error.text);
    }
}

static void assert_shown(const struct fixture *fixture, const char *expected) {
    if (!blob_equals(&fixture->shown, slice_from_string(expected))) {
        fail_msg("shown was:\n%.*s", (int)fixture->shown.length, (const char *)fixture->shown.data);
    }
}

static void assert_recovered(const struct fixture *fixture, uint64_t records, uint64_t end,
                             uint64_t cut_bytes) {
    assert_int_equal(fixture->recovery.records, records);
    assert_int_equal(fixture->recovery.end, end);
    assert_int_equal(fixture->recovery.cut_bytes, cut_bytes);
}

static void write_file(const struct fixture *fixture, const struct blob *content) {
    blob_write_file(fixture->path, content->data, content->length);
}

static void assert_file_is(const char *path, const struct blob *expected) {
    struct blob content = {0};
    blob_read_file(&content, path);
    assert_true(blob_equals(&content, blob_view(expected)));
    blob_release(&content);
}

/* The file in the fixture's place is refused by log_open(), for the reason, and left alone. */
static void assert_refused(struct fixture *fixture, const struct blob *file, const char *reason) {
    assert_null(try_open(fixture, fixture->path));
    if (strstr(fixture->error.text, reason) == NULL) {
        fail_msg("the reason is not \"%s\": %s", reason, fixture->error.text);
    }
    assert_file_is(fixture->path, file);
}

static void assert_damaged(struct fixture *fixture, const struct blob *file, size_t offset) {
    char reason[64];
    snprintf(reason, sizeof reason, " byte %zu ", offset);
    assert_refused(fixture, file, reason);
}

/* --- Writing and reading back -------------------------------------------------------------- */

static void test_a_new_log_is_a_header(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    assert_recovered(fixture, 0, 0, 0);
    assert_int_equal(log_size(log), HEADER_SIZE);
    struct blob file = {0};
    blob_read_file(&file, fixture->path);
    assert_int_equal(file.length, HEADER_SIZE);
    assert_memory_equal(file.data, "minikv\0\1", 8);
    uint64_t id = 0;
    for (int i = 7; i >= 0; i--) {
        id = id << 8 | file.data[8 + i];
    }
    struct blob expected = {0};
    add_header(&expected, id);
    assert_true(blob_equals(&file, blob_view(&expected)));
    close_log(log);
    assert_file_is(fixture->path, &expected);
    blob_release(&file);
    blob_release(&expected);
}

static void test_every_byte_is_as_documented(void **state) {
    struct fixture *fixture = *state;
    const uint64_t id = UINT64_C(0x0123456789abcdef);
    struct blob file = {0};
    add_header(&file, id);
    write_file(fixture, &file);
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    write_record(log, LOG_DEL, "a", "");
    write_record(log, LOG_APPEND, "", "xy");
    assert_int_equal(log_size(log), HEADER_SIZE + 3 * OVERHEAD + 5);
    close_log(log);
    add_record(&file, id, 1, 1, "a", "1");
    add_record(&file, id, 2, 2, "a", "");
    add_record(&file, id, 3, 3, "", "xy");
    assert_file_is(fixture->path, &file);
    blob_release(&file);
}

static void test_records_are_shown_in_their_order(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    write_record(log, LOG_APPEND, "a", "2");
    write_record(log, LOG_DEL, "a", "");
    write_record(log, LOG_SET, "", "");
    uint64_t size = log_size(log);
    close_log(log);
    log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\nAPPEND \"a\" \"2\"\nDEL \"a\" \"\"\nSET \"\" \"\"\n");
    assert_recovered(fixture, 4, size, 0);
    assert_int_equal(log_size(log), size);

    write_record(log, LOG_SET, "b", "2");
    close_log(log);
    log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\nAPPEND \"a\" \"2\"\nDEL \"a\" \"\"\nSET \"\" \"\"\n"
                          "SET \"b\" \"2\"\n");
    close_log(log);
}

static void test_key_and_value_may_hold_every_byte(void **state) {
    struct fixture *fixture = *state;
    unsigned char all[256];
    for (size_t i = 0; i < sizeof all; i++) {
        all[i] = (unsigned char)i;
    }
    struct log *log = open_log(fixture);
    struct log_record record = {LOG_SET, slice_from(all, 256), slice_from(all, 255)};
    assert_true(log_append(log, &record, &fixture->error));
    close_log(log);
    struct blob expected = {0};
    print_record(&expected, LOG_SET, slice_from(all, 256), slice_from(all, 255));
    log = open_log(fixture);
    assert_true(blob_equals(&fixture->shown, blob_view(&expected)));
    close_log(log);
    blob_release(&expected);
}

/* Larger than any piece in which the log is read or written. */
static void test_long_records(void **state) {
    struct fixture *fixture = *state;
    struct blob value = {0};
    struct blob expected = {0};
    struct log *log = open_log(fixture);
    for (size_t i = 0; i < 5; i++) {
        blob_clear(&value);
        blob_add_run(&value, (unsigned char)('a' + i), 900000 * i + 17);
        struct log_record record = {LOG_SET, slice_from_string("k"), blob_view(&value)};
        assert_true(log_append(log, &record, &fixture->error));
        print_record(&expected, LOG_SET, record.key, record.value);
    }
    close_log(log);
    log = open_log(fixture);
    assert_true(blob_equals(&fixture->shown, blob_view(&expected)));
    close_log(log);
    blob_release(&value);
    blob_release(&expected);
}

static void test_records_that_are_synced(void **state) {
    struct fixture *fixture = *state;
    struct log *log =
        log_open(fixture->path, true, show, fixture, &fixture->recovery, &fixture->error);
    assert_non_null(log);
    write_record(log, LOG_SET, "a", "1");
    close_log(log);
    log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\n");
    close_log(log);
}

static void test_a_log_that_memory_cannot_hold_is_refused(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    write_record(log, LOG_SET, "b", "2");
    close_log(log);
    struct blob file = {0};
    blob_read_file(&file, fixture->path);
    fixture->stop_after = 1;
    fixture->stop_with = LOG_NO_MEMORY;
    assert_refused(fixture, &file, "memory");
    blob_release(&file);
}

static void test_a_record_that_makes_no_sense_is_damage(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    size_t end = (size_t)log_size(log);
    write_record(log, LOG_SET, "b", "2");
    close_log(log);
    struct blob file = {0};
    blob_read_file(&file, fixture->path);
    fixture->stop_after = 1;
    fixture->stop_with = LOG_IMPOSSIBLE;
    assert_damaged(fixture, &file, end);
    assert_recovered(fixture, 1, end, 0);
    blob_release(&file);
}

/* --- A log whose records are known, and what may happen to it ------------------------------ */

#define RECORDS 5
#define ID UINT64_C(1234567890123456789)

static const struct {
    int op;
    const char *key;
    const char *value;
} records[RECORDS] = {
    {1, "a", "1"}, {3, "key", " and more"}, {1, "", ""}, {2, "a", ""}, {1, "last", "value"},
};

/* The file, and where each record ends; ends[0] is the end of the header. */
static void make_log(struct blob *file, size_t ends[RECORDS + 1]) {
    add_header(file, ID);
    ends[0] = file->length;
    for (size_t i = 0; i < RECORDS; i++) {
        add_record(file, ID, i + 1, records[i].op, records[i].key, records[i].value);
        ends[i + 1] = file->length;
    }
}

static void assert_shows_first(const struct fixture *fixture, size_t count) {
    struct blob expected = {0};
    for (size_t i = 0; i < count; i++) {
        print_record(&expected, (enum log_op)records[i].op, slice_from_string(records[i].key),
                     slice_from_string(records[i].value));
    }
    assert_true(blob_equals(&fixture->shown, blob_view(&expected)));
    blob_release(&expected);
}

/*
 * `file` has lost all behind its first `count` records, which end at `end`: opening cuts it there,
 * reading does not touch it, and the next record is written right behind.
 */
static void check_is_cut(struct fixture *fixture, const struct blob *file, size_t count,
                         size_t end) {
    write_file(fixture, file);
    assert_true(read_log(fixture));
    assert_shows_first(fixture, count);
    assert_recovered(fixture, count, end, file->length - end);
    assert_file_is(fixture->path, file);

    struct log *log = open_log(fixture);
    assert_shows_first(fixture, count);
    assert_recovered(fixture, count, end, file->length - end);
    assert_int_equal(log_size(log), end);
    write_record(log, LOG_SET, "new", "1");
    close_log(log);
    struct blob expected = {0};
    blob_add(&expected, file->data, end);
    add_record(&expected, ID, count + 1, 1, "new", "1");
    assert_file_is(fixture->path, &expected);
    blob_release(&expected);
}

static size_t count_whole(const size_t ends[RECORDS + 1], size_t length) {
    size_t count = 0;
    while (count < RECORDS && ends[count + 1] <= length) {
        count++;
    }
    return count;
}

static void test_a_log_cut_at_every_byte(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    size_t ends[RECORDS + 1];
    make_log(&file, ends);
    for (size_t length = file.length; length >= ends[0]; length--) {
        file.length = length;
        size_t count = count_whole(ends, length);
        check_is_cut(fixture, &file, count, ends[count]);
    }
    blob_release(&file);
}

static void test_zeros_behind_the_last_record(void **state) {
    struct fixture *fixture = *state;
    static const size_t counts[] = {1, OVERHEAD - 1, OVERHEAD, OVERHEAD + 1, 4096, 1000000};
    struct blob file = {0};
    size_t ends[RECORDS + 1];
    make_log(&file, ends);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        file.length = ends[RECORDS];
        blob_add_run(&file, 0, counts[i]);
        check_is_cut(fixture, &file, RECORDS, ends[RECORDS]);
    }
    blob_release(&file);
}

static void test_a_flipped_bit_in_the_last_record_cuts_it(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    size_t ends[RECORDS + 1];
    make_log(&file, ends);
    for (size_t at = ends[RECORDS - 1]; at < file.length; at++) {
        file.data[at] ^= 0x10;
        check_is_cut(fixture, &file, RECORDS - 1, ends[RECORDS - 1]);
        file.data[at] ^= 0x10;
    }
    blob_release(&file);
}

static void test_every_flipped_bit_before_the_last_record_is_damage(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    size_t ends[RECORDS + 1];
    make_log(&file, ends);
    for (size_t at = ends[0]; at < ends[RECORDS - 1]; at++) {
        for (unsigned bit = 1; bit <= 0x80; bit <<= 1) {
            size_t count = count_whole(ends, at);
            file.data[at] = (unsigned char)(file.data[at] ^ bit);
            write_file(fixture, &file);
            assert_damaged(fixture, &file, ends[count]);
            assert_shows_first(fixture, count);
            assert_false(read_log(fixture));
            assert_shows_first(fixture, count);
            assert_recovered(fixture, count, ends[count], 0);
            file.data[at] = (unsigned char)(file.data[at] ^ bit);
        }
    }
    blob_release(&file);
}

static void test_every_flipped_bit_in_the_header_is_refused(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    size_t ends[RECORDS + 1];
    make_log(&file, ends);
    for (size_t at = 0; at < ends[0]; at++) {
        for (unsigned bit = 1; bit <= 0x80; bit <<= 1) {
            file.data[at] = (unsigned char)(file.data[at] ^ bit);
            write_file(fixture, &file);
            assert_refused(fixture, &file, "");
            assert_shows_first(fixture, 0);
            file.data[at] = (unsigned char)(file.data[at] ^ bit);
        }
    }
    blob_release(&file);
}

/* Takes `removed` bytes out at `at`, and puts `zeros` in. */
static void splice(struct blob *file, size_t at, size_t removed, size_t zeros) {
    struct blob rest = {0};
    blob_add(&rest, file->data + at + removed, file->length - at - removed);
    file->length = at;
    blob_add_run(file, 0, zeros);
    blob_add(file, rest.data, rest.length);
    blob_release(&rest);
}

static void test_zeros_before_a_record_are_damage(void **state) {
    struct fixture *fixture = *state;
    size_t ends[RECORDS + 1];
    for (size_t record = 0; record < RECORDS - 1; record++) {
        for (size_t zeros = 1; zeros <= 5000; zeros = zeros * 4 + 1) {
            struct blob file = {0};
            make_log(&file, ends);
            splice(&file, ends[record], 0, zeros);
            write_file(fixture, &file);
            assert_damaged(fixture, &file, ends[record]);
            blob_release(&file);
        }
    }
}

/* Up to where the last record, which must stay whole, begins. */
static void test_bytes_missing_anywhere_are_damage(void **state) {
    struct fixture *fixture = *state;
    size_t ends[RECORDS + 1];
    static const size_t counts[] = {1, 20, OVERHEAD, OVERHEAD + 2};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (size_t at = HEADER_SIZE;; at++) {
            struct blob file = {0};
            make_log(&file, ends);
            bool enough = at + counts[i] <= ends[RECORDS - 1];
            if (enough) {
                splice(&file, at, counts[i], 0);
                write_file(fixture, &file);
                assert_damaged(fixture, &file, ends[count_whole(ends, at)]);
            }
            blob_release(&file);
            if (!enough) {
                break;
            }
        }
    }
}

static void test_a_record_that_stands_twice_is_damage(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    add_header(&file, ID);
    add_record(&file, ID, 1, 1, "a", "1");
    size_t end = file.length;
    add_record(&file, ID, 1, 1, "a", "1");
    add_record(&file, ID, 2, 1, "b", "2");
    write_file(fixture, &file);
    assert_refused(fixture, &file, "");
    assert_recovered(fixture, 1, end, 0);
    blob_release(&file);
}

static void test_records_of_another_log_are_none_here(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    size_t ends[RECORDS + 1];
    make_log(&file, ends);
    for (uint64_t number = RECORDS + 1; number < RECORDS + 5; number++) {
        add_record(&file, ID + 1, number, 1, "foreign", "value");
    }
    check_is_cut(fixture, &file, RECORDS, ends[RECORDS]);
    blob_release(&file);
}

static void test_a_record_beyond_the_limits_is_none(void **state) {
    struct fixture *fixture = *state;
    static const struct {
        int op;
        uint64_t key_length;
        uint64_t value_length;
    } wrong[] = {
        {0, 1, 1},
        {4, 1, 1},
        {255, 1, 1},
        {1, LOG_FIELD_MAX + 1, 1},
        {1, 1, LOG_FIELD_MAX + 1},
        {1, UINT32_MAX, UINT32_MAX},
        {1, 1, LOG_FIELD_MAX},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct blob file = {0};
        size_t ends[RECORDS + 1];
        make_log(&file, ends);
        add_record_lengths(&file, ID, RECORDS + 1, wrong[i].op, slice_from_string("k"),
                           slice_from_string("v"), wrong[i].key_length, wrong[i].value_length);
        check_is_cut(fixture, &file, RECORDS, ends[RECORDS]);
        blob_release(&file);
    }
}

/* --- Beginnings ---------------------------------------------------------------------------- */

static void check_starts_afresh(struct fixture *fixture, const struct blob *file) {
    write_file(fixture, file);
    assert_true(read_log(fixture));
    assert_recovered(fixture, 0, 0, file->length);
    assert_file_is(fixture->path, file);

    struct log *log = open_log(fixture);
    assert_recovered(fixture, 0, 0, file->length);
    assert_int_equal(log_size(log), HEADER_SIZE);
    write_record(log, LOG_SET, "a", "1");
    close_log(log);
    log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\n");
    assert_recovered(fixture, 1, HEADER_SIZE + OVERHEAD + 2, 0);
    close_log(log);
}

static void test_a_creation_that_was_cut_short(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    add_header(&file, ID);
    for (size_t length = 0; length < HEADER_SIZE; length++) {
        file.length = length;
        check_starts_afresh(fixture, &file);
    }
    memset(file.data, 0, HEADER_SIZE);
    for (size_t length = 1; length <= HEADER_SIZE; length++) {
        file.length = length;
        check_starts_afresh(fixture, &file);
    }
    blob_release(&file);
}

static void test_a_file_that_is_no_log_is_left_alone(void **state) {
    struct fixture *fixture = *state;
    static const char *const contents[] = {
        "x",
        "m!",
        "minikv",
        "Dear diary, today I will not write much",
        "minikv is what this text is about, so it starts like a log",
    };
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        struct blob file = {0};
        blob_print(&file, "%s", contents[i]);
        if (strcmp(contents[i], "minikv") == 0) {
            blob_print(&file, "!");
        }
        write_file(fixture, &file);
        assert_refused(fixture, &file, fixture->path);
        assert_false(read_log(fixture));
        blob_release(&file);
    }
}

static void test_another_version_is_told(void **state) {
    struct fixture *fixture = *state;
    struct blob file = {0};
    size_t ends[RECORDS + 1];
    make_log(&file, ends);
    file.data[7] = 2;
    write_file(fixture, &file);
    assert_refused(fixture, &file, "version");
    assert_false(read_log(fixture));
    assert_non_null(strstr(fixture->error.text, "version"));
    blob_release(&file);
}

static void test_what_is_no_regular_file_is_refused(void **state) {
    struct fixture *fixture = *state;
    assert_null(try_open(fixture, fixture->folder));
    assert_int_equal(mkfifo(fixture->path, 0600), 0);
    assert_null(try_open(fixture, fixture->path));
    assert_false(read_log(fixture));
}

static void test_a_log_in_no_folder_is_refused(void **state) {
    struct fixture *fixture = *state;
    char *path = tmpdir_path(fixture->folder, "missing/test.log");
    assert_null(try_open(fixture, path));
    assert_non_null(strstr(fixture->error.text, strerror(ENOENT)));
    free(path);
}

/* --- One at a time ------------------------------------------------------------------------- */

static void assert_in_use(struct fixture *fixture, const char *path) {
    assert_null(try_open(fixture, path));
    assert_non_null(strstr(fixture->error.text, "in use"));
    assert_shows_first(fixture, 0);
}

static void test_a_second_open_is_refused(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    assert_in_use(fixture, fixture->path);
    write_record(log, LOG_SET, "b", "2");
    assert_in_use(fixture, fixture->path);
    close_log(log);
    log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\nSET \"b\" \"2\"\n");
    close_log(log);
}

static void test_a_second_process_is_refused(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct log *second =
            log_open(fixture->path, false, show, fixture, &fixture->recovery, &fixture->error);
        _exit(second == NULL && strstr(fixture->error.text, "in use") != NULL ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close_log(log);
}

static void test_a_second_name_of_the_log_is_refused_too(void **state) {
    struct fixture *fixture = *state;
    char *name = tmpdir_path(fixture->folder, "link");
    assert_int_equal(symlink("test.log", name), 0);
    struct log *log = open_log(fixture);
    assert_in_use(fixture, name);
    close_log(log);
    free(name);
}

static void test_reading_needs_no_lock_and_takes_none(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    assert_true(read_log(fixture));
    assert_shown(fixture, "SET \"a\" \"1\"\n");
    assert_in_use(fixture, fixture->path);
    write_record(log, LOG_SET, "b", "2");
    assert_true(read_log(fixture));
    assert_shown(fixture, "SET \"a\" \"1\"\nSET \"b\" \"2\"\n");
    close_log(log);
}

static void test_reading_makes_nothing(void **state) {
    struct fixture *fixture = *state;
    assert_false(read_log(fixture));
    assert_non_null(strstr(fixture->error.text, strerror(ENOENT)));
    assert_int_not_equal(access(fixture->path, F_OK), 0);
}

/* --- New logs in old places ---------------------------------------------------------------- */

/* A log_source of `count` pairs that are all alike but for a number. */
struct pairs {
    size_t next;
    size_t count;
    char key[32];
    char value[32];
};

static bool next_pair(void *context, struct slice *key, struct slice *value) {
    struct pairs *pairs = context;
    if (pairs->next == pairs->count) {
        return false;
    }
    pairs->next++;
    snprintf(pairs->key, sizeof pairs->key, "k%zu", pairs->next);
    snprintf(pairs->value, sizeof pairs->value, "v%zu", pairs->next);
    *key = slice_from_string(pairs->key);
    *value = slice_from_string(pairs->value);
    return true;
}

static void assert_shows_pairs(const struct fixture *fixture, size_t count) {
    struct pairs pairs = {.count = count};
    struct blob expected = {0};
    struct slice key;
    struct slice value;
    while (next_pair(&pairs, &key, &value)) {
        print_record(&expected, LOG_SET, key, value);
    }
    assert_true(blob_equals(&fixture->shown, blob_view(&expected)));
    blob_release(&expected);
}

static void compact(struct log *log, size_t count) {
    struct pairs pairs = {.count = count};
    struct error error = {""};
    if (!log_compact(log, next_pair, &pairs, &error)) {
        fail_msg("not compacted: %s", error.text);
    }
}

static bool is_missing(const struct fixture *fixture, const char *name) {
    char *path = tmpdir_path(fixture->folder, name);
    bool missing = access(path, F_OK) != 0;
    free(path);
    return missing;
}

static void test_compaction_leaves_what_it_is_given(void **state) {
    struct fixture *fixture = *state;
    static const size_t counts[] = {0, 1, 3, 50000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct log *log = open_log(fixture);
        write_record(log, LOG_SET, "old", "value");
        compact(log, counts[i]);
        assert_true(is_missing(fixture, "test.log.compact-tmp"));
        uint64_t size = log_size(log);
        close_log(log);

        log = open_log(fixture);
        assert_shows_pairs(fixture, counts[i]);
        assert_recovered(fixture, counts[i], size, 0);
        close_log(log);
    }
}

static void test_a_compacted_log_goes_on(void **state) {
    struct fixture *fixture = *state;
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "old", "value");
    compact(log, 2);
    write_record(log, LOG_SET, "new", "1");
    compact(log, 1);
    write_record(log, LOG_APPEND, "k1", "2");
    assert_in_use(fixture, fixture->path);
    close_log(log);
    log = open_log(fixture);
    assert_shown(fixture, "SET \"k1\" \"v1\"\nAPPEND \"k1\" \"2\"\n");
    close_log(log);
}

static void test_compaction_keeps_the_permissions(void **state) {
    struct fixture *fixture = *state;
    struct stat status;
    struct log *log = open_log(fixture);
    assert_int_equal(chmod(fixture->path, 0640), 0);
    compact(log, 1);
    assert_int_equal(stat(fixture->path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    close_log(log);
}

static void test_compaction_through_a_link_replaces_what_it_leads_to(void **state) {
    struct fixture *fixture = *state;
    struct stat status;
    char *name = tmpdir_path(fixture->folder, "link");
    assert_int_equal(symlink("test.log", name), 0);
    struct log *log = try_open(fixture, name);
    assert_non_null(log);
    compact(log, 2);
    close_log(log);
    assert_int_equal(lstat(name, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    log = open_log(fixture);
    assert_shows_pairs(fixture, 2);
    close_log(log);
    free(name);
}

static void test_what_a_crash_left_of_a_compaction_does_no_harm(void **state) {
    struct fixture *fixture = *state;
    char *leftover = tmpdir_path(fixture->folder, "test.log.compact-tmp");
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    blob_write_file(leftover, "half a log", 10);
    compact(log, 1);
    close_log(log);

    blob_write_file(leftover, "half a log", 10);
    log = open_log(fixture);
    assert_shows_pairs(fixture, 1);
    assert_true(is_missing(fixture, "test.log.compact-tmp"));
    close_log(log);
    free(leftover);
}

static void test_a_compaction_that_fails_leaves_the_old_log(void **state) {
    struct fixture *fixture = *state;
    char *in_the_way = tmpdir_path(fixture->folder, "test.log.compact-tmp");
    struct log *log = open_log(fixture);
    write_record(log, LOG_SET, "a", "1");
    assert_int_equal(mkdir(in_the_way, 0700), 0);
    struct pairs pairs = {.count = 1};
    assert_false(log_compact(log, next_pair, &pairs, &fixture->error));
    assert_string_not_equal(fixture->error.text, "");
    write_record(log, LOG_SET, "b", "2");
    close_log(log);
    log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\nSET \"b\" \"2\"\n");
    close_log(log);
    free(in_the_way);
}

static void test_a_copy_is_a_log(void **state) {
    struct fixture *fixture = *state;
    for (size_t count = 0; count <= 40000; count = count * 200 + 1) {
        struct pairs pairs = {.count = count};
        assert_true(log_write_copy(fixture->path, next_pair, &pairs, &fixture->error));
        struct log *log = open_log(fixture);
        assert_shows_pairs(fixture, count);
        write_record(log, LOG_SET, "more", "1");
        close_log(log);
        assert_int_equal(unlink(fixture->path), 0);
    }
    assert_int_equal(rmdir(fixture->folder), 0); /* nothing else was left there */
    assert_int_equal(mkdir(fixture->folder, 0700), 0);
}

static void test_a_copy_replaces_nothing(void **state) {
    struct fixture *fixture = *state;
    struct pairs pairs = {.count = 1};
    struct blob file = {0};
    blob_print(&file, "precious");
    write_file(fixture, &file);
    assert_false(log_write_copy(fixture->path, next_pair, &pairs, &fixture->error));
    assert_file_is(fixture->path, &file);
    assert_false(log_write_copy(fixture->folder, next_pair, &pairs, &fixture->error));

    char *dangling = tmpdir_path(fixture->folder, "dangling");
    assert_int_equal(symlink("nowhere", dangling), 0);
    assert_false(log_write_copy(dangling, next_pair, &pairs, &fixture->error));
    assert_true(is_missing(fixture, "nowhere"));
    free(dangling);
    blob_release(&file);
}

static void test_a_copy_into_no_folder_is_refused(void **state) {
    struct fixture *fixture = *state;
    struct pairs pairs = {.count = 1};
    char *path = tmpdir_path(fixture->folder, "missing/copy.log");
    assert_false(log_write_copy(path, next_pair, &pairs, &fixture->error));
    assert_non_null(strstr(fixture->error.text, strerror(ENOENT)));
    free(path);
}

/* --- No room ------------------------------------------------------------------------------- */

/* From here on no file of this process may grow beyond `size`, as if the device were full. */
static bool limit_file_size(size_t size) {
    struct rlimit limit = {.rlim_cur = size, .rlim_max = RLIM_INFINITY};
    return signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

/* In a process of its own: a write that has no room, and all that must follow from it. */
static bool writes_end_without_room(struct fixture *fixture) {
    struct error error = {""};
    struct pairs pairs = {.count = 1};
    struct log *log =
        log_open(fixture->path, false, show, fixture, &fixture->recovery, &fixture->error);
    if (log == NULL || !append(log, LOG_SET, "a", "1", &error)) {
        return false;
    }
    uint64_t size = log_size(log);
    if (!limit_file_size((size_t)size + OVERHEAD) || append(log, LOG_SET, "b", "2", &error) ||
        strstr(error.text, strerror(EFBIG)) == NULL || log_size(log) != size) {
        return false;
    }
    bool room_again = limit_file_size(1000000);
    bool refused = !append(log, LOG_SET, "c", "3", &error) &&
                   strstr(error.text, strerror(EFBIG)) != NULL &&
                   !log_compact(log, next_pair, &pairs, &error);
    return room_again && refused && log_close(log, &error);
}

static void test_after_a_write_without_room_there_are_no_more(void **state) {
    struct fixture *fixture = *state;
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(writes_end_without_room(fixture) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);

    struct log *log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\n");
    assert_recovered(fixture, 1, HEADER_SIZE + OVERHEAD + 2, 0);
    close_log(log);
}

static bool copies_end_without_room(struct fixture *fixture) {
    struct error error = {""};
    struct pairs some = {.count = 1000};
    struct pairs more = {.count = 1000};
    struct log *log =
        log_open(fixture->path, false, show, fixture, &fixture->recovery, &fixture->error);
    if (log == NULL || !append(log, LOG_SET, "a", "1", &error) || !limit_file_size(5000)) {
        return false;
    }
    char *copy = tmpdir_path(fixture->folder, "copy.log");
    bool refused = !log_compact(log, next_pair, &some, &error) &&
                   !log_write_copy(copy, next_pair, &more, &error);
    free(copy);
    return refused && append(log, LOG_SET, "b", "2", &error) && log_close(log, &error);
}

static void test_a_new_log_without_room_leaves_the_old_one(void **state) {
    struct fixture *fixture = *state;
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(copies_end_without_room(fixture) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);

    assert_true(is_missing(fixture, "test.log.compact-tmp"));
    assert_true(is_missing(fixture, "copy.log"));
    struct log *log = open_log(fixture);
    assert_shown(fixture, "SET \"a\" \"1\"\nSET \"b\" \"2\"\n");
    close_log(log);
    assert_int_equal(unlink(fixture->path), 0);
    assert_int_equal(rmdir(fixture->folder), 0); /* nothing else was left there */
    assert_int_equal(mkdir(fixture->folder, 0700), 0);
}

#define WITH_LOG(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LOG(test_a_new_log_is_a_header),
        WITH_LOG(test_every_byte_is_as_documented),
        WITH_LOG(test_records_are_shown_in_their_order),
        WITH_LOG(test_key_and_value_may_hold_every_byte),
        WITH_LOG(test_long_records),
        WITH_LOG(test_records_that_are_synced),
        WITH_LOG(test_a_log_that_memory_cannot_hold_is_refused),
        WITH_LOG(test_a_record_that_makes_no_sense_is_damage),
        WITH_LOG(test_a_log_cut_at_every_byte),
        WITH_LOG(test_zeros_behind_the_last_record),
        WITH_LOG(test_a_flipped_bit_in_the_last_record_cuts_it),
        WITH_LOG(test_every_flipped_bit_before_the_last_record_is_damage),
        WITH_LOG(test_every_flipped_bit_in_the_header_is_refused),
        WITH_LOG(test_zeros_before_a_record_are_damage),
        WITH_LOG(test_bytes_missing_anywhere_are_damage),
        WITH_LOG(test_a_record_that_stands_twice_is_damage),
        WITH_LOG(test_records_of_another_log_are_none_here),
        WITH_LOG(test_a_record_beyond_the_limits_is_none),
        WITH_LOG(test_a_creation_that_was_cut_short),
        WITH_LOG(test_a_file_that_is_no_log_is_left_alone),
        WITH_LOG(test_another_version_is_told),
        WITH_LOG(test_what_is_no_regular_file_is_refused),
        WITH_LOG(test_a_log_in_no_folder_is_refused),
        WITH_LOG(test_a_second_open_is_refused),
        WITH_LOG(test_a_second_process_is_refused),
        WITH_LOG(test_a_second_name_of_the_log_is_refused_too),
        WITH_LOG(test_reading_needs_no_lock_and_takes_none),
        WITH_LOG(test_reading_makes_nothing),
        WITH_LOG(test_compaction_leaves_what_it_is_given),
        WITH_LOG(test_a_compacted_log_goes_on),
        WITH_LOG(test_compaction_keeps_the_permissions),
        WITH_LOG(test_compaction_through_a_link_replaces_what_it_leads_to),
        WITH_LOG(test_what_a_crash_left_of_a_compaction_does_no_harm),
        WITH_LOG(test_a_compaction_that_fails_leaves_the_old_log),
        WITH_LOG(test_a_copy_is_a_log),
        WITH_LOG(test_a_copy_replaces_nothing),
        WITH_LOG(test_a_copy_into_no_folder_is_refused),
        WITH_LOG(test_after_a_write_without_room_there_are_no_more),
        WITH_LOG(test_a_new_log_without_room_leaves_the_old_one),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
