/* Taking turns: who has to wait, for whom, and until when. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "turn.h"

static char folder[FOLDER_PATH_MAX];

static int make_folder(void **state) {
    (void)state;
    return folder_make(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    folder_remove(folder);
    return 0;
}

/* A process that has taken its turn, until it is told to end it. */
struct holder {
    pid_t pid;
    int to;
};

/* In the new process: writes to `out` when it has its turn, and again before it ends it. */
_Noreturn static void hold(int in, int out) {
    struct turn turn;
    char c;
    if (!turn_take(&turn, folder, 0) || write(out, "1", 1) != 1 || read(in, &c, 1) < 0 ||
        write(out, "2", 1) != 1) {
        _exit(1);
    }
    turn_end(&turn);
    _exit(0);
}

static struct holder start_holder(int out) {
    int to[2];
    assert_int_equal(pipe(to), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(to[1]);
        hold(to[0], out);
    }
    close(to[0]);
    return (struct holder){.pid = pid, .to = to[1]};
}

static void end_holder(const struct holder *holder) {
    int status;
    assert_int_equal(write(holder->to, "", 1), 1);
    close(holder->to);
    assert_int_equal(waitpid(holder->pid, &status, 0), holder->pid);
}

static char read_one(int in) {
    char c;
    assert_int_equal(read(in, &c, 1), 1);
    return c;
}

/* Whether processor `cpu` is free: a signal is waiting, so that nobody waits for anything else. */
static bool is_free(int cpu) {
    int status;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct turn turn;
        process_prepare();
        raise(SIGTERM);
        _exit(turn_take(&turn, folder, cpu) ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 0;
}

static void test_a_turn_is_for_one(void **state) {
    (void)state;
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    assert_true(is_free(0));
    const struct holder holder = start_holder(pipes[1]);
    assert_int_equal(read_one(pipes[0]), '1');
    assert_false(is_free(0)); /* and a signal has ended the waiting */
    assert_true(is_free(1));  /* another processor */
    end_holder(&holder);
    assert_true(is_free(0));
    close(pipes[0]);
    close(pipes[1]);
}

/* The second says "1" only after the first has said "2". */
static void test_the_second_waits_for_the_end_of_the_first(void **state) {
    (void)state;
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    const struct holder first = start_holder(pipes[1]);
    assert_int_equal(read_one(pipes[0]), '1');
    const struct holder second = start_holder(pipes[1]);
    end_holder(&first);
    assert_int_equal(read_one(pipes[0]), '2');
    assert_int_equal(read_one(pipes[0]), '1');
    end_holder(&second);
    close(pipes[0]);
    close(pipes[1]);
}

static void test_who_is_killed_has_had_its_turn(void **state) {
    (void)state;
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    const struct holder holder = start_holder(pipes[1]);
    assert_int_equal(read_one(pipes[0]), '1');
    assert_int_equal(kill(holder.pid, SIGKILL), 0);
    assert_int_equal(waitpid(holder.pid, NULL, 0), holder.pid);
    close(holder.to);
    assert_true(is_free(0));
    close(pipes[0]);
    close(pipes[1]);
}

/* What is started meanwhile, a worker or a tool, must not keep the turn when it is left behind. */
static void test_a_turn_is_not_handed_on(void **state) {
    (void)state;
    static const struct process_setting as_usual;
    const char *const arguments[] = {"cat", NULL};
    struct process process;
    struct turn turn;
    char reply[PROCESS_REPLY_MAX];
    assert_true(turn_take(&turn, folder, 0));
    assert_true(process_start(&process, arguments, &as_usual));
    assert_true(process_ask(&process, "running\n", reply));
    assert_false(is_free(0));
    turn_end(&turn);
    assert_true(is_free(0));
    process_stop(&process);
}

static void test_nobody_waits_without_a_folder(void **state) {
    (void)state;
    struct turn first;
    struct turn second;
    assert_true(turn_take(&first, "/nonexistent", 0));
    assert_true(turn_take(&second, "/nonexistent", 0));
    turn_end(&first);
    turn_end(&second);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_a_turn_is_for_one),
        IN_FOLDER(test_the_second_waits_for_the_end_of_the_first),
        IN_FOLDER(test_who_is_killed_has_had_its_turn),
        IN_FOLDER(test_a_turn_is_not_handed_on),
        IN_FOLDER(test_nobody_waits_without_a_folder),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
