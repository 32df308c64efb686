/*
 * Runs a program, minikv as a rule, and talks to it over pipes, without any way to deadlock: while
 * bytes are written, whatever the program says is read.
 *
 * At once, when all input is known:
 *
 *     const char *const arguments[] = {"--dump", log, NULL};
 *     struct program_result result;
 *     program_run(program_minikv(), arguments, slice_from_string(""), &result);
 *     ... result.status, result.out, result.err
 *     program_result_release(&result);
 *
 * Or step by step:
 *
 *     struct program program;
 *     program_start(&program, program_minikv(), arguments, NULL);
 *     program_write(&program, slice_from_string("GET a\n"));
 *     program_read_line(&program, &line);
 *     program_finish(&program, &result);
 *
 * A program that takes longer than WATCHDOG_SECONDS gets SIGALRM. Trouble with the pipes or
 * processes themselves ends the test program.
 */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "blob.h"
#include "bytes.h"

/* The fields are read by nobody but program.c, except `pid`. */
struct program {
    pid_t pid;
    int in; /* where its input is written; -1 once closed, as the two others */
    int out;
    int err;
    struct blob out_bytes; /* what came and was not handed out by program_read_line() yet */
    struct blob err_bytes;
};

/* All zero starts a program as a shell would. */
struct program_options {
    bool nonblocking;    /* its input and its output have O_NONBLOCK set */
    size_t memory_limit; /* bytes of address space that it may use; 0: no limit */
    const char *input;   /* a file to read instead of the pipe; NULL: the pipe */
    const char *output;  /* a file to write instead of the pipe; NULL: the pipe */
};

struct program_result {
    int status; /* the exit code; or the negative number of the signal that ended it */
    struct blob out;
    struct blob err;
};

/*
 * The program under test: the value of MINIKV_PROGRAM, borrowed from the environment. Ends the test
 * program where it is not set.
 */
const char *program_minikv(void);

/*
 * Starts `executable`. `arguments` ends with NULL and does not contain the program's name.
 * `options` may be NULL. Ended with program_finish(), always.
 */
void program_start(struct program *program, const char *executable, const char *const *arguments,
                   const struct program_options *options);

/* Writes all of `input`. False if the program stopped reading before the end. */
bool program_write(struct program *program, struct slice input);

/*
 * Waits for the next line of output and puts it, without its line feed, into `line`, replacing what
 * was there. False at the end of the output; `line` then holds what came after the last line feed.
 */
bool program_read_line(struct program *program, struct blob *line);

/* Ends the program's input; it may go on to write. */
void program_close_input(struct program *program);

/* Closes the reading end of the program's output, and drops what it has written. */
void program_close_output(struct program *program);

/*
 * Ends the program's input, collects what it still writes, and waits for its end. The caller ends
 * the result with program_result_release().
 */
void program_finish(struct program *program, struct program_result *result);

/* All of these steps in one: start, write `input`, finish. */
void program_run(const char *executable, const char *const *arguments, struct slice input,
                 struct program_result *result);

void program_result_release(struct program_result *result);

#endif
