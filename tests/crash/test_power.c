/*
 * The power is lost at every moment of a history: whatever the file system leaves, opening the log
 * finds what was promised, or, where earlier writes are lost and later ones are not, refuses.
 *
 * POWER_SAMPLES=N looks at N random states where there are too many for all (16), POWER_ROUNDS=N at
 * N random histories (2); TEST_SEED=N at others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "die.h"
#include "disk.h"
#include "generator.h"
#include "minikv.h"
#include "model.h"
#include "path.h"
#include "random.h"
#include "states.h"
#include "tmpdir.h"
#include "watchdog.h"

#define LOG "test.log"

/* Commands of a random history. */
#define RANDOM_COMMANDS 25

/* Once in so many states, the store must also go on from there. */
#define GO_ON_RARITY 16

static size_t from_environment(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? (size_t)strtoull(text, NULL, 10) : otherwise;
}

/* --- Fingerprints of what a store holds ---------------------------------------------------- */

static uint64_t hash_more(uint64_t hash, struct slice bytes) {
    for (size_t i = 0; i < bytes.length; i++) {
        hash = (hash ^ bytes.data[i]) * 0x100000001b3U; /* FNV-1a */
    }
    return hash;
}

/* Question number `number`; all answers together tell what a store holds. False behind the last. */
static bool question(const struct blob *keys, size_t key_count, size_t number, struct blob *line) {
    blob_clear(line);
    if (number > key_count) {
        return false;
    }
    if (number == key_count) {
        blob_print(line, "COUNT");
        return true;
    }
    blob_print(line, "GET ");
    blob_add_quoted(line, blob_view(&keys[number]));
    return true;
}

static uint64_t ask_model(struct model *model, const struct blob *keys, size_t key_count) {
    struct blob line = {0};
    struct model_reply reply = {0};
    uint64_t hash = 0;
    for (size_t i = 0; question(keys, key_count, i, &line); i++) {
        model_execute_line(model, blob_view(&line), &reply);
        hash = hash_more(hash, blob_view(&reply.exact));
    }
    model_reply_release(&reply);
    blob_release(&line);
    return hash;
}

static void execute(struct minikv *kv, struct slice line, struct blob *reply) {
    struct buffer buffer;
    buffer_init(&buffer);
    (void)minikv_execute(kv, line, &buffer);
    blob_clear(reply);
    struct slice piece;
    for (size_t offset = 0; offset < buffer_length(&buffer); offset += piece.length) {
        piece = buffer_peek(&buffer, offset);
        blob_add(reply, piece.data, piece.length);
    }
    buffer_release(&buffer);
}

static uint64_t ask_store(struct minikv *kv, const struct blob *keys, size_t key_count) {
    struct blob line = {0};
    struct blob reply = {0};
    uint64_t hash = 0;
    for (size_t i = 0; question(keys, key_count, i, &line); i++) {
        execute(kv, blob_view(&line), &reply);
        hash = hash_more(hash, blob_view(&reply));
    }
    blob_release(&reply);
    blob_release(&line);
    return hash;
}

/* --- Histories ----------------------------------------------------------------------------- */

/* BACKUP number `made`, made when so many commands had been answered. */
struct backup {
    char name[64];
    size_t made;
};

#define COMMANDS_MAX 256
#define BACKUPS_MAX 8

/*
 * What was done, and what the store held after each command. A crash may leave any state from
 * `low`, which is promised, to `high`, which is under way; the steps carry both.
 */
struct history {
    bool sync;
    struct disk disk;
    struct blob keys[GENERATOR_KEYS];
    size_t key_count;
    uint64_t hashes[COMMANDS_MAX + 1];
    size_t count; /* of commands that have been answered */
    struct model model;
    struct backup backups[BACKUPS_MAX];
    size_t backup_count;
    size_t first; /* the first step behind which the power is lost */
    struct random random;
    size_t samples;
    size_t states;
    size_t refused;
    size_t at; /* the power is lost behind so many steps */
};

static void history_release(struct history *history) {
    disk_release(&history->disk);
    for (size_t i = 0; i < history->key_count; i++) {
        blob_release(&history->keys[i]);
    }
    model_release(&history->model);
    free(history);
}

static struct history *history_new(bool sync, uint64_t seed) {
    struct history *history = calloc(1, sizeof *history);
    if (history == NULL) {
        die("history");
    }
    history->sync = sync;
    history->samples = from_environment("POWER_SAMPLES", 16);
    random_init(&history->random, seed);
    return history;
}

static void add_key(struct history *history, const char *key) {
    blob_print(&history->keys[history->key_count], "%s", key);
    history->key_count++;
}

static struct minikv *open_store(const char *path, bool sync, struct error *error) {
    struct minikv_options options = {.sync_always = sync};
    return minikv_open(path, &options, error);
}

static struct minikv *must_open(const char *path, bool sync) {
    struct error error;
    struct minikv *kv = open_store(path, sync, &error);
    if (kv == NULL) {
        fail_msg("%s", error.text);
    }
    return kv;
}

static void must_close(struct minikv *kv) {
    struct error error;
    assert_true(minikv_close(kv, &error));
}

/* Whether the log has been replaced since step `from`. */
static bool was_compacted(const struct disk *disk, size_t from) {
    for (size_t i = from; i < disk->count; i++) {
        if (disk->steps[i].kind == DISK_RENAME) {
            return true;
        }
    }
    return false;
}

static void answer(struct history *history, struct minikv *kv, struct slice line) {
    struct model_reply expected = {0};
    struct blob reply = {0};
    size_t steps = history->disk.count;
    model_execute_line(&history->model, line, &expected);
    execute(kv, line, &reply);
    assert_true(model_reply_matches(&expected, blob_view(&reply)));
    model_reply_release(&expected);
    blob_release(&reply);

    history->count++;
    assert_true(history->count <= COMMANDS_MAX);
    history->hashes[history->count] = ask_model(&history->model, history->keys, history->key_count);
    bool lasts = history->sync || was_compacted(&history->disk, steps);
    disk_mark(&history->disk, lasts ? history->count : history->disk.low, history->count + 1);
}

/* A line "BACKUP name" is carried out with the name's whole path. */
static void answer_in(struct history *history, struct minikv *kv, const char *folder,
                      struct slice line) {
    if (line.length < 7 || memcmp(line.data, "BACKUP ", 7) != 0) {
        answer(history, kv, line);
        return;
    }
    struct blob whole = {0};
    struct backup *backup = &history->backups[history->backup_count];
    snprintf(backup->name, sizeof backup->name, "%.*s", (int)line.length - 7,
             (const char *)line.data + 7);
    blob_print(&whole, "BACKUP \"%s/%s\"", folder, backup->name);
    answer(history, kv, blob_view(&whole));
    backup->made = history->count;
    history->backup_count++;
    blob_release(&whole);
}

/* What the record says must be what is there: else a call of minikv's went by unseen. */
static void check_record(const struct disk *disk, const char *folder) {
    struct disk_image image;
    disk_cached(disk, disk->count, &image);
    assert_true(disk_matches(&image, folder));
    disk_image_release(&image);
}

/* Opens a store in an empty folder, carries the lines out and closes it. */
static void history_write(struct history *history, const struct blob *lines, size_t count) {
    char *folder = tmpdir_make();
    char *log = tmpdir_path(folder, LOG);
    history->hashes[0] = ask_model(&history->model, history->keys, history->key_count);
    disk_mark(&history->disk, 0, 1);
    disk_record(&history->disk, folder);
    struct minikv *kv = must_open(log, history->sync);
    for (size_t i = 0; i < count; i++) {
        answer_in(history, kv, folder, blob_view(&lines[i]));
    }
    check_record(&history->disk, folder);
    must_close(kv);
    disk_stop();
    free(log);
    tmpdir_remove(folder);
}

/* --- What is left after the power was lost ------------------------------------------------- */

static void explain(const struct history *history, const struct state *state, const char *what) {
    print_error("power lost behind step %zu of %zu (%s): %s\n", history->at, history->disk.count,
                state->text, what);
    fail();
}

static bool is_allowed(const struct history *history, uint64_t hash, size_t low, size_t high) {
    for (size_t i = low; i <= high && i <= history->count; i++) {
        if (history->hashes[i] == hash) {
            return true;
        }
    }
    return false;
}

/* What is written from here on must last, too. */
static void check_goes_on(const struct history *history, const char *log) {
    struct minikv *kv = must_open(log, history->sync);
    struct blob reply = {0};
    execute(kv, slice_from_string("SET \"goes on\" 1"), &reply);
    assert_true(blob_equals(&reply, slice_from_string("OK\n")));
    must_close(kv);
    kv = must_open(log, history->sync);
    execute(kv, slice_from_string("GET \"goes on\""), &reply);
    assert_true(blob_equals(&reply, slice_from_string("\"1\"\n")));
    must_close(kv);
    blob_release(&reply);
}

/* A refusal is right where earlier writes are lost and later ones are not; never with sync. */
static void check_refusal(struct history *history, const struct state *state, const char *log,
                          const struct error *error) {
    const struct disk_entry *entry = disk_find(&state->image, LOG);
    if (history->sync || state->ordered || strstr(error->text, "at byte") == NULL) {
        explain(history, state, error->text);
    }
    if (!path_holds(log, blob_view(&state->image.files[entry->file]))) {
        explain(history, state, "a log that was refused has changed");
    }
    history->refused++;
}

static void check_log(struct history *history, const struct state *state, const char *log,
                      size_t low, size_t high) {
    struct error error = {""};
    struct minikv *kv = open_store(log, history->sync, &error);
    if (kv == NULL) {
        check_refusal(history, state, log, &error);
        return;
    }
    uint64_t hash = ask_store(kv, history->keys, history->key_count);
    must_close(kv);
    if (!is_allowed(history, hash, low, high)) {
        explain(history, state, "the store does not hold what was promised");
    }
    if (history->states % GO_ON_RARITY == 0) {
        check_goes_on(history, log);
    }
}

/* A backup is whole or not there at all; once it was answered, it is there. */
static void check_backup(const struct history *history, const struct state *state,
                         const char *folder, const struct backup *backup, bool answered) {
    char *path = tmpdir_path(folder, backup->name);
    if (!path_is_missing(path)) {
        struct error error = {""};
        struct minikv *kv = open_store(path, false, &error);
        if (kv == NULL) {
            explain(history, state, error.text);
        }
        uint64_t hash = ask_store(kv, history->keys, history->key_count);
        must_close(kv);
        if (hash != history->hashes[backup->made]) {
            explain(history, state, "the backup does not hold what the store held");
        }
    } else if (answered) {
        explain(history, state, "the backup is gone");
    }
    free(path);
}

static void check_state(void *context, const struct state *state) {
    struct history *history = context;
    const struct disk *disk = &history->disk;
    bool ended = history->at == disk->count;
    size_t low = ended ? disk->low : disk->steps[history->at].low;
    size_t high = ended ? disk->high : disk->steps[history->at].high;
    char *folder = tmpdir_make();
    char *log = tmpdir_path(folder, LOG);
    disk_write(&state->image, folder);
    for (size_t i = 0; i < history->backup_count; i++) {
        const struct backup *backup = &history->backups[i];
        check_backup(history, state, folder, backup, backup->made < high);
    }
    check_log(history, state, log, low, high);
    history->states++;
    free(log);
    tmpdir_remove(folder);
}

static void check_history(struct history *history) {
    for (history->at = history->first; history->at <= history->disk.count; history->at++) {
        (void)states_each(&history->disk, history->at, history->samples, &history->random,
                          check_state, history);
    }
}

/* --- The tests ----------------------------------------------------------------------------- */

/* Adds "NAME KEY " and a value of `length` bytes to the lines. */
static void add_long(struct blob *line, const char *start, char byte, size_t length) {
    blob_print(line, "%s ", start);
    blob_add_run(line, (unsigned char)byte, length);
}

static void release_lines(struct blob *lines, size_t count) {
    for (size_t i = 0; i < count; i++) {
        blob_release(&lines[i]);
    }
}

/* New, replaced, long, removed and appended values, compactions and backups. */
static struct history *scripted_history(bool sync, uint64_t seed) {
    static const char *const script[] = {
        "SET a 1",        "INCR n",  "@1800",   "APPEND a -more", "DEL a",
        "SET b 2",        "@100",    "COMPACT", "SET a again",    "INCR n",
        "BACKUP b/c/one", "@700",    "DEL b",   "BACKUP two",     "APPEND n x",
        "COMPACT",        "COMPACT", "SET b 3", "GET b",          "SET a \"\"",
    };
    enum { LINES = sizeof script / sizeof script[0] };
    struct blob lines[LINES] = {{0}};
    struct history *history = history_new(sync, seed);
    for (size_t i = 0; i < LINES; i++) {
        if (script[i][0] == '@') {
            add_long(&lines[i], "SET long", (char)('a' + i), strtoul(script[i] + 1, NULL, 10));
        } else {
            blob_print(&lines[i], "%s", script[i]);
        }
    }
    add_key(history, "a");
    add_key(history, "b");
    add_key(history, "n");
    add_key(history, "long");
    history_write(history, lines, LINES);
    release_lines(lines, LINES);
    return history;
}

static void check_and_tell(struct history *history, const char *what) {
    check_history(history);
    printf("%s: %zu states, %zu of them refused\n", what, history->states, history->refused);
    history_release(history);
}

static void test_with_sync_every_answered_write_survives_power_loss(void **state) {
    (void)state;
    uint64_t seed = random_seed("power loss with sync");
    check_and_tell(scripted_history(true, seed), "with sync");
}

static void test_without_sync_power_loss_leaves_a_state_that_was_or_is_refused(void **state) {
    (void)state;
    uint64_t seed = random_seed("power loss without sync");
    struct history *history = scripted_history(false, seed);
    check_history(history);
    assert_true(history->refused > 0); /* some states are to be refused: were they found? */
    printf("without sync: %zu states, %zu of them refused\n", history->states, history->refused);
    history_release(history);
}

/* Without BACKUP, QUIT and STATS, whose replies say nothing of what is stored. */
static struct history *random_history(bool sync, uint64_t seed) {
    struct blob lines[RANDOM_COMMANDS] = {{0}};
    struct history *history = history_new(sync, seed);
    history->key_count = GENERATOR_KEYS;
    for (size_t i = 0; i < GENERATOR_KEYS; i++) {
        generator_add_key(&history->keys[i], i);
    }
    for (size_t i = 0; i < RANDOM_COMMANDS; i++) {
        generator_command(&history->random, &lines[i]);
    }
    history_write(history, lines, RANDOM_COMMANDS);
    release_lines(lines, RANDOM_COMMANDS);
    return history;
}

static void test_random_histories_survive_power_loss(void **state) {
    (void)state;
    uint64_t seed = random_seed("power loss in random histories");
    size_t rounds = from_environment("POWER_ROUNDS", 2);
    for (size_t i = 0; i < rounds; i++) {
        check_and_tell(random_history(i % 2 == 0, seed + i),
                       i % 2 == 0 ? "random, with sync" : "random, without");
    }
}

/* Five values of 900,000 bytes make a log of 4 MiB, most of it dead. */
static void test_a_compaction_that_nobody_asked_for_survives_power_loss(void **state) {
    (void)state;
    enum { LINES = 6, VALUE = 900000 };
    struct blob lines[LINES] = {{0}};
    struct history *history = history_new(true, random_seed("power loss in a large log"));
    blob_print(&lines[0], "SET a 1");
    for (size_t i = 1; i < LINES; i++) {
        add_long(&lines[i], "SET b", (char)('a' + i), VALUE);
    }
    add_key(history, "a");
    add_key(history, "b");
    history_write(history, lines, LINES);
    assert_true(was_compacted(&history->disk, 0));
    for (size_t i = 0; i < history->disk.count; i++) {
        if (history->disk.steps[i].kind == DISK_CREATE) {
            history->first = i; /* the second one: the new log */
        }
    }
    history->samples = 4;
    check_and_tell(history, "a compaction on its own");
    release_lines(lines, LINES);
}

/* A history that goes on, in `folder`, where the process of another was killed behind a step. */
static struct history *history_resume(const struct history *before, size_t killed_at,
                                      const char *folder) {
    struct history *history = history_new(true, before->random.state);
    struct disk_image image;
    disk_copy(&history->disk, &before->disk, killed_at);
    disk_cached(&before->disk, killed_at, &image);
    disk_write(&image, folder);
    disk_image_release(&image);
    for (size_t i = 0; i < before->key_count; i++) {
        blob_add(&history->keys[i], before->keys[i].data, before->keys[i].length);
    }
    history->key_count = before->key_count;
    memcpy(history->hashes, before->hashes, sizeof history->hashes);
    history->first = killed_at;
    history->samples = 4;
    return history;
}

/* Opens the log of a resumed history, which holds state `low` or the next one, and writes one key.
 */
static void write_after_kill(struct history *history, const char *log, size_t low) {
    struct blob reply = {0};
    struct minikv *kv = must_open(log, true);
    uint64_t found = ask_store(kv, history->keys, history->key_count);
    assert_true(is_allowed(history, found, low, low + 1));
    execute(kv, slice_from_string("SET z 1"), &reply);
    history->count++;
    history->hashes[history->count] = ask_store(kv, history->keys, history->key_count);
    disk_mark(&history->disk, history->count, history->count);
    must_close(kv);
    blob_release(&reply);
}

/*
 * What the process that was killed has left to the system is not on the device: the next one must
 * not build on it as if it were. The power is lost while the next one opens the log and writes.
 */
static void lose_power_after_a_kill(const struct history *before, size_t killed_at,
                                    size_t *states) {
    bool ended = killed_at == before->disk.count;
    size_t low = ended ? before->disk.low : before->disk.steps[killed_at].low;
    char *folder = tmpdir_make();
    char *log = tmpdir_path(folder, LOG);
    struct history *history = history_resume(before, killed_at, folder);
    history->count = low + 1 < before->count ? low + 1 : before->count;
    disk_mark(&history->disk, low, history->count + 1);
    disk_record(&history->disk, folder);
    write_after_kill(history, log, low);
    disk_stop();
    check_history(history);
    *states += history->states;
    history_release(history);
    free(log);
    tmpdir_remove(folder);
}

static void test_power_loss_after_a_kill_loses_no_answered_write(void **state) {
    (void)state;
    size_t states = 0;
    struct history *history = scripted_history(true, random_seed("power loss after a kill"));
    for (size_t at = 0; at <= history->disk.count; at++) {
        lose_power_after_a_kill(history, at, &states);
    }
    printf("after a kill: %zu states\n", states);
    history_release(history);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_sync_every_answered_write_survives_power_loss),
        cmocka_unit_test(test_without_sync_power_loss_leaves_a_state_that_was_or_is_refused),
        cmocka_unit_test(test_random_histories_survive_power_loss),
        cmocka_unit_test(test_a_compaction_that_nobody_asked_for_survives_power_loss),
        cmocka_unit_test(test_power_loss_after_a_kill_loses_no_answered_write),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
