#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Allocations double up to this size; beyond it, larger ones would hardly save any more calls. */
#define ALLOCATION_SIZE_MAX ((size_t)1024 * 1024)

struct buffer_chunk {
    struct buffer_chunk *next;
    unsigned char *data;
    size_t length;
    bool internal;
    buffer_release_data release; /* of an external chunk; may be NULL */
};

void buffer_init(struct buffer *buffer) {
    /* Field by field, because the built-in bytes need no value. */
    buffer->length = 0;
    buffer->first = NULL;
    buffer->last = NULL;
    buffer->allocations = NULL;
}

static void buffer_release_chunks(struct buffer_chunk *chunk) {
    while (chunk != NULL) {
        struct buffer_chunk *next = chunk->next;
        if (chunk->release != NULL) {
            chunk->release(chunk->data);
        }
        free(chunk);
        chunk = next;
    }
}

static void buffer_drop_allocation(struct buffer *buffer) {
    struct allocation *allocation = buffer->allocations;
    buffer->allocations = allocation->next;
    if (allocation != &buffer->builtin) {
        free(allocation);
    }
}

void buffer_release(struct buffer *buffer) {
    buffer_release_chunks(buffer->first);
    while (buffer->allocations != NULL) {
        buffer_drop_allocation(buffer);
    }
}

void buffer_clear(struct buffer *buffer) {
    buffer_truncate(buffer, 0);
}

/* Adds an allocation with room for at least `length` bytes; NULL when memory runs out. */
static struct allocation *buffer_add_allocation(struct buffer *buffer, size_t length) {
    struct allocation *newest = buffer->allocations;
    if (newest == NULL && length <= BUFFER_BUILTIN_SIZE) {
        allocation_init(&buffer->builtin, buffer->builtin_data, BUFFER_BUILTIN_SIZE, NULL);
        buffer->allocations = &buffer->builtin;
        return buffer->allocations;
    }
    size_t size = newest != NULL ? newest->size * 2 : (size_t)BUFFER_BUILTIN_SIZE * 2;
    if (size > ALLOCATION_SIZE_MAX) {
        size = ALLOCATION_SIZE_MAX;
    }
    if (size < length) {
        size = length;
    }
    struct allocation *added = allocation_new(size, newest);
    if (added != NULL) {
        buffer->allocations = added;
    }
    return added;
}

/* Adds a chunk descriptor at the end of the list; false when memory runs out. */
static bool buffer_add_chunk(struct buffer *buffer, struct buffer_chunk chunk) {
    struct buffer_chunk *added = malloc(sizeof *added);
    if (added == NULL) {
        return false;
    }
    *added = chunk;
    if (buffer->last != NULL) {
        buffer->last->next = added;
    } else {
        buffer->first = added;
    }
    buffer->last = added;
    buffer->length += chunk.length;
    return true;
}

/* Takes `length` bytes from the newest allocation, or from a new one where it has no room. */
static unsigned char *buffer_allocate_append(struct buffer *buffer, size_t length) {
    if (buffer->allocations != NULL) {
        unsigned char *data = allocation_allocate_append(buffer->allocations, length);
        if (data != NULL) {
            return data;
        }
    }
    struct allocation *allocation = buffer_add_allocation(buffer, length);
    if (allocation == NULL) {
        return NULL;
    }
    return allocation_allocate_append(allocation, length);
}

void *buffer_alloc(struct buffer *buffer, size_t length) {
    unsigned char *data = buffer_allocate_append(buffer, length);
    if (data == NULL) {
        return NULL;
    }
    struct buffer_chunk *last = buffer->last;
    if (last != NULL && last->internal && last->data + last->length == data) {
        last->length += length;
        buffer->length += length;
        return data;
    }
    struct buffer_chunk chunk = {.data = data, .length = length, .internal = true};
    if (!buffer_add_chunk(buffer, chunk)) {
        allocation_take_back(buffer->allocations, data);
        return NULL;
    }
    return data;
}

bool buffer_append(struct buffer *buffer, struct slice bytes) {
    if (bytes.length == 0) {
        return true;
    }
    void *place = buffer_alloc(buffer, bytes.length);
    if (place == NULL) {
        return false;
    }
    memcpy(place, bytes.data, bytes.length);
    return true;
}

bool buffer_append_external(struct buffer *buffer, void *data, size_t length,
                            buffer_release_data release) {
    struct buffer_chunk chunk = {.data = data, .length = length, .release = release};
    return buffer_add_chunk(buffer, chunk);
}

size_t buffer_length(const struct buffer *buffer) {
    return buffer->length;
}

/*
 * Makes the room free again that the internal bytes from `offset` of `chunk` on take, up to the end
 * of the buffer. Internal bytes were taken in the order of the chunks, so all that was taken after
 * the first of them goes with it, whole allocations included.
 */
static void buffer_take_back(struct buffer *buffer, const struct buffer_chunk *chunk,
                             size_t offset) {
    while (chunk != NULL && !chunk->internal) {
        chunk = chunk->next;
        offset = 0;
    }
    if (chunk == NULL) {
        return;
    }
    const unsigned char *data = chunk->data + offset;
    while (!allocation_contains(buffer->allocations, data)) {
        buffer_drop_allocation(buffer);
    }
    allocation_take_back(buffer->allocations, data);
}

void buffer_truncate(struct buffer *buffer, size_t length) {
    if (length >= buffer->length) {
        return;
    }
    struct buffer_chunk *last = NULL;
    struct buffer_chunk *chunk = buffer->first;
    size_t kept = length; /* of the chunk that the cut goes through */
    while (kept >= chunk->length) {
        kept -= chunk->length;
        last = chunk;
        chunk = chunk->next;
    }
    buffer_take_back(buffer, chunk, kept);
    if (kept > 0) {
        chunk->length = kept;
        last = chunk;
        chunk = chunk->next;
    }
    if (last != NULL) {
        last->next = NULL;
    } else {
        buffer->first = NULL;
    }
    buffer->last = last;
    buffer->length = length;
    buffer_release_chunks(chunk);
}

/*
 * The chunk that holds the byte at `*offset`, which then counts from the chunk's start; NULL at or
 * behind the end.
 */
static const struct buffer_chunk *buffer_seek(const struct buffer *buffer, size_t *offset) {
    const struct buffer_chunk *chunk = buffer->first;
    while (chunk != NULL && *offset >= chunk->length) {
        *offset -= chunk->length;
        chunk = chunk->next;
    }
    return chunk;
}

size_t buffer_copy(const struct buffer *buffer, size_t offset, size_t length, void *target) {
    unsigned char *to = target;
    size_t copied = 0;
    const struct buffer_chunk *chunk = buffer_seek(buffer, &offset);
    while (chunk != NULL && copied < length) {
        size_t piece = chunk->length - offset;
        if (piece > length - copied) {
            piece = length - copied;
        }
        memcpy(to + copied, chunk->data + offset, piece);
        copied += piece;
        offset = 0;
        chunk = chunk->next;
    }
    return copied;
}

struct slice buffer_peek(const struct buffer *buffer, size_t offset) {
    const struct buffer_chunk *chunk = buffer_seek(buffer, &offset);
    if (chunk == NULL) {
        return (struct slice){0};
    }
    return slice_from(chunk->data + offset, chunk->length - offset);
}
