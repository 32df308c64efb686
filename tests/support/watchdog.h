/*
 * A limit for a whole test program, so that a test that waits for ever fails instead. Generous, for
 * slow and busy machines: no test may come near it.
 */
#ifndef TESTS_WATCHDOG_H
#define TESTS_WATCHDOG_H

/* Seconds that a test program may take, and each program that it starts. */
#define WATCHDOG_SECONDS 300

/* A group set-up for cmocka_run_group_tests(): ends the program with SIGALRM after that time. */
int watchdog_start(void **state);

#endif
