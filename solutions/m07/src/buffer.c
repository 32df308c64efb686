#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of memory grow with the buffer; beyond the larger size, that would hardly save calls. */
#define BLOCK_SIZE_MIN ((size_t)BUFFER_BUILTIN_SIZE * 2)
#define BLOCK_SIZE_MAX ((size_t)1024 * 1024)

void buffer_init(struct buffer *buffer) {
    /* Field by field, because the built-in bytes need no value. */
    buffer->room = BUFFER_BUILTIN_SIZE;
    buffer->last = &buffer->first;
    buffer->last_internal = &buffer->first;
    buffer->length = 0;
    buffer->first = (struct buffer_chunk){.data = buffer->builtin, .size = BUFFER_BUILTIN_SIZE};
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

void buffer_release(struct buffer *buffer) {
    buffer_release_chunks(buffer->first.next);
}

void buffer_clear(struct buffer *buffer) {
    buffer_truncate(buffer, 0);
}

static size_t buffer_block_size(const struct buffer *buffer, size_t length) {
    size_t size = buffer->length;
    if (size < BLOCK_SIZE_MIN) {
        size = BLOCK_SIZE_MIN;
    } else if (size > BLOCK_SIZE_MAX) {
        size = BLOCK_SIZE_MAX;
    }
    return size < length ? length : size;
}

/* Puts `chunk` at the end of the list, with `room` bytes free behind it. */
static void buffer_add_chunk(struct buffer *buffer, struct buffer_chunk *chunk, size_t room) {
    buffer->last->next = chunk;
    buffer->last = chunk;
    buffer->length += chunk->length;
    buffer->room = room;
}

/*
 * What buffer_alloc() does where the last chunk cannot grow: starts an internal chunk, behind the
 * last internal one if external bytes are all that keeps that from growing, else in a new block.
 *
 * A function of its own also in the machine code: within buffer_alloc() its needs would become
 * those of every call, five registers to save and restore.
 */
static __attribute__((noinline)) void *buffer_start_chunk(struct buffer *buffer, size_t length) {
    const struct buffer_chunk *before = buffer->last_internal;
    size_t size = before->size - before->length;
    size_t block = size < length ? buffer_block_size(buffer, length) : 0;
    if (block > SIZE_MAX - sizeof(struct buffer_chunk)) {
        return NULL;
    }
    struct buffer_chunk *chunk = malloc(sizeof *chunk + block);
    if (chunk == NULL) {
        return NULL;
    }
    *chunk = (struct buffer_chunk){
        .data = before->data + before->length, .length = length, .size = size};
    if (block > 0) {
        chunk->data = (unsigned char *)(chunk + 1);
        chunk->size = block;
    }
    buffer_add_chunk(buffer, chunk, chunk->size - length);
    buffer->last_internal = chunk;
    return chunk->data;
}

void *buffer_alloc(struct buffer *buffer, size_t length) {
    if (length > buffer->room) {
        return buffer_start_chunk(buffer, length);
    }
    struct buffer_chunk *last = buffer->last;
    unsigned char *data = last->data + last->length;
    last->length += length;
    buffer->room -= length;
    buffer->length += length;
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
    struct buffer_chunk *chunk = malloc(sizeof *chunk);
    if (chunk == NULL) {
        return false;
    }
    *chunk = (struct buffer_chunk){.data = data, .length = length, .release = release};
    buffer_add_chunk(buffer, chunk, 0);
    return true;
}

size_t buffer_length(const struct buffer *buffer) {
    return buffer->length;
}

void buffer_truncate(struct buffer *buffer, size_t length) {
    if (length >= buffer->length) {
        return;
    }
    struct buffer_chunk *last = &buffer->first;
    size_t kept = length; /* of the chunk that the cut goes through, or ends */
    buffer->last_internal = last;
    while (kept > last->length) {
        kept -= last->length;
        last = last->next;
        if (last->size > 0) {
            buffer->last_internal = last;
        }
    }
    buffer_release_chunks(last->next);
    last->next = NULL;
    last->length = kept;
    buffer->last = last;
    buffer->length = length;
    buffer->room = last->size > 0 ? last->size - kept : 0;
}

/*
 * The chunk that holds the byte at `*offset`, which then counts from the chunk's start; NULL at or
 * behind the end.
 */
static const struct buffer_chunk *buffer_seek(const struct buffer *buffer, size_t *offset) {
    const struct buffer_chunk *chunk = &buffer->first;
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
