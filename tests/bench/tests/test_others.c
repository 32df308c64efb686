/* How busy others were, from texts in the form of /proc/stat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "others.h"

static struct others read_text(const char *text, int cpu) {
    struct others others;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    rewind(file);
    others_read(&others, file, cpu);
    fclose(file);
    return others;
}

/* Processor 1 measures: that it is busy does not count, nor does the sum of all. */
static void test_only_others_count(void **state) {
    (void)state;
    const struct others others = read_text("cpu  9000 9000 9000 9000 9000 9000 9000 9000 0 0\n"
                                           "cpu0 1 2 4 8 16 32 64 128 0 0\n"
                                           "cpu1 1000 1000 1000 1000 1000 1000 1000 1000 0 0\n"
                                           "cpu2 256 0 0 512 0 0 0 0 0 0\n"
                                           "intr 12345 1 2 3\n"
                                           "ctxt 99\n",
                                           1);
    assert_int_equal(others.busy, 1 + 2 + 4 + 32 + 64 + 128 + 256); /* not idle, not waiting */
    assert_int_equal(others.all, 255 + 768);
    assert_int_equal(others.own_busy, 6000);
    assert_int_equal(others.own_all, 8000);
}

static void test_the_share_between_two_looks(void **state) {
    (void)state;
    const struct others before = read_text("cpu0 100 0 0 100 0 0 0 0\n", 1);
    const struct others quiet = read_text("cpu0 100 0 0 300 0 0 0 0\n", 1);
    const struct others half = read_text("cpu0 200 0 0 200 0 0 0 0\n", 1);
    assert_true(others_share(&before, &quiet) == 0);
    assert_true(others_share(&before, &half) == 0.5);
}

static void test_what_is_not_told_is_not_known(void **state) {
    (void)state;
    const char *const texts[] = {"", "cpu  1 2 3 4 5 6 7 8\n", "cpu0 1 2 3\n", "nothing\n",
                                 "cpu1 1 2 3 4 5 6 7 8\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const struct others before = read_text(texts[i], 1);
        const struct others after = read_text(texts[i], 1);
        assert_true(others_share(&before, &after) < 0);
    }
    struct others none;
    others_read(&none, NULL, 1);
    assert_true(others_share(&none, &none) < 0);
}

/* As when a processor is taken away in between. */
static void test_counters_that_go_back_are_not_known(void **state) {
    (void)state;
    const struct others before = read_text("cpu0 100 0 0 100 0 0 0 0\n", 1);
    const struct others after = read_text("cpu0 90 0 0 200 0 0 0 0\n", 1);
    assert_true(others_share(&before, &after) < 0);
    assert_true(others_share(&after, &before) < 0);
}

/* Of ten seconds, nine busy, the ruler's processes have used seven. */
static void test_rivals_are_what_nobody_here_used(void **state) {
    (void)state;
    const uint64_t second = (uint64_t)sysconf(_SC_CLK_TCK);
    const struct others before = {.own_busy = 5 * second, .own_all = 20 * second, .used = 3};
    const struct others after = {.own_busy = 14 * second, .own_all = 30 * second, .used = 10};
    const struct others alone = {.own_busy = 14 * second, .own_all = 30 * second, .used = 12.1};
    assert_true(fabs(others_rivals(&before, &after) - 0.2) < 1e-9);
    assert_true(others_rivals(&before, &alone) == 0);
    assert_true(others_rivals(&after, &before) < 0);
    assert_true(others_rivals(&before, &before) < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_others_count),
        cmocka_unit_test(test_the_share_between_two_looks),
        cmocka_unit_test(test_what_is_not_told_is_not_known),
        cmocka_unit_test(test_counters_that_go_back_are_not_known),
        cmocka_unit_test(test_rivals_are_what_nobody_here_used),
    };
    return cmocka_run_group_tests_name("others", tests, NULL, NULL);
}
