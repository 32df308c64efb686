/*
 * For the tests' own tools: when the system refuses what a test needs in order to be a test, the
 * whole test program ends with a message. What minikv does wrong is never reported this way.
 */
#ifndef TESTS_DIE_H
#define TESTS_DIE_H

/* Prints `what` and the system's reason (errno) and ends the program with a failure. */
_Noreturn void die(const char *what);

/* Does so unless `result`, of a system call, is 0. */
void must(int result, const char *what);

#endif
