/* The reply buffer: looks like one run of bytes, whatever it is made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blob.h"
#include "buffer.h"
#include "random.h"
#include "watchdog.h"

/* AddressSanitizer ends a program that asks for too much memory, unless told to refuse instead. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* Larger than what is built into any buffer. */
#define LARGE ((size_t)100000)

static void assert_content(const struct buffer *buffer, struct slice expected) {
    assert_int_equal(buffer_length(buffer), expected.length);
    unsigned char *content = malloc(expected.length + 1);
    assert_non_null(content);
    assert_int_equal(buffer_copy(buffer, 0, SIZE_MAX, content), expected.length);
    assert_true(slice_equal(slice_from(content, expected.length), expected));
    free(content);

    size_t offset = 0;
    while (offset < expected.length) {
        struct slice piece = buffer_peek(buffer, offset);
        assert_true(piece.length > 0);
        assert_true(piece.length <= expected.length - offset);
        assert_true(slice_equal(piece, slice_from(expected.data + offset, piece.length)));
        offset += piece.length;
    }
    assert_int_equal(buffer_peek(buffer, offset).length, 0);
}

static void assert_text(const struct buffer *buffer, const char *expected) {
    assert_content(buffer, slice_from_string(expected));
}

static void append(struct buffer *buffer, const char *text) {
    assert_true(buffer_append(buffer, slice_from_string(text)));
}

/* Takes room for `length` bytes and fills it. */
static unsigned char *fill(struct buffer *buffer, size_t length, unsigned char byte) {
    unsigned char *place = buffer_alloc(buffer, length);
    assert_non_null(place);
    memset(place, byte, length);
    return place;
}

static size_t count_pieces(const struct buffer *buffer) {
    size_t count = 0;
    size_t offset = 0;
    while (offset < buffer_length(buffer)) {
        offset += buffer_peek(buffer, offset).length;
        count++;
    }
    return count;
}

/* A release function that counts itself in the first byte of what it gets. */
static void count_release(void *data) {
    unsigned char *bytes = data;
    bytes[0]++;
}

static void test_a_new_buffer_is_empty(void **state) {
    (void)state;
    struct buffer buffer;
    memset(&buffer, 0xff, sizeof buffer);
    buffer_init(&buffer);
    assert_int_equal(buffer_length(&buffer), 0);
    assert_int_equal(buffer_peek(&buffer, 0).length, 0);
    assert_int_equal(buffer_peek(&buffer, 10).length, 0);
    unsigned char byte = 'x';
    assert_int_equal(buffer_copy(&buffer, 0, 1, &byte), 0);
    assert_int_equal(byte, 'x');
    buffer_truncate(&buffer, 0);
    buffer_clear(&buffer);
    assert_text(&buffer, "");
    buffer_release(&buffer);
}

static void test_what_is_appended_stands_in_a_row(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    append(&buffer, "one ");
    append(&buffer, "two ");
    assert_true(buffer_append(&buffer, slice_from("a\0b", 3)));
    assert_content(&buffer, slice_from("one two a\0b", 11));
    buffer_release(&buffer);
}

static void test_appending_nothing_changes_nothing(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    assert_true(buffer_append(&buffer, slice_from(NULL, 0)));
    assert_text(&buffer, "");
    append(&buffer, "a");
    assert_true(buffer_append(&buffer, slice_from(NULL, 0)));
    assert_text(&buffer, "a");
    buffer_release(&buffer);
}

static void test_room_is_in_one_piece_and_may_be_filled_later(void **state) {
    (void)state;
    struct buffer buffer;
    struct blob expected = {0};
    unsigned char *places[12];
    buffer_init(&buffer);
    for (size_t i = 0; i < 12; i++) {
        places[i] = buffer_alloc(&buffer, (size_t)1 << i);
        assert_non_null(places[i]);
    }
    for (size_t i = 0; i < 12; i++) {
        memset(places[i], 'a' + (int)i, (size_t)1 << i);
        blob_add_run(&expected, (unsigned char)('a' + i), (size_t)1 << i);
    }
    assert_content(&buffer, blob_view(&expected));
    blob_release(&expected);
    buffer_release(&buffer);
}

static void test_a_place_stays_valid_while_the_buffer_grows(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    unsigned char *place = fill(&buffer, 1, '?');
    struct slice first = buffer_peek(&buffer, 0);
    for (size_t i = 0; i < 1000; i++) {
        fill(&buffer, 100, 'x');
    }
    *place = '!';
    assert_ptr_equal(first.data, place);
    assert_ptr_equal(buffer_peek(&buffer, 0).data, place);
    assert_int_equal(buffer_peek(&buffer, 0).data[0], '!');
    buffer_release(&buffer);
}

static void test_many_small_pieces_become_few_large_ones(void **state) {
    (void)state;
    struct buffer buffer;
    struct blob expected = {0};
    buffer_init(&buffer);
    for (size_t i = 0; i < LARGE; i++) {
        unsigned char byte = (unsigned char)(i % 251);
        assert_true(buffer_append(&buffer, slice_from(&byte, 1)));
        blob_add_byte(&expected, byte);
    }
    assert_content(&buffer, blob_view(&expected));
    assert_true(count_pieces(&buffer) < 50);
    blob_release(&expected);
    buffer_release(&buffer);
}

static void test_a_large_piece_first_and_a_small_one_behind(void **state) {
    (void)state;
    struct buffer buffer;
    struct blob expected = {0};
    buffer_init(&buffer);
    fill(&buffer, LARGE, 'L');
    append(&buffer, "small");
    fill(&buffer, 20 * LARGE, 'M');
    fill(&buffer, 20 * LARGE, 'N');
    blob_add_run(&expected, 'L', LARGE);
    blob_add(&expected, "small", 5);
    blob_add_run(&expected, 'M', 20 * LARGE);
    blob_add_run(&expected, 'N', 20 * LARGE);
    assert_content(&buffer, blob_view(&expected));
    blob_release(&expected);
    buffer_release(&buffer);
}

static void test_copy_takes_any_part(void **state) {
    (void)state;
    char external[] = "external";
    struct buffer buffer;
    buffer_init(&buffer);
    append(&buffer, "first");
    assert_true(buffer_append_external(&buffer, external, 8, NULL));
    append(&buffer, "last");
    const char *whole = "firstexternallast";
    size_t length = strlen(whole);
    for (size_t from = 0; from <= length + 1; from++) {
        for (size_t count = 0; count <= length + 1; count++) {
            char target[32];
            memset(target, '#', sizeof target);
            size_t rest = from < length ? length - from : 0;
            size_t expected = count < rest ? count : rest;
            assert_int_equal(buffer_copy(&buffer, from, count, target), expected);
            assert_true(expected == 0 || memcmp(target, whole + from, expected) == 0);
            assert_int_equal(target[expected], '#');
        }
    }
    buffer_release(&buffer);
}

static void test_external_bytes_are_read_where_they_lie(void **state) {
    (void)state;
    char external[] = "external";
    struct buffer buffer;
    buffer_init(&buffer);
    append(&buffer, "<");
    assert_true(buffer_append_external(&buffer, external, 8, NULL));
    append(&buffer, ">");
    assert_ptr_equal(buffer_peek(&buffer, 1).data, external);
    assert_ptr_equal(buffer_peek(&buffer, 4).data, external + 3);
    assert_text(&buffer, "<external>");
    buffer_release(&buffer);
}

static void test_external_bytes_alone(void **state) {
    (void)state;
    char external[] = "external";
    struct buffer buffer;
    buffer_init(&buffer);
    assert_true(buffer_append_external(&buffer, external, 8, NULL));
    assert_true(buffer_append_external(&buffer, external, 3, NULL));
    assert_text(&buffer, "externalext");
    buffer_truncate(&buffer, 9);
    assert_text(&buffer, "externale");
    buffer_clear(&buffer);
    assert_text(&buffer, "");
    buffer_release(&buffer);
}

static void test_release_gives_external_bytes_back_once(void **state) {
    (void)state;
    unsigned char one[3] = {0};
    unsigned char two[3] = {0};
    struct buffer buffer;
    buffer_init(&buffer);
    assert_true(buffer_append_external(&buffer, one, 3, count_release));
    append(&buffer, "between");
    assert_true(buffer_append_external(&buffer, two, 3, count_release));
    assert_int_equal(one[0], 0);
    buffer_release(&buffer);
    assert_int_equal(one[0], 1);
    assert_int_equal(two[0], 1);
}

static void test_clear_gives_external_bytes_back_once(void **state) {
    (void)state;
    unsigned char external[3] = {0};
    struct buffer buffer;
    buffer_init(&buffer);
    assert_true(buffer_append_external(&buffer, external, 3, count_release));
    buffer_clear(&buffer);
    assert_int_equal(external[0], 1);
    buffer_clear(&buffer);
    buffer_release(&buffer);
    assert_int_equal(external[0], 1);
}

static void test_truncate_gives_back_what_leaves_and_keeps_what_is_cut(void **state) {
    (void)state;
    unsigned char external[4] = {0};
    struct buffer buffer;
    buffer_init(&buffer);
    append(&buffer, "ab");
    assert_true(buffer_append_external(&buffer, external, 4, count_release));
    append(&buffer, "cd");
    buffer_truncate(&buffer, 7);
    assert_int_equal(external[0], 0);
    buffer_truncate(&buffer, 6);
    assert_int_equal(external[0], 0);
    buffer_truncate(&buffer, 3);
    assert_int_equal(external[0], 0);
    assert_int_equal(buffer_length(&buffer), 3);
    buffer_truncate(&buffer, 2);
    assert_int_equal(external[0], 1);
    assert_text(&buffer, "ab");
    buffer_release(&buffer);
    assert_int_equal(external[0], 1);
}

static void test_truncate_to_any_length(void **state) {
    (void)state;
    const char *whole = "firstexternallast";
    for (size_t length = 0; length <= strlen(whole) + 1; length++) {
        char external[] = "external";
        struct buffer buffer;
        buffer_init(&buffer);
        append(&buffer, "first");
        assert_true(buffer_append_external(&buffer, external, 8, NULL));
        append(&buffer, "last");
        buffer_truncate(&buffer, length);
        size_t kept = length < strlen(whole) ? length : strlen(whole);
        assert_content(&buffer, slice_from(whole, kept));
        append(&buffer, "+more");
        struct blob expected = {0};
        blob_add(&expected, whole, kept);
        blob_add(&expected, "+more", 5);
        assert_content(&buffer, blob_view(&expected));
        blob_release(&expected);
        buffer_release(&buffer);
    }
}

static void test_truncate_to_what_is_there_or_more_changes_nothing(void **state) {
    (void)state;
    unsigned char external[4] = {0};
    struct buffer buffer;
    buffer_init(&buffer);
    assert_true(buffer_append_external(&buffer, external, 4, count_release));
    buffer_truncate(&buffer, 4);
    buffer_truncate(&buffer, 5);
    buffer_truncate(&buffer, SIZE_MAX);
    assert_int_equal(external[0], 0);
    assert_int_equal(buffer_length(&buffer), 4);
    buffer_release(&buffer);
}

static void test_room_that_left_is_used_again(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    unsigned char *place = fill(&buffer, 20, 'a');
    buffer_truncate(&buffer, 5);
    assert_ptr_equal(fill(&buffer, 3, 'b'), place + 5);
    assert_ptr_equal(fill(&buffer, 3, 'c'), place + 8);
    buffer_clear(&buffer);
    assert_ptr_equal(fill(&buffer, 3, 'd'), place);
    assert_text(&buffer, "ddd");
    buffer_release(&buffer);
}

static void test_room_that_left_is_used_again_across_allocations(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    unsigned char *small = fill(&buffer, 20, 'a');
    unsigned char *large = fill(&buffer, LARGE, 'b');
    fill(&buffer, 20 * LARGE, 'c');
    buffer_truncate(&buffer, 20 + LARGE / 2);
    assert_ptr_equal(fill(&buffer, 100, 'd'), large + LARGE / 2);
    buffer_truncate(&buffer, 10);
    assert_ptr_equal(fill(&buffer, 3, 'e'), small + 10);
    assert_text(&buffer, "aaaaaaaaaaeee");
    buffer_release(&buffer);
}

static void test_room_that_left_behind_external_bytes_is_used_again(void **state) {
    (void)state;
    char external[] = "external";
    struct buffer buffer;
    buffer_init(&buffer);
    fill(&buffer, 2, 'a');
    assert_true(buffer_append_external(&buffer, external, 8, NULL));
    unsigned char *behind = fill(&buffer, 5, 'b');
    buffer_truncate(&buffer, 5);
    assert_ptr_equal(fill(&buffer, 2, 'c'), behind);
    assert_text(&buffer, "aaextcc");
    buffer_truncate(&buffer, 2);
    assert_ptr_equal(fill(&buffer, 2, 'd'), behind);
    assert_text(&buffer, "aadd");
    buffer_release(&buffer);
}

/*
 * External bytes that end where the buffer's own free room begins: here they are the buffer's own
 * first bytes, seen a second time. What follows them must not become a part of them.
 */
static void test_external_bytes_next_to_internal_ones_stay_apart(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    unsigned char *place = fill(&buffer, 4, 0);
    assert_true(buffer_append_external(&buffer, place, 4, count_release));
    assert_ptr_equal(fill(&buffer, 3, 'b'), place + 4);
    assert_content(&buffer, slice_from("\0\0\0\0\0\0\0\0bbb", 11));
    buffer_truncate(&buffer, 9);
    assert_ptr_equal(fill(&buffer, 1, 'c'), place + 5);
    assert_int_equal(place[0], 0);
    buffer_truncate(&buffer, 4);
    assert_int_equal(place[0], 1);
    buffer_release(&buffer);
    assert_int_equal(place[0], 1);
}

static void test_what_does_not_fit_into_memory_is_refused(void **state) {
    (void)state;
    volatile size_t impossible = SIZE_MAX / 2 + 2;
    struct buffer buffer;
    buffer_init(&buffer);
    assert_null(buffer_alloc(&buffer, impossible));
    assert_null(buffer_alloc(&buffer, SIZE_MAX));
    assert_false(buffer_append(&buffer, slice_from("a", impossible)));
    assert_text(&buffer, "");
    append(&buffer, "abc");
    assert_null(buffer_alloc(&buffer, impossible));
    assert_null(buffer_alloc(&buffer, SIZE_MAX));
    assert_text(&buffer, "abc");
    append(&buffer, "def");
    assert_text(&buffer, "abcdef");
    buffer_release(&buffer);
}

static void test_buffers_know_nothing_of_each_other(void **state) {
    (void)state;
    struct buffer one;
    struct buffer two;
    buffer_init(&one);
    buffer_init(&two);
    append(&one, "one");
    append(&two, "two");
    append(&one, "+");
    buffer_release(&two);
    assert_text(&one, "one+");
    buffer_release(&one);
}

static void test_a_released_buffer_can_be_made_again(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer);
    fill(&buffer, LARGE, 'a');
    buffer_release(&buffer);
    buffer_init(&buffer);
    append(&buffer, "again");
    assert_text(&buffer, "again");
    buffer_release(&buffer);
}

/* Random operations against a flat run of bytes, and a list of the external pieces. */

#define EXTERNALS_MAX 64

struct external {
    unsigned char *data; /* NULL once it has been given back */
    size_t start;        /* where in the buffer it begins */
};

/* What a release function can reach is only what is here. */
static struct external externals[EXTERNALS_MAX];
static size_t external_count; /* in the buffer, in the order of their starts, from the first on */

static void release_external(void *data) {
    for (size_t i = 0; i < EXTERNALS_MAX; i++) {
        if (externals[i].data == data) {
            free(data);
            externals[i].data = NULL;
            return;
        }
    }
    fail_msg("what was given back was not in the buffer");
}

/* After a cut to `length`: exactly the external pieces that began behind it are gone. */
static void check_externals(size_t length) {
    size_t kept = 0;
    while (kept < external_count && externals[kept].start < length) {
        assert_non_null(externals[kept].data);
        kept++;
    }
    for (size_t i = kept; i < external_count; i++) {
        assert_null(externals[i].data);
    }
    external_count = kept;
}

static size_t random_length(struct random *random) {
    static const size_t limits[] = {4, 40, 700, 5000};
    return 1 + random_below(random, limits[random_below(random, 4)]);
}

static void append_random(struct random *random, struct buffer *buffer, struct blob *model) {
    size_t start = model->length;
    size_t length = random_length(random);
    blob_add_run(model, (unsigned char)random_next(random), length);
    unsigned char *bytes = model->data + start;
    bytes[random_below(random, length)] = (unsigned char)random_next(random);
    switch (random_below(random, 4)) {
    case 0:
        memcpy(fill(buffer, length, '?'), bytes, length);
        break;
    case 1:
        if (external_count < EXTERNALS_MAX) {
            unsigned char *copy = malloc(length);
            assert_non_null(copy);
            memcpy(copy, bytes, length);
            externals[external_count] = (struct external){.data = copy, .start = start};
            external_count++;
            assert_true(buffer_append_external(buffer, copy, length, release_external));
            break;
        }
        /* fall through */
    default:
        assert_true(buffer_append(buffer, slice_from(bytes, length)));
    }
}

static void truncate_random(struct random *random, struct buffer *buffer, struct blob *model) {
    size_t length = random_below(random, model->length + 10);
    buffer_truncate(buffer, length);
    if (length < model->length) {
        model->length = length;
    }
    check_externals(model->length);
}

static void copy_random(struct random *random, const struct buffer *buffer,
                        const struct blob *model) {
    unsigned char target[600];
    size_t offset = random_below(random, model->length + 10);
    size_t length = random_below(random, sizeof target + 1);
    size_t rest = offset < model->length ? model->length - offset : 0;
    size_t expected = length < rest ? length : rest;
    assert_int_equal(buffer_copy(buffer, offset, length, target), expected);
    assert_true(expected == 0 || memcmp(target, model->data + offset, expected) == 0);
}

static void run_random_operations(struct random *random) {
    struct buffer buffer;
    struct blob model = {0};
    buffer_init(&buffer);
    external_count = 0;
    for (size_t steps = random_below(random, 100); steps > 0; steps--) {
        switch (random_below(random, 16)) {
        case 0:
            buffer_clear(&buffer);
            blob_clear(&model);
            check_externals(0);
            break;
        case 1:
        case 2:
        case 3:
            truncate_random(random, &buffer, &model);
            break;
        case 4:
            copy_random(random, &buffer, &model);
            break;
        default:
            append_random(random, &buffer, &model);
        }
        assert_content(&buffer, blob_view(&model));
    }
    buffer_release(&buffer);
    check_externals(0);
    blob_release(&model);
}

static void test_random_operations(void **state) {
    (void)state;
    struct random random;
    random_init(&random, random_seed("buffer"));
    for (int i = 0; i < 1000; i++) {
        run_random_operations(&random);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_buffer_is_empty),
        cmocka_unit_test(test_what_is_appended_stands_in_a_row),
        cmocka_unit_test(test_appending_nothing_changes_nothing),
        cmocka_unit_test(test_room_is_in_one_piece_and_may_be_filled_later),
        cmocka_unit_test(test_a_place_stays_valid_while_the_buffer_grows),
        cmocka_unit_test(test_many_small_pieces_become_few_large_ones),
        cmocka_unit_test(test_a_large_piece_first_and_a_small_one_behind),
        cmocka_unit_test(test_copy_takes_any_part),
        cmocka_unit_test(test_external_bytes_are_read_where_they_lie),
        cmocka_unit_test(test_external_bytes_alone),
        cmocka_unit_test(test_release_gives_external_bytes_back_once),
        cmocka_unit_test(test_clear_gives_external_bytes_back_once),
        cmocka_unit_test(test_truncate_gives_back_what_leaves_and_keeps_what_is_cut),
        cmocka_unit_test(test_truncate_to_any_length),
        cmocka_unit_test(test_truncate_to_what_is_there_or_more_changes_nothing),
        cmocka_unit_test(test_room_that_left_is_used_again),
        cmocka_unit_test(test_room_that_left_is_used_again_across_allocations),
        cmocka_unit_test(test_room_that_left_behind_external_bytes_is_used_again),
        cmocka_unit_test(test_external_bytes_next_to_internal_ones_stay_apart),
        cmocka_unit_test(test_what_does_not_fit_into_memory_is_refused),
        cmocka_unit_test(test_buffers_know_nothing_of_each_other),
        cmocka_unit_test(test_a_released_buffer_can_be_made_again),
        cmocka_unit_test(test_random_operations),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
