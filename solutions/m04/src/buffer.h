/*
 * The reply buffer: what looks like one run of bytes, stored as a list of chunks so that nothing
 * has to move when it grows. After the Buffer class of RAMCloud, as told in "A Philosophy of
 * Software Design", section 20.4.
 *
 * A chunk is internal (its bytes lie in memory of the buffer) or external (its bytes were handed
 * over by the caller, are read where they lie and are given back through a release function).
 *
 * The structure is public so that a buffer can live on the stack; its fields are not for callers.
 * The prototypes are frozen: exercises may change what is behind them, never what they promise.
 */
#ifndef MINIKV_BUFFER_H
#define MINIKV_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "allocation.h"
#include "bytes.h"

/* Gives back the bytes of an external chunk. */
typedef void (*buffer_release_data)(void *data);

struct buffer_chunk;

/* Bytes that are built into every buffer: room for most replies. */
#define BUFFER_BUILTIN_SIZE 512

/*
 * Invariants: `length` is the sum of the chunks' lengths; `last` is the end of the list that starts
 * at `first`, both NULL when the buffer is empty; an internal chunk lies within one allocation, and
 * internal chunks lie in the allocations in the order of the list, so only the newest allocation
 * is appended to.
 */
struct buffer {
    size_t length;
    struct buffer_chunk *first;
    struct buffer_chunk *last;
    struct allocation *allocations; /* the newest first; NULL before the first internal byte */
    struct allocation builtin;      /* the first allocation, so that short content needs none */
    unsigned char builtin_data[BUFFER_BUILTIN_SIZE];
};

/* An empty buffer. A buffer must not be moved or copied by assignment after this. */
void buffer_init(struct buffer *buffer);

/* Gives back all memory and all external chunks. Only buffer_init() makes it usable again. */
void buffer_release(struct buffer *buffer);

/* Empties the buffer for further use. What it handed out before is no longer valid. */
void buffer_clear(struct buffer *buffer);

/*
 * Adds `length` bytes in one piece at the end and returns where they lie, for the caller to fill;
 * they are undefined until then, and the place is valid until the next truncate, clear or release.
 * `length` is at least 1. Returns NULL, with the buffer unchanged, when memory runs out.
 */
void *buffer_alloc(struct buffer *buffer, size_t length);

/* Copies `bytes` to the end. False, with the buffer unchanged, when memory runs out. */
bool buffer_append(struct buffer *buffer, struct slice bytes);

/*
 * Adds the `length` bytes at `data` as an external chunk, without copying: they must stay
 * unchanged until the buffer calls release(data), once, when the chunk leaves it. `release` may be
 * NULL for bytes that nobody has to give back. `length` is at least 1. Returns false when memory
 * runs out: the buffer is then unchanged, and the bytes stay the caller's.
 */
bool buffer_append_external(struct buffer *buffer, void *data, size_t length,
                            buffer_release_data release);

/* The number of bytes in the buffer. Constant time. */
size_t buffer_length(const struct buffer *buffer);

/*
 * Cuts the buffer down to its first `length` bytes; a longer `length` changes nothing. External
 * chunks that leave are released, and the room of internal bytes that leave is used again by what
 * is appended next.
 */
void buffer_truncate(struct buffer *buffer, size_t length);

/*
 * Copies up to `length` bytes from `offset` on into `target` and returns how many there were.
 */
size_t buffer_copy(const struct buffer *buffer, size_t offset, size_t length, void *target);

/*
 * The bytes from `offset` on that lie in one piece, as many as there are; an empty slice at or
 * behind the end. Stepping `offset` by the length of each piece walks the whole buffer. Borrowed:
 * valid until the next truncate, clear or release.
 */
struct slice buffer_peek(const struct buffer *buffer, size_t offset);

#endif
