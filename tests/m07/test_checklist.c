/*
 * The checklist of exercise m07, as far as a machine can tick it off: that a short content needs no
 * memory, and that the buffer knows its end wherever that has moved to. Allocations are counted at
 * link time: the linker turns the copy's calls of malloc() and its kin into calls of the functions
 * below. What an append costs is a matter of `make compare`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc.h"
#include "blob.h"
#include "buffer.h"
#include "watchdog.h"

/* More than is built in, so that it is in memory of its own. */
#define LARGE ((size_t)3 * BUFFER_BUILTIN_SIZE)

/* --- Counting ------------------------------------------------------------------------------ */

static struct {
    bool on;
    size_t allocations;
} counts;

static void count_allocation(void) {
    counts.allocations += counts.on ? 1 : 0;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size) {
    count_allocation();
    return __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
    count_allocation();
    return __real_calloc(count, size);
}

void *__real_realloc(void *data, size_t size);
void *__wrap_realloc(void *data, size_t size);

void *__wrap_realloc(void *data, size_t size) {
    count_allocation();
    return __real_realloc(data, size);
}

static void start_counting(void) {
    memset(&counts, 0, sizeof counts);
    counts.on = true;
}

static size_t stop_counting(void) {
    counts.on = false;
    return counts.allocations;
}

/* --- A buffer, and what it should hold ------------------------------------------------------- */

struct sample {
    struct buffer buffer;
    struct blob expected;
};

static void sample_init(struct sample *sample) {
    *sample = (struct sample){0};
    buffer_init(&sample->buffer);
}

static void sample_release(struct sample *sample) {
    buffer_release(&sample->buffer);
    blob_release(&sample->expected);
}

static void add(struct sample *sample, size_t length, unsigned char byte) {
    void *place = buffer_alloc(&sample->buffer, length);
    assert_non_null(place);
    memset(place, byte, length);
    blob_add_run(&sample->expected, byte, length);
}

static void add_external(struct sample *sample, unsigned char *data, size_t length) {
    assert_true(buffer_append_external(&sample->buffer, data, length, NULL));
    blob_add(&sample->expected, data, length);
}

static void cut(struct sample *sample, size_t length) {
    buffer_truncate(&sample->buffer, length);
    if (length < sample->expected.length) {
        sample->expected.length = length;
    }
}

static void check(const struct sample *sample) {
    struct slice expected = blob_view(&sample->expected);
    assert_int_equal(buffer_length(&sample->buffer), expected.length);
    unsigned char *content = malloc(expected.length + 1);
    assert_non_null(content);
    assert_int_equal(buffer_copy(&sample->buffer, 0, SIZE_MAX, content), expected.length);
    assert_true(slice_equal(slice_from(content, expected.length), expected));
    free(content);
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* Without it, all counts could be zero and the tests below would pass. */
static void test_allocations_are_counted(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    start_counting();
    assert_non_null(buffer_alloc(&buffer, LARGE));
    assert_true(stop_counting() >= 1);
    buffer_release(&buffer);
}

static void test_a_short_content_needs_no_memory(void **state) {
    (void)state;
    struct buffer buffer;
    start_counting();
    buffer_init(&buffer);
    assert_true(buffer_append(&buffer, slice_from_string("OK\n")));
    assert_int_equal(stop_counting(), 0);
    buffer_release(&buffer);
}

static void test_all_that_is_built_in_can_be_used_without_memory(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    start_counting();
    for (size_t i = 0; i < BUFFER_BUILTIN_SIZE; i++) {
        assert_non_null(buffer_alloc(&buffer, 1));
    }
    assert_int_equal(stop_counting(), 0);
    assert_int_equal(buffer_peek(&buffer, 0).length, BUFFER_BUILTIN_SIZE);
    buffer_release(&buffer);
}

static void test_a_cleared_buffer_needs_no_memory(void **state) {
    (void)state;
    unsigned char external[] = "external";
    struct sample sample;
    sample_init(&sample);
    for (int i = 0; i < 3; i++) {
        add(&sample, LARGE, 'l');
        add_external(&sample, external, 8);
        add(&sample, 4, 'b');
        buffer_clear(&sample.buffer);
        blob_clear(&sample.expected);
        start_counting();
        add(&sample, 4, 's');
        assert_int_equal(stop_counting(), 0);
        check(&sample);
    }
    sample_release(&sample);
}

static void test_what_was_cut_off_is_room_again(void **state) {
    (void)state;
    unsigned char external[] = "external";
    struct sample sample;
    sample_init(&sample);
    add(&sample, 100, 'a');
    add_external(&sample, external, 8);
    add(&sample, 100, 'b');
    add(&sample, LARGE, 'l');
    cut(&sample, 10);
    start_counting();
    for (size_t i = 10; i < BUFFER_BUILTIN_SIZE; i++) {
        assert_non_null(buffer_alloc(&sample.buffer, 1));
    }
    assert_int_equal(stop_counting(), 0);
    sample_release(&sample);
}

/* --- The end of the buffer, wherever it is --------------------------------------------------- */

static void test_a_piece_that_just_fits_and_the_next(void **state) {
    (void)state;
    for (size_t before = 1; before < 4; before++) {
        struct sample sample;
        sample_init(&sample);
        add(&sample, before, 'a');
        add(&sample, BUFFER_BUILTIN_SIZE - before, 'b');
        check(&sample);
        add(&sample, 1, 'c');
        add(&sample, before, 'd');
        check(&sample);
        sample_release(&sample);
    }
}

/* The bytes behind an external chunk are the caller's, whatever is appended. */
static void test_nothing_is_written_behind_external_bytes(void **state) {
    (void)state;
    for (size_t internal = 0; internal <= BUFFER_BUILTIN_SIZE; internal += 64) {
        unsigned char memory[] = "external!!!!!!!!";
        struct sample sample;
        sample_init(&sample);
        if (internal > 0) {
            add(&sample, internal, 'a');
        }
        add_external(&sample, memory, 8);
        add(&sample, 1, 'b');
        add(&sample, 4, 'c');
        check(&sample);
        assert_string_equal((char *)memory, "external!!!!!!!!");
        sample_release(&sample);
    }
}

/* So are the bytes of an external chunk behind the place where it was cut. */
static void test_nothing_is_written_where_external_bytes_were_cut_off(void **state) {
    (void)state;
    for (size_t kept = 1; kept <= 8; kept++) {
        unsigned char memory[] = "external!!!!!!!!";
        struct sample sample;
        sample_init(&sample);
        add(&sample, 3, 'a');
        add_external(&sample, memory, 8);
        add(&sample, 3, 'b');
        cut(&sample, 3 + kept);
        add(&sample, 1, 'c');
        add(&sample, 4, 'd');
        check(&sample);
        assert_string_equal((char *)memory, "external!!!!!!!!");
        sample_release(&sample);
    }
}

/* A buffer of everything, cut down to `length`; then it grows again, in every way. */
static void check_cut(size_t length) {
    unsigned char one[] = "external";
    unsigned char two[] = "EXTERNAL";
    struct sample sample;
    sample_init(&sample);
    add_external(&sample, one, 8);
    add(&sample, 5, 'a');
    add_external(&sample, two, 8);
    add(&sample, 2, 'b');
    add(&sample, LARGE, 'c');
    add_external(&sample, one, 8);
    add(&sample, 1, 'd');
    cut(&sample, length);
    check(&sample);
    add(&sample, 1, 'e');
    check(&sample);
    add_external(&sample, two, 8);
    add(&sample, 1, 'f');
    add(&sample, LARGE, 'g');
    check(&sample);
    assert_string_equal((char *)one, "external");
    assert_string_equal((char *)two, "EXTERNAL");
    sample_release(&sample);
}

static void test_a_buffer_that_was_cut_anywhere_grows_again(void **state) {
    (void)state;
    for (size_t length = 0; length <= 8 + 5 + 8 + 2 + LARGE + 8 + 1; length++) {
        check_cut(length);
    }
}

/* What could not be had leaves no trace: what does not need memory goes on. */
static void test_room_is_still_there_after_memory_ran_out(void **state) {
    (void)state;
    if (!alloc_can_fail()) {
        skip();
    }
    unsigned char external[] = "external";
    struct buffer buffer;
    buffer_init(&buffer);
    assert_non_null(buffer_alloc(&buffer, BUFFER_BUILTIN_SIZE - 8));
    alloc_fail(0, SIZE_MAX);
    void *large = buffer_alloc(&buffer, LARGE);
    bool handed_over = buffer_append_external(&buffer, external, 8, NULL);
    void *small = buffer_alloc(&buffer, 8);
    void *more = buffer_alloc(&buffer, 1);
    alloc_stop();
    assert_null(large);
    assert_false(handed_over);
    assert_non_null(small);
    assert_null(more);
    assert_int_equal(buffer_length(&buffer), BUFFER_BUILTIN_SIZE);
    buffer_release(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations_are_counted),
        cmocka_unit_test(test_a_short_content_needs_no_memory),
        cmocka_unit_test(test_all_that_is_built_in_can_be_used_without_memory),
        cmocka_unit_test(test_a_cleared_buffer_needs_no_memory),
        cmocka_unit_test(test_what_was_cut_off_is_room_again),
        cmocka_unit_test(test_a_piece_that_just_fits_and_the_next),
        cmocka_unit_test(test_nothing_is_written_behind_external_bytes),
        cmocka_unit_test(test_nothing_is_written_where_external_bytes_were_cut_off),
        cmocka_unit_test(test_a_buffer_that_was_cut_anywhere_grows_again),
        cmocka_unit_test(test_room_is_still_there_after_memory_ran_out),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
