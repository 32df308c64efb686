/*
 * One record of the log as bytes, and the header of the file. docs/log-format.md draws both.
 */
#ifndef MINIKV_RECORD_H
#define MINIKV_RECORD_H

#include <stdint.h>

#include "bytes.h"

enum log_op { LOG_SET = 1, LOG_DEL = 2, LOG_APPEND = 3 };

/* Bytes of one key or of one value at most; what a record says beyond that is damage. */
#define LOG_FIELD_MAX ((size_t)64 * 1024 * 1024)

/* Bytes of the header of the file. */
#define LOG_HEADER_SIZE ((size_t)20)

/* Bytes of a record in front of its key and value. */
#define RECORD_HEADER_SIZE ((size_t)25)

/* One record. Key and value are borrowed for the time of the call that shows them. */
struct log_record {
    enum log_op op;
    struct slice key;
    struct slice value; /* empty for LOG_DEL */
};

/* What stands in front of a record's key and value. */
struct record_header {
    uint64_t number; /* 1 for the first record of a file, then one more each */
    uint32_t body_checksum;
    uint32_t key_length;
    uint32_t value_length;
    enum log_op op;
};

/*
 * Writes the header of a new file, LOG_HEADER_SIZE bytes, to `header`. `id` is a number that no
 * other log has. Returns the seed of the file's record headers: their checksums start from it, so
 * that a record of one log is none in another, wherever its bytes may turn up.
 */
uint32_t record_start_log(unsigned char *header, uint64_t id);

enum log_header {
    LOG_HEADER_WHOLE,
    LOG_HEADER_UNFINISHED, /* its writing was cut off, so no record can follow */
    LOG_HEADER_VERSION,    /* of another version of the format */
    LOG_HEADER_DAMAGED,
    LOG_HEADER_FOREIGN /* not the start of a log at all */
};

/*
 * Judges the start of a file of `size` bytes; `data` holds LOG_HEADER_SIZE of them, or all if it is
 * shorter. Sets `*seed` with LOG_HEADER_WHOLE.
 */
enum log_header record_judge_log_header(const unsigned char *data, uint64_t size, uint32_t *seed);

/*
 * Appends the record with that number to `out`, for a log with that seed. Key and value have
 * LOG_FIELD_MAX bytes at most. False, with `out` unchanged, when memory runs out.
 */
bool record_encode(const struct log_record *record, uint32_t seed, uint64_t number,
                   struct bytes *out);

/*
 * Takes the RECORD_HEADER_SIZE bytes at `data` apart. False where they are no header in a log with
 * that seed: the checksum is wrong, or what it covers is beyond the limits of the format.
 */
bool record_decode_header(const unsigned char *data, uint32_t seed, struct record_header *header);

/* Bytes of the whole record with that header. */
uint64_t record_size(const struct record_header *header);

/*
 * Takes the record with that header at `data` apart, record_size() bytes; key and value are
 * borrowed from there. False where the body does not match its checksum.
 */
bool record_decode(const unsigned char *data, const struct record_header *header,
                   struct log_record *record);

#endif
