#include "bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 16

struct slice slice_from(const void *data, size_t length) {
    return (struct slice){.data = data, .length = length};
}

struct slice slice_from_string(const char *string) {
    return slice_from(string, strlen(string));
}

bool slice_equal(struct slice a, struct slice b) {
    /* The length 0 is apart because memcmp() must not see NULL. */
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

void bytes_init(struct bytes *bytes) {
    *bytes = (struct bytes){0};
}

void bytes_release(struct bytes *bytes) {
    free(bytes->data);
    bytes_init(bytes);
}

void bytes_clear(struct bytes *bytes) {
    bytes->length = 0;
}

struct slice bytes_view(const struct bytes *bytes) {
    return slice_from(bytes->data, bytes->length);
}

/* The next capacity in the row of doublings that is enough for `needed`. */
static size_t grown_capacity(size_t capacity, size_t needed) {
    if (capacity < CAPACITY_MIN) {
        capacity = CAPACITY_MIN;
    }
    while (capacity < needed) {
        if (capacity > SIZE_MAX / 2) {
            return needed;
        }
        capacity *= 2;
    }
    return capacity;
}

bool bytes_reserve(struct bytes *bytes, size_t capacity) {
    if (capacity <= bytes->capacity) {
        return true;
    }
    size_t grown = grown_capacity(bytes->capacity, capacity);
    unsigned char *data = realloc(bytes->data, grown);
    if (data == NULL) {
        return false;
    }
    bytes->data = data;
    bytes->capacity = grown;
    return true;
}

bool bytes_append(struct bytes *bytes, struct slice tail) {
    if (tail.length > SIZE_MAX - bytes->length) {
        return false;
    }
    if (!bytes_reserve(bytes, bytes->length + tail.length)) {
        return false;
    }
    if (tail.length > 0) {
        memcpy(bytes->data + bytes->length, tail.data, tail.length);
        bytes->length += tail.length;
    }
    return true;
}

bool bytes_push(struct bytes *bytes, unsigned char byte) {
    if (bytes->length == bytes->capacity && !bytes_reserve(bytes, bytes->length + 1)) {
        return false;
    }
    bytes->data[bytes->length++] = byte;
    return true;
}

bool bytes_copy(struct bytes *copy, struct slice from) {
    bytes_init(copy);
    size_t capacity = from.length > 0 ? from.length : 1;
    copy->data = malloc(capacity);
    if (copy->data == NULL) {
        return false;
    }
    copy->capacity = capacity;
    copy->length = from.length;
    if (from.length > 0) {
        memcpy(copy->data, from.data, from.length);
    }
    return true;
}
