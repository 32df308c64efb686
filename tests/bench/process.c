#define _GNU_SOURCE /* for sched_setaffinity() */

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

#include "complain.h"

static volatile sig_atomic_t interrupted;
static sigset_t mask_before;

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define ENDING_SIGNALS (sizeof(ending_signals) / sizeof(ending_signals[0]))

static void note_signal(int number) {
    interrupted = number;
}

void process_prepare(void) {
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t blocked;
    sigemptyset(&action.sa_mask);
    sigemptyset(&blocked);
    sigprocmask(SIG_BLOCK, NULL, &mask_before);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction before;
        sigaction(ending_signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) { /* as nohup wants it */
            sigaction(ending_signals[i], &action, NULL);
            sigaddset(&blocked, ending_signals[i]);
        }
    }
    /* Blocked but while waiting: so a signal cannot slip in between a look and the waiting. */
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL); /* a dead worker is seen by its silence */
}

bool process_interrupted(void) {
    return interrupted != 0;
}

_Noreturn void process_exit(int code) {
    if (interrupted != 0) {
        signal(interrupted, SIG_DFL);
        sigprocmask(SIG_SETMASK, &mask_before, NULL);
        raise(interrupted);
    }
    exit(code);
}

bool process_choose_cpu(int *cpu) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0) {
        for (*cpu = CPU_SETSIZE - 1; *cpu >= 0; --*cpu) {
            if (CPU_ISSET((size_t)*cpu, &set)) {
                return true;
            }
        }
    }
#endif
    *cpu = 0;
    return false;
}

static void pin(int cpu) {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    sched_setaffinity(0, sizeof(set), &set); /* where it is refused, the run is only noisier */
#else
    (void)cpu;
#endif
}

static void pad_environment(size_t padding) {
    char *text = malloc(padding + 1);
    if (text != NULL) {
        memset(text, 'x', padding);
        text[padding] = '\0';
        setenv("RULER_PADDING", text, 1);
        free(text);
    }
}

static void redirect_errors(const char *log) {
    const int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file >= 0) {
        dup2(file, STDERR_FILENO);
        close(file);
    }
}

/* In the new process. */
_Noreturn static void become(const char *const *arguments, const struct process_setting *setting,
                             int in, int out) {
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
    if (setting->pinned) {
        pin(setting->cpu);
    }
    if (setting->log != NULL) {
        redirect_errors(setting->log);
    }
    pad_environment(setting->padding);
    execvp(arguments[0], (char *const *)arguments);
    complain_system("cannot run %s", arguments[0]);
    _exit(127);
}

/* Pipes that no other process inherits: or a dead worker's would stay open in its sister. */
static bool make_pipe(int ends[2]) {
    if (pipe(ends) != 0) {
        complain_system("cannot make a pipe");
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

bool process_start(struct process *process, const char *const *arguments,
                   const struct process_setting *setting) {
    int in[2];
    int out[2];
    if (!make_pipe(in)) {
        return false;
    }
    if (!make_pipe(out)) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    *process = (struct process){.to = in[1], .from = out[0]};
    process->pid = fork();
    if (process->pid == 0) {
        become(arguments, setting, in[0], out[1]);
    }
    close(in[0]);
    close(out[1]);
    if (process->pid < 0) {
        complain_system("cannot start a process");
        process->pid = 0;
        process_stop(process);
        return false;
    }
    return true;
}

/* Waits until there is something to read. False after a complaint, or a signal. */
static bool wait_for_output(const struct process *process) {
    const struct timespec patience = {.tv_sec = PROCESS_PATIENCE_SECONDS};
    fd_set set;
    int ready;
    do {
        if (interrupted != 0) {
            return false;
        }
        FD_ZERO(&set);
        FD_SET(process->from, &set);
        ready = pselect(process->from + 1, &set, NULL, NULL, &patience, &mask_before);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        complain("a process gave no answer for %d seconds", PROCESS_PATIENCE_SECONDS);
    } else if (ready < 0) {
        complain_system("cannot wait for a process");
    }
    return ready > 0;
}

/* Waits for a process that is about to end; its status as from waitpid(). */
static int reap(struct process *process) {
    int status = 0;
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {
    }
    process->pid = 0;
    return status;
}

bool process_wait_a_moment(void) {
    const struct timespec moment = {.tv_nsec = 10000000};
    if (interrupted == 0) {
        pselect(0, NULL, NULL, NULL, &moment, &mask_before);
    }
    return interrupted == 0;
}

/* So many moments are given to a process that has closed its output, to end. */
#define MOMENTS 200

/* Its status as from waitpid(). One that lives on without output is killed. */
static int reap_closed(struct process *process) {
    int status = 0;
    for (int i = 0; i < MOMENTS && interrupted == 0; i++) {
        if (waitpid(process->pid, &status, WNOHANG) == process->pid) {
            process->pid = 0;
            return status;
        }
        process_wait_a_moment();
    }
    kill(process->pid, SIGKILL);
    return reap(process);
}

static void tell_end(int status) {
    if (WIFSIGNALED(status)) {
        complain("a process was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        complain("a process ended with exit code %d", WEXITSTATUS(status));
    }
}

/* Reads until there is a line in the buffer. */
static bool read_line(struct process *process) {
    while (memchr(process->buffer, '\n', process->length) == NULL) {
        if (process->length == sizeof(process->buffer)) {
            complain("a process answered with a line that is too long");
            return false;
        }
        if (!wait_for_output(process)) {
            return false;
        }
        const ssize_t count = read(process->from, process->buffer + process->length,
                                   sizeof(process->buffer) - process->length);
        if (count <= 0) {
            tell_end(reap_closed(process));
            return false;
        }
        process->length += (size_t)count;
    }
    return true;
}

bool process_ask(struct process *process, const char *request, char reply[PROCESS_REPLY_MAX]) {
    /* Shorter than what a pipe takes at once; a dead process is told by read_line(). */
    if (write(process->to, request, strlen(request)) < 0 && errno != EPIPE) {
        complain_system("cannot write to a process");
        return false;
    }
    if (!read_line(process)) {
        return false;
    }
    char *end = memchr(process->buffer, '\n', process->length);
    const size_t line = (size_t)(end - process->buffer);
    memcpy(reply, process->buffer, line);
    reply[line] = '\0';
    process->length -= line + 1;
    memmove(process->buffer, end + 1, process->length);
    return true;
}

/* The status of a process that ended on its own; false where it did not. */
static bool await_end(struct process *process, int *status) {
    char ignored[512];
    close(process->to);
    process->to = -1;
    ssize_t count = 1;
    while (count > 0 && wait_for_output(process)) {
        count = read(process->from, ignored, sizeof(ignored));
    }
    if (count > 0) {
        process_stop(process);
        return false;
    }
    *status = reap_closed(process);
    process_stop(process);
    return true;
}

bool process_finish_quietly(struct process *process) {
    int status;
    return await_end(process, &status) && status == 0;
}

bool process_finish(struct process *process) {
    int status;
    if (!await_end(process, &status)) {
        return false;
    }
    if (status != 0) {
        tell_end(status);
    }
    return status == 0;
}

void process_stop(struct process *process) {
    if (process->to >= 0) {
        close(process->to);
    }
    close(process->from);
    if (process->pid != 0) {
        kill(process->pid, SIGKILL);
        reap(process);
    }
}
