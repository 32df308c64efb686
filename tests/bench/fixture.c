#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "prng.h"

#define CHECKSUM_PRIME 0x100000001b3u

_Noreturn void fixture_fail(const char *what) {
    complain("%s", what);
    exit(1);
}

uint64_t fixture_checksum(uint64_t sum, struct slice bytes) {
    for (size_t i = 0; i < bytes.length; i++) {
        sum = (sum ^ bytes.data[i]) * CHECKSUM_PRIME;
    }
    return sum;
}

void fixture_write_key(char *name, size_t key) {
    memcpy(name, "key:00000000", FIXTURE_KEY_LENGTH);
    for (size_t at = FIXTURE_KEY_LENGTH - 1; key > 0; at--) {
        name[at] = (char)('0' + key % 10);
        key /= 10;
    }
}

#define LETTER_BITS 5
#define LETTERS_AT_ONCE (64 / LETTER_BITS)

void fixture_write_text(char *text, size_t length, size_t number) {
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz012345";
    struct prng prng;
    uint64_t bits = 0;
    prng_init(&prng, number);
    for (size_t i = 0; i < length; i++) {
        bits = i % LETTERS_AT_ONCE == 0 ? prng_next(&prng) : bits >> LETTER_BITS;
        text[i] = alphabet[bits & ((1 << LETTER_BITS) - 1)];
    }
}

static struct slice value_of(const struct fixture *fixture, char *space, size_t key) {
    if (fixture->row->numbers) {
        return slice_from_string("0");
    }
    fixture_write_text(space, fixture->options.value_bytes, key);
    return slice_from(space, fixture->options.value_bytes);
}

static bool execute_ok(struct fixture *fixture, struct slice line) {
    const enum minikv_result result = minikv_execute(fixture->kv, line, &fixture->reply);
    const struct slice reply = buffer_peek(&fixture->reply, 0);
    const bool ok = result == MINIKV_CONTINUE && slice_equal(reply, slice_from_string("OK\n"));
    if (!ok) {
        complain("a SET was answered: %.*s", (int)reply.length, (const char *)reply.data);
    }
    buffer_clear(&fixture->reply);
    return ok;
}

static bool load_keys(struct fixture *fixture, char *line, char *value_space) {
    for (size_t key = 0; key < fixture->options.keys; key++) {
        const struct slice value = value_of(fixture, value_space, key);
        memcpy(line, "SET ", 4);
        fixture_write_key(line + 4, key);
        line[4 + FIXTURE_KEY_LENGTH] = ' ';
        const size_t head = 4 + FIXTURE_KEY_LENGTH + 1;
        memcpy(line + head, value.data, value.length);
        if (!execute_ok(fixture, slice_from(line, head + value.length))) {
            return false;
        }
    }
    return true;
}

/* Whether the log that was taken over has brought the keys along. */
static bool has_keys(struct fixture *fixture) {
    char expected[32];
    snprintf(expected, sizeof(expected), "(integer) %zu\n", fixture->options.keys);
    if (minikv_execute(fixture->kv, slice_from_string("COUNT"), &fixture->reply) !=
        MINIKV_CONTINUE) {
        return false;
    }
    const bool same = slice_equal(buffer_peek(&fixture->reply, 0), slice_from_string(expected));
    buffer_clear(&fixture->reply);
    return same;
}

static bool open_store(struct fixture *fixture, char *line, char *value_space) {
    struct error error;
    fixture->kv = minikv_open(fixture->options.log, NULL, &error);
    if (fixture->kv == NULL) {
        complain("%s", error.text);
        return false;
    }
    return has_keys(fixture) || load_keys(fixture, line, value_space);
}

static bool write_lines(struct fixture *fixture, char *line, char *value_space) {
    const size_t room = ROW_LINE_MAX + fixture->options.value_bytes;
    size_t used = 0;
    size_t capacity = 0;
    for (size_t key = 0; key < fixture->options.keys; key++) {
        if (capacity - used < room) {
            capacity = capacity * 2 + room;
            char *grown = realloc(fixture->line_bytes, capacity);
            if (grown == NULL) {
                complain("no memory for the commands");
                return false;
            }
            fixture->line_bytes = grown;
        }
        /* Not what the key holds already: a SET has to change something. */
        const struct slice value = value_of(fixture, value_space, key + fixture->options.keys);
        const size_t length = fixture->row->line(line, key, value);
        memcpy(fixture->line_bytes + used, line, length);
        fixture->lines[key].length = length;
        used += length;
    }
    return true;
}

/* The lines lie one behind the other; they could move until the last one was written. */
static void point_at_lines(struct fixture *fixture) {
    const char *at = fixture->line_bytes;
    for (size_t key = 0; key < fixture->options.keys; key++) {
        fixture->lines[key] = slice_from(at, fixture->lines[key].length);
        at += fixture->lines[key].length;
    }
}

static bool open_commands(struct fixture *fixture) {
    char *line = malloc(ROW_LINE_MAX + fixture->options.value_bytes);
    char *value_space = malloc(fixture->options.value_bytes);
    fixture->lines = calloc(fixture->options.keys, sizeof(*fixture->lines));
    bool ok = line != NULL && value_space != NULL && fixture->lines != NULL;
    if (!ok) {
        complain("no memory for the commands");
    }
    ok = ok && write_lines(fixture, line, value_space) && open_store(fixture, line, value_space);
    if (ok) {
        point_at_lines(fixture);
    }
    free(value_space);
    free(line);
    return ok;
}

bool fixture_open(struct fixture *fixture, const struct row *row,
                  const struct fixture_options *options) {
    *fixture = (struct fixture){.options = *options, .row = row};
    buffer_init(&fixture->reply);
    if ((row->line == NULL || open_commands(fixture)) &&
        (row->open == NULL || row->open(fixture))) {
        return true;
    }
    fixture->row = NULL;
    fixture_close(fixture);
    return false;
}

bool fixture_close_store(struct fixture *fixture) {
    struct error error;
    const bool ok = fixture->kv == NULL || minikv_close(fixture->kv, &error);
    if (!ok) {
        complain("%s", error.text);
    }
    fixture->kv = NULL;
    return ok;
}

void fixture_close(struct fixture *fixture) {
    if (fixture->row != NULL && fixture->row->close != NULL) {
        fixture->row->close(fixture);
    }
    fixture_close_store(fixture);
    buffer_release(&fixture->reply);
    free(fixture->lines);
    free(fixture->line_bytes);
}
