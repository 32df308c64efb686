/* Folders: made with all that is above them, or refused with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "blob.h"
#include "dirs.h"
#include "faults.h"
#include "tmpdir.h"
#include "watchdog.h"

/* A user without rights, for tests that run as root, whom nothing is refused. */
#define NOBODY 65534

/* Each test starts with an empty folder as its working folder, and goes back at its end. */
struct fixture {
    char *folder;
    char *before;
};

static int setup(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->before = getcwd(NULL, 0);
    assert_non_null(fixture->before);
    fixture->folder = tmpdir_make();
    assert_int_equal(chdir(fixture->folder), 0);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(chdir(fixture->before), 0);
    tmpdir_remove(fixture->folder);
    free(fixture->before);
    free(fixture);
    return 0;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_missing(const char *path) {
    struct stat status;
    return lstat(path, &status) != 0;
}

static void assert_ensured(const char *path) {
    struct error error = {""};
    if (!dirs_ensure(path, &error)) {
        fail_msg("'%s' was refused: %s", path, error.text);
    }
    assert_true(is_folder(path));
}

/* Whether `path` is refused for `culprit`, which is more than the start of a path that is named. */
static bool is_refused(const char *path, const char *culprit, struct error *error) {
    *error = (struct error){""};
    if (dirs_ensure(path, error)) {
        return false;
    }
    const char *found = strstr(error->text, culprit);
    return found != NULL && found[strlen(culprit)] != '/';
}

static void assert_refused(const char *path, const char *culprit) {
    struct error error;
    if (!is_refused(path, culprit, &error)) {
        fail_msg("'%s' should be refused for '%s': %s", path, culprit, error.text);
    }
}

static void make_file(const char *path) {
    blob_write_file(path, "content", 7);
}

static void assert_file_is_as_before(const char *path) {
    struct blob content = {0};
    blob_read_file(&content, path);
    assert_true(blob_equals(&content, slice_from_string("content")));
    blob_release(&content);
}

static void test_a_folder_is_made(void **state) {
    (void)state;
    assert_ensured("a");
}

static void test_folders_on_the_way_are_made(void **state) {
    (void)state;
    assert_ensured("a/b/c/d");
    assert_ensured("a/b/x/y");
}

static void test_absolute_paths(void **state) {
    const struct fixture *fixture = *state;
    char *path = tmpdir_path(fixture->folder, "a/b");
    assert_ensured(path);
    assert_true(is_folder("a/b"));
    free(path);
}

static void test_a_folder_that_is_there_is_success(void **state) {
    (void)state;
    assert_ensured("a/b");
    assert_ensured("a/b");
    assert_ensured("a");
    assert_ensured("/");
    assert_ensured("//");
    assert_ensured(".");
    assert_ensured("..");
    assert_ensured("./");
    assert_ensured("../..");
}

static void test_several_slashes_count_as_one(void **state) {
    (void)state;
    const struct fixture *fixture = *state;
    assert_ensured("a//b///c");
    assert_true(is_folder("a/b/c"));
    assert_ensured("d/e/");
    assert_ensured("f///");
    assert_true(is_folder("f"));
    char *path = tmpdir_path("//", fixture->folder);
    char *inner = tmpdir_path(path, "//g//h//");
    assert_ensured(inner);
    assert_true(is_folder("g/h"));
    free(inner);
    free(path);
}

static void test_dots_in_a_path(void **state) {
    (void)state;
    assert_ensured("./a/./b/.");
    assert_true(is_folder("a/b"));
    assert_ensured("c/../d");
    assert_true(is_folder("c"));
    assert_true(is_folder("d"));
    assert_ensured("e/..");
    assert_true(is_folder("e"));
}

static void test_no_path_is_refused(void **state) {
    (void)state;
    struct error error = {""};
    assert_false(dirs_ensure("", &error));
    assert_string_not_equal(error.text, "");
}

static void test_new_folders_get_the_usual_permissions(void **state) {
    (void)state;
    struct stat status;
    mode_t before = umask(027);
    assert_ensured("a/b");
    umask(before);
    assert_int_equal(stat("a", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0750);
    assert_int_equal(stat("a/b", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0750);
}

static void test_a_file_in_the_way_is_refused(void **state) {
    (void)state;
    make_file("file");
    assert_refused("file", "file");
    assert_refused("file/", "file");
    assert_refused("file//", "file");
    assert_refused("./file", "./file");
    assert_file_is_as_before("file");
}

static void test_a_file_on_the_way_is_named(void **state) {
    (void)state;
    assert_ensured("a");
    make_file("a/file");
    assert_refused("a/file/b", "a/file");
    assert_refused("a/file/b/c/d", "a/file");
    assert_refused("a//file//b//c", "a//file");
    assert_refused("a/file/..", "a/file");
    assert_file_is_as_before("a/file");
}

static void test_links_to_folders_count_as_folders(void **state) {
    (void)state;
    assert_ensured("real/inner");
    assert_int_equal(symlink("real", "link"), 0);
    assert_ensured("link");
    assert_ensured("link/");
    assert_ensured("link/inner");
    assert_ensured("link/new/newer");
    assert_true(is_folder("real/new/newer"));
}

static void test_a_dangling_link_in_the_way_is_refused(void **state) {
    (void)state;
    assert_int_equal(symlink("nowhere", "link"), 0);
    assert_refused("link", "link");
    assert_refused("link/", "link");
    assert_refused("link/a", "link");
    assert_refused("link/a/b", "link");
    assert_true(is_missing("nowhere"));
}

static void test_a_link_to_a_file_is_refused(void **state) {
    (void)state;
    make_file("file");
    assert_int_equal(symlink("file", "link"), 0);
    assert_refused("link", "link");
    assert_refused("link/a", "link");
}

static void test_links_in_a_circle_are_refused(void **state) {
    (void)state;
    assert_int_equal(symlink("two", "one"), 0);
    assert_int_equal(symlink("one", "two"), 0);
    assert_refused("one", "one");
    assert_refused("one/a", "one");
    assert_refused("one/a/b", "one");
}

static void test_a_path_that_the_system_has_no_room_for_is_refused(void **state) {
    (void)state;
    struct blob path = {0};
    struct error error = {""};
    blob_add_run(&path, 'x', 1000);
    blob_add_byte(&path, '\0');
    assert_false(dirs_ensure((const char *)path.data, &error));
    assert_string_not_equal(error.text, "");

    blob_clear(&path);
    for (int i = 0; i < 500000; i++) {
        blob_add(&path, "d/", 2);
    }
    blob_add_byte(&path, '\0');
    assert_false(dirs_ensure((const char *)path.data, &error));
    assert_true(is_missing("d"));
    blob_release(&path);
}

static void test_a_path_of_very_many_folders(void **state) {
    (void)state;
    struct blob path = {0};
    for (int i = 0; i < 1500; i++) {
        blob_add(&path, "d/", 2);
    }
    blob_add_byte(&path, '\0');
    assert_ensured((const char *)path.data);
    blob_release(&path);
}

static void test_a_working_folder_that_is_gone_is_refused(void **state) {
    const struct fixture *fixture = *state;
    assert_ensured("gone");
    assert_int_equal(chdir("gone"), 0);
    assert_int_equal(rmdir("../gone"), 0);
    assert_refused("a", "a");
    assert_refused("a/b", "a");
    assert_int_equal(chdir(fixture->folder), 0);
}

/* Its path takes more room than most do. */
static void test_a_working_folder_far_down(void **state) {
    const struct fixture *fixture = *state;
    char name[201] = "";
    memset(name, 'n', sizeof name - 1);
    for (int i = 0; i < 7; i++) {
        assert_ensured(name);
        assert_int_equal(chdir(name), 0);
    }
    make_file("file");
    assert_ensured("a/b");
    assert_ensured("a/b");
    assert_refused("file/a", "file");
    assert_int_equal(chdir(fixture->folder), 0);
}

/* Where nobody can make anything, the system says so with ENOENT, as if a folder were missing. */
static void test_a_folder_that_takes_no_folders_is_refused(void **state) {
    (void)state;
    if (!is_folder("/proc/self")) {
        skip();
    }
    assert_ensured("/proc/self");
    assert_refused("/proc/minikv-test/a", "/proc/minikv-test");
}

/* Runs `body` in a process of its own, which must not fail. */
static void run_apart(bool (*body)(void)) {
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(body() ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

/* Becomes a user to whom things are refused. */
static bool drop_rights(void) {
    return geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

static bool locked_folder_is_refused(void) {
    struct error error;
    return drop_rights() && is_refused("open/locked/a", "open/locked/a", &error) &&
           is_refused("open/locked/a/b", "open/locked/a", &error) &&
           dirs_ensure("open/locked", &error) && dirs_ensure("open/a/b", &error);
}

static void test_a_folder_without_permission_is_refused(void **state) {
    const struct fixture *fixture = *state;
    assert_int_equal(chmod(fixture->folder, 0755), 0);
    assert_ensured("open/locked");
    assert_int_equal(chmod("open", 0777), 0);
    assert_int_equal(chmod("open/locked", 0555), 0);
    run_apart(locked_folder_is_refused);
    assert_true(is_missing("open/locked/a"));
    assert_true(is_folder("open/a/b"));
}

static bool closed_folder_is_refused(void) {
    struct error error;
    return drop_rights() && is_refused("closed/inner/a/b", "closed/inner", &error);
}

static void test_a_folder_that_nobody_may_enter_is_refused(void **state) {
    const struct fixture *fixture = *state;
    assert_int_equal(chmod(fixture->folder, 0755), 0);
    assert_ensured("closed/inner");
    assert_int_equal(chmod("closed", 0), 0);
    run_apart(closed_folder_is_refused);
    assert_int_equal(chmod("closed", 0755), 0);
    assert_true(is_missing("closed/inner/a"));
}

static bool root_is_refused(void) {
    struct error error;
    return drop_rights() &&
           (access("/", W_OK) == 0 || is_refused("/minikv-test-a/b/c", "/minikv-test-a", &error));
}

static void test_a_root_that_takes_no_folders_is_refused(void **state) {
    (void)state;
    run_apart(root_is_refused);
}

/* Ensures `path`, while `count` calls of mkdir() from call number `after` on fail with `code`. */
static bool ensure_with_fault(const char *path, size_t after, size_t count, int code,
                              struct error *error) {
    *error = (struct error){""};
    faults_clear();
    faults_add(FAULT_MKDIR, after, count, code);
    faults_on();
    bool ensured = dirs_ensure(path, error);
    faults_off();
    return ensured;
}

static void test_a_folder_that_is_there_is_success_whatever_mkdir_says(void **state) {
    (void)state;
    static const int codes[] = {EEXIST, EROFS, EACCES, EPERM, ENOSPC, ENOENT};
    struct error error;
    assert_ensured("a/b");
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        assert_true(ensure_with_fault("a/b", 0, SIZE_MAX, codes[i], &error));
    }
}

static void test_what_the_system_refuses_is_told(void **state) {
    (void)state;
    static const int codes[] = {EROFS, EACCES, EPERM, ENOSPC, EMLINK, EIO};
    struct error error;
    if (!faults_can_happen()) {
        skip();
    }
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        assert_false(ensure_with_fault("a", 0, SIZE_MAX, codes[i], &error));
        assert_non_null(strstr(error.text, strerror(codes[i])));
        assert_true(is_missing("a"));
    }
}

/* Somebody removes the folder after mkdir() has found it; or the one above before mkdir() comes. */
static void test_folders_that_vanish_are_made_again(void **state) {
    (void)state;
    struct error error;
    assert_true(ensure_with_fault("a/b", 1, 3, EEXIST, &error));
    assert_true(is_folder("a/b"));
    assert_true(ensure_with_fault("c/d", 2, 3, ENOENT, &error));
    assert_true(is_folder("c/d"));
    assert_true(ensure_with_fault("e", 0, 3, ENOENT, &error));
    assert_true(is_folder("e"));
}

static void test_folders_that_vanish_for_ever_are_refused(void **state) {
    (void)state;
    struct error error;
    if (!faults_can_happen()) {
        skip();
    }
    assert_false(ensure_with_fault("a", 0, SIZE_MAX, EEXIST, &error));
    assert_string_not_equal(error.text, "");
    assert_false(ensure_with_fault("b/c", 1, SIZE_MAX, ENOENT, &error));
    assert_non_null(strstr(error.text, strerror(ENOENT)));
}

/* What was true a moment ago says nothing. */
static void test_a_folder_that_was_removed_is_made_again(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_ensured("a/b");
        assert_ensured("a/b");
        assert_int_equal(rmdir("a/b"), 0);
        assert_ensured("a/b");
        assert_int_equal(rmdir("a/b"), 0);
        assert_int_equal(rmdir("a"), 0);
    }
}

static void test_a_file_in_the_place_of_a_folder_is_refused(void **state) {
    (void)state;
    assert_ensured("a/file");
    assert_int_equal(rmdir("a/file"), 0);
    make_file("a/file");
    assert_refused("a/file", "a/file");
    assert_refused("a/file/", "a/file");
    assert_file_is_as_before("a/file");
}

static void test_a_link_whose_folder_is_gone_is_refused(void **state) {
    (void)state;
    assert_ensured("real");
    assert_int_equal(symlink("real", "link"), 0);
    assert_ensured("link");
    assert_int_equal(rmdir("real"), 0);
    assert_refused("link", "link");
    assert_true(is_missing("real"));
}

static void test_the_same_path_elsewhere_is_another_folder(void **state) {
    const struct fixture *fixture = *state;
    assert_ensured("a/b");
    assert_ensured("elsewhere");
    assert_int_equal(chdir("elsewhere"), 0);
    assert_ensured("a/b");
    assert_int_equal(chdir(fixture->folder), 0);
    assert_true(is_folder("elsewhere/a/b"));
}

/* Ensures `path`, while somebody else does what `others` does right before mkdir(). */
static bool ensure_against(const char *path, void (*others)(void), struct error *error) {
    *error = (struct error){""};
    faults_clear();
    faults_before(FAULT_MKDIR, others);
    faults_on();
    bool ensured = dirs_ensure(path, error);
    faults_off();
    return ensured;
}

static void make_a_and_b(void) {
    assert_int_equal(mkdir("a", 0777), 0);
    assert_int_equal(mkdir("a/b", 0777), 0);
}

static void test_somebody_else_is_quicker(void **state) {
    (void)state;
    struct error error;
    assert_true(ensure_against("a/b", make_a_and_b, &error));
    assert_true(is_folder("a/b"));
}

static void put_a_file_in_the_way(void) {
    make_file("file");
}

static void test_somebody_puts_a_file_in_the_way_at_the_last_moment(void **state) {
    (void)state;
    struct error error;
    if (!faults_can_happen()) {
        skip();
    }
    assert_false(ensure_against("file", put_a_file_in_the_way, &error));
    assert_non_null(strstr(error.text, "'file'"));
    assert_file_is_as_before("file");
}

static void put_a_dangling_link_in_the_way(void) {
    assert_int_equal(symlink("nowhere", "link"), 0);
}

static void test_somebody_puts_a_dangling_link_in_the_way_at_the_last_moment(void **state) {
    (void)state;
    struct error error;
    if (!faults_can_happen()) {
        skip();
    }
    assert_false(ensure_against("link", put_a_dangling_link_in_the_way, &error));
    assert_non_null(strstr(error.text, "'link'"));
    assert_true(is_missing("nowhere"));
}

static void remove_a(void) {
    assert_int_equal(rmdir("a"), 0);
}

static void test_somebody_removes_the_folder_above_at_the_last_moment(void **state) {
    (void)state;
    struct error error;
    assert_ensured("a");
    assert_true(ensure_against("a/b", remove_a, &error));
    assert_true(is_folder("a/b"));
}

#define RACERS 8

/* All of them make the same folders at the same time; whoever comes second is right as well. */
static void test_several_processes_make_the_same_folders(void **state) {
    (void)state;
    pid_t pids[RACERS];
    int start[2];
    assert_int_equal(pipe(start), 0);
    (void)fflush(NULL);
    for (size_t i = 0; i < RACERS; i++) {
        pids[i] = fork();
        assert_true(pids[i] >= 0);
        if (pids[i] == 0) {
            char byte;
            struct error error;
            (void)close(start[1]);
            bool started = read(start[0], &byte, 1) == 0; /* all at once, when the pipe is closed */
            _exit(started && dirs_ensure("a/b/c/d/e/f/g/h/i/j", &error) ? 0 : 1);
        }
    }
    assert_int_equal(close(start[0]), 0);
    assert_int_equal(close(start[1]), 0);
    for (size_t i = 0; i < RACERS; i++) {
        int status;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    assert_true(is_folder("a/b/c/d/e/f/g/h/i/j"));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_a_folder_is_made),
        IN_FOLDER(test_folders_on_the_way_are_made),
        IN_FOLDER(test_absolute_paths),
        IN_FOLDER(test_a_folder_that_is_there_is_success),
        IN_FOLDER(test_several_slashes_count_as_one),
        IN_FOLDER(test_dots_in_a_path),
        IN_FOLDER(test_no_path_is_refused),
        IN_FOLDER(test_new_folders_get_the_usual_permissions),
        IN_FOLDER(test_a_file_in_the_way_is_refused),
        IN_FOLDER(test_a_file_on_the_way_is_named),
        IN_FOLDER(test_links_to_folders_count_as_folders),
        IN_FOLDER(test_a_dangling_link_in_the_way_is_refused),
        IN_FOLDER(test_a_link_to_a_file_is_refused),
        IN_FOLDER(test_links_in_a_circle_are_refused),
        IN_FOLDER(test_a_path_that_the_system_has_no_room_for_is_refused),
        IN_FOLDER(test_a_path_of_very_many_folders),
        IN_FOLDER(test_a_working_folder_that_is_gone_is_refused),
        IN_FOLDER(test_a_working_folder_far_down),
        IN_FOLDER(test_a_folder_that_takes_no_folders_is_refused),
        IN_FOLDER(test_a_folder_without_permission_is_refused),
        IN_FOLDER(test_a_folder_that_nobody_may_enter_is_refused),
        IN_FOLDER(test_a_root_that_takes_no_folders_is_refused),
        IN_FOLDER(test_a_folder_that_is_there_is_success_whatever_mkdir_says),
        IN_FOLDER(test_what_the_system_refuses_is_told),
        IN_FOLDER(test_folders_that_vanish_are_made_again),
        IN_FOLDER(test_folders_that_vanish_for_ever_are_refused),
        IN_FOLDER(test_a_folder_that_was_removed_is_made_again),
        IN_FOLDER(test_a_file_in_the_place_of_a_folder_is_refused),
        IN_FOLDER(test_a_link_whose_folder_is_gone_is_refused),
        IN_FOLDER(test_the_same_path_elsewhere_is_another_folder),
        IN_FOLDER(test_somebody_else_is_quicker),
        IN_FOLDER(test_somebody_puts_a_file_in_the_way_at_the_last_moment),
        IN_FOLDER(test_somebody_puts_a_dangling_link_in_the_way_at_the_last_moment),
        IN_FOLDER(test_somebody_removes_the_folder_above_at_the_last_moment),
        IN_FOLDER(test_several_processes_make_the_same_folders),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
