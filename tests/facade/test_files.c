/* COMPACT and BACKUP: which files they make, change and leave alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "die.h"
#include "model.h"
#include "path.h"
#include "session.h"
#include "tmpdir.h"
#include "watchdog.h"

/* --- COMPACT ------------------------------------------------------------------------------- */

static void test_compact_drops_what_is_dead(void **state) {
    struct session *session = *state;
    assert_reply(session, "SET a 1", "OK");
    size_t small = path_size(session->log);
    for (int i = 0; i < 100; i++) {
        assert_reply(session, "SET b another-value", "OK");
    }
    assert_reply(session, "DEL b", "(integer) 1");
    assert_true(path_size(session->log) > small);
    assert_reply(session, "COMPACT", "OK");
    assert_int_equal(path_size(session->log), small);
}

static void test_compact_of_an_empty_store_leaves_what_a_new_log_has(void **state) {
    struct session *session = *state;
    size_t empty = path_size(session->log);
    assert_reply(session, "SET a 1", "OK");
    assert_reply(session, "DEL a", "(integer) 1");
    assert_reply(session, "COMPACT", "OK");
    assert_int_equal(path_size(session->log), empty);
}

static void test_compact_leaves_no_other_file(void **state) {
    struct session *session = *state;
    size_t before = path_entries(session->folder);
    assert_reply(session, "SET a 1", "OK");
    assert_reply(session, "COMPACT", "OK");
    assert_int_equal(path_entries(session->folder), before);
}

static void test_compact_keeps_the_permissions_of_the_log(void **state) {
    struct session *session = *state;
    struct stat status;
    must(chmod(session->log, 0640), session->log);
    assert_reply(session, "COMPACT", "OK");
    must(stat(session->log, &status), session->log);
    assert_int_equal(status.st_mode & 07777, 0640);
}

static void test_writes_between_many_compacts_are_all_kept(void **state) {
    for (int i = 1; i <= 20; i++) {
        struct blob reply = {0};
        blob_print(&reply, "(integer) %d", i);
        assert_reply_bytes(*state, slice_from_string("INCR n"), blob_view(&reply));
        assert_reply(*state, "COMPACT", "OK");
        blob_release(&reply);
    }
    session_reopen(*state);
    assert_reply(*state, "GET n", "\"20\"");
}

/* Sets the key and checks that it is done; returns the bytes of the line. */
static size_t set_large(struct session *session, const char *key, size_t length) {
    struct blob line = {0};
    blob_print(&line, "SET %s ", key);
    blob_add_run(&line, 'x', length);
    assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
    size_t written = line.length;
    blob_release(&line);
    return written;
}

/* Writing for ever must not fill the disk where little of it is alive. */
static void test_a_log_of_replaced_values_is_compacted_on_its_own(void **state) {
    struct session *session = *state;
    size_t written = 0;
    for (int i = 0; i < 500; i++) {
        written += set_large(session, "a", 100000);
    }
    assert_true(path_size(session->log) < written / 4);
    session_reopen(session);
    assert_reply(session, "APPEND a \"\"", "(integer) 100000");
}

static void test_a_log_of_removed_keys_is_compacted_on_its_own(void **state) {
    struct session *session = *state;
    size_t written = 0;
    for (int i = 0; i < 500; i++) {
        written += set_large(session, "a", 100000);
        assert_reply(session, "DEL a", "(integer) 1");
    }
    assert_true(path_size(session->log) < written / 4);
    session_reopen(session);
    assert_reply(session, "COUNT", "(integer) 0");
}

/* Where all of it is alive, compacting would be work for nothing; the log holds each byte once. */
static void test_a_log_of_living_keys_is_kept(void **state) {
    struct session *session = *state;
    char key[32];
    for (int i = 0; i < 100; i++) {
        snprintf(key, sizeof key, "key:%d", i);
        set_large(session, key, 100000);
    }
    size_t size = path_size(session->log);
    assert_reply(session, "COMPACT", "OK");
    assert_int_equal(path_size(session->log), size);
    session_reopen(session);
    assert_reply(session, "COUNT", "(integer) 100");
}

/* --- BACKUP -------------------------------------------------------------------------------- */

/* The whole line for a path of any bytes. */
static void backup_line(struct blob *line, struct slice path) {
    blob_clear(line);
    blob_print(line, "BACKUP ");
    blob_add_quoted(line, path);
}

static void backup(struct session *session, const char *path) {
    struct blob line = {0};
    backup_line(&line, slice_from_string(path));
    assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
    blob_release(&line);
}

static void backup_refused(struct session *session, struct slice path) {
    struct blob line = {0};
    backup_line(&line, path);
    assert_error_bytes(session, blob_view(&line));
    blob_release(&line);
}

/* A few keys of different kinds, in the store and in `model`. */
static void fill(struct session *session, struct model *model) {
    static const char *const lines[] = {"SET a 1",       "SET \"\\x00\\n\" \"\\xff\"",
                                        "SET \"\" \"\"", "SET gone 1",
                                        "DEL gone",      "APPEND a 2",
                                        "INCR n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct model_reply expected = {0};
        struct blob reply = {0};
        model_execute_line(model, slice_from_string(lines[i]), &expected);
        session_execute(session, slice_from_string(lines[i]), &reply);
        assert_true(model_reply_matches(&expected, blob_view(&reply)));
        model_reply_release(&expected);
        blob_release(&reply);
    }
}

/* The log at `path` must open and hold what `model` holds. */
static void assert_holds(const char *path, const struct model *model) {
    struct session copy = {.log = strdup(path)};
    session_open(&copy);
    assert_int_equal(copy.notice.length, 0);
    session_assert_model(&copy, model);
    session_close(&copy);
    blob_release(&copy.notice);
    free(copy.log);
}

static void test_a_backup_is_a_log_of_what_is_alive(void **state) {
    struct session *session = *state;
    struct model model = {0};
    char *path = tmpdir_path(session->folder, "copy.log");
    fill(session, &model);
    backup(session, path);
    assert_int_equal(path_entries(session->folder), 2);
    assert_holds(path, &model);
    assert_reply(session, "COMPACT", "OK");
    assert_int_equal(path_size(path), path_size(session->log));
    model_release(&model);
    free(path);
}

static void test_the_backup_of_an_empty_store_is_an_empty_log(void **state) {
    struct session *session = *state;
    struct model empty = {0};
    char *path = tmpdir_path(session->folder, "copy.log");
    backup(session, path);
    assert_holds(path, &empty);
    free(path);
}

static void test_a_backup_makes_the_folders_on_its_way(void **state) {
    struct session *session = *state;
    struct model model = {0};
    char *path = tmpdir_path(session->folder, "one/two//three/copy.log");
    fill(session, &model);
    backup(session, path);
    assert_holds(path, &model);
    model_release(&model);
    free(path);
}

static void test_backups_into_one_folder_lie_side_by_side(void **state) {
    struct session *session = *state;
    struct model first = {0};
    struct model second = {0};
    char *one = tmpdir_path(session->folder, "folder/one.log");
    char *two = tmpdir_path(session->folder, "folder/two.log");
    fill(session, &first);
    backup(session, one);
    model_copy(&second, &first);
    fill(session, &second);
    backup(session, two);
    assert_holds(one, &first);
    assert_holds(two, &second);
    model_release(&first);
    model_release(&second);
    free(one);
    free(two);
}

static void test_a_backup_to_a_relative_path_goes_to_the_working_folder(void **state) {
    struct session *session = *state;
    struct model model = {0};
    char *path = tmpdir_path(session->folder, "folder/copy.log");
    char *before = getcwd(NULL, 0);
    fill(session, &model);
    must(chdir(session->folder), session->folder);
    backup(session, "folder/copy.log");
    backup(session, "beside.log");
    must(chdir(before), before);
    assert_holds(path, &model);
    model_release(&model);
    free(before);
    free(path);
}

static void test_the_store_goes_on_after_a_backup(void **state) {
    struct session *session = *state;
    struct model model = {0};
    char *path = tmpdir_path(session->folder, "copy.log");
    fill(session, &model);
    backup(session, path);
    assert_reply(session, "SET later 1", "OK");
    session_reopen(session);
    assert_reply(session, "GET later", "\"1\"");
    assert_holds(path, &model);
    model_release(&model);
    free(path);
}

static void test_a_backup_through_a_link_to_a_folder_is_made_there(void **state) {
    struct session *session = *state;
    struct model model = {0};
    char *folder = tmpdir_path(session->folder, "folder");
    char *link_to_it = tmpdir_path(session->folder, "link");
    char *through = tmpdir_path(link_to_it, "copy.log");
    char *path = tmpdir_path(folder, "copy.log");
    must(mkdir(folder, 0700), folder);
    must(symlink("folder", link_to_it), link_to_it);
    fill(session, &model);
    backup(session, through);
    assert_holds(path, &model);
    model_release(&model);
    free(folder);
    free(link_to_it);
    free(through);
    free(path);
}

static void test_a_backup_never_replaces_a_file(void **state) {
    struct session *session = *state;
    char *path = tmpdir_path(session->folder, "file");
    struct blob content = {0};
    blob_print(&content, "keep me");
    blob_write_file(path, content.data, content.length);
    assert_reply(session, "SET a 1", "OK");
    backup_refused(session, slice_from_string(path));
    assert_true(path_holds(path, blob_view(&content)));
    assert_int_equal(path_entries(session->folder), 2);
    blob_release(&content);
    free(path);
}

static void test_a_backup_never_replaces_an_older_one(void **state) {
    struct session *session = *state;
    char *path = tmpdir_path(session->folder, "copy.log");
    struct blob content = {0};
    backup(session, path);
    blob_read_file(&content, path);
    assert_reply(session, "SET a 1", "OK");
    backup_refused(session, slice_from_string(path));
    assert_true(path_holds(path, blob_view(&content)));
    blob_release(&content);
    free(path);
}

/* Also under its other names. */
static void test_a_backup_never_replaces_the_log_itself(void **state) {
    struct session *session = *state;
    char *soft = tmpdir_path(session->folder, "soft");
    char *hard = tmpdir_path(session->folder, "hard");
    must(symlink("test.log", soft), soft);
    must(link(session->log, hard), hard);
    assert_reply(session, "SET a 1", "OK");
    assert_reply(session, "SET a 2", "OK");
    struct blob content = {0};
    blob_read_file(&content, session->log);
    backup_refused(session, slice_from_string(session->log));
    backup_refused(session, slice_from_string(soft));
    backup_refused(session, slice_from_string(hard));
    assert_true(path_holds(session->log, blob_view(&content)));
    assert_int_equal(path_entries(session->folder), 3);
    session_reopen(session);
    assert_reply(session, "GET a", "\"2\"");
    blob_release(&content);
    free(soft);
    free(hard);
}

static void test_a_backup_to_a_dangling_link_is_refused(void **state) {
    struct session *session = *state;
    char *path = tmpdir_path(session->folder, "dangling");
    char *target = tmpdir_path(session->folder, "target");
    must(symlink("target", path), path);
    backup_refused(session, slice_from_string(path));
    assert_true(path_is_missing(target));
    free(path);
    free(target);
}

/* It would not last: the next compaction would remove it as a leftover of its own. */
static void test_a_backup_to_a_name_of_minikvs_own_is_refused(void **state) {
    struct session *session = *state;
    struct blob line = {0};
    size_t before = path_entries(session->folder);
    blob_print(&line, "BACKUP %s.compact-tmp", session->log);
    assert_error_bytes(session, blob_view(&line));
    assert_int_equal(path_entries(session->folder), before);
    blob_release(&line);
}

static void test_a_backup_to_a_folder_is_refused(void **state) {
    struct session *session = *state;
    char *with_slash = tmpdir_path(session->folder, "new/");
    backup_refused(session, slice_from_string(session->folder));
    backup_refused(session, slice_from_string("/"));
    backup_refused(session, slice_from_string("."));
    backup_refused(session, slice_from_string(".."));
    backup_refused(session, slice_from_string(with_slash));
    free(with_slash);
}

static void test_a_backup_below_a_file_is_refused(void **state) {
    struct session *session = *state;
    char *path = tmpdir_path(session->log, "copy.log");
    char *deeper = tmpdir_path(session->log, "folder/copy.log");
    backup_refused(session, slice_from_string(path));
    backup_refused(session, slice_from_string(deeper));
    assert_int_equal(path_entries(session->folder), 1);
    free(path);
    free(deeper);
}

static void test_a_backup_to_a_path_that_cannot_be_is_refused(void **state) {
    struct session *session = *state;
    struct blob path = {0};
    backup_refused(session, slice_from_string(""));
    blob_print(&path, "%s/a", session->folder);
    blob_add_byte(&path, '\0');
    blob_print(&path, "b");
    backup_refused(session, blob_view(&path));

    blob_clear(&path);
    blob_print(&path, "%s/", session->folder);
    blob_add_run(&path, 'n', 300);
    backup_refused(session, blob_view(&path));

    blob_clear(&path);
    blob_print(&path, "%s", session->folder);
    for (int i = 0; i < 100000; i++) {
        blob_print(&path, "/nnn");
    }
    backup_refused(session, blob_view(&path));
    assert_reply(session, "SET a 1", "OK");
    blob_release(&path);
}

static void test_a_backup_into_a_folder_that_may_not_be_written_is_refused(void **state) {
    struct session *session = *state;
    if (geteuid() == 0) {
        skip(); /* root may write everywhere */
    }
    char *folder = tmpdir_path(session->folder, "folder");
    char *path = tmpdir_path(folder, "copy.log");
    must(mkdir(folder, 0500), folder);
    backup_refused(session, slice_from_string(path));
    assert_int_equal(path_entries(folder), 0);
    free(folder);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_compact_drops_what_is_dead),
        IN_SESSION(test_compact_of_an_empty_store_leaves_what_a_new_log_has),
        IN_SESSION(test_compact_leaves_no_other_file),
        IN_SESSION(test_compact_keeps_the_permissions_of_the_log),
        IN_SESSION(test_writes_between_many_compacts_are_all_kept),
        IN_SESSION(test_a_log_of_replaced_values_is_compacted_on_its_own),
        IN_SESSION(test_a_log_of_removed_keys_is_compacted_on_its_own),
        IN_SESSION(test_a_log_of_living_keys_is_kept),
        IN_SESSION(test_a_backup_is_a_log_of_what_is_alive),
        IN_SESSION(test_the_backup_of_an_empty_store_is_an_empty_log),
        IN_SESSION(test_a_backup_makes_the_folders_on_its_way),
        IN_SESSION(test_backups_into_one_folder_lie_side_by_side),
        IN_SESSION(test_a_backup_to_a_relative_path_goes_to_the_working_folder),
        IN_SESSION(test_the_store_goes_on_after_a_backup),
        IN_SESSION(test_a_backup_through_a_link_to_a_folder_is_made_there),
        IN_SESSION(test_a_backup_never_replaces_a_file),
        IN_SESSION(test_a_backup_never_replaces_an_older_one),
        IN_SESSION(test_a_backup_never_replaces_the_log_itself),
        IN_SESSION(test_a_backup_to_a_dangling_link_is_refused),
        IN_SESSION(test_a_backup_to_a_name_of_minikvs_own_is_refused),
        IN_SESSION(test_a_backup_to_a_folder_is_refused),
        IN_SESSION(test_a_backup_below_a_file_is_refused),
        IN_SESSION(test_a_backup_to_a_path_that_cannot_be_is_refused),
        IN_SESSION(test_a_backup_into_a_folder_that_may_not_be_written_is_refused),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
