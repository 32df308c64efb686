/*
 * The C library's functions on the way of a GET, in plain C, so that nothing on that way depends on
 * which library there is and which of its variants it picks. Linked into the images of `make sweep`
 * and nothing else.
 *
 * Declared hot, as a library for small machines would: linkers that know of hot code put it with
 * the rest of that. Each is in a section of its own, .text.hot.NAME, so that it can be named.
 */
#include <stddef.h>
#include <stdint.h>

#define HOT __attribute__((hot))

/* Memory is handed out in powers of two. */
enum { SIZE_CLASSES = 28, SMALLEST_CLASS = 5 };

/* More than opening an empty store and a few thousand commands take. */
enum { ARENA_SIZE = 64 * 1024 * 1024 };

/* In front of what malloc() returns. As long as the strictest alignment. */
union block {
    struct {
        size_t size_class;
        union block *next; /* while it is free */
    } head;
    max_align_t aligned;
};

static _Alignas(64) unsigned char arena[ARENA_SIZE];
static size_t arena_used;
static union block *freed[SIZE_CLASSES];

/* What the linker takes from here instead of the C library. */
void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
void *memchr(const void *bytes, int value, size_t length);
int memcmp(const void *a, const void *b, size_t length);
int bcmp(const void *a, const void *b, size_t length);
size_t strlen(const char *string);
int strcmp(const char *a, const char *b);
int toupper(int c);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *bytes);

HOT void *memcpy(void *restrict to, const void *restrict from, size_t length) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < length; i++) {
        target[i] = source[i];
    }
    return to;
}

void *memmove(void *to, const void *from, size_t length) {
    unsigned char *target = to;
    const unsigned char *source = from;
    if ((uintptr_t)target <= (uintptr_t)source) {
        return memcpy(to, from, length); /* which goes upwards */
    }
    while (length > 0) {
        length--;
        target[length] = source[length];
    }
    return to;
}

HOT void *memset(void *to, int value, size_t length) {
    unsigned char *target = to;
    for (size_t i = 0; i < length; i++) {
        target[i] = (unsigned char)value;
    }
    return to;
}

HOT void *memchr(const void *bytes, int value, size_t length) {
    const unsigned char *source = bytes;
    for (size_t i = 0; i < length; i++) {
        if (source[i] == (unsigned char)value) {
            return (void *)(source + i); /* as the C standard has it */
        }
    }
    return NULL;
}

HOT int memcmp(const void *a, const void *b, size_t length) {
    const unsigned char *left = a;
    const unsigned char *right = b;
    for (size_t i = 0; i < length; i++) {
        if (left[i] != right[i]) {
            return left[i] - right[i];
        }
    }
    return 0;
}

/* clang calls it where a program compares memcmp() with 0. */
HOT int bcmp(const void *a, const void *b, size_t length) {
    return memcmp(a, b, length);
}

HOT size_t strlen(const char *string) {
    size_t length = 0;
    while (string[length] != '\0') {
        length++;
    }
    return length;
}

HOT int strcmp(const char *a, const char *b) {
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

HOT int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

static size_t size_class_of(size_t size) {
    size_t size_class = SMALLEST_CLASS;
    while (size_class < SIZE_CLASSES && (size_t)1 << size_class < size) {
        size_class++;
    }
    return size_class;
}

HOT void *malloc(size_t size) {
    if (size > ARENA_SIZE) {
        return NULL;
    }
    const size_t size_class = size_class_of(size + sizeof(union block));
    if (size_class == SIZE_CLASSES) {
        return NULL;
    }
    union block *block = freed[size_class];
    if (block != NULL) {
        freed[size_class] = block->head.next;
        return block + 1;
    }
    if ((size_t)1 << size_class > ARENA_SIZE - arena_used) {
        return NULL;
    }
    block = (union block *)(void *)(arena + arena_used);
    arena_used += (size_t)1 << size_class;
    block->head.size_class = size_class;
    return block + 1;
}

HOT void free(void *bytes) {
    if (bytes != NULL) {
        union block *block = (union block *)bytes - 1;
        block->head.next = freed[block->head.size_class];
        freed[block->head.size_class] = block;
    }
}

void *calloc(size_t count, size_t size) {
    if (size != 0 && count > ARENA_SIZE / size) {
        return NULL;
    }
    void *bytes = malloc(count * size);
    return bytes == NULL ? NULL : memset(bytes, 0, count * size);
}

HOT void *realloc(void *old, size_t size) {
    void *bytes = malloc(size);
    if (old == NULL || bytes == NULL) {
        return bytes;
    }
    const union block *block = (const union block *)old - 1;
    const size_t room = ((size_t)1 << block->head.size_class) - sizeof *block;
    memcpy(bytes, old, room < size ? room : size);
    free(old);
    return bytes;
}
