/* The table in memory. Only what every exercise keeps of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "blob.h"
#include "hash.h"
#include "index.h"
#include "random.h"
#include "watchdog.h"

/* AddressSanitizer ends a program that asks for too much memory, unless told to refuse instead. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static struct index *new_index(void) {
    struct index *index = index_new();
    assert_non_null(index);
    return index;
}

static void set_bytes(struct index *index, struct slice key, struct slice value) {
    struct index_change change;
    assert_true(index_prepare_set(index, key, value, &change));
    index_commit(index, &change);
}

static void append_bytes(struct index *index, struct slice key, struct slice suffix) {
    struct index_change change;
    assert_true(index_prepare_append(index, key, suffix, &change));
    index_commit(index, &change);
}

static void set(struct index *index, const char *key, const char *value) {
    set_bytes(index, slice_from_string(key), slice_from_string(value));
}

static void append(struct index *index, const char *key, const char *suffix) {
    append_bytes(index, slice_from_string(key), slice_from_string(suffix));
}

static void assert_holds_bytes(const struct index *index, struct slice key, struct slice value) {
    assert_true(index_contains(index, key));
    const struct bytes *found = index_find(index, key);
    assert_non_null(found);
    assert_true(slice_equal(bytes_view(found), value));
}

static void assert_holds(const struct index *index, const char *key, const char *value) {
    assert_holds_bytes(index, slice_from_string(key), slice_from_string(value));
}

static void assert_lacks_bytes(const struct index *index, struct slice key) {
    assert_false(index_contains(index, key));
    assert_null(index_find(index, key));
}

static void assert_lacks(const struct index *index, const char *key) {
    assert_lacks_bytes(index, slice_from_string(key));
}

/* What is in the index by counting: as many keys and bytes as it says. */
static void assert_sizes(const struct index *index, size_t count, uint64_t payload) {
    struct index_cursor cursor = {0};
    struct slice key;
    struct slice value;
    size_t seen = 0;
    uint64_t bytes = 0;
    while (index_next(index, &cursor, &key, &value)) {
        assert_holds_bytes(index, key, value);
        bytes += key.length + value.length;
        seen++;
    }
    assert_int_equal(seen, count);
    assert_int_equal(bytes, payload);
    assert_int_equal(index_count(index), count);
    assert_int_equal(index_payload(index), payload);
}

static void test_a_new_index_is_empty(void **state) {
    (void)state;
    struct index *index = new_index();
    assert_lacks(index, "a");
    assert_lacks(index, "");
    assert_false(index_remove(index, slice_from_string("a")));
    assert_sizes(index, 0, 0);
    index_free(index);
    index_free(NULL);
}

static void test_set_makes_and_replaces(void **state) {
    (void)state;
    struct index *index = new_index();
    set(index, "a", "1");
    assert_holds(index, "a", "1");
    assert_sizes(index, 1, 2);
    set(index, "a", "a longer value");
    assert_holds(index, "a", "a longer value");
    assert_sizes(index, 1, 15);
    set(index, "a", "");
    assert_holds(index, "a", "");
    assert_sizes(index, 1, 1);
    index_free(index);
}

static void test_append_makes_and_adds(void **state) {
    (void)state;
    struct index *index = new_index();
    append(index, "a", "one");
    assert_holds(index, "a", "one");
    append(index, "a", "two");
    assert_holds(index, "a", "onetwo");
    append(index, "a", "");
    assert_holds(index, "a", "onetwo");
    append(index, "b", "");
    assert_holds(index, "b", "");
    assert_sizes(index, 2, 8);
    set(index, "a", "x");
    append(index, "a", "y");
    assert_holds(index, "a", "xy");
    assert_sizes(index, 2, 4);
    index_free(index);
}

static void test_remove_takes_one_key_away(void **state) {
    (void)state;
    struct index *index = new_index();
    set(index, "a", "1");
    set(index, "b", "22");
    assert_true(index_remove(index, slice_from_string("a")));
    assert_lacks(index, "a");
    assert_holds(index, "b", "22");
    assert_sizes(index, 1, 3);
    assert_false(index_remove(index, slice_from_string("a")));
    assert_true(index_remove(index, slice_from_string("b")));
    assert_sizes(index, 0, 0);
    set(index, "a", "again");
    assert_holds(index, "a", "again");
    index_free(index);
}

static void test_keys_are_told_apart_by_every_byte(void **state) {
    (void)state;
    struct index *index = new_index();
    set(index, "", "none");
    set_bytes(index, slice_from("\0", 1), slice_from_string("nul"));
    set_bytes(index, slice_from("\0\0", 2), slice_from_string("two nuls"));
    set_bytes(index, slice_from("a\0b", 3), slice_from_string("b"));
    set_bytes(index, slice_from("a\0c", 3), slice_from_string("c"));
    set(index, "a", "a");
    set(index, "A", "A");
    assert_holds_bytes(index, slice_from(NULL, 0), slice_from_string("none"));
    assert_holds_bytes(index, slice_from("\0", 1), slice_from_string("nul"));
    assert_holds_bytes(index, slice_from("\0\0", 2), slice_from_string("two nuls"));
    assert_holds_bytes(index, slice_from("a\0b", 3), slice_from_string("b"));
    assert_holds_bytes(index, slice_from("a\0c", 3), slice_from_string("c"));
    assert_holds(index, "a", "a");
    assert_holds(index, "A", "A");
    assert_lacks_bytes(index, slice_from("a\0", 2));
    assert_int_equal(index_count(index), 7);
    index_free(index);
}

/* Two keys of one hash, as long as that is 64-bit FNV-1a. */
static void test_keys_that_collide_are_told_apart(void **state) {
    (void)state;
    struct slice one = slice_from_string("8yn0iYCKYHlIj4-BwPqk");
    struct slice two = slice_from_string("GReLUrM4wMqfg9yzV3KQ");
    assert_true(hash_bytes(one) == hash_bytes(two));
    struct index *index = new_index();
    set_bytes(index, one, slice_from_string("1"));
    assert_lacks_bytes(index, two);
    assert_false(index_remove(index, two));
    set_bytes(index, two, slice_from_string("2"));
    assert_holds_bytes(index, one, slice_from_string("1"));
    assert_holds_bytes(index, two, slice_from_string("2"));
    assert_true(index_remove(index, one));
    assert_lacks_bytes(index, one);
    assert_holds_bytes(index, two, slice_from_string("2"));
    index_free(index);
}

static void test_keys_and_values_are_copied(void **state) {
    (void)state;
    struct index *index = new_index();
    char key[] = "key";
    char value[] = "value";
    set(index, key, value);
    memset(key, '#', 3);
    memset(value, '#', 5);
    append(index, "key", "+");
    assert_holds(index, "key", "value+");
    assert_lacks(index, "###");
    index_free(index);
}

static void test_nothing_shows_before_the_commit(void **state) {
    (void)state;
    struct index *index = new_index();
    struct index_change change;
    set(index, "a", "old");

    assert_true(
        index_prepare_set(index, slice_from_string("a"), slice_from_string("new"), &change));
    assert_holds(index, "a", "old");
    assert_sizes(index, 1, 4);
    index_commit(index, &change);
    assert_holds(index, "a", "new");

    assert_true(
        index_prepare_append(index, slice_from_string("a"), slice_from_string("er"), &change));
    assert_holds(index, "a", "new");
    assert_sizes(index, 1, 4);
    index_commit(index, &change);
    assert_holds(index, "a", "newer");

    assert_true(index_prepare_set(index, slice_from_string("b"), slice_from_string("2"), &change));
    assert_lacks(index, "b");
    assert_sizes(index, 1, 6);
    index_commit(index, &change);
    assert_holds(index, "b", "2");
    assert_sizes(index, 2, 8);
    index_free(index);
}

static void test_an_abandoned_change_leaves_no_trace(void **state) {
    (void)state;
    struct index *index = new_index();
    struct index_change change;
    struct slice a = slice_from_string("a");
    struct slice b = slice_from_string("b");
    struct slice value = slice_from_string("a new value");
    set(index, "a", "old");
    assert_true(index_prepare_set(index, a, value, &change));
    index_abandon(&change);
    assert_true(index_prepare_append(index, a, value, &change));
    index_abandon(&change);
    assert_true(index_prepare_set(index, b, value, &change));
    index_abandon(&change);
    assert_true(index_prepare_append(index, b, value, &change));
    index_abandon(&change);
    assert_holds(index, "a", "old");
    assert_lacks(index, "b");
    assert_sizes(index, 1, 4);
    index_free(index);
}

static void test_what_does_not_fit_into_memory_is_refused(void **state) {
    (void)state;
    volatile size_t impossible = SIZE_MAX / 2 + 2;
    struct index *index = new_index();
    struct index_change change;
    struct slice too_long = slice_from("a", impossible);
    set(index, "a", "old");
    assert_false(index_prepare_set(index, slice_from_string("a"), too_long, &change));
    assert_false(index_prepare_set(index, slice_from_string("b"), too_long, &change));
    assert_false(index_prepare_append(index, slice_from_string("a"), too_long, &change));
    assert_false(index_prepare_append(index, slice_from_string("b"), too_long, &change));
    assert_holds(index, "a", "old");
    assert_lacks(index, "b");
    assert_sizes(index, 1, 4);
    index_free(index);
}

static struct slice name_key(char key[24], size_t number) {
    return slice_from(key, (size_t)snprintf(key, 24, "key:%zu", number));
}

static void test_very_many_keys(void **state) {
    (void)state;
    enum { KEYS = 50000 };
    struct index *index = new_index();
    char key[24];
    for (size_t i = 0; i < KEYS; i++) {
        struct slice name = name_key(key, i);
        assert_lacks_bytes(index, name);
        set_bytes(index, name, name);
        assert_int_equal(index_count(index), i + 1);
    }
    for (size_t i = 0; i < KEYS; i++) {
        struct slice name = name_key(key, i);
        assert_holds_bytes(index, name, name);
    }
    for (size_t i = 0; i < KEYS; i += 2) {
        assert_true(index_remove(index, name_key(key, i)));
    }
    uint64_t payload = 0;
    for (size_t i = 0; i < KEYS; i++) {
        struct slice name = name_key(key, i);
        assert_true(index_contains(index, name) == (i % 2 == 1));
        payload += i % 2 == 1 ? 2 * name.length : 0;
    }
    assert_sizes(index, KEYS / 2, payload);
    index_free(index);
}

static void test_an_iteration_shows_each_key_once(void **state) {
    (void)state;
    enum { KEYS = 1000 };
    struct index *index = new_index();
    bool seen[KEYS] = {false};
    for (size_t i = 0; i < KEYS; i++) {
        char key[24];
        set_bytes(index, name_key(key, i), slice_from(&i, sizeof i));
    }
    struct index_cursor cursor = {0};
    struct slice key;
    struct slice value;
    size_t count = 0;
    while (index_next(index, &cursor, &key, &value)) {
        size_t number;
        char name[24];
        assert_int_equal(value.length, sizeof number);
        memcpy(&number, value.data, sizeof number);
        assert_true(number < KEYS && !seen[number]);
        assert_true(slice_equal(key, name_key(name, number)));
        seen[number] = true;
        count++;
    }
    assert_int_equal(count, KEYS);
    assert_false(index_next(index, &cursor, &key, &value));
    index_free(index);
}

/* Random changes of a few keys against an array with a place for each. */

#define POOL 60

struct pool_entry {
    bool exists;
    struct blob value;
};

static void assert_is_pool(const struct index *index, const struct pool_entry *pool) {
    size_t count = 0;
    uint64_t payload = 0;
    for (size_t i = 0; i < POOL; i++) {
        char key[24];
        struct slice name = name_key(key, i);
        if (pool[i].exists) {
            assert_holds_bytes(index, name, blob_view(&pool[i].value));
            payload += name.length + pool[i].value.length;
            count++;
        } else {
            assert_lacks_bytes(index, name);
        }
    }
    assert_sizes(index, count, payload);
}

static void change_at_random(struct random *random, struct index *index, struct pool_entry *pool) {
    unsigned char bytes[40];
    char key[24];
    size_t number = random_below(random, POOL);
    struct slice name = name_key(key, number);
    struct slice value = slice_from(bytes, random_below(random, sizeof bytes));
    memset(bytes, (int)random_below(random, 256), sizeof bytes);

    struct index_change change;
    struct pool_entry *entry = &pool[number];
    switch (random_below(random, 6)) {
    case 0:
    case 1:
        assert_true(index_remove(index, name) == entry->exists);
        entry->exists = false;
        blob_clear(&entry->value);
        break;
    case 2:
        append_bytes(index, name, value);
        entry->exists = true;
        blob_add(&entry->value, value.data, value.length);
        break;
    case 3:
        assert_true(random_below(random, 2) == 0
                        ? index_prepare_set(index, name, value, &change)
                        : index_prepare_append(index, name, value, &change));
        index_abandon(&change);
        break;
    default:
        set_bytes(index, name, value);
        entry->exists = true;
        blob_clear(&entry->value);
        blob_add(&entry->value, value.data, value.length);
    }
}

static void test_random_changes(void **state) {
    (void)state;
    struct random random;
    random_init(&random, random_seed("index"));
    struct index *index = new_index();
    struct pool_entry pool[POOL] = {0};
    for (int i = 0; i < 20000; i++) {
        change_at_random(&random, index, pool);
        if (i % 10 == 0) {
            assert_is_pool(index, pool);
        }
    }
    assert_is_pool(index, pool);
    index_free(index);
    for (size_t i = 0; i < POOL; i++) {
        blob_release(&pool[i].value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_index_is_empty),
        cmocka_unit_test(test_set_makes_and_replaces),
        cmocka_unit_test(test_append_makes_and_adds),
        cmocka_unit_test(test_remove_takes_one_key_away),
        cmocka_unit_test(test_keys_are_told_apart_by_every_byte),
        cmocka_unit_test(test_keys_that_collide_are_told_apart),
        cmocka_unit_test(test_keys_and_values_are_copied),
        cmocka_unit_test(test_nothing_shows_before_the_commit),
        cmocka_unit_test(test_an_abandoned_change_leaves_no_trace),
        cmocka_unit_test(test_what_does_not_fit_into_memory_is_refused),
        cmocka_unit_test(test_very_many_keys),
        cmocka_unit_test(test_an_iteration_shows_each_key_once),
        cmocka_unit_test(test_random_changes),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
