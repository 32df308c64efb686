/*
 * That the releases which m09 hands out can still be made from the baseline.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "watchdog.h"

static void test_the_patches_of_both_releases_apply_to_the_baseline(void **state) {
    (void)state;
    assert_int_equal(system("sh tests/m09/releases.sh --check"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_patches_of_both_releases_apply_to_the_baseline),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
