/*
 * Byte strings: pointer and length, any byte allowed, NUL included.
 *
 * A slice is borrowed: it never owns what it points at, and whoever hands one out says until when
 * it is valid. A `struct bytes` is owned: whoever holds it ends it with bytes_release().
 *
 * The four words for the end of a life mean the same in every module: init makes a value usable,
 * clear empties it for further use, release gives back what it holds (the struct itself belongs to
 * the caller), free ends an object that the module allocated.
 */
#ifndef MINIKV_BYTES_H
#define MINIKV_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* Borrowed bytes. `data` may be NULL only where `length` is 0. */
struct slice {
    const unsigned char *data;
    size_t length;
};

/*
 * Owned, growing bytes. Invariants: length <= capacity; data is NULL exactly when capacity is 0.
 * All zero is a valid, empty value.
 */
struct bytes {
    unsigned char *data;
    size_t length;
    size_t capacity;
};

/* The slice of `length` bytes at `data`; valid as long as they are. */
struct slice slice_from(const void *data, size_t length);

/* The slice of a C string, without its NUL; valid as long as the string is. */
struct slice slice_from_string(const char *string);

/* Whether both hold the same bytes. */
bool slice_equal(struct slice a, struct slice b);

/* An empty value that holds no memory. */
void bytes_init(struct bytes *bytes);

/* Gives back the memory; `bytes` is then empty and may be used again. */
void bytes_release(struct bytes *bytes);

/* Empties `bytes` but keeps its memory for further use. */
void bytes_clear(struct bytes *bytes);

/* The content, borrowed: valid until the next call that changes `bytes`. */
struct slice bytes_view(const struct bytes *bytes);

/*
 * Makes room for `capacity` bytes in all, so that growing up to there cannot fail. Grows by
 * doubling, so a row of appends costs amortised constant time per byte. Returns false, with
 * `bytes` unchanged, when memory runs out.
 */
bool bytes_reserve(struct bytes *bytes, size_t capacity);

/*
 * Copies `tail` to the end. `tail` must not point into `bytes` itself. Returns false, with `bytes`
 * unchanged, when memory runs out.
 */
bool bytes_append(struct bytes *bytes, struct slice tail);

/* Adds one byte at the end. Returns false, with `bytes` unchanged, when memory runs out. */
bool bytes_push(struct bytes *bytes, unsigned char byte);

/*
 * Makes `copy` a fresh, owned copy of `from`; what `copy` held before is not looked at. The copy
 * always holds memory, even an empty one, so copy->data is NULL only after a failure. Returns
 * false, with `copy` empty, when memory runs out.
 */
bool bytes_copy(struct bytes *copy, struct slice from);

#endif
