/* The hash of keys, against the values that its inventors publish. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hash.h"

static void test_published_values(void **state) {
    (void)state;
    assert_true(hash_bytes(slice_from_string("")) == UINT64_C(0xcbf29ce484222325));
    assert_true(hash_bytes(slice_from_string("a")) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hash_bytes(slice_from_string("foobar")) == UINT64_C(0x85944171f73967e8));
}

static void test_every_byte_counts_nul_too(void **state) {
    (void)state;
    assert_true(hash_bytes(slice_from("\0", 1)) == UINT64_C(0xaf63bd4c8601b7df));
    assert_true(hash_bytes(slice_from("a\0b", 3)) != hash_bytes(slice_from("a\0c", 3)));
    assert_true(hash_bytes(slice_from("a\0", 2)) != hash_bytes(slice_from("a", 1)));
    assert_true(hash_bytes(slice_from("\xff", 1)) == UINT64_C(0xaf64724c8602eb6e));
}

static void test_nothing_needs_no_place(void **state) {
    (void)state;
    assert_true(hash_bytes(slice_from(NULL, 0)) == hash_bytes(slice_from_string("")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values),
        cmocka_unit_test(test_every_byte_counts_nul_too),
        cmocka_unit_test(test_nothing_needs_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
