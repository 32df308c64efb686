/* What went wrong, to standard error. */
#ifndef BENCH_COMPLAIN_H
#define BENCH_COMPLAIN_H

/* Sets the name that stands before each complaint; a string that stays valid. */
void complain_as(const char *name);

/* Prints "<name>: <message>" and a line feed; formatted as printf() would. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As complain(), followed by ": " and the system's message for errno. */
void complain_system(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
