/*
 * Makes the system refuse at will what minikv asks of it:
 *
 *     faults_clear();
 *     faults_add(FAULT_WRITE, 3, 1, ENOSPC);    (the fourth write finds no room)
 *     faults_on();
 *     ...                                       (the calls under test)
 *     faults_off();
 *
 * The functions below are defined in faults.c, and a definition in the program wins over that of
 * the C library. They ask the system as usual unless a fault says otherwise, so a program that
 * never switches them on notices nothing.
 *
 * Between faults_on() and faults_off() nothing but the calls under test should run: a test's own
 * tools end the program when the system refuses them something.
 */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

enum fault_call {
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_FSYNC,
    FAULT_FDATASYNC,
    FAULT_FTRUNCATE,
    FAULT_CLOSE,
    FAULT_RENAME,
    FAULT_LINK,
    FAULT_UNLINK,
    FAULT_MKDIR,
    FAULT_STAT,
    FAULT_FSTAT,
    FAULT_LSTAT,
    FAULT_FLOCK,
    FAULT_FCHMOD,
    FAULT_FCHOWN,
    FAULT_REALPATH,
    FAULT_CALLS
};

/* How a call goes wrong: an error number; or, for FAULT_READ and FAULT_WRITE, one of these. */
enum {
    FAULT_SHORT = -1,  /* half of what was asked for is done; of one byte, all */
    FAULT_NOTHING = -2 /* 0 bytes: the end of the file, or a write that takes nothing */
};

/* Whether any of this works: not with every C library. Where it does not, nothing ever fails. */
bool faults_can_happen(void);

/* Forgets all faults and counts, and switches them off. */
void faults_clear(void);

/*
 * From now on, once `after` calls of this function have been made while the faults were on, the
 * next `count` of them go wrong as `how` says; of several faults for one call the first counts. At
 * most FAULTS_MAX of them until faults_clear().
 *
 * A close() that fails has closed the descriptor, as on Linux. Everything else that fails has done
 * nothing.
 */
void faults_add(enum fault_call call, size_t after, size_t count, int how);

#define FAULTS_MAX 4

/*
 * Calls `others` once, right before the next call of this function that is made while the faults
 * are on: what another process might do at just that moment. Faults are off meanwhile.
 * faults_clear() forgets it.
 */
void faults_before(enum fault_call call, void (*others)(void));

/*
 * Only while they are on, calls are counted and go wrong. Meanwhile a sync that does not fail does
 * nothing either: a test has no power loss to fear, and thousands of syncs would take minutes.
 */
void faults_on(void);
void faults_off(void);

/* How many calls of this function have been made, and how many of all have gone wrong. */
size_t faults_calls(enum fault_call call);
size_t faults_happened(void);

/* The name of the function. */
const char *faults_name(enum fault_call call);

#endif
