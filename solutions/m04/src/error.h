/*
 * What went wrong, in one sentence that a person can act on. Fixed size: reporting an error never
 * allocates, so running out of memory can be reported like anything else.
 */
#ifndef MINIKV_ERROR_H
#define MINIKV_ERROR_H

/* `text` is always NUL-terminated. Longer messages are cut at the end. */
struct error {
    char text[512];
};

/* Sets the text as printf() would. */
void error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Sets the text to "<what>: <message of the system's error number `code`>"; `what` is formatted
 * as printf() would.
 */
void error_set_system(struct error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
