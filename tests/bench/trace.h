/* Counts the system calls of a program. */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

/*
 * `ruler trace FILE PROGRAM ARGUMENT...`: runs the program, without address randomisation, and
 * writes to FILE how many system calls it made. Returns the program's exit code, or 126 after a
 * complaint: where there is no way to trace.
 */
int trace_run(int argc, char **argv);

#endif
