/*
 * Growing bytes for tests: what `struct bytes` is to minikv, but the tests' own, so that a bug
 * there cannot hide itself. Running out of memory ends the test program.
 *
 * All zero is a valid, empty blob. Whoever holds one ends it with blob_release().
 */
#ifndef TESTS_BLOB_H
#define TESTS_BLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes.h"

/* `data` is NULL only before the first byte. */
struct blob {
    unsigned char *data;
    size_t length;
    size_t capacity;
};

/* Gives back the memory; the blob is empty then. */
void blob_release(struct blob *blob);

/* Empties the blob for further use. */
void blob_clear(struct blob *blob);

void blob_add(struct blob *blob, const void *data, size_t length);
void blob_add_byte(struct blob *blob, unsigned char byte);

/* Adds `length` bytes of the one value. */
void blob_add_run(struct blob *blob, unsigned char byte, size_t length);

/* Adds a text as printf() would. */
void blob_print(struct blob *blob, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds `bytes` in the quoted form that minikv replies with (docs/protocol.md), quotes included. */
void blob_add_quoted(struct blob *blob, struct slice bytes);

/* The content, borrowed: valid until the next call that changes the blob. */
struct slice blob_view(const struct blob *blob);

/* Whether the blob holds exactly these bytes. */
bool blob_equals(const struct blob *blob, struct slice bytes);

/*
 * Adds the content of the file at `path`; blob_write_file() makes or replaces a file with the
 * `length` bytes. Both end the test program where the system refuses.
 */
void blob_read_file(struct blob *blob, const char *path);
void blob_write_file(const char *path, const void *data, size_t length);

#endif
