#include "lines.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 64 * 1024 };

void lines_init(struct lines *lines, int fd, size_t limit) {
    *lines = (struct lines){.fd = fd, .limit = limit};
}

void lines_release(struct lines *lines) {
    bytes_release(&lines->buffer);
}

/* Hands out what is in front of `line_end` and steps to where the next line starts. */
static struct slice take_line(struct lines *lines, size_t line_end, size_t next_start) {
    const unsigned char *data = lines->buffer.data + lines->start;
    size_t length = line_end - lines->start;
    lines->start = next_start;
    lines->scanned = next_start;
    if (length > 0 && data[length - 1] == '\r') {
        length--;
    }
    return slice_from(data, length <= lines->limit ? length : lines->limit + 1);
}

/*
 * Drops what cannot matter of a line that is too long already: all but the limit, one byte that
 * shows that it was exceeded, and one more so that a CR in front of the LF does not count.
 */
static void drop_excess(struct lines *lines) {
    size_t kept_end = lines->start + lines->limit + 2;
    if (lines->buffer.length > kept_end) {
        lines->buffer.length = kept_end;
    }
}

/* The line end in what has been read and not looked at, or NULL. */
static const unsigned char *find_line_end(const struct lines *lines) {
    if (lines->scanned == lines->buffer.length) {
        return NULL;
    }
    return memchr(lines->buffer.data + lines->scanned, '\n', lines->buffer.length - lines->scanned);
}

bool lines_next(struct lines *lines, struct slice *line) {
    const unsigned char *found = find_line_end(lines);
    if (found != NULL) {
        size_t line_end = (size_t)(found - lines->buffer.data);
        *line = take_line(lines, line_end, line_end + 1);
        return true;
    }
    if (lines->at_end && lines->start < lines->buffer.length) {
        *line = take_line(lines, lines->buffer.length, lines->buffer.length);
        return true;
    }
    drop_excess(lines);
    lines->scanned = lines->buffer.length;
    return false;
}

static bool wait_for_input(int fd) {
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    return poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

/* read() that waits where the descriptor would not. */
static ssize_t read_some(int fd, unsigned char *data, size_t length) {
    for (;;) {
        ssize_t count = read(fd, data, length);
        if (count >= 0) {
            return count;
        }
        bool would_block = errno == EAGAIN || errno == EWOULDBLOCK;
        if (would_block ? !wait_for_input(fd) : errno != EINTR) {
            return -1;
        }
    }
}

/* Moves what is left to the front and makes room for another read. */
static bool make_room(struct lines *lines) {
    struct bytes *buffer = &lines->buffer;
    if (lines->start > 0) {
        buffer->length -= lines->start;
        memmove(buffer->data, buffer->data + lines->start, buffer->length);
        lines->scanned -= lines->start;
        lines->start = 0;
    }
    return bytes_reserve(buffer, buffer->length + READ_SIZE);
}

enum lines_result lines_fill(struct lines *lines) {
    if (lines->at_end) {
        return LINES_END;
    }
    if (!make_room(lines)) {
        errno = ENOMEM;
        return LINES_FAILED;
    }
    struct bytes *buffer = &lines->buffer;
    ssize_t count = read_some(lines->fd, buffer->data + buffer->length, READ_SIZE);
    if (count < 0) {
        return LINES_FAILED;
    }
    lines->at_end = count == 0;
    buffer->length += (size_t)count;
    return LINES_OK;
}
