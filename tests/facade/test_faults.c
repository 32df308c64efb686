/*
 * A scripted session in which the system refuses something: for every function that minikv calls,
 * for each of its calls in turn, in every way that fits. Whatever happens, a command that was
 * answered OK is there on reopening, one that was answered ERR is not, not even half; the store
 * goes on where it can and takes no writes where it cannot; no descriptor stays open and no
 * temporary file is left.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "alloc.h"
#include "die.h"
#include "faults.h"
#include "minikv.h"
#include "model.h"
#include "path.h"
#include "program.h"
#include "tmpdir.h"
#include "watchdog.h"

#define LOG "test.log"
#define FOLDER "new/folder"

/* --- A run of a script --------------------------------------------------------------------- */

/* Where a script closes the store and opens it again. */
#define REOPEN "reopen"

/* How `run` should take what happens. */
enum tolerance {
    ALL_SUCCEED,  /* nothing that was injected may be seen */
    SOME_FAIL,    /* what it is about may fail */
    UNDOING_FAILS /* and what a failed write left may be impossible to take away */
};

/* One run, in a working folder of its own, where its log and its backups lie. */
struct run {
    char *folder;
    bool sync;
    enum tolerance tolerance;
    struct minikv *kv;
    bool noticed;       /* minikv has told something since the last command or opening */
    struct model model; /* what was answered OK */
    bool writable;      /* no write has failed since the store was opened */
    const char *undone; /* the write that failed; NULL: there is none */
    size_t descriptors; /* that were open before */
    bool leaves_files;  /* the system does not let it remove any */
    bool must_be_told;  /* what fails must not be answered with OK */
    size_t happened;    /* how much has gone wrong in the whole run */
};

static char story[256]; /* what is injected, for messages */

#define check(condition, what)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail_msg("%s: %s", story, (what));                                                     \
        }                                                                                          \
    } while (0)

/* How many descriptors are open; 0 where the system does not tell. */
static size_t count_descriptors(void) {
    return access("/proc/self/fd", R_OK) == 0 ? path_entries("/proc/self/fd") : 0;
}

static void run_start(struct run *run, bool sync, enum tolerance tolerance) {
    *run = (struct run){.sync = sync, .tolerance = tolerance};
    run->folder = tmpdir_make();
    must(chdir(run->folder), run->folder);
    run->descriptors = count_descriptors();
}

static void run_end(struct run *run) {
    must(chdir("/"), "/");
    tmpdir_remove(run->folder);
    model_release(&run->model);
}

static void note(void *context, const char *text) {
    bool *noticed = context;
    *noticed = text[0] != '\0';
}

static struct minikv *open_at(struct run *run, const char *path) {
    struct error error = {""};
    struct minikv_options options = {.sync_always = run->sync,
                                     .line_limit = (size_t)8 * 1024 * 1024,
                                     .notice = note,
                                     .notice_context = &run->noticed};
    run->noticed = false;
    struct minikv *kv = minikv_open(path, &options, &error);
    check((kv == NULL) == (error.text[0] != '\0'), "opening fails with a reason, or works");
    return kv;
}

static void close_store(struct minikv *kv) {
    struct error error = {""};
    check(minikv_close(kv, &error), "the store closes");
}

/* Carries out one line and replaces `reply` by the reply to it. */
static void execute(struct minikv *kv, const char *line, struct blob *reply) {
    struct buffer buffer;
    struct slice piece;
    buffer_init(&buffer);
    minikv_execute(kv, slice_from_string(line), &buffer);
    blob_clear(reply);
    for (size_t offset = 0; offset < buffer_length(&buffer); offset += piece.length) {
        piece = buffer_peek(&buffer, offset);
        blob_add(reply, piece.data, piece.length);
    }
    buffer_release(&buffer);
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_error(const struct blob *reply) {
    return reply->length > 4 && memcmp(reply->data, "ERR ", 4) == 0 &&
           memchr(reply->data, '\n', reply->length) == reply->data + reply->length - 1;
}

static bool is_write(const char *line) {
    return !starts_with(line, "COMPACT") && !starts_with(line, "BACKUP");
}

/* Whether the store holds what the model holds, and nothing else. */
static bool holds(struct minikv *kv, const struct model *model) {
    struct blob line = {0};
    struct blob reply = {0};
    struct blob expected = {0};
    blob_print(&expected, "(integer) %zu\n", model->count);
    execute(kv, "COUNT", &reply);
    bool same = blob_equals(&reply, blob_view(&expected));
    for (size_t i = 0; same && i < model->count; i++) {
        blob_clear(&line);
        blob_clear(&expected);
        blob_print(&line, "GET ");
        blob_add_quoted(&line, blob_view(&model->entries[i].key));
        blob_add_byte(&line, '\0');
        blob_add_quoted(&expected, blob_view(&model->entries[i].value));
        blob_add_byte(&expected, '\n');
        execute(kv, (const char *)line.data, &reply);
        same = blob_equals(&reply, blob_view(&expected));
    }
    blob_release(&line);
    blob_release(&reply);
    blob_release(&expected);
    return same;
}

/* Makes the write also in the model, where the reply has to be the model's. */
static void follow(struct model *model, const char *line, const struct blob *reply) {
    struct model_reply expected = {0};
    model_execute_line(model, slice_from_string(line), &expected);
    check(reply == NULL || model_reply_matches(&expected, blob_view(reply)), line);
    model_reply_release(&expected);
}

/*
 * Opens the store while the faults are on. Where that fails, once they are gone it must work.
 */
static void run_open(struct run *run) {
    size_t before = faults_happened();
    faults_on();
    run->kv = open_at(run, LOG);
    faults_off();
    if (run->kv == NULL) {
        check(run->tolerance != ALL_SUCCEED, "opening is not disturbed");
        check(faults_happened() > before, "opening fails only where the system does");
        check(count_descriptors() == run->descriptors, "a failed opening closes the file");
        run->happened += faults_happened();
        faults_clear();
        run->kv = open_at(run, LOG);
        check(run->kv != NULL, "opening works once the system does");
    } else {
        check(!run->must_be_told || faults_happened() == before, "no opening where it has failed");
    }
    run->writable = true;
    if (run->undone != NULL && !holds(run->kv, &run->model)) {
        check(run->tolerance == UNDOING_FAILS, "what was answered ERR is not there");
        follow(&run->model, run->undone, NULL);
    }
    run->undone = NULL;
    check(holds(run->kv, &run->model), "on opening, there is what was answered OK");
}

static void run_close(struct run *run) {
    struct error error = {""};
    size_t before = faults_happened();
    faults_on();
    bool closed = minikv_close(run->kv, &error);
    faults_off();
    run->kv = NULL;
    check(closed == (error.text[0] == '\0'), "closing fails with a reason, or works");
    check(closed == (faults_happened() == before), "closing fails where the system does");
    check(count_descriptors() == run->descriptors, "no descriptor stays open");
}

static void check_backup(struct run *run, const char *path) {
    struct run copy = {.sync = false};
    copy.kv = open_at(&copy, path);
    check(copy.kv != NULL, "a backup opens");
    check(!copy.noticed, "a backup is whole");
    check(holds(copy.kv, &run->model), "a backup holds all that is alive");
    close_store(copy.kv);
}

static ino_t log_identity(void) {
    struct stat status;
    must(stat(LOG, &status), LOG);
    return status.st_ino;
}

/* Judges a command that was answered ERR. */
static void check_failure(struct run *run, const char *line, bool disturbed, bool replaced) {
    check(run->tolerance != ALL_SUCCEED, "no command is disturbed");
    check(disturbed || (!run->writable && !starts_with(line, "BACKUP")),
          "a command fails only where the system does, or behind a failed write");
    if (starts_with(line, "BACKUP ")) {
        const char *path = line + strlen("BACKUP ");
        check(path_is_missing(path) || run->leaves_files, "no half backup is left");
    }
    if (is_write(line) && run->writable) {
        run->undone = line;
    }
    /* A compaction that has replaced the log could not promise that the new one lasts. */
    run->writable = run->writable && !is_write(line) && !replaced;
    check(holds(run->kv, &run->model), "what was answered ERR is not in memory");
}

static void check_success(struct run *run, const char *line, const struct blob *reply) {
    static const char nothing_to_do[] = "(integer) 0\n";
    check(run->writable || starts_with(line, "BACKUP") ||
              blob_equals(reply, slice_from_string(nothing_to_do)),
          "no write is made behind a failed one");
    follow(&run->model, line, reply);
    if (starts_with(line, "BACKUP ")) {
        check_backup(run, line + strlen("BACKUP "));
    }
}

/* How many files there are where the command may make one. */
static size_t files_beside(const char *line) {
    const char *folder = starts_with(line, "BACKUP " FOLDER) ? FOLDER : ".";
    return path_is_missing(folder) ? 0 : path_entries(folder);
}

/* One command while the faults are on. */
static void run_command(struct run *run, const char *line) {
    struct blob reply = {0};
    ino_t identity = log_identity();
    size_t before = faults_happened();
    size_t files = files_beside(line);
    run->noticed = false;
    faults_on();
    execute(run->kv, line, &reply);
    faults_off();
    bool replaced = log_identity() != identity;
    files += starts_with(line, "BACKUP") && !is_error(&reply);
    check(files_beside(line) == files || run->leaves_files, "no temporary file is left");
    if (is_error(&reply)) {
        check_failure(run, line, faults_happened() > before, replaced);
    } else {
        check_success(run, line, &reply);
        /* A compaction that nobody asked for tells its failure in a notice. */
        bool disturbed = faults_happened() > before;
        check(!run->noticed || disturbed, "nothing fails on its own");
        check(!disturbed || !run->must_be_told || run->noticed, "no OK for what has failed");
        run->writable = run->writable && !(replaced && run->noticed);
    }
    blob_release(&reply);
}

/* The end of every run: without faults all is there, and the store takes writes. */
static void run_finish(struct run *run) {
    struct blob reply = {0};
    run_close(run);
    run->happened += faults_happened();
    faults_clear();
    run_open(run);
    check(path_is_missing(LOG ".compact-tmp"), "opening removes what was left");
    execute(run->kv, "SET last 1", &reply);
    check_success(run, "SET last 1", &reply);
    run_close(run);
    run_open(run);
    check(!run->noticed, "a log that was opened once has no torn tail");
    run_close(run);
    blob_release(&reply);
}

/* `script` ends with NULL. */
static void run_script(struct run *run, const char *const *script) {
    run_open(run);
    for (; *script != NULL; script++) {
        if (strcmp(*script, REOPEN) == 0) {
            run_close(run);
            run_open(run);
        } else {
            run_command(run, *script);
        }
    }
    run_finish(run);
}

/* --- All faults of one function ------------------------------------------------------------ */

/* A value that takes minikv more memory, and more than one short write. */
static char set_large[72 * 1024];
static char set_large_too[sizeof set_large];
static char set_larger[4 * sizeof set_large];

/* Makes `line` the command with a value that fills all of `size`. */
static void make_set(const char *command, char *line, size_t size) {
    int length = snprintf(line, size, "%s ", command);
    memset(line + length, 'x', size - (size_t)length - 1);
    line[size - 1] = '\0';
}

static const char *const every_command[] = {
    "SET a 1",    "SET a 22", "APPEND a x", "INCR n",  "INCR n",
    "DEL a",      set_large,  "COMPACT",    "SET b 1", "BACKUP " FOLDER "/copy",
    "APPEND b 2", REOPEN,     "SET c 1",    "COMPACT", "BACKUP copy",
    "DEL b",      NULL,
};

/* Where nothing can be made to fail, there is nothing to test. */
static void need_faults(void **state) {
    (void)state;
    if (!faults_can_happen()) {
        skip();
    }
}

struct fault_range {
    enum fault_call call;
    size_t after;
    size_t count;
    int how;
};

/*
 * Whether what this call was for cannot be promised. A failed sync above all: a second one may
 * succeed, and what the first has lost is lost. EINVAL says of a folder that it cannot be synced.
 */
static bool must_be_told(const struct fault_range *fault) {
    switch (fault->call) {
    case FAULT_FSYNC:
    case FAULT_FDATASYNC:
    case FAULT_READ:
    case FAULT_WRITE:
    case FAULT_RENAME:
    case FAULT_LINK:
    case FAULT_FLOCK:
    case FAULT_FCHMOD:
        return fault->how != FAULT_SHORT && fault->how != EINTR && fault->how != EINVAL;
    default:
        return false;
    }
}

static void add_fault(struct run *run, const struct fault_range *fault) {
    faults_add(fault->call, fault->after, fault->count, fault->how);
    run->leaves_files = run->leaves_files || fault->call == FAULT_UNLINK;
    run->must_be_told = run->must_be_told || must_be_told(fault);
}

static void tell(const struct run *run, const struct fault_range *fault) {
    (void)snprintf(story, sizeof story, "%s %zu %s goes wrong (%d, %s)%s", faults_name(fault->call),
                   fault->after, fault->count == 1 ? "alone" : "and what follows", fault->how,
                   fault->how > 0 ? strerror(fault->how) : "short", run->sync ? ", synced" : "");
}

/* Runs a script with the faults; whether any of them has happened. */
static bool run_with(const char *const *script, const struct fault_range *faults, size_t count,
                     bool sync, enum tolerance tolerance) {
    struct run run;
    run_start(&run, sync, tolerance);
    tell(&run, &faults[0]);
    faults_clear();
    for (size_t i = 0; i < count; i++) {
        add_fault(&run, &faults[i]);
    }
    run_script(&run, script);
    run_end(&run);
    return run.happened > 0;
}

/* Lets each call of the script go wrong in its turn, `count` calls at a time, in both modes. */
static void run_each(enum fault_call call, size_t count, int how, enum tolerance tolerance) {
    for (int sync = 0; sync < 2; sync++) {
        struct fault_range fault = {call, 0, count, how};
        while (run_with(every_command, &fault, 1, sync != 0, tolerance)) {
            fault.after++;
        }
        /* Without --sync always nothing asks for this one. */
        check(fault.after > 0 || (call == FAULT_FDATASYNC && !sync), "the script gets there");
    }
}

struct way {
    enum fault_call call;
    int codes[8]; /* up to the first 0 */
};

/* Each with the errors that its manual knows, on one file system or another. */
static const struct way ways[] = {
    {FAULT_OPEN, {EMFILE, ENOSPC, EROFS, EIO, ENOMEM, EACCES}},
    {FAULT_READ, {EIO, FAULT_NOTHING}},
    {FAULT_WRITE, {ENOSPC, EIO, EDQUOT, EFBIG, FAULT_NOTHING}},
    {FAULT_FSYNC, {EIO, ENOSPC, EDQUOT, EINVAL}},
    {FAULT_FDATASYNC, {EIO, ENOSPC, EDQUOT}},
    {FAULT_FTRUNCATE, {EIO, ENOSPC}},
    {FAULT_CLOSE, {EIO, ENOSPC, EDQUOT, EINTR}},
    {FAULT_RENAME, {ENOSPC, EIO, EROFS}},
    {FAULT_LINK, {EPERM, ENOSPC, EIO, EMLINK}},
    {FAULT_UNLINK, {EIO, EROFS}},
    {FAULT_MKDIR, {ENOSPC, EROFS, EDQUOT, EMLINK, ENOENT}},
    {FAULT_STAT, {EIO, EACCES}},
    {FAULT_FSTAT, {EIO, ENOMEM}},
    {FAULT_LSTAT, {EIO, ENOENT}},
    {FAULT_FLOCK, {ENOLCK, EWOULDBLOCK}},
    {FAULT_FCHMOD, {EPERM, EIO}},
    {FAULT_FCHOWN, {EPERM, EIO}},
    {FAULT_REALPATH, {ENOMEM, EACCES, ELOOP}},
};

#define WAYS (sizeof ways / sizeof ways[0])

static void test_any_call_may_fail_once(void **state) {
    need_faults(state);
    for (size_t i = 0; i < WAYS; i++) {
        for (const int *code = ways[i].codes; *code != 0; code++) {
            run_each(ways[i].call, 1, *code, SOME_FAIL);
        }
    }
}

static void test_any_call_may_fail_from_then_on(void **state) {
    need_faults(state);
    for (size_t i = 0; i < WAYS; i++) {
        run_each(ways[i].call, SIZE_MAX, ways[i].codes[0], SOME_FAIL);
    }
}

/* --- What nobody may notice ---------------------------------------------------------------- */

static void test_short_reads_and_writes_are_continued(void **state) {
    need_faults(state);
    run_each(FAULT_READ, 1, FAULT_SHORT, ALL_SUCCEED);
    run_each(FAULT_READ, SIZE_MAX, FAULT_SHORT, ALL_SUCCEED);
    run_each(FAULT_WRITE, 1, FAULT_SHORT, ALL_SUCCEED);
    run_each(FAULT_WRITE, SIZE_MAX, FAULT_SHORT, ALL_SUCCEED);
}

static void test_interrupted_calls_are_made_again(void **state) {
    static const enum fault_call calls[] = {FAULT_READ,      FAULT_WRITE, FAULT_FSYNC,
                                            FAULT_FDATASYNC, FAULT_OPEN,  FAULT_FTRUNCATE,
                                            FAULT_FCHMOD};
    need_faults(state);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        run_each(calls[i], 1, EINTR, ALL_SUCCEED);
        run_each(calls[i], 3, EINTR, ALL_SUCCEED);
    }
}

/* Some file systems have no way to sync a folder, or owners that cannot be given away. */
static void test_a_failure_that_takes_nothing_away_is_passed_over(void **state) {
    need_faults(state);
    run_each(FAULT_FCHOWN, SIZE_MAX, EPERM, ALL_SUCCEED);
    run_each(FAULT_UNLINK, SIZE_MAX, EIO, ALL_SUCCEED);
}

/* Some file systems tell only then that a write has failed. */
static void test_a_backup_that_cannot_be_closed_is_none(void **state) {
    struct run run;
    const struct fault_range fault = {FAULT_CLOSE, 0, 1, EIO};
    need_faults(state);
    run_start(&run, false, SOME_FAIL);
    tell(&run, &fault);
    faults_clear();
    run_open(&run);
    run_command(&run, "SET a 1");
    add_fault(&run, &fault);
    run.must_be_told = true;
    run_command(&run, "BACKUP copy");
    check(faults_happened() == 1, "a backup is closed");
    run.must_be_told = false;
    run_finish(&run);
    run_end(&run);
}

/* --- One fault upon another ---------------------------------------------------------------- */

/* The disk is full in the middle of a record, or of a new log. */
static void test_a_short_write_and_then_no_room(void **state) {
    need_faults(state);
    for (int sync = 0; sync < 2; sync++) {
        struct fault_range faults[] = {{FAULT_WRITE, 0, 1, FAULT_SHORT},
                                       {FAULT_WRITE, 1, SIZE_MAX, ENOSPC}};
        while (run_with(every_command, faults, 2, sync != 0, SOME_FAIL)) {
            faults[0].after++;
            faults[1].after++;
        }
    }
}

/* What a failed write left stays in the file: a part of a record, or one that got no OK. */
static void test_a_failed_write_that_cannot_be_taken_back(void **state) {
    static const int codes[] = {ENOSPC, EIO};
    need_faults(state);
    for (size_t i = 0; i < 2; i++) {
        struct fault_range torn[] = {{FAULT_WRITE, 0, 1, FAULT_SHORT},
                                     {FAULT_WRITE, 1, SIZE_MAX, codes[i]},
                                     {FAULT_FTRUNCATE, 1, SIZE_MAX, EIO}};
        while (run_with(every_command, torn, 3, i == 0, SOME_FAIL)) {
            torn[0].after++;
            torn[1].after++;
        }
        struct fault_range unsynced[] = {{FAULT_FDATASYNC, 0, 1, codes[i]},
                                         {FAULT_FTRUNCATE, 1, SIZE_MAX, EIO}};
        while (run_with(every_command, unsynced, 2, true, UNDOING_FAILS)) {
            unsynced[0].after++;
        }
    }
}

/* --- Many reads and writes ----------------------------------------------------------------- */

/* More than minikv reads or writes at a time. */
static const char *const long_values[] = {
    set_large, set_large_too, set_larger, "COMPACT", "BACKUP " FOLDER "/copy",
    REOPEN,    "SET a 1",     NULL,
};

static void test_long_values(void **state) {
    static const struct fault_range faults[] = {
        {FAULT_WRITE, 0, 1, ENOSPC},
        {FAULT_WRITE, 0, SIZE_MAX, EIO},
        {FAULT_READ, 0, 1, EIO},
        {FAULT_READ, 0, SIZE_MAX, FAULT_NOTHING},
    };
    need_faults(state);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct fault_range fault = faults[i];
        while (run_with(long_values, &fault, 1, false, SOME_FAIL)) {
            fault.after++;
        }
    }
}

/* Makes a log with a torn tail: `lines` again and again, `times` times, then a part of `last`. */
static void make_torn_log(const char *const *lines, size_t times, const char *last,
                          struct blob *log, struct model *model) {
    struct run run;
    struct blob reply = {0};
    run_start(&run, false, ALL_SUCCEED);
    run.kv = open_at(&run, LOG);
    for (size_t i = 0; i < times; i++) {
        for (const char *const *line = lines; *line != NULL; line++) {
            execute(run.kv, *line, &reply);
            follow(model, *line, &reply);
        }
    }
    execute(run.kv, last, &reply);
    close_store(run.kv);
    blob_read_file(log, LOG);
    log->length--;
    run_end(&run);
    blob_release(&reply);
}

/* Whether the read has failed, which it must not while nothing was cut. */
static bool open_torn_log(const struct blob *log, const struct model *model, size_t after,
                          int how) {
    struct run run;
    run_start(&run, false, SOME_FAIL);
    (void)snprintf(story, sizeof story, "read %zu of a torn log goes wrong (%d)", after, how);
    model_copy(&run.model, model);
    blob_write_file(LOG, log->data, log->length);
    faults_clear();
    faults_add(FAULT_READ, after, 1, how);
    faults_on();
    run.kv = open_at(&run, LOG);
    faults_off();
    bool happened = faults_happened() > 0;
    check((run.kv == NULL) == (happened && how != FAULT_SHORT),
          "it opens unless it cannot be read");
    if (run.kv == NULL) {
        check(path_holds(LOG, blob_view(log)), "a log that cannot be read is left as it is");
        run_open(&run);
    }
    check(run.noticed, "the torn tail is cut");
    check(holds(run.kv, model), "what stands before the tail is there");
    run_finish(&run);
    run_end(&run);
    return happened;
}

/* Lets each read of such a log go wrong in its turn. */
static void open_torn_log_each(const char *const *lines, size_t times, const char *last) {
    static const int ways_to_read[] = {EIO, FAULT_NOTHING, FAULT_SHORT};
    struct blob log = {0};
    struct model model = {0};
    make_torn_log(lines, times, last, &log, &model);
    for (size_t i = 0; i < 3; i++) {
        size_t after = 0;
        while (open_torn_log(&log, &model, after, ways_to_read[i])) {
            after++;
        }
        check(after > 1, "such a log takes several reads");
    }
    model_release(&model);
    blob_release(&log);
}

static void test_a_log_that_cannot_be_read_is_not_cut(void **state) {
    static const char *const large[] = {set_large, set_large_too, set_larger, NULL};
    static const char *const small[] = {"INCR n", NULL};
    need_faults(state);
    open_torn_log_each(large, 1, set_larger);
    open_torn_log_each(small, 9000, "INCR n");
}

/* --- Compaction that nobody asked for ------------------------------------------------------ */

/* A log that is about to be compacted on its own, and holds no key. */
static struct blob dead_log;

static char set_last_straw[1024];

/* A log with a record that is longer than what a reader keeps room for; it holds no key, either. */
static struct blob long_log;

/* A log in which all of `set_line` is dead, a SET of the key "dead" of that size. */
static void make_log(struct blob *log, char *set_line, size_t size) {
    struct run run;
    struct blob reply = {0};
    make_set("SET dead", set_line, size);
    run_start(&run, false, ALL_SUCCEED);
    run.kv = open_at(&run, LOG);
    execute(run.kv, set_line, &reply);
    execute(run.kv, "DEL dead", &reply);
    close_store(run.kv);
    blob_read_file(log, LOG);
    run_end(&run);
    blob_release(&reply);
}

static void make_logs(void) {
    static char set_dead[4 * 1024 * 1024 - 100];
    make_log(&dead_log, set_dead, sizeof set_dead);
    make_log(&long_log, set_dead, 512 * 1024);
}

/* Whether the fault has happened. */
static bool run_compaction(const struct fault_range *fault, bool sync) {
    struct run run;
    run_start(&run, sync, SOME_FAIL);
    tell(&run, fault);
    blob_write_file(LOG, dead_log.data, dead_log.length);
    faults_clear();
    run_open(&run);
    add_fault(&run, fault);
    run_command(&run, set_last_straw);
    check(path_size(LOG) < dead_log.length || faults_happened() > 0, "the log is compacted");
    run_command(&run, "SET b 1");
    run_command(&run, "APPEND a x");
    run_finish(&run);
    run_end(&run);
    return run.happened > 0;
}

static void test_a_compaction_that_nobody_asked_for_may_fail(void **state) {
    need_faults(state);
    for (size_t i = 0; i < WAYS; i++) {
        for (int sync = 0; sync < 2; sync++) {
            struct fault_range fault = {ways[i].call, 0, 1, ways[i].codes[0]};
            while (run_compaction(&fault, sync != 0)) {
                fault.after++;
            }
        }
    }
}

/* --- Without memory ------------------------------------------------------------------------ */

/*
 * Carries out the line, in which the allocations behind the first `after` fail: one of them, or all
 * that follow. Whatever is answered, the store goes on, in memory as on disk.
 */
static void run_without_memory(struct run *run, const char *line, size_t after, size_t count) {
    struct buffer buffer;
    char start[5] = "";
    size_t files = files_beside(line);
    buffer_init(&buffer);
    alloc_fail(after, count);
    enum minikv_result result = minikv_execute(run->kv, slice_from_string(line), &buffer);
    alloc_stop();
    (void)buffer_copy(&buffer, 0, 4, start);
    bool refused = strcmp(start, "ERR ") == 0;
    check(alloc_failed() || (!refused && result == MINIKV_CONTINUE), "it fails for a reason");
    if (result == MINIKV_NO_REPLY) {
        run->undone = line;
    } else if (!refused) {
        follow(&run->model, line, NULL);
    }
    if (starts_with(line, "BACKUP ") && result != MINIKV_NO_REPLY) {
        check(files_beside(line) == files + !refused, "a whole backup, or none");
    }
    buffer_release(&buffer);
}

/* All of it for one line, on a store that starts from `log`, or from none where that is empty. */
static void run_line_without_memory(const char *line, const struct blob *log, size_t count) {
    for (size_t after = 0; alloc_goes_on(after); after++) {
        struct run run;
        run_start(&run, false, UNDOING_FAILS);
        (void)snprintf(story, sizeof story, "no memory behind %zu allocations", after);
        if (log->length > 0) {
            blob_write_file(LOG, log->data, log->length);
        }
        faults_clear();
        run_open(&run);
        run_command(&run, "SET a 1");
        run_without_memory(&run, line, after, count);
        run_close(&run);
        run_open(&run);
        run_finish(&run);
        run_end(&run);
    }
}

/* The very first command: what minikv makes when it is needed is not there yet. */
static void test_a_first_command_without_memory(void **state) {
    (void)state;
    for (size_t after = 0; alloc_goes_on(after); after++) {
        struct run run;
        run_start(&run, false, UNDOING_FAILS);
        (void)snprintf(story, sizeof story, "no memory behind %zu allocations", after);
        run.kv = open_at(&run, LOG);
        run_without_memory(&run, "SET a 1", after, 1);
        run_close(&run);
        run_open(&run);
        run_finish(&run);
        run_end(&run);
    }
}

/* Its one record is longer than what minikv reads at a time, so it needs memory on the way. */
static void test_opening_a_long_log_without_memory(void **state) {
    (void)state;
    for (size_t after = 0; alloc_goes_on(after); after++) {
        struct run run;
        run_start(&run, false, SOME_FAIL);
        (void)snprintf(story, sizeof story, "no memory behind %zu allocations", after);
        blob_write_file(LOG, long_log.data, long_log.length);
        alloc_fail(after, 1);
        run.kv = open_at(&run, LOG);
        alloc_stop();
        check(run.kv != NULL || alloc_failed(), "opening fails for a reason");
        check(path_holds(LOG, blob_view(&long_log)), "the log is left as it is");
        if (run.kv == NULL) {
            check(count_descriptors() == run.descriptors, "a failed opening closes the file");
            run_open(&run);
        }
        run_finish(&run);
        run_end(&run);
    }
}

static void test_a_backup_without_memory(void **state) {
    static const struct blob none;
    (void)state;
    run_line_without_memory("BACKUP " FOLDER "/copy", &none, 1);
    run_line_without_memory("BACKUP " FOLDER "/copy", &none, SIZE_MAX);
}

static void test_a_compaction_that_nobody_asked_for_without_memory(void **state) {
    (void)state;
    run_line_without_memory(set_last_straw, &dead_log, 1);
    run_line_without_memory(set_last_straw, &dead_log, SIZE_MAX);
}

/* --- Nobody to answer to ------------------------------------------------------------------- */

/* More replies than minikv holds back, and no room for them: what it could not answer, it leaves.
 */
static void test_replies_that_cannot_be_written_end_the_program(void **state) {
    static const char full[] = "/dev/full";
    const char *const arguments[] = {LOG, NULL};
    struct program_options options = {.input = "commands", .output = full};
    struct program program;
    struct program_result result;
    struct blob input = {0};
    struct run run;
    (void)state;
    if (access(full, W_OK) != 0) {
        skip(); /* not every system has it */
    }
    run_start(&run, false, SOME_FAIL);
    blob_print(&input, "%s\n", set_last_straw);
    for (size_t i = 0; i < 10000; i++) {
        blob_print(&input, "GET a\n");
    }
    blob_print(&input, "SET behind 1\n");
    blob_write_file("commands", input.data, input.length);
    program_start(&program, program_minikv(), arguments, &options);
    program_finish(&program, &result);
    assert_int_equal(result.status, 1);
    assert_int_not_equal(result.err.length, 0);
    follow(&run.model, set_last_straw, NULL);
    run_open(&run);
    check(!run.noticed, "the log is whole");
    run_close(&run);
    run_end(&run);
    program_result_release(&result);
    blob_release(&input);
}

/* ------------------------------------------------------------------------------------------- */

/* Thousands of short-lived files; what is to go wrong is injected, so memory serves as well. */
static void avoid_the_disk(void) {
    static const char memory[] = "/dev/shm";
    if (access(memory, W_OK) == 0) {
        must(setenv("TMPDIR", memory, 0), memory);
    }
}

static int setup(void **state) {
    avoid_the_disk();
    make_set("SET b", set_large, sizeof set_large);
    make_set("SET c", set_large_too, sizeof set_large_too);
    make_set("SET d", set_larger, sizeof set_larger);
    make_set("SET a", set_last_straw, sizeof set_last_straw);
    make_logs();
    return watchdog_start(state);
}

static int teardown(void **state) {
    (void)state;
    blob_release(&dead_log);
    blob_release(&long_log);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_call_may_fail_once),
        cmocka_unit_test(test_any_call_may_fail_from_then_on),
        cmocka_unit_test(test_short_reads_and_writes_are_continued),
        cmocka_unit_test(test_interrupted_calls_are_made_again),
        cmocka_unit_test(test_a_failure_that_takes_nothing_away_is_passed_over),
        cmocka_unit_test(test_a_backup_that_cannot_be_closed_is_none),
        cmocka_unit_test(test_a_short_write_and_then_no_room),
        cmocka_unit_test(test_a_failed_write_that_cannot_be_taken_back),
        cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_a_log_that_cannot_be_read_is_not_cut),
        cmocka_unit_test(test_a_compaction_that_nobody_asked_for_may_fail),
        cmocka_unit_test(test_a_first_command_without_memory),
        cmocka_unit_test(test_opening_a_long_log_without_memory),
        cmocka_unit_test(test_a_backup_without_memory),
        cmocka_unit_test(test_a_compaction_that_nobody_asked_for_without_memory),
        cmocka_unit_test(test_replies_that_cannot_be_written_end_the_program),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
