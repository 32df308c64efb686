/*
 * Processes that the ruler starts: workers that it talks to, and tools that it waits for.
 *
 * A signal that ends the ruler is taken between two steps only: process_interrupted() then tells
 * it, every call here fails, and the caller unwinds, cleans up and ends with process_exit().
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROCESS_ARGUMENTS_MAX 32
#define PROCESS_REPLY_MAX 256

/* How long a process may take for one answer before it counts as hanging, in seconds. */
#define PROCESS_PATIENCE_SECONDS 120

struct process {
    pid_t pid; /* 0 once it has ended */
    int to;
    int from;
    char buffer[PROCESS_REPLY_MAX];
    size_t length;
};

/* How a process is started; all zero: as any other. */
struct process_setting {
    bool pinned;
    int cpu;         /* which one, if pinned */
    size_t padding;  /* bytes added to the environment: moves the stack */
    const char *log; /* its standard error goes to this file; NULL: to the ruler's own */
};

/*
 * The last processor that this process may use: others tend to be on the first. Whether it can be
 * chosen at all; if not, it is 0.
 */
bool process_choose_cpu(int *cpu);

/* From here on signals are taken between steps. */
void process_prepare(void);

/* Whether a signal has asked for the end. */
bool process_interrupted(void);

/* Waits 10 ms, or until a signal has asked for the end. False when one has. */
bool process_wait_a_moment(void);

/* The exit code, or the death by the signal that has asked for the end. Does not return. */
_Noreturn void process_exit(int code);

/*
 * Starts the program `arguments[0]`, with pipes for its standard input and output. The arguments
 * end with NULL. False after a complaint.
 */
bool process_start(struct process *process, const char *const *arguments,
                   const struct process_setting *setting);

/*
 * Sends `request`, unless it is "", and waits for a line, which is put into `reply` without its
 * line feed. False after a complaint that says what became of the process.
 */
bool process_ask(struct process *process, const char *request, char reply[PROCESS_REPLY_MAX]);

/*
 * Ends the input of a process and waits for its end, with its output left unread. Whether it ended
 * well; if not, after a complaint. The process is gone either way.
 */
bool process_finish(struct process *process);

/* The same without a complaint. */
bool process_finish_quietly(struct process *process);

/* Ends the process at once, and everything that process_start() made for it. */
void process_stop(struct process *process);

#endif
