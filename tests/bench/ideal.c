#include "ideal.h"

#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "fixture.h"
#include "hash.h"

struct node {
    struct node *next;
    uint64_t hash;
    unsigned char *value;
    size_t value_length;
    size_t key_length;
    unsigned char key[FIXTURE_KEY_LENGTH];
};

struct ideal {
    struct node **buckets;
    size_t bucket_count; /* a power of two, at least the number of keys */
    char *lines;         /* "GET key:00000001", all of one length */
};

#define LINE_LENGTH (4 + FIXTURE_KEY_LENGTH)

static bool add_key(struct ideal *ideal, size_t key, size_t value_length) {
    struct node *node = calloc(1, sizeof(*node));
    unsigned char *value = malloc(value_length);
    if (node == NULL || value == NULL) {
        free(node);
        free(value);
        return false;
    }
    char *line = ideal->lines + key * LINE_LENGTH;
    memcpy(line, "GET ", 4);
    fixture_write_key(line + 4, key);
    fixture_write_text((char *)value, value_length, key);
    memcpy(node->key, line + 4, FIXTURE_KEY_LENGTH);
    node->key_length = FIXTURE_KEY_LENGTH;
    node->value = value;
    node->value_length = value_length;
    node->hash = hash_bytes(slice_from(node->key, node->key_length));
    struct node **bucket = &ideal->buckets[node->hash & (ideal->bucket_count - 1)];
    node->next = *bucket;
    *bucket = node;
    return true;
}

static bool fill(struct fixture *fixture, struct ideal *ideal) {
    const size_t keys = fixture->options.keys;
    ideal->bucket_count = 1;
    while (ideal->bucket_count < keys) {
        ideal->bucket_count *= 2;
    }
    ideal->buckets = calloc(ideal->bucket_count, sizeof(struct node *));
    ideal->lines = calloc(keys, LINE_LENGTH);
    bool ok = ideal->buckets != NULL && ideal->lines != NULL;
    for (size_t key = 0; ok && key < keys; key++) {
        ok = add_key(ideal, key, fixture->options.value_bytes);
    }
    return ok;
}

bool ideal_open(struct fixture *fixture) {
    fixture->own = calloc(1, sizeof(struct ideal));
    if (fixture->own != NULL && fill(fixture, fixture->own)) {
        return true;
    }
    complain("no memory for the table");
    if (fixture->own != NULL) {
        ideal_close(fixture);
    }
    return false;
}

void ideal_close(struct fixture *fixture) {
    struct ideal *ideal = fixture->own;
    for (size_t i = 0; ideal->buckets != NULL && i < ideal->bucket_count; i++) {
        while (ideal->buckets[i] != NULL) {
            struct node *node = ideal->buckets[i];
            ideal->buckets[i] = node->next;
            free(node->value);
            free(node);
        }
    }
    free(ideal->buckets);
    free(ideal->lines);
    free(ideal);
}

static const struct node *find(const struct ideal *ideal, struct slice key) {
    const uint64_t hash = hash_bytes(key);
    const struct node *node = ideal->buckets[hash & (ideal->bucket_count - 1)];
    while (node != NULL && !(node->hash == hash && node->key_length == key.length &&
                             memcmp(node->key, key.data, key.length) == 0)) {
        node = node->next;
    }
    return node;
}

static void get(const struct ideal *ideal, struct slice line, struct buffer *reply) {
    const unsigned char *blank = memchr(line.data, ' ', line.length);
    const unsigned char *key = blank + 1;
    const struct node *node = find(ideal, slice_from(key, (size_t)(line.data + line.length - key)));
    unsigned char *text = node == NULL ? NULL : buffer_alloc(reply, node->value_length + 3);
    if (text == NULL) {
        fixture_fail("a GET found nothing");
    }
    text[0] = '"';
    memcpy(text + 1, node->value, node->value_length);
    memcpy(text + 1 + node->value_length, "\"\n", 2);
}

static inline uint64_t run(struct fixture *fixture, const uint32_t *picks, size_t count,
                           bool check) {
    const struct ideal *ideal = fixture->own;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        get(ideal, slice_from(ideal->lines + (size_t)picks[i] * LINE_LENGTH, LINE_LENGTH),
            &fixture->reply);
        sum = check ? fixture_checksum(sum, buffer_peek(&fixture->reply, 0))
                    : sum + buffer_length(&fixture->reply);
        buffer_clear(&fixture->reply);
    }
    return sum;
}

uint64_t ideal_run(struct fixture *fixture, const uint32_t *picks, size_t count) {
    return run(fixture, picks, count, false);
}

uint64_t ideal_check(struct fixture *fixture, const uint32_t *picks, size_t count) {
    return run(fixture, picks, count, true);
}
