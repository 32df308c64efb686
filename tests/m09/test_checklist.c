/*
 * The checklist of m09: code that is never called may grow without a GET of an absent key missing
 * the instruction cache any more often. Simulated, with tests/m09/points.sh: the copy's sources are
 * built anew for that, with the compiler in CC, or else one of the kind that compiled this. All
 * tests are skipped where there is no valgrind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "watchdog.h"

#define BASELINE "solutions/m00"

/* In bytes. No multiples of a cache line, so that a way that starts anywhere is found out, too. */
#define SIZES "208 1104 2352 3504"
#define SITES "front middle behind"
enum { POINTS = 12 };

/* In misses per GET. What the baseline shows here decides whether the others say anything. */
#define SPREAD_MAX 1.0
#define BASELINE_SPREAD_MIN 8.0

enum { PATH_SIZE = 4096, COMMAND_SIZE = 3 * PATH_SIZE };

struct misses {
    double least;
    double most;
    double mean;
};

static bool has_valgrind;
static struct misses baseline;
static struct misses copy;

static const char *compiler(void) {
    const char *chosen = getenv("CC");
    if (chosen != NULL && chosen[0] != '\0') {
        return chosen;
    }
#ifdef __clang__
    return "clang";
#else
    return "gcc";
#endif
}

/*
 * The folder of the copy under test, relative to here: MINIKV_SOURCES without the working folder in
 * front of it and without "/src".
 */
static bool find_copy(char folder[PATH_SIZE]) {
    char here[PATH_SIZE];
    const char *sources = getenv("MINIKV_SOURCES");
    if (sources == NULL || getcwd(here, sizeof here) == NULL) {
        return false;
    }
    const size_t length = strlen(here);
    if (strncmp(sources, here, length) == 0 && sources[length] == '/') {
        sources += length + 1;
    }
    const char *end = strrchr(sources, '/');
    if (end == NULL || strcmp(end, "/src") != 0) {
        return false;
    }
    (void)snprintf(folder, PATH_SIZE, "%.*s", (int)(end - sources), sources);
    return true;
}

/* Reads lines of "SITE BYTES MISSES INSTRUCTIONS". Returns how many there were. */
static int read_points(FILE *file, struct misses *misses) {
    double value;
    double sum = 0;
    int count = 0;
    while (fscanf(file, "%*s %*s %lf %*s", &value) == 1) {
        misses->least = count == 0 || value < misses->least ? value : misses->least;
        misses->most = count == 0 || value > misses->most ? value : misses->most;
        sum += value;
        count++;
    }
    misses->mean = count == 0 ? 0 : sum / count;
    return count;
}

/* Builds the copy in `folder` and measures it at all points. False after a complaint. */
static bool sweep(const char *folder, struct misses *misses) {
    char command[COMMAND_SIZE];
    (void)snprintf(command, sizeof command,
                   "set -eu; unset MAKEFLAGS MFLAGS MAKELEVEL; copy='%s'; CC='%s'; set --;"
                   "for site in " SITES "; do for bytes in " SIZES "; do"
                   " set -- \"$@\" \"$site:$bytes\"; done; done;"
                   "image() { make --no-print-directory -f tests/m09/image.mk COPY=\"$copy\""
                   " CC=\"$CC\" \"$1\"; };"
                   "image all >/dev/null; sh tests/m09/points.sh \"$(image where)\" \"$@\"",
                   folder, compiler());
    FILE *file = popen(command, "r");
    if (file == NULL) {
        print_error("cannot run the sweep\n");
        return false;
    }
    const int count = read_points(file, misses);
    const int status = pclose(file);
    if (status != 0 || count != POINTS) {
        print_error("%s: the sweep failed, with %d points of %d\n", folder, count, POINTS);
        return false;
    }
    print_message("%s, %s: %.2f to %.2f misses per GET, %.2f on average\n", folder, compiler(),
                  misses->least, misses->most, misses->mean);
    return true;
}

static int sweep_both(void **state) {
    char folder[PATH_SIZE];
    has_valgrind = system("command -v valgrind >/dev/null") == 0;
    if (!has_valgrind) {
        print_message("The cache is simulated by valgrind, which is not installed: "
                      "apt-get install valgrind\n");
        return 0;
    }
    if (!find_copy(folder)) {
        print_error("MINIKV_SOURCES does not say where the copy is: run make test EX=m09\n");
        return -1;
    }
    (void)watchdog_start(state);
    return sweep(BASELINE, &baseline) && sweep(folder, &copy) ? 0 : -1;
}

static void need_valgrind(void) {
    if (!has_valgrind) {
        skip();
    }
}

/* Else nothing could be seen of a cure. */
static void test_the_baseline_depends_on_code_that_is_never_called(void **state) {
    (void)state;
    need_valgrind();
    assert_true(baseline.most - baseline.least >= BASELINE_SPREAD_MIN);
}

static void test_a_get_does_not_depend_on_code_that_is_never_called(void **state) {
    (void)state;
    need_valgrind();
    if (copy.most - copy.least > SPREAD_MAX) {
        fail_msg("%.2f to %.2f misses per GET; they may differ by %.2f", copy.least, copy.most,
                 SPREAD_MAX);
    }
}

/* Steady, but not at the price of being always as bad as before. */
static void test_a_get_misses_no_more_than_the_baseline_does_on_average(void **state) {
    (void)state;
    need_valgrind();
    assert_true(copy.most <= baseline.mean);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_baseline_depends_on_code_that_is_never_called),
        cmocka_unit_test(test_a_get_does_not_depend_on_code_that_is_never_called),
        cmocka_unit_test(test_a_get_misses_no_more_than_the_baseline_does_on_average),
    };
    return cmocka_run_group_tests(tests, sweep_both, NULL);
}
