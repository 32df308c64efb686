#include "trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "complain.h"

#ifdef __linux__

#include <signal.h>
#include <stdbool.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* A stop at a system call shows as this signal, once PTRACE_O_TRACESYSGOOD is set. */
#define CALL_STOP (SIGTRAP | 0x80)

_Noreturn static void become(char **arguments) {
    personality(ADDR_NO_RANDOMIZE); /* where it is refused, counts may differ a little */
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        complain_system("system calls cannot be traced here");
        _exit(126);
    }
    execv(arguments[0], arguments);
    complain_system("cannot run %s", arguments[0]);
    _exit(127);
}

/* Lets the program run to its end; `*stops` is how often a system call stopped it. */
static int follow(pid_t pid, unsigned long *stops) {
    int status;
    long signal_number = 0;
    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status)) {
        return status;
    }
    ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
    while (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)signal_number) == 0 &&
           waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        const bool call = WSTOPSIG(status) == CALL_STOP;
        *stops += call;
        signal_number = call ? 0 : WSTOPSIG(status);
    }
    return status;
}

static int write_count(const char *path, unsigned long count) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fprintf(file, "totals: %lu\n", count) < 0 || fclose(file) != 0) {
        complain_system("cannot write %s", path);
        return 126;
    }
    return 0;
}

int trace_run(int argc, char **argv) {
    unsigned long stops = 0;
    if (argc < 4) {
        complain("usage: ruler trace FILE PROGRAM ARGUMENT...");
        return 2;
    }
    const pid_t pid = fork();
    if (pid < 0) {
        complain_system("cannot start a process");
        return 126;
    }
    if (pid == 0) {
        become(argv + 3);
    }
    const int status = follow(pid, &stops);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    /* One stop before each call and one behind it. */
    return write_count(argv[2], stops / 2);
}

#else

int trace_run(int argc, char **argv) {
    (void)argc;
    (void)argv;
    complain("system calls can only be traced on Linux");
    return 126;
}

#endif
