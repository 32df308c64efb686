#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "fixture.h"

/* Every command must be answered; that an answer is right is told by the checksum. */
static void execute(struct fixture *fixture, uint32_t pick) {
    if (minikv_execute(fixture->kv, fixture->lines[pick], &fixture->reply) != MINIKV_CONTINUE) {
        fixture_fail("a command got no reply");
    }
}

uint64_t commands_run(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        execute(fixture, picks[i]);
        sum += buffer_length(&fixture->reply);
        buffer_clear(&fixture->reply);
    }
    return sum;
}

uint64_t commands_check(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (fixture->show) {
            const struct slice line = fixture->lines[picks[i]];
            printf("%.*s: ", (int)line.length, (const char *)line.data);
        }
        execute(fixture, picks[i]);
        const size_t length = buffer_length(&fixture->reply);
        for (size_t at = 0; at < length;) {
            const struct slice piece = buffer_peek(&fixture->reply, at);
            sum = fixture_checksum(sum, piece);
            if (fixture->show) {
                fwrite(piece.data, 1, piece.length, stdout);
            }
            at += piece.length;
        }
        buffer_clear(&fixture->reply);
    }
    return sum;
}

static size_t write_command(char *line, const char *name, size_t key, struct slice operand) {
    const size_t name_length = strlen(name);
    memcpy(line, name, name_length);
    line[name_length] = ' ';
    size_t length = name_length + 1;
    fixture_write_key(line + length, key);
    length += FIXTURE_KEY_LENGTH;
    if (operand.length > 0) {
        line[length] = ' ';
        memcpy(line + length + 1, operand.data, operand.length);
        length += 1 + operand.length;
    }
    return length;
}

static const struct slice no_operand;

size_t commands_write_get(char *line, size_t key, struct slice value) {
    (void)value;
    return write_command(line, "GET", key, no_operand);
}

size_t commands_write_get_miss(char *line, size_t key, struct slice value) {
    const size_t length = commands_write_get(line, key, value);
    memcpy(line + 4, "not:", 4); /* as long as the keys that are there */
    return length;
}

size_t commands_write_exists(char *line, size_t key, struct slice value) {
    (void)value;
    return write_command(line, "EXISTS", key, no_operand);
}

size_t commands_write_set(char *line, size_t key, struct slice value) {
    return write_command(line, "SET", key, value);
}

size_t commands_write_incr(char *line, size_t key, struct slice value) {
    (void)value;
    return write_command(line, "INCR", key, no_operand);
}

size_t commands_write_append(char *line, size_t key, struct slice value) {
    (void)value;
    return write_command(line, "APPEND", key, slice_from_string("x"));
}
