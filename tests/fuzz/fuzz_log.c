/*
 * Any bytes as a log: they are opened, or refused with a reason and left as they are. What was
 * opened holds what --dump prints, takes writes, and holds the same when it is opened again.
 *
 * Random changes rarely survive a checksum, so the mutator of this target makes most of them right
 * again: what lies behind the checksums is looked at, too.
 */
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "path.h"
#include "random.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* --- The target ---------------------------------------------------------------------------- */

/* Does in the model what --dump prints of the log; false where that refuses it. */
static bool dump_into(struct model *model) {
    struct error error = {""};
    struct model_reply reply = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    FILE *notes = fopen("/dev/null", "w");
    scratch_check(out != NULL && notes != NULL, "no stream");
    bool whole = dump_log(scratch_log(), out, notes, &error);
    scratch_check(whole || error.text[0] != '\0', "refused to dump without a reason");
    scratch_check(fclose(out) == 0 && fclose(notes) == 0, "a stream does not close");
    for (size_t start = 0; start < length;) {
        const char *end = memchr(text + start, '\n', length - start);
        scratch_check(end != NULL, "the dump does not end with a line feed");
        size_t line = (size_t)(end - text) - start;
        model_execute_line(model, slice_from(text + start, line), &reply);
        scratch_check(reply.form == MODEL_EXACT, "a line of the dump is no write");
        start += line + 1;
    }
    free(text);
    model_reply_release(&reply);
    return whole;
}

static void check_opened(struct minikv *kv, bool dumped, struct model *model) {
    struct blob reply = {0};
    struct model_reply expected = {0};
    struct slice line = slice_from_string("SET \"one more\" 1");
    bool noticed;
    scratch_check(dumped, "what was opened could not be dumped");
    scratch_compare(kv, model);
    scratch_close(kv);
    for (int i = 0; i < 2; i++) {
        kv = scratch_open(0, &noticed);
        scratch_check(kv != NULL && !noticed, "what was opened does not open well again");
        scratch_compare(kv, model);
        model_execute_line(model, line, &expected);
        scratch_execute(kv, line, &reply);
        scratch_check(model_reply_matches(&expected, blob_view(&reply)), "no more writes");
        scratch_close(kv);
    }
    model_reply_release(&expected);
    blob_release(&reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct model model = {0};
    bool noticed;
    scratch_clear();
    blob_write_file(scratch_log(), data, size);
    bool dumped = dump_into(&model);
    scratch_check(path_holds(scratch_log(), slice_from(data, size)), "a dump changed the log");
    struct minikv *kv = scratch_open(0, &noticed);
    if (kv != NULL) {
        check_opened(kv, dumped, &model);
    } else {
        scratch_check(path_holds(scratch_log(), slice_from(data, size)),
                      "a log that was refused has changed");
    }
    model_release(&model);
    return 0;
}

/* --- The mutator --------------------------------------------------------------------------- */

/* docs/log-format.md, once more and apart from minikv's own. */
enum { FILE_HEADER = 20, RECORD_HEADER = 25 };

/* From here on an operation is left as it is, though none has that number. */
enum { NO_OPERATION = 0xf0 };

static uint32_t checksum(uint32_t sum, const uint8_t *data, size_t size) {
    sum = ~sum;
    for (size_t i = 0; i < size; i++) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            sum = sum >> 1 ^ (0x82f63b78U & (0U - (sum & 1)));
        }
    }
    return ~sum;
}

static void put(uint8_t *at, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) {
        at[i] = (uint8_t)(number >> 8 * i);
    }
}

/* The length in a record's header, which is made to fit into `room`. */
static size_t fit_length(uint8_t *at, size_t room) {
    size_t length = at[0] | (size_t)at[1] << 8;
    length = room == 0 ? 0 : length % (room + 1);
    put(at, length, 4);
    return length;
}

/* Makes the record right that starts at `record`, of which there are `size` bytes; its size. */
static size_t repair_record(uint8_t *record, size_t size, uint64_t number, uint32_t seed) {
    size_t room = size - RECORD_HEADER;
    size_t key = fit_length(record + 16, room);
    uint8_t op = record[24] % 3;
    if (record[24] < NO_OPERATION) {
        record[24] = (uint8_t)(op + 1);
    }
    size_t value = op == 1 ? fit_length(record + 20, 0) : fit_length(record + 20, room - key);
    put(record + 8, number, 8);
    put(record + 4, checksum(0, record + RECORD_HEADER, key + value), 4);
    put(record, checksum(seed, record + 4, RECORD_HEADER - 4), 4);
    return RECORD_HEADER + key + value;
}

/* Makes the first `records` records right, and the header of the file. */
static void repair(uint8_t *data, size_t size, size_t records) {
    if (size < FILE_HEADER) {
        return;
    }
    memcpy(data, "minikv\0\1", 8);
    put(data + 16, checksum(0, data, 16), 4);
    uint32_t seed = checksum(0, data + 8, 8);
    size_t at = FILE_HEADER;
    for (size_t i = 0; i < records && size - at >= RECORD_HEADER; i++) {
        at += repair_record(data + at, size - at, i + 1, seed);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    struct random random;
    random_init(&random, seed);
    size = LLVMFuzzerMutate(data, size, max_size);
    if (random_below(&random, 8) > 0) {
        repair(data, size, random_below(&random, 2) == 0 ? size : random_below(&random, 8));
    }
    if (size > 0 && random_below(&random, 3) == 0) {
        data[random_below(&random, size)] ^= (uint8_t)(1U << random_below(&random, 8));
    }
    return size;
}
