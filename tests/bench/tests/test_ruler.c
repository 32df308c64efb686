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
    return chdir("/");
}

/* Runs the ruler on builds "a" and "b"; its exit code. What it said, on both streams, is kept. */
static int run_ruler(const char *command) {
    char line[2 * FOLDER_PATH_MAX];
    snprintf(line, sizeof(line),
             "'%s' %s --name-a left --build-a a --name-b right --build-b b --rows get-hit "
             "--rounds 2 --seed 1 2>&1",
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
        IN_FOLDER(test_unknown_rows_are_refused),
    };
    return cmocka_run_group_tests_name("ruler", tests, NULL, NULL);
}
