#include "record.h"

#include <string.h>

#include "crc32c.h"

/* What a log starts with; the last byte is the version of the format. */
static const unsigned char magic[8] = {'m', 'i', 'n', 'i', 'k', 'v', 0, 1};

/* Where the fields of the file's header lie, behind the magic. */
enum { AT_LOG_VERSION = 7, AT_LOG_ID = 8, AT_LOG_CHECKSUM = 16 };

/* Where the fields of a record's header lie; docs/log-format.md draws them. */
enum {
    AT_HEADER_CHECKSUM = 0,
    AT_BODY_CHECKSUM = 4,
    AT_NUMBER = 8,
    AT_KEY_LENGTH = 16,
    AT_VALUE_LENGTH = 20,
    AT_OP = 24
};

static void put_u32(unsigned char *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}

static uint32_t get_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u64(unsigned char *at, uint64_t value) {
    put_u32(at, (uint32_t)value);
    put_u32(at + 4, (uint32_t)(value >> 32));
}

static uint64_t get_u64(const unsigned char *at) {
    return get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}

uint32_t record_start_log(unsigned char *header, uint64_t id) {
    memcpy(header, magic, sizeof magic);
    put_u64(header + AT_LOG_ID, id);
    put_u32(header + AT_LOG_CHECKSUM, crc32c(0, header, AT_LOG_CHECKSUM));
    return crc32c(0, header + AT_LOG_ID, AT_LOG_CHECKSUM - AT_LOG_ID);
}

/*
 * Whether a file that is no longer than a header looks like the first write to it, cut off: some
 * first bytes are there, those behind them are missing or zero.
 */
static bool is_unfinished(const unsigned char *data, size_t size) {
    size_t same = 0;
    while (same < size && same < sizeof magic && data[same] == magic[same]) {
        same++;
    }
    size_t zeros = same;
    while (zeros < size && data[zeros] == 0) {
        zeros++;
    }
    return same == sizeof magic || zeros == size;
}

enum log_header record_judge_log_header(const unsigned char *data, uint64_t size, uint32_t *seed) {
    if (size >= LOG_HEADER_SIZE && memcmp(data, magic, sizeof magic) == 0 &&
        get_u32(data + AT_LOG_CHECKSUM) == crc32c(0, data, AT_LOG_CHECKSUM)) {
        *seed = crc32c(0, data + AT_LOG_ID, AT_LOG_CHECKSUM - AT_LOG_ID);
        return LOG_HEADER_WHOLE;
    }
    if (size <= LOG_HEADER_SIZE && is_unfinished(data, (size_t)size)) {
        return LOG_HEADER_UNFINISHED;
    }
    if (size < sizeof magic || memcmp(data, magic, AT_LOG_VERSION) != 0) {
        return LOG_HEADER_FOREIGN;
    }
    return data[AT_LOG_VERSION] == magic[AT_LOG_VERSION] ? LOG_HEADER_DAMAGED : LOG_HEADER_VERSION;
}

/* The header's checksum covers all of the header behind itself. */
static uint32_t header_checksum(const unsigned char *header, uint32_t seed) {
    return crc32c(seed, header + AT_BODY_CHECKSUM, RECORD_HEADER_SIZE - AT_BODY_CHECKSUM);
}

bool record_encode(const struct log_record *record, uint32_t seed, uint64_t number,
                   struct bytes *out) {
    size_t body = record->key.length + record->value.length;
    if (!bytes_reserve(out, out->length + RECORD_HEADER_SIZE + body)) {
        return false;
    }
    unsigned char header[RECORD_HEADER_SIZE];
    uint32_t checksum = crc32c(0, record->key.data, record->key.length);
    put_u32(header + AT_BODY_CHECKSUM, crc32c(checksum, record->value.data, record->value.length));
    put_u64(header + AT_NUMBER, number);
    put_u32(header + AT_KEY_LENGTH, (uint32_t)record->key.length);
    put_u32(header + AT_VALUE_LENGTH, (uint32_t)record->value.length);
    header[AT_OP] = (unsigned char)record->op;
    put_u32(header + AT_HEADER_CHECKSUM, header_checksum(header, seed));

    /* The room is reserved, so none of these fails. */
    return bytes_append(out, slice_from(header, sizeof header)) && bytes_append(out, record->key) &&
           bytes_append(out, record->value);
}

static bool is_op(unsigned char op) {
    return op == LOG_SET || op == LOG_DEL || op == LOG_APPEND;
}

bool record_decode_header(const unsigned char *data, uint32_t seed, struct record_header *header) {
    uint32_t key_length = get_u32(data + AT_KEY_LENGTH);
    uint32_t value_length = get_u32(data + AT_VALUE_LENGTH);
    /* The limits first: they are cheaper than the checksum, and a search tries every byte. */
    if (!is_op(data[AT_OP]) || key_length > LOG_FIELD_MAX || value_length > LOG_FIELD_MAX ||
        get_u32(data + AT_HEADER_CHECKSUM) != header_checksum(data, seed)) {
        return false;
    }
    *header = (struct record_header){.number = get_u64(data + AT_NUMBER),
                                     .body_checksum = get_u32(data + AT_BODY_CHECKSUM),
                                     .key_length = key_length,
                                     .value_length = value_length,
                                     .op = (enum log_op)data[AT_OP]};
    return true;
}

uint64_t record_size(const struct record_header *header) {
    return RECORD_HEADER_SIZE + (uint64_t)header->key_length + header->value_length;
}

bool record_decode(const unsigned char *data, const struct record_header *header,
                   struct log_record *record) {
    const unsigned char *key = data + RECORD_HEADER_SIZE;
    size_t body = (size_t)header->key_length + header->value_length;
    if (crc32c(0, key, body) != header->body_checksum) {
        return false;
    }
    record->op = header->op;
    record->key = slice_from(key, header->key_length);
    record->value = slice_from(key + header->key_length, header->value_length);
    return true;
}
