#include "store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dirs.h"
#include "file.h"
#include "index.h"
#include "log.h"
#include "stats.h"

/* A log below this size is not worth a compaction that nobody asked for. */
#define COMPACT_MIN_SIZE ((uint64_t)4 * 1024 * 1024)

/* Digits, sign and NUL of a 64-bit integer. */
enum { INTEGER_SIZE = 21 };

/* Invariant: replaying the log gives the index. */
struct store {
    struct index *index;
    struct log *log;
    struct stats *stats;
    struct store_options options;
    uint64_t compact_at; /* the log's size from which on a compaction is tried */
};

static bool no_memory(struct error *error) {
    error_set(error, "out of memory");
    return false;
}

/* Makes the write of `record` in memory, where it is in the log already. */
static enum log_applied apply_record(void *context, const struct log_record *record) {
    struct index *index = context;
    struct index_change change;
    if (record->op == LOG_DEL) {
        (void)index_remove(index, record->key);
        return LOG_APPLIED;
    }
    if (record->op == LOG_APPEND) {
        const struct bytes *value = index_find(index, record->key);
        if (value != NULL && value->length + record->value.length > LOG_FIELD_MAX) {
            return LOG_IMPOSSIBLE;
        }
    }
    bool prepared = record->op == LOG_SET
                        ? index_prepare_set(index, record->key, record->value, &change)
                        : index_prepare_append(index, record->key, record->value, &change);
    if (!prepared) {
        return LOG_NO_MEMORY;
    }
    index_commit(index, &change);
    return LOG_APPLIED;
}

/* What the log would have if it were compacted now. */
static uint64_t live_size(const struct store *store) {
    return LOG_HEADER_SIZE + index_payload(store->index) +
           (uint64_t)index_count(store->index) * RECORD_HEADER_SIZE;
}

/*
 * Half of the log being dead is when compacting pays: each compaction then copies no more than has
 * been written since the last one.
 */
static void plan_compaction(struct store *store, uint64_t size) {
    store->compact_at = size < COMPACT_MIN_SIZE / 2 ? COMPACT_MIN_SIZE : size * 2;
}

static void notify(const struct store *store, const char *text) {
    if (store->options.notice != NULL) {
        store->options.notice(store->options.notice_context, text);
    }
}

static void notify_cut(const struct store *store, const char *path,
                       const struct log_recovery *recovery) {
    struct error text;
    if (recovery->cut_bytes > 0) {
        error_set(&text, "%s: cut %" PRIu64 " bytes of an unfinished write at byte %" PRIu64, path,
                  recovery->cut_bytes, recovery->end);
        notify(store, text.text);
    }
}

static void free_store(struct store *store) {
    index_free(store->index);
    stats_free(store->stats);
    free(store);
}

struct store *store_open(const char *path, const struct store_options *options,
                         struct error *error) {
    struct log_recovery recovery;
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    store->options = *options;
    store->index = index_new();
    store->stats = stats_new();
    if (store->index == NULL || store->stats == NULL) {
        (void)no_memory(error);
        free_store(store);
        return NULL;
    }
    store->log = log_open(path, options->sync_always, apply_record, store->index, &recovery, error);
    if (store->log == NULL) {
        free_store(store);
        return NULL;
    }
    plan_compaction(store, live_size(store));
    notify_cut(store, path, &recovery);
    return store;
}

bool store_close(struct store *store, struct error *error) {
    bool ok = log_close(store->log, error);
    free_store(store);
    return ok;
}

/* Found without a value means that there was no memory for it. */
struct pair store_get(const struct store *store, struct slice key) {
    struct pair result = {false, {0}};
    struct bytes value;
    enum index_result found = index_get(store->index, key, &value);
    stats_add(store->stats, found == INDEX_MISSING ? "keyspace_misses" : "keyspace_hits");
    if (found == INDEX_MISSING) {
        return result;
    }
    result.first = true;
    if (found == INDEX_FOUND) {
        (void)bytes_copy(&result.second, bytes_view(&value));
        bytes_release(&value);
    }
    return result;
}

bool store_exists(const struct store *store, struct slice key) {
    bool exists = index_contains(store->index, key);
    stats_add(store->stats, exists ? "keyspace_hits" : "keyspace_misses");
    return exists;
}

/* An iteration over the store's index in the form that the log takes. */
struct live_source {
    const struct index *index;
    struct index_cursor cursor;
};

static bool next_live(void *context, struct slice *key, struct slice *value) {
    struct live_source *source = context;
    return index_next(source->index, &source->cursor, key, value);
}

/* Rewrites the log once enough of it is dead. The write that led here has been made already. */
static void compact_if_due(struct store *store) {
    struct error error;
    struct error text;
    uint64_t size = log_size(store->log);
    if (size < store->compact_at) {
        return;
    }
    if (size < live_size(store) * 2) {
        plan_compaction(store, live_size(store));
    } else if (!store_compact(store, &error)) {
        error_set(&text, "the log could not be compacted: %s", error.text);
        notify(store, text.text);
        plan_compaction(store, size);
    }
}

/* Logs a prepared change and makes it, or makes nothing of it. */
static bool commit(struct store *store, const struct log_record *record,
                   struct index_change *change, struct error *error) {
    if (!log_append(store->log, record, error)) {
        index_abandon(change);
        return false;
    }
    index_commit(store->index, change);
    compact_if_due(store);
    return true;
}

/* No record could hold it, so no log ever would. */
static bool check_length(size_t length, struct error *error) {
    if (length > LOG_FIELD_MAX) {
        error_set(error, "longer than %zu bytes", LOG_FIELD_MAX);
        return false;
    }
    return true;
}

bool store_set(struct store *store, struct slice key, struct slice value, struct error *error) {
    struct index_change change;
    if (!check_length(key.length, error) || !check_length(value.length, error)) {
        return false;
    }
    if (!index_prepare_set(store->index, key, value, &change)) {
        return no_memory(error);
    }
    const struct log_record record = {.op = LOG_SET, .key = key, .value = value};
    return commit(store, &record, &change, error);
}

bool store_delete(struct store *store, struct slice key, bool *existed, struct error *error) {
    *existed = index_contains(store->index, key);
    if (!*existed) {
        return true;
    }
    const struct log_record record = {.op = LOG_DEL, .key = key};
    if (!log_append(store->log, &record, error)) {
        return false;
    }
    (void)index_remove(store->index, key);
    compact_if_due(store);
    return true;
}

/*
 * The integer that `text` writes in its shortest form. Shortest, so that each integer has one
 * text, and a value that INCR takes is one that INCR could have written.
 */
static bool parse_integer(struct slice text, int64_t *value) {
    char digits[INTEGER_SIZE];
    char again[INTEGER_SIZE];
    if (text.length == 0 || text.length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text.data, text.length);
    digits[text.length] = '\0';
    *value = strtoll(digits, NULL, 10);
    int length = snprintf(again, sizeof again, "%" PRId64, *value);
    return slice_equal(text, slice_from(again, (size_t)length));
}

static bool current_integer(const struct store *store, struct slice key, int64_t *value,
                            struct error *error) {
    const struct bytes *text = index_find(store->index, key);
    if (text == NULL) {
        *value = 0;
        return true;
    }
    if (!parse_integer(bytes_view(text), value)) {
        error_set(error, "the value is not an integer");
        return false;
    }
    return true;
}

bool store_increment(struct store *store, struct slice key, int64_t *value, struct error *error) {
    char text[INTEGER_SIZE];
    int64_t current;
    if (!current_integer(store, key, &current, error)) {
        return false;
    }
    if (current == INT64_MAX) {
        error_set(error, "the value would exceed %" PRId64, INT64_MAX);
        return false;
    }
    int length = snprintf(text, sizeof text, "%" PRId64, current + 1);
    if (!store_set(store, key, slice_from(text, (size_t)length), error)) {
        return false;
    }
    *value = current + 1;
    return true;
}

bool store_append(struct store *store, struct slice key, struct slice suffix, size_t *length,
                  struct error *error) {
    struct index_change change;
    const struct bytes *value = index_find(store->index, key);
    size_t sum = suffix.length + (value == NULL ? 0 : value->length);
    if (!check_length(key.length, error) || !check_length(sum, error)) {
        return false;
    }
    if (!index_prepare_append(store->index, key, suffix, &change)) {
        return no_memory(error);
    }
    const struct log_record record = {.op = LOG_APPEND, .key = key, .value = suffix};
    if (!commit(store, &record, &change, error)) {
        return false;
    }
    *length = sum;
    return true;
}

size_t store_count(const struct store *store) {
    return index_count(store->index);
}

void store_add_stat(const struct store *store, const char *name) {
    stats_add(store->stats, name);
}

static bool append_stat(const struct stats *stats, const char *name, struct bytes *text) {
    char pair[64];
    uint64_t value;
    if (!stats_get(stats, name, &value)) {
        return true;
    }
    const char *separator = text->length == 0 ? "" : " ";
    int length = snprintf(pair, sizeof pair, "%s%s=%" PRIu64, separator, name, value);
    return bytes_append(text, slice_from(pair, (size_t)length));
}

bool store_stats(const struct store *store, struct bytes *text) {
    static const char *const names[] = {"commands", "keyspace_hits", "keyspace_misses",
                                        "compactions"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!append_stat(store->stats, names[i], text)) {
            return false;
        }
    }
    return true;
}

bool store_compact(struct store *store, struct error *error) {
    struct live_source source = {.index = store->index};
    if (!log_compact(store->log, next_live, &source, error)) {
        return false;
    }
    stats_add(store->stats, "compactions");
    plan_compaction(store, log_size(store->log));
    return true;
}

/* Makes the folders that lead to `path`, so that they are there after power loss, too. */
static bool ensure_folder_of(const char *path, struct error *error) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) {
        return true;
    }
    char *folder = strndup(path, (size_t)(slash - path));
    if (folder == NULL) {
        return no_memory(error);
    }
    bool ok = dirs_ensure(folder, error);
    if (ok && !file_sync_folders_above(folder)) {
        error_set_system(error, errno, "cannot sync the folders above %s", path);
        ok = false;
    }
    free(folder);
    return ok;
}

bool store_backup(const struct store *store, const char *path, struct error *error) {
    struct live_source source = {.index = store->index};
    return ensure_folder_of(path, error) && log_write_copy(path, next_live, &source, error);
}
