/* Progress on a terminal; nothing where standard error is none. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

/* Replaces the line of progress by a new one; formatted as printf() would. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes the line of progress away. */
void progress_clear(void);

#endif
