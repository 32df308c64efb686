/* Reading, writing and syncing where the system does it in pieces, is interrupted, or refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "alloc.h"
#include "die.h"
#include "faults.h"
#include "file.h"
#include "path.h"
#include "tmpdir.h"
#include "watchdog.h"

/* --- A file in a folder of its own, which is the working folder --------------------------------
 */

struct fixture {
    char *folder;
    int fd;
};

static int setup(void **state) {
    static struct fixture fixture;
    fixture.folder = tmpdir_make();
    must(chdir(fixture.folder), fixture.folder);
    fixture.fd = open("file", O_RDWR | O_CREAT, 0600);
    if (fixture.fd < 0) {
        die("file");
    }
    faults_clear();
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    must(close(fixture->fd), "file");
    must(chdir("/"), "/");
    tmpdir_remove(fixture->folder);
    return 0;
}

/* Where nothing can be made to fail, there is nothing to test. */
static void need_faults(void) {
    if (!faults_can_happen()) {
        skip();
    }
}

static bool write_text(const struct fixture *fixture) {
    need_faults();
    faults_on();
    bool written = file_write_all(fixture->fd, slice_from_string("some text"));
    int code = errno;
    faults_off();
    errno = code;
    return written;
}

/* --- Writing --------------------------------------------------------------------------------- */

static void test_all_is_written_in_however_many_pieces(void **state) {
    struct fixture *fixture = *state;
    faults_add(FAULT_WRITE, 0, SIZE_MAX, FAULT_SHORT);
    assert_true(write_text(fixture));
    assert_true(faults_calls(FAULT_WRITE) > 1);
    assert_true(path_holds("file", slice_from_string("some text")));
}

static void test_an_interrupted_write_is_made_again(void **state) {
    struct fixture *fixture = *state;
    faults_add(FAULT_WRITE, 0, 1, FAULT_SHORT);
    faults_add(FAULT_WRITE, 1, 3, EINTR);
    assert_true(write_text(fixture));
    assert_true(path_holds("file", slice_from_string("some text")));
}

static void test_a_write_without_room_keeps_its_reason(void **state) {
    struct fixture *fixture = *state;
    faults_add(FAULT_WRITE, 1, 1, ENOSPC);
    faults_add(FAULT_WRITE, 0, 1, FAULT_SHORT);
    assert_false(write_text(fixture));
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(faults_calls(FAULT_WRITE), 2);
}

/* No file system should do this; to try for ever would be worse than to fail. */
static void test_a_write_that_takes_nothing_fails(void **state) {
    struct fixture *fixture = *state;
    faults_add(FAULT_WRITE, 0, SIZE_MAX, FAULT_NOTHING);
    assert_false(write_text(fixture));
    assert_int_equal(errno, EIO);
}

static void test_nothing_to_write_is_no_call(void **state) {
    struct fixture *fixture = *state;
    faults_on();
    assert_true(file_write_all(fixture->fd, slice_from_string("")));
    faults_off();
    assert_int_equal(faults_calls(FAULT_WRITE), 0);
}

/* --- Syncing --------------------------------------------------------------------------------- */

/* What `sync` of the file returns while the faults are on. */
static bool sync_file(const struct fixture *fixture, bool (*sync)(int fd)) {
    need_faults();
    faults_on();
    bool synced = sync(fixture->fd);
    int code = errno;
    faults_off();
    errno = code;
    return synced;
}

static void test_an_interrupted_sync_is_made_again(void **state) {
    faults_add(FAULT_FSYNC, 0, 2, EINTR);
    faults_add(FAULT_FDATASYNC, 0, 2, EINTR);
    assert_true(sync_file(*state, file_sync));
    assert_true(sync_file(*state, file_sync_data));
    assert_int_equal(faults_calls(FAULT_FSYNC), 3);
    assert_int_equal(faults_calls(FAULT_FDATASYNC), 3);
}

/* A second one may succeed though the first has lost what it was about. */
static void test_a_failed_sync_is_not_made_again(void **state) {
    faults_add(FAULT_FSYNC, 0, 1, EIO);
    faults_add(FAULT_FDATASYNC, 0, 1, EIO);
    assert_false(sync_file(*state, file_sync));
    assert_int_equal(errno, EIO);
    assert_false(sync_file(*state, file_sync_data));
    assert_int_equal(errno, EIO);
    assert_int_equal(faults_calls(FAULT_FSYNC), 1);
    assert_int_equal(faults_calls(FAULT_FDATASYNC), 1);
}

/* --- Syncing a folder ------------------------------------------------------------------------ */

static bool sync_folder_of(const char *path) {
    need_faults();
    faults_on();
    bool synced = file_sync_folder_of(path);
    int code = errno;
    faults_off();
    errno = code;
    return synced;
}

static void test_the_folder_of_any_path_is_synced(void **state) {
    static const char *const paths[] = {"file", "./file", "folder/missing", "/missing"};
    (void)state;
    must(mkdir("folder", 0700), "folder");
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_true(sync_folder_of(paths[i]));
        assert_int_equal(faults_calls(FAULT_FSYNC), i + 1);
        assert_int_equal(faults_calls(FAULT_OPEN), faults_calls(FAULT_CLOSE));
    }
}

static void test_a_folder_that_cannot_be_opened_is_not_synced(void **state) {
    (void)state;
    assert_false(sync_folder_of("missing/file"));
    assert_int_equal(errno, ENOENT);
    assert_false(sync_folder_of("file/file"));
    assert_int_equal(errno, ENOTDIR);
}

static void test_a_folder_whose_sync_fails_is_closed_and_keeps_the_reason(void **state) {
    (void)state;
    faults_add(FAULT_FSYNC, 0, 1, EIO);
    faults_add(FAULT_CLOSE, 0, 1, EINTR);
    assert_false(sync_folder_of("file"));
    assert_int_equal(errno, EIO);
    assert_int_equal(faults_calls(FAULT_CLOSE), 1);
}

static void test_a_file_system_that_syncs_no_folders_is_taken_as_it_is(void **state) {
    (void)state;
    faults_add(FAULT_FSYNC, 0, 1, EINVAL);
    assert_true(sync_folder_of("file"));
}

static void test_a_folder_without_memory_is_not_synced(void **state) {
    static const char *const paths[] = {"file", "./file"};
    (void)state;
    for (size_t i = 0; i < 2 && alloc_can_fail(); i++) {
        alloc_fail(0, 1);
        bool synced = file_sync_folder_of(paths[i]);
        alloc_stop();
        assert_true(alloc_failed());
        assert_false(synced);
        alloc_fail(i, 1);
        synced = file_sync_folders_above(paths[i]);
        alloc_stop();
        assert_true(alloc_failed());
        assert_false(synced);
    }
}

static bool sync_folders_above(const char *path) {
    need_faults();
    faults_on();
    bool synced = file_sync_folders_above(path);
    int code = errno;
    faults_off();
    errno = code;
    return synced;
}

static void test_all_folders_above_a_path_are_synced(void **state) {
    static const struct {
        const char *path;
        size_t folders;
    } cases[] = {{"file", 1}, {"new/folder/missing", 3}, {"/missing", 1}, {"/tmp/missing", 2}};
    (void)state;
    must(mkdir("new", 0700), "new");
    must(mkdir("new/folder", 0700), "new/folder");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        faults_clear();
        assert_true(sync_folders_above(cases[i].path));
        assert_int_equal(faults_calls(FAULT_FSYNC), cases[i].folders);
        assert_int_equal(faults_calls(FAULT_OPEN), faults_calls(FAULT_CLOSE));
    }
}

/* Nobody can have made an entry in it just now. */
static void test_a_folder_above_that_may_not_be_read_is_passed_over(void **state) {
    (void)state;
    must(mkdir("new", 0700), "new");
    faults_add(FAULT_OPEN, 1, 1, EACCES);
    assert_true(sync_folders_above("new/file"));
    assert_int_equal(faults_happened(), 1);
}

static void test_a_folder_above_that_cannot_be_synced_is_told(void **state) {
    (void)state;
    must(mkdir("new", 0700), "new");
    for (size_t i = 0; i < 2; i++) {
        faults_clear();
        faults_add(FAULT_FSYNC, i, 1, EIO);
        assert_false(sync_folders_above("new/file"));
        assert_int_equal(errno, EIO);
    }
}

#define WITH_A_FILE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_A_FILE(test_all_is_written_in_however_many_pieces),
        WITH_A_FILE(test_an_interrupted_write_is_made_again),
        WITH_A_FILE(test_a_write_without_room_keeps_its_reason),
        WITH_A_FILE(test_a_write_that_takes_nothing_fails),
        WITH_A_FILE(test_nothing_to_write_is_no_call),
        WITH_A_FILE(test_an_interrupted_sync_is_made_again),
        WITH_A_FILE(test_a_failed_sync_is_not_made_again),
        WITH_A_FILE(test_the_folder_of_any_path_is_synced),
        WITH_A_FILE(test_a_folder_that_cannot_be_opened_is_not_synced),
        WITH_A_FILE(test_a_folder_whose_sync_fails_is_closed_and_keeps_the_reason),
        WITH_A_FILE(test_a_file_system_that_syncs_no_folders_is_taken_as_it_is),
        WITH_A_FILE(test_a_folder_without_memory_is_not_synced),
        WITH_A_FILE(test_all_folders_above_a_path_are_synced),
        WITH_A_FILE(test_a_folder_above_that_may_not_be_read_is_passed_over),
        WITH_A_FILE(test_a_folder_above_that_cannot_be_synced_is_told),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
