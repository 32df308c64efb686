/*
 * The whole ruler, with shell scripts in the place of workers: what it says where both sides agree,
 * differ, crash, or are the same. No time is taken: the scripts say how long they took.
 */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"

static char ruler[FOLDER_PATH_MAX];
static char steadier[FOLDER_PATH_MAX];
static char path_before[FOLDER_PATH_MAX]; /* $PATH */
static char top[FOLDER_PATH_MAX];
static char output[65536];

/* A worker; %s is what it does with a "run" request. */
static const char worker_script[] =
    "#!/bin/sh\n"
    "if [ \"$1\" = --list ]; then printf 'get-hit\\t0\\tGET\\nset\\t0\\tSET\\n\\n'; exit; fi\n"
    "echo ready\n"
    "while read -r request rest; do\n"
    "    case $request in\n"
    "    run) %s ;;\n"
    "    check) echo sum 7 ;;\n"
    "    esac\n"
    "done\n";

static void write_file(const char *path, const char *text, mode_t mode) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* A build as measured.mk makes it: "linking" copies the worker. */
static void make_build(const char *name, const char *run) {
    char path[FOLDER_PATH_MAX];
    char script[2048];
    assert_int_equal(mkdir(name, 0777), 0);
    snprintf(script, sizeof(script), worker_script, run);
    folder_path(path, "%s/worker", name);
    write_file(path, script, 0755);
    folder_path(path, "%s/plain", name);
    write_file(path, script, 0644);
    folder_path(path, "%s/objects", name);
    snprintf(script, sizeof(script), "%s/worker\n", name);
    write_file(path, script, 0644);
    folder_path(path, "%s/link", name);
    write_file(path, "cp \"$2\" \"$1\"\n", 0644);
}

static void keep_selfcheck(const char *result) {
    char text[64];
    assert_true(mkdir("build", 0777) == 0 || access("build", F_OK) == 0);
    assert_true(mkdir("build/bench", 0777) == 0 || access("build/bench", F_OK) == 0);
    snprintf(text, sizeof(text), "%s %lld\n", result, (long long)time(NULL));
    write_file("build/bench/selfcheck", text, 0644);
}

/* Each test has a folder of its own as its working folder. */
static int enter_folder(void **state) {
    (void)state;
    if (!folder_make(top) || chdir(top) != 0) {
        return -1;
    }
    keep_selfcheck("passed");
    return 0;
}

static int leave_folder(void **state) {
    (void)state;
    folder_remove(top);
    return setenv("PATH", path_before, 1) == 0 ? chdir("/") : -1;
}

/* Runs the ruler on builds "a" and "b"; its exit code. What it said, on both streams, is kept. */
static int run_ruler(const char *command) {
    char line[2 * FOLDER_PATH_MAX];
    snprintf(line, sizeof(line),
             "'%s' %s --name-a left --build-a a --name-b right --build-b b --rows get-hit "
             "--rounds 2 --seed 1 --turns . 2>&1",
             ruler, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    const size_t length = fread(output, 1, sizeof(output) - 1, pipe);
    output[length] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_says(const char *text) {
    if (strstr(output, text) == NULL) {
        fail_msg("'%s' is not in: %s", text, output);
    }
}

static void assert_file_says(const char *path, const char *text) {
    static char content[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    content[fread(content, 1, sizeof(content) - 1, file)] = '\0';
    fclose(file);
    if (strstr(content, text) == NULL) {
        fail_msg("'%s' is not in %s", text, path);
    }
}

static void assert_gives_no_verdict(void) {
    const char *const words[] = {"faster", "slower", "no measurable", "inconclusive", "times as"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strstr(output, words[i]) != NULL) {
            fail_msg("'%s' is in: %s", words[i], output);
        }
    }
}

static void test_a_difference_is_told(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "echo time 500000 5");
    assert_int_equal(run_ruler("compare"), 0);
    assert_says("B is faster: it takes 50.0 % less time [50.0, 50.0], 2.00 times as fast");
    assert_says("40 layouts of each, 80 pairs of processes");
    assert_int_equal(access("build/compare.csv", F_OK), 0);
    assert_int_equal(access("build/compare.json", F_OK), 0);
    assert_int_equal(access("build/compare.svg", F_OK), 0);
}

static void test_no_difference_is_told(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "echo time 1000001 5");
    assert_int_equal(run_ruler("compare"), 0);
    assert_says("no measurable change");
}

static void test_the_same_code_is_not_measured(void **state) {
    (void)state;
    make_build("a", "exit 1");
    make_build("b", "exit 1");
    assert_int_equal(run_ruler("compare"), 0);
    assert_says("same machine code");
    assert_gives_no_verdict();
}

static void test_other_answers_make_it_void(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "echo time 500000 6");
    assert_int_equal(run_ruler("compare"), 1);
    assert_says("void: left and right answer differently");
    assert_says("a/layouts/");
    assert_says("b/layouts/");
    assert_says("printf 'show\\ncheck ");
    assert_gives_no_verdict();
}

static void test_a_crash_is_told_with_its_command(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "kill -SEGV $$");
    assert_int_equal(run_ruler("compare"), 1);
    assert_says("ended by signal 11");
    assert_says("To see it again");
    assert_says("b/layouts/");
    assert_says("--row get-hit");
    assert_gives_no_verdict();
}

static void test_nonsense_is_told(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "echo what?");
    assert_int_equal(run_ruler("compare"), 1);
    assert_says("a worker answered 'what?'");
    assert_gives_no_verdict();
}

static void test_no_verdict_after_a_failed_selfcheck(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "echo time 500000 5");
    keep_selfcheck("failed");
    assert_int_equal(run_ruler("compare"), 1);
    assert_says("the last self-check failed");
    assert_says("make bench-selfcheck");
    assert_gives_no_verdict();
}

/* Only an old check, or none, is done again. */
static void test_a_selfcheck_comes_first(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "echo time 500000 5");
    write_file("build/bench/selfcheck", "failed 1000\n", 0644);
    assert_int_equal(run_ruler("compare"), 0);
    assert_says("Self-check: left against itself");
    assert_says("passed");
    assert_says("B is faster");
    assert_int_equal(run_ruler("compare"), 0);
    assert_null(strstr(output, "Self-check"));
}

/* Here layouts differ: all of A's, from number 200000 on, and those from 201000 on. */
static void test_a_selfcheck_fails_on_a_difference(void **state) {
    (void)state;
    make_build("a", "case $0 in */b/*) echo time 1100000 5 ;; *) echo time 1000000 5 ;; esac");
    make_build("b", "exit 1");
    assert_int_equal(run_ruler("selfcheck"), 1);
    assert_says("finds differences where there are none");
    assert_int_equal(run_ruler("compare"), 1);
    assert_says("the last self-check failed");
}

/* The plain worker of each side, which is not what layouts are linked from. */
static void test_one_layout_is_the_plain_one_and_a_warning(void **state) {
    (void)state;
    char script[2048];
    make_build("a", "echo time 1000000 5");
    make_build("b", "echo time 1000000 5");
    snprintf(script, sizeof(script), worker_script, "echo time 800000 5");
    write_file("b/plain", script, 0755);
    assert_int_equal(chmod("a/plain", 0755), 0);
    assert_int_equal(run_ruler("compare --layouts one"), 0);
    assert_says("B is faster: it takes 20.0 % less time");
    assert_says("1 layout of each");
    assert_says("LAYOUTS=one leaves both sides");
    assert_file_says("build/compare.json", "\"layouts\": \"one\"");
    assert_int_equal(run_ruler("compare"), 0);
    assert_says("no measurable change");
    assert_null(strstr(output, "LAYOUTS=one"));
    assert_int_equal(run_ruler("compare --layouts some"), 2);
    assert_says("LAYOUTS=some");
}

/* Layouts 300000 to 300029, of which those whose number ends in 3 are slower. */
static void test_layouts_are_told_apart(void **state) {
    (void)state;
    make_build("a", "echo time $slow 5");
    make_build("b", "exit 1");
    write_file("a/link",
               "printf 'slow=1000000\n' >\"$1\"; case $1 in *3.partial) "
               "printf 'slow=1200000\n' >\"$1\" ;; esac; cat \"$2\" >>\"$1\"; chmod +x \"$1\"\n",
               0644);
    assert_int_equal(run_ruler("layouts --count 30 --processes 4 --out build/layouts"), 0);
    assert_says("30 random layouts, 4 processes of each");
    assert_says("correlation 1.00");
    assert_says("100 % are the layouts'");
    assert_says("B is slower: it takes 20.0 % more time");
    assert_says("there is a difference between these layouts");
    assert_file_says("build/layouts.json", "\"verdict_again\": \"slower\"");
    assert_file_says("build/layouts.json", "[300013, 600000.00, 0.1");
    assert_file_says("build/layouts.csv", "layout,process,block,round,operations,ns\n");
    assert_file_says("build/layouts.svg", "</svg>");
}

/* The first process of the fourth layout happens to be slow, and none afterwards. */
static void test_chance_among_layouts_is_told(void **state) {
    (void)state;
    make_build("a", "mkdir once-$slow 2>/dev/null; echo time 1000000 5");
    make_build("b", "exit 1");
    write_file("a/link", "cp \"$2\" \"$1\"\n", 0644);
    assert_int_equal(run_ruler("layouts --count 12 --processes 4 --out build/layouts"), 0);
    assert_says("real spread 0.00 %");
    assert_says("No spread was found");
    assert_says("it has vanished");
    assert_file_says("build/layouts.json", "\"verdict_again\": \"no change\"");
}

static void test_layouts_that_answer_differently_are_told(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 $$");
    make_build("b", "exit 1");
    assert_int_equal(run_ruler("layouts --count 6 --processes 4 --out build/layouts"), 1);
    assert_says("void");
    assert_says("To see it again");
    assert_int_equal(access("build/layouts.json", F_OK), -1);
}

static void test_bad_numbers_of_layouts_are_refused(void **state) {
    (void)state;
    make_build("a", "exit 1");
    make_build("b", "exit 1");
    assert_int_equal(run_ruler("layouts --count 1"), 2);
    assert_says("N=1");
    assert_int_equal(run_ruler("layouts --processes 5"), 2);
    assert_says("PROCESSES=5");
    assert_int_equal(run_ruler("layouts --processes 2"), 2);
}

static void write_lines(const char *path, size_t count, const char *line) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        assert_true(fputs(line, file) >= 0);
    }
    assert_int_equal(fclose(file), 0);
}

/* All tries of a cell, which ends by itself; the table says what they found. */
static void test_a_cell_is_tried_as_often_as_it_says(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "exit 1");
    write_file("earlier", "slower by 10 %\tno change\t0.01\t0.005\t1.0\t0.0\n", 0644);
    write_lines("build/cal.tsv", 38, "same, A always first\tslower\t0.02\t0.005\t1.0\t0.0\n");
    assert_int_equal(run_ruler("calibrate --out build/cal --cell 'same, A always first'"), 0);
    assert_int_equal(run_ruler("calibration --out build/cal"), 0);
    assert_says("| same, A always first | 38 of 40: 95.0 % [83.1, 99.4] | 0 | 38 | 2 | 0 |");
    assert_int_equal(run_ruler("calibration --from earlier"), 0);
    assert_says("| slower by 10 % | 0 of 1: 0.0 %");
    assert_says("+1.01 %");
}

static void test_unknown_cells_and_empty_results_are_told(void **state) {
    (void)state;
    make_build("a", "exit 1");
    make_build("b", "exit 1");
    assert_int_equal(run_ruler("calibrate --out build/cal --cell nonsense"), 2);
    assert_says("CELL=nonsense");
    assert_says("CELL='same, idle'");
    assert_int_equal(run_ruler("calibrate-check --cell nonsense"), 2);
    assert_int_equal(run_ruler("calibrate-check --cell 'same, busy'"), 0);
    assert_int_equal(run_ruler("calibration --from nothing"), 1);
    assert_says("no results in nothing");
    write_file("wrong", "# fine\nwrong\n", 0644);
    assert_int_equal(run_ruler("calibration --from wrong"), 1);
    assert_says("wrong: line 2");
}

/* Whoever times something has its turn meanwhile: a worker that can take the lock says nonsense. */
static void test_whoever_measures_has_its_turn(void **state) {
    (void)state;
    const char *const commands[] = {
        "bench --keys 10", "compare", "layouts --count 4 --processes 4 --out build/layouts",
        "calibrate --out build/cal --cell 'same, ten whole processes each'"};
    if (system("command -v flock >/dev/null") != 0) {
        skip();
    }
    make_build("a", "for lock in minikv-ruler-*.lock; do "
                    "if flock -n $lock true; then echo free; else echo time 20000000 5; fi; done");
    make_build("b", "echo time 1000000 5");
    write_lines("build/cal.tsv", 99, "same, ten whole processes each\tno change\t0\t0\t1\t0\n");
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        assert_int_equal(run_ruler(commands[i]), 0);
        assert_int_equal(system("flock -n minikv-ruler-*.lock true"), 0);
    }
}

/* A hyperfine that knows what its commands take. */
static void make_hyperfine(const char *script) {
    char path[FOLDER_PATH_MAX];
    assert_int_equal(mkdir("bin", 0777), 0);
    write_file("bin/hyperfine", script, 0755);
    folder_path(path, "%s/bin:%s", top, path_before);
    assert_int_equal(setenv("PATH", path, 1), 0);
}

/* Nine times of ten "no change" were there; now B takes a tenth more, which is clear. */
static void test_what_hyperfine_found_is_judged(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "exit 1");
    make_hyperfine("#!/bin/sh\n"
                   "[ \"$1\" != --version ] || exit 0\n"
                   "while [ \"$1\" != --export-json ]; do shift; done\n"
                   "printf '{\"results\": [{\"command\": \"x\", \"times\": [\\n' >\"$2\"\n"
                   "printf '1.00, 1.01, 1.02, 0.99, 1.00, 1.01, 1.00, 0.98, 1.00, 0.99' >>\"$2\"\n"
                   "printf ']}, {\"command\": \"y\", \"times\": [' >>\"$2\"\n"
                   "printf '1.10, 1.11, 1.12, 1.09, 1.10, 1.11, 1.10, 1.08, 1.10, 1.09' >>\"$2\"\n"
                   "printf ']}]}' >>\"$2\"\n");
    write_lines("build/cal.tsv", 99, "same, hyperfine\tno change\t0.01\t0.02\t1\t0\n");
    assert_int_equal(run_ruler("calibrate --out build/cal --cell 'same, hyperfine'"), 0);
    /* A ratio of 1.1, and +- sqrt(0.01155^2 + (0.01155 / 1.1)^2). */
    assert_file_says("build/cal.tsv", "same, hyperfine\tslower\t0.095310\t0.015605\t");
    assert_int_equal(run_ruler("calibration --out build/cal"), 0);
    assert_says("| same, hyperfine | 1 of 100: 1.0 %");
    assert_says("a ratio that its +- does not cover | 1 of 100: 1.0 %");
}

static void test_hyperfine_may_be_missing_or_fail(void **state) {
    (void)state;
    make_build("a", "echo time 1000000 5");
    make_build("b", "exit 1");
    make_hyperfine("#!/bin/sh\nexit 1\n");
    assert_int_equal(run_ruler("calibrate --out build/cal --cell 'same, hyperfine'"), 0);
    assert_says("not installed");
    write_file("bin/hyperfine",
               "#!/bin/sh\n[ \"$1\" != --version ] || exit 0\n"
               "while [ \"$1\" != --export-json ]; do shift; done\n"
               "echo '{\"times\": [1, 2' >\"$2\"\n",
               0755);
    assert_int_equal(run_ruler("calibrate --out build/cal --cell 'same, hyperfine'"), 1);
    assert_says("does not hold the times");
}

static void write_spread(const char *path, double real, double low, double high) {
    char text[256];
    snprintf(text, sizeof(text),
             "{\n  \"real_spread\": %.6f,\n  \"real_spread_low\": %.6f,\n"
             "  \"real_spread_high\": %.6f,\n  \"noise\": 0.5\n}\n",
             real, low, high);
    write_file(path, text, 0644);
}

/* What `make check` makes of two files that `make layouts` has written. */
static void test_a_copy_is_steadier_or_not(void **state) {
    (void)state;
    const struct {
        double a[3];
        double b[3];
        int code;
    } cases[] = {
        {{0.030, 0.025, 0.035}, {0.010, 0.008, 0.012}, 0}, /* three times as small */
        {{0.030, 0.025, 0.035}, {0.000, 0.000, 0.005}, 0},
        {{0.007, 0.005, 0.009}, {0.007, 0.005, 0.009}, 0}, /* nothing to win */
        {{0.030, 0.025, 0.035}, {0.028, 0.023, 0.033}, 1},
        {{0.030, 0.025, 0.035}, {0.018, 0.015, 0.021}, 3}, /* it may be half, and may be not */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char line[2 * FOLDER_PATH_MAX];
        write_spread("a.json", cases[i].a[0], cases[i].a[1], cases[i].a[2]);
        write_spread("b.json", cases[i].b[0], cases[i].b[1], cases[i].b[2]);
        snprintf(line, sizeof(line), "awk -v bound=2.00 -f '%s' a.json b.json >said", steadier);
        const int status = system(line);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), cases[i].code);
    }
}

static void test_unknown_rows_are_refused(void **state) {
    (void)state;
    make_build("a", "exit 1");
    make_build("b", "exit 2");
    assert_int_equal(run_ruler("compare --rows"), 2);
    assert_int_equal(run_ruler("compare --keys 0"), 2);
    assert_says("KEYS=0");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void) {
    if (getcwd(top, sizeof(top)) == NULL) {
        return 1;
    }
    folder_path(ruler, "%s/build/bench/ruler", top);
    folder_path(path_before, "%s", getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin:/bin");
    folder_path(steadier, "%s/tests/check/steadier.awk", top);
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_a_difference_is_told),
        IN_FOLDER(test_no_difference_is_told),
        IN_FOLDER(test_the_same_code_is_not_measured),
        IN_FOLDER(test_other_answers_make_it_void),
        IN_FOLDER(test_a_crash_is_told_with_its_command),
        IN_FOLDER(test_nonsense_is_told),
        IN_FOLDER(test_no_verdict_after_a_failed_selfcheck),
        IN_FOLDER(test_a_selfcheck_comes_first),
        IN_FOLDER(test_a_selfcheck_fails_on_a_difference),
        IN_FOLDER(test_one_layout_is_the_plain_one_and_a_warning),
        IN_FOLDER(test_layouts_are_told_apart),
        IN_FOLDER(test_chance_among_layouts_is_told),
        IN_FOLDER(test_layouts_that_answer_differently_are_told),
        IN_FOLDER(test_bad_numbers_of_layouts_are_refused),
        IN_FOLDER(test_a_cell_is_tried_as_often_as_it_says),
        IN_FOLDER(test_unknown_cells_and_empty_results_are_told),
        IN_FOLDER(test_whoever_measures_has_its_turn),
        IN_FOLDER(test_what_hyperfine_found_is_judged),
        IN_FOLDER(test_hyperfine_may_be_missing_or_fail),
        IN_FOLDER(test_a_copy_is_steadier_or_not),
        IN_FOLDER(test_unknown_rows_are_refused),
    };
    return cmocka_run_group_tests_name("ruler", tests, NULL, NULL);
}
