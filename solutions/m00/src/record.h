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

/* Bytes of the header of the file: the magic and the version. */
#define LOG_HEADER_SIZE ((size_t)8)

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

/* The header that a file of this version starts with, LOG_HEADER_SIZE bytes. Static. */
const unsigned char *record_log_header(void);

/*
 * Appends the record with that number to `out`. Key and value have LOG_FIELD_MAX bytes at most.
 * False, with `out` unchanged, when memory runs out.
 */
bool record_encode(const struct log_record *record, uint64_t number, struct bytes *out);

/*
 * Takes the RECORD_HEADER_SIZE bytes at `data` apart. False where they are no header: the checksum
 * is wrong, or what it covers is beyond the limits of the format.
 */
bool record_decode_header(const unsigned char *data, struct record_header *header);

/* Bytes of the whole record with that header. */
uint64_t record_size(const struct record_header *header);

/*
 * Takes the record with that header at `data` apart, record_size() bytes; key and value are
 * borrowed from there. False where the body does not match its checksum.
 */
bool record_decode(const unsigned char *data, const struct record_header *header,
                   struct log_record *record);

#endif
