/* Slices and owned bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "blob.h"
#include "bytes.h"
#include "watchdog.h"

/* AddressSanitizer ends a program that asks for too much memory, unless told to refuse instead. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* More than any system gives, and so written that the compiler does not see it. */
static size_t impossible_size(void) {
    volatile size_t size = SIZE_MAX / 2 + 2;
    return size;
}

static void test_slices_are_what_they_point_at(void **state) {
    (void)state;
    const char text[] = {'a', '\0', 'b'};
    struct slice slice = slice_from(text, sizeof text);
    assert_ptr_equal(slice.data, text);
    assert_int_equal(slice.length, 3);

    const char *string = "abc";
    slice = slice_from_string(string);
    assert_ptr_equal(slice.data, string);
    assert_int_equal(slice.length, 3);
    assert_int_equal(slice_from_string("").length, 0);
}

static void test_slices_are_equal_by_content(void **state) {
    (void)state;
    const char copy[] = {'a', 'b', 'c'};
    assert_true(slice_equal(slice_from_string("abc"), slice_from(copy, 3)));
    assert_false(slice_equal(slice_from_string("abc"), slice_from_string("abd")));
    assert_false(slice_equal(slice_from_string("abc"), slice_from_string("xbc")));
    assert_false(slice_equal(slice_from_string("abc"), slice_from_string("ab")));
    assert_false(slice_equal(slice_from_string(""), slice_from_string("a")));
    assert_false(slice_equal(slice_from("a\0b", 3), slice_from("a\0c", 3)));
    assert_false(slice_equal(slice_from("a\0b", 3), slice_from_string("a")));
}

static void test_empty_slices_are_equal_even_without_a_place(void **state) {
    (void)state;
    assert_true(slice_equal(slice_from(NULL, 0), slice_from_string("")));
    assert_true(slice_equal(slice_from(NULL, 0), slice_from(NULL, 0)));
    assert_false(slice_equal(slice_from(NULL, 0), slice_from_string("a")));
}

static void test_init_makes_an_empty_value(void **state) {
    (void)state;
    struct bytes bytes;
    memset(&bytes, 0xff, sizeof bytes);
    bytes_init(&bytes);
    assert_null(bytes.data);
    assert_int_equal(bytes.length, 0);
    assert_int_equal(bytes.capacity, 0);
    bytes_release(&bytes);
}

static void test_all_zero_is_an_empty_value(void **state) {
    (void)state;
    struct bytes bytes = {0};
    assert_int_equal(bytes_view(&bytes).length, 0);
    assert_true(bytes_append(&bytes, slice_from_string("a")));
    assert_true(slice_equal(bytes_view(&bytes), slice_from_string("a")));
    bytes_release(&bytes);
}

static void test_release_leaves_a_value_that_can_be_used(void **state) {
    (void)state;
    struct bytes bytes = {0};
    assert_true(bytes_append(&bytes, slice_from_string("before")));
    bytes_release(&bytes);
    assert_null(bytes.data);
    assert_int_equal(bytes.length, 0);
    assert_int_equal(bytes.capacity, 0);
    assert_true(bytes_append(&bytes, slice_from_string("after")));
    assert_true(slice_equal(bytes_view(&bytes), slice_from_string("after")));
    bytes_release(&bytes);
    bytes_release(&bytes);
}

static void test_reserve_makes_room_and_keeps_the_content(void **state) {
    (void)state;
    struct bytes bytes = {0};
    assert_true(bytes_append(&bytes, slice_from_string("abc")));
    for (size_t capacity = 1; capacity <= 100000; capacity = capacity * 3 + 1) {
        assert_true(bytes_reserve(&bytes, capacity));
        assert_true(bytes.capacity >= capacity);
        assert_true(slice_equal(bytes_view(&bytes), slice_from_string("abc")));
        memset(bytes.data + bytes.length, 'x', bytes.capacity - bytes.length);
    }
    bytes_release(&bytes);
}

static void test_reserve_of_what_is_there_changes_nothing(void **state) {
    (void)state;
    struct bytes bytes = {0};
    assert_true(bytes_reserve(&bytes, 0));
    assert_null(bytes.data);
    assert_true(bytes_reserve(&bytes, 50));
    struct bytes before = bytes;
    assert_true(bytes_reserve(&bytes, 0));
    assert_true(bytes_reserve(&bytes, 49));
    assert_true(bytes_reserve(&bytes, before.capacity));
    assert_memory_equal(&bytes, &before, sizeof bytes);
    bytes_release(&bytes);
}

static void test_growing_takes_few_steps(void **state) {
    (void)state;
    struct bytes bytes = {0};
    size_t steps = 0;
    for (size_t i = 0; i < 100000; i++) {
        size_t capacity = bytes.capacity;
        assert_true(bytes_append(&bytes, slice_from_string("a")));
        steps += bytes.capacity != capacity;
    }
    assert_true(steps <= 20);
    bytes_release(&bytes);
}

static void test_append_adds_any_bytes_at_the_end(void **state) {
    (void)state;
    struct bytes bytes = {0};
    struct blob expected = {0};
    unsigned char piece[300];
    for (size_t length = 0; length <= sizeof piece; length++) {
        for (size_t i = 0; i < length; i++) {
            piece[i] = (unsigned char)(length + i);
        }
        assert_true(bytes_append(&bytes, slice_from(piece, length)));
        blob_add(&expected, piece, length);
        assert_int_equal(bytes.length, expected.length);
        assert_true(bytes.length <= bytes.capacity);
    }
    assert_true(blob_equals(&expected, bytes_view(&bytes)));
    blob_release(&expected);
    bytes_release(&bytes);
}

static void test_append_of_nothing_needs_no_place(void **state) {
    (void)state;
    struct bytes bytes = {0};
    assert_true(bytes_append(&bytes, slice_from(NULL, 0)));
    assert_int_equal(bytes.length, 0);
    assert_true(bytes_append(&bytes, slice_from_string("a")));
    assert_true(bytes_append(&bytes, slice_from(NULL, 0)));
    assert_true(slice_equal(bytes_view(&bytes), slice_from_string("a")));
    bytes_release(&bytes);
}

static void test_what_does_not_fit_into_memory_is_refused(void **state) {
    (void)state;
    struct bytes bytes = {0};
    assert_false(bytes_reserve(&bytes, impossible_size()));
    assert_null(bytes.data);

    assert_true(bytes_append(&bytes, slice_from_string("abc")));
    struct bytes before = bytes;
    assert_false(bytes_reserve(&bytes, impossible_size()));
    assert_false(bytes_reserve(&bytes, SIZE_MAX));
    assert_false(bytes_append(&bytes, slice_from("a", impossible_size())));
    assert_false(bytes_append(&bytes, slice_from("a", SIZE_MAX - 1)));
    assert_memory_equal(&bytes, &before, sizeof bytes);
    assert_true(slice_equal(bytes_view(&bytes), slice_from_string("abc")));
    bytes_release(&bytes);
}

static void test_copy_is_apart_from_what_it_was_made_of(void **state) {
    (void)state;
    char from[] = {'a', '\0', 'b'};
    struct bytes copy;
    memset(&copy, 0xff, sizeof copy);
    assert_true(bytes_copy(&copy, slice_from(from, sizeof from)));
    memset(from, 'x', sizeof from);
    assert_true(slice_equal(bytes_view(&copy), slice_from("a\0b", 3)));
    assert_true(copy.length <= copy.capacity);
    assert_true(bytes_append(&copy, slice_from_string("c")));
    assert_true(slice_equal(bytes_view(&copy), slice_from("a\0bc", 4)));
    bytes_release(&copy);
}

static void test_copy_of_nothing_holds_memory(void **state) {
    (void)state;
    struct bytes copy;
    assert_true(bytes_copy(&copy, slice_from(NULL, 0)));
    assert_non_null(copy.data);
    assert_int_equal(copy.length, 0);
    assert_true(copy.capacity > 0);
    bytes_release(&copy);
}

static void test_copy_that_fails_is_empty(void **state) {
    (void)state;
    struct bytes copy;
    memset(&copy, 0xff, sizeof copy);
    assert_false(bytes_copy(&copy, slice_from("a", impossible_size())));
    assert_null(copy.data);
    assert_int_equal(copy.length, 0);
    assert_int_equal(copy.capacity, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_are_what_they_point_at),
        cmocka_unit_test(test_slices_are_equal_by_content),
        cmocka_unit_test(test_empty_slices_are_equal_even_without_a_place),
        cmocka_unit_test(test_init_makes_an_empty_value),
        cmocka_unit_test(test_all_zero_is_an_empty_value),
        cmocka_unit_test(test_release_leaves_a_value_that_can_be_used),
        cmocka_unit_test(test_reserve_makes_room_and_keeps_the_content),
        cmocka_unit_test(test_reserve_of_what_is_there_changes_nothing),
        cmocka_unit_test(test_growing_takes_few_steps),
        cmocka_unit_test(test_append_adds_any_bytes_at_the_end),
        cmocka_unit_test(test_append_of_nothing_needs_no_place),
        cmocka_unit_test(test_what_does_not_fit_into_memory_is_refused),
        cmocka_unit_test(test_copy_is_apart_from_what_it_was_made_of),
        cmocka_unit_test(test_copy_of_nothing_holds_memory),
        cmocka_unit_test(test_copy_that_fails_is_empty),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
