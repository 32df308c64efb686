#include "dump.h"

#include <errno.h>
#include <inttypes.h>

#include "buffer.h"
#include "log.h"
#include "reply.h"

static const char *name_of(enum log_op op) {
    switch (op) {
    case LOG_DEL:
        return "DEL";
    case LOG_APPEND:
        return "APPEND";
    case LOG_SET:
    default:
        return "SET";
    }
}

/* Prints `word` in quotes. False when memory runs out; a failing `out` is noticed at the end. */
static bool print_word(FILE *out, struct slice word) {
    struct buffer text;
    buffer_init(&text);
    bool ok = reply_bulk(&text, word, true, true);
    size_t length = ok ? buffer_length(&text) - 1 : 0; /* without the line end */
    size_t offset = 0;
    while (offset < length) {
        struct slice piece = buffer_peek(&text, offset);
        size_t count = piece.length < length - offset ? piece.length : length - offset;
        (void)fwrite(piece.data, 1, count, out);
        offset += count;
    }
    buffer_release(&text);
    return ok;
}

static enum log_applied print_record(void *context, const struct log_record *record) {
    FILE *out = context;
    (void)fprintf(out, "%s ", name_of(record->op));
    bool ok = print_word(out, record->key);
    if (ok && record->op != LOG_DEL) {
        (void)fputc(' ', out);
        ok = print_word(out, record->value);
    }
    (void)fputc('\n', out);
    return ok ? LOG_APPLIED : LOG_NO_MEMORY;
}

bool dump_log(const char *path, FILE *out, FILE *notes, struct error *error) {
    struct log_recovery recovery;
    bool ok = log_read(path, print_record, out, &recovery, error);
    if (fflush(out) != 0 || ferror(out)) {
        error_set_system(error, errno, "cannot write the records");
        return false;
    }
    (void)fprintf(notes, "%s: %" PRIu64 " records, %" PRIu64 " bytes\n", path, recovery.records,
                  recovery.end);
    if (recovery.cut_bytes > 0) {
        (void)fprintf(notes, "%s: an unfinished write of %" PRIu64 " bytes at byte %" PRIu64 "\n",
                      path, recovery.cut_bytes, recovery.end);
    }
    return ok;
}
