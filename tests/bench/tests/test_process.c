/* Processes: asked, crashing, silent, interrupted. The shell plays the worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

static void start_shell(struct process *process, const char *script) {
    static const struct process_setting as_usual;
    const char *const arguments[] = {"sh", "-c", script, NULL};
    assert_true(process_start(process, arguments, &as_usual));
}

static void assert_gone(pid_t pid) {
    assert_int_equal(kill(pid, 0), -1);
}

static void test_answers_are_taken_line_by_line(void **state) {
    (void)state;
    struct process process;
    char reply[PROCESS_REPLY_MAX];
    start_shell(&process, "printf 'a\\nb\\n'; read x; echo \"<$x>\"; read x; echo \"$x$x\"");
    const pid_t pid = process.pid;
    assert_true(process_ask(&process, "", reply));
    assert_string_equal(reply, "a");
    assert_true(process_ask(&process, "", reply));
    assert_string_equal(reply, "b");
    assert_true(process_ask(&process, "one\n", reply));
    assert_string_equal(reply, "<one>");
    assert_true(process_ask(&process, "two\n", reply));
    assert_string_equal(reply, "twotwo");
    process_stop(&process);
    assert_gone(pid);
}

static void test_an_end_is_no_answer(void **state) {
    (void)state;
    const char *const scripts[] = {"exit 3", "kill -SEGV $$", "printf 'half a line'", ":",
                                   "exec cat >/dev/null"};
    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        struct process process;
        char reply[PROCESS_REPLY_MAX];
        start_shell(&process, scripts[i]);
        const pid_t pid = process.pid;
        assert_false(process_ask(&process, "hello\n", reply));
        process_stop(&process);
        assert_gone(pid);
    }
}

static void test_a_line_without_end_is_no_answer(void **state) {
    (void)state;
    struct process process;
    char reply[PROCESS_REPLY_MAX];
    start_shell(&process, "while :; do printf xxxxxxxxxxxxxxxx; done");
    assert_false(process_ask(&process, "", reply));
    process_stop(&process);
}

static void test_a_missing_program_is_told(void **state) {
    (void)state;
    static const struct process_setting quiet = {.log = "/dev/null"};
    const char *const arguments[] = {"/nonexistent/program", NULL};
    struct process process;
    assert_true(process_start(&process, arguments, &quiet));
    assert_false(process_finish_quietly(&process));
}

static void test_the_exit_code_counts(void **state) {
    (void)state;
    struct process process;
    start_shell(&process, "cat; echo done");
    assert_true(process_finish(&process));
    start_shell(&process, "cat; exit 1");
    assert_false(process_finish(&process));
    start_shell(&process, "kill -KILL $$");
    assert_false(process_finish(&process));
}

static void test_the_environment_is_padded(void **state) {
    (void)state;
    const struct process_setting setting = {.padding = 1234};
    const char *const arguments[] = {"sh", "-c", "echo ${#RULER_PADDING}", NULL};
    struct process process;
    char reply[PROCESS_REPLY_MAX];
    assert_true(process_start(&process, arguments, &setting));
    assert_true(process_ask(&process, "", reply));
    assert_string_equal(reply, "1234");
    process_stop(&process);
}

/* What follows the signal must end at once: nothing here ever answers. */
static void ask_silent_process(void) {
    struct process process;
    char reply[PROCESS_REPLY_MAX];
    process_prepare();
    start_shell(&process, "kill -TERM $PPID; exec cat");
    const pid_t pid = process.pid;
    const bool answered = process_ask(&process, "", reply);
    process_stop(&process);
    if (answered || !process_interrupted() || kill(pid, 0) == 0) {
        exit(1);
    }
    process_exit(2);
}

static void test_a_signal_ends_the_waiting(void **state) {
    (void)state;
    int status;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        ask_silent_process();
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_taken_line_by_line),
        cmocka_unit_test(test_an_end_is_no_answer),
        cmocka_unit_test(test_a_line_without_end_is_no_answer),
        cmocka_unit_test(test_a_missing_program_is_told),
        cmocka_unit_test(test_the_exit_code_counts),
        cmocka_unit_test(test_the_environment_is_padded),
        cmocka_unit_test(test_a_signal_ends_the_waiting),
    };
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
