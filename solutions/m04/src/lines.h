/*
 * Lines from a file descriptor, in memory that does not grow with the input.
 */
#ifndef MINIKV_LINES_H
#define MINIKV_LINES_H

#include "bytes.h"

/*
 * Invariant: start <= scanned <= buffer.length; the bytes from `start` on have been read and not
 * handed out, and there is no line end in front of `scanned`.
 */
struct lines {
    int fd;
    size_t limit;
    struct bytes buffer;
    size_t start;
    size_t scanned;
    bool at_end; /* of the input */
};

/* Reads lines from `fd`, which stays the caller's; see lines_next() for `limit`. */
void lines_init(struct lines *lines, int fd, size_t limit);

void lines_release(struct lines *lines);

/*
 * The next line that has been read already, without its line end, LF or CRLF; after the end of the
 * input also a last one that has none. Returns false when there is none: call lines_fill().
 *
 * Of a line of more than `limit` bytes the first `limit` + 1 are handed out, so that the caller can
 * see that it is too long; the rest is dropped.
 *
 * `line` is borrowed: valid until the next call on `lines`.
 */
bool lines_next(struct lines *lines, struct slice *line);

enum lines_result {
    LINES_OK,
    LINES_END,   /* the input has ended and all lines have been handed out */
    LINES_FAILED /* reading failed or memory ran out; errno says which */
};

/* Waits for input and reads some. Also works on a descriptor that does not block. */
enum lines_result lines_fill(struct lines *lines);

#endif
