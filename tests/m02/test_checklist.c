/*
 * The checklist of exercise m02, as far as a machine can tick it off: what it takes to see to a
 * folder that is there, that no shortcut costs correctness, and that an event takes the meter no
 * more work in a wide window than in a narrow one.
 *
 * Calls are counted at link time: the linker turns the copy's calls of mkdir(), of malloc() and
 * their kin into calls of the functions below. Instructions are counted by running a process one at
 * a time.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/ptrace.h>
#endif

#include <cmocka.h>

#include "blob.h"
#include "dirs.h"
#include "rate.h"
#include "tmpdir.h"
#include "watchdog.h"

/*
 * What seeing to a folder that is there may take. Two calls: trying to make it, and asking what is
 * there. One allocation: a copy of the path, to be cut.
 */
#define CALLS_MAX 2
#define ALLOCATIONS_MAX 1

/* --- Counting ------------------------------------------------------------------------------ */

static struct {
    bool on;
    size_t calls; /* of the system, and of what asks it in turn */
    size_t allocations;
    size_t live;    /* allocations less releases */
    size_t largest; /* allocation, in bytes */
} counts;

/* What somebody else does right before the copy's next mkdir(); NULL: nothing. */
static void (*meanwhile)(void);

static void start_counting(void) {
    memset(&counts, 0, sizeof counts);
    counts.on = true;
}

/*
 * Counts a call, and nothing more until end_call(): the tests' own mkdir() and stat(), which make
 * the system refuse things, ask by way of mkdirat() and fstatat().
 */
static bool begin_call(void) {
    bool counted = counts.on;
    counts.calls += counted;
    counts.on = false;
    return counted;
}

static void end_call(bool counted) {
    counts.on = counted;
}

static void count_allocation(size_t size) {
    if (counts.on) {
        counts.allocations++;
        counts.live++;
        counts.largest = size > counts.largest ? size : counts.largest;
    }
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size) {
    count_allocation(size);
    return __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
    count_allocation(count * size);
    return __real_calloc(count, size);
}

void *__real_realloc(void *data, size_t size);
void *__wrap_realloc(void *data, size_t size);

void *__wrap_realloc(void *data, size_t size) {
    counts.live -= counts.on && data != NULL;
    count_allocation(size);
    return __real_realloc(data, size);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);

char *__wrap_strdup(const char *text) {
    count_allocation(strlen(text) + 1);
    return __real_strdup(text);
}

void __real_free(void *data);
void __wrap_free(void *data);

void __wrap_free(void *data) {
    counts.live -= counts.on && data != NULL;
    __real_free(data);
}

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);

int __wrap_mkdir(const char *path, mode_t mode) {
    void (*others)(void) = meanwhile;
    meanwhile = NULL;
    if (others != NULL) {
        others();
    }
    bool counted = begin_call();
    int result = __real_mkdir(path, mode);
    end_call(counted);
    return result;
}

int __real_mkdirat(int folder, const char *path, mode_t mode);
int __wrap_mkdirat(int folder, const char *path, mode_t mode);

int __wrap_mkdirat(int folder, const char *path, mode_t mode) {
    bool counted = begin_call();
    int result = __real_mkdirat(folder, path, mode);
    end_call(counted);
    return result;
}

int __real_stat(const char *path, struct stat *status);
int __wrap_stat(const char *path, struct stat *status);

int __wrap_stat(const char *path, struct stat *status) {
    bool counted = begin_call();
    int result = __real_stat(path, status);
    end_call(counted);
    return result;
}

int __real_lstat(const char *path, struct stat *status);
int __wrap_lstat(const char *path, struct stat *status);

int __wrap_lstat(const char *path, struct stat *status) {
    bool counted = begin_call();
    int result = __real_lstat(path, status);
    end_call(counted);
    return result;
}

int __real_fstatat(int folder, const char *path, struct stat *status, int flags);
int __wrap_fstatat(int folder, const char *path, struct stat *status, int flags);

int __wrap_fstatat(int folder, const char *path, struct stat *status, int flags) {
    bool counted = begin_call();
    int result = __real_fstatat(folder, path, status, flags);
    end_call(counted);
    return result;
}

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode) {
    bool counted = begin_call();
    int result = __real_access(path, mode);
    end_call(counted);
    return result;
}

char *__real_getcwd(char *path, size_t size);
char *__wrap_getcwd(char *path, size_t size);

char *__wrap_getcwd(char *path, size_t size) {
    bool counted = begin_call();
    char *result = __real_getcwd(path, size);
    end_call(counted);
    return result;
}

int __real_getpwuid_r(uid_t user, struct passwd *entry, char *text, size_t size,
                      struct passwd **found);
int __wrap_getpwuid_r(uid_t user, struct passwd *entry, char *text, size_t size,
                      struct passwd **found);

int __wrap_getpwuid_r(uid_t user, struct passwd *entry, char *text, size_t size,
                      struct passwd **found) {
    bool counted = begin_call();
    int result = __real_getpwuid_r(user, entry, text, size, found);
    end_call(counted);
    return result;
}

/* --- Folders ------------------------------------------------------------------------------- */

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
    meanwhile = NULL;
    counts.on = false;
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

/* Ensures `path`, which has to work, and counts what that takes. */
static void ensure(const char *path) {
    struct error error = {""};
    start_counting();
    bool ensured = dirs_ensure(path, &error);
    counts.on = false;
    if (!ensured) {
        fail_msg("'%s' was refused: %s", path, error.text);
    }
    assert_true(is_folder(path));
}

static void assert_refused(const char *path) {
    struct error error = {""};
    assert_false(dirs_ensure(path, &error));
    assert_string_not_equal(error.text, "");
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

/* Without it, all counts would be zero and every test below would pass. */
static void test_calls_are_counted(void **state) {
    (void)state;
    ensure("a");
    assert_true(counts.calls >= 1);
    start_counting();
    struct rate *rate = rate_new(1);
    counts.on = false;
    assert_non_null(rate);
    assert_true(counts.allocations >= 1);
    rate_free(rate);
}

static const char *const spellings[] = {"a/b", "./a/b", "a/b/", "a//b", "a", ".", "..", "link"};
enum { SPELLINGS = sizeof spellings / sizeof spellings[0] };

static void make_spelt(void) {
    ensure("a/b");
    assert_int_equal(symlink("a/b", "link"), 0);
}

static void test_a_folder_that_is_there_takes_few_calls(void **state) {
    (void)state;
    make_spelt();
    for (size_t i = 0; i < SPELLINGS; i++) {
        ensure(spellings[i]);
        assert_in_range(counts.calls, 0, CALLS_MAX);
    }
}

static void test_a_folder_that_is_there_takes_little_memory(void **state) {
    (void)state;
    make_spelt();
    for (size_t i = 0; i < SPELLINGS; i++) {
        ensure(spellings[i]);
        assert_in_range(counts.allocations, 0, ALLOCATIONS_MAX);
        assert_int_equal(counts.live, 0);
    }
}

/* What was true a moment ago says nothing. */
static void test_a_folder_that_was_removed_is_made_again(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        ensure("a/b");
        ensure("a/b");
        assert_int_equal(rmdir("a/b"), 0);
        ensure("a/b");
        assert_int_equal(rmdir("a/b"), 0);
        assert_int_equal(rmdir("a"), 0);
    }
}

static void test_a_file_in_the_place_of_a_folder_is_refused(void **state) {
    (void)state;
    ensure("a/b");
    assert_int_equal(rmdir("a/b"), 0);
    make_file("a/b");
    assert_refused("a/b");
    assert_refused("a/b/");
    assert_file_is_as_before("a/b");
}

static void test_a_link_whose_folder_is_gone_is_refused(void **state) {
    (void)state;
    ensure("a/b");
    assert_int_equal(symlink("a/b", "link"), 0);
    ensure("link");
    assert_int_equal(rmdir("a/b"), 0);
    assert_refused("link");
    assert_false(is_folder("a/b"));
}

static void test_another_working_folder_is_another_path(void **state) {
    const struct fixture *fixture = *state;
    ensure("a/b");
    ensure("c");
    assert_int_equal(chdir("c"), 0);
    ensure("a/b");
    assert_int_equal(chdir(fixture->folder), 0);
    assert_true(is_folder("c/a/b"));
}

static void make_a_and_b(void) {
    assert_int_equal(mkdirat(AT_FDCWD, "a", 0777), 0);
    assert_int_equal(mkdirat(AT_FDCWD, "a/b", 0777), 0);
}

static void test_somebody_else_makes_it_between_asking_and_making(void **state) {
    (void)state;
    meanwhile = make_a_and_b;
    ensure("a/b");
}

static void put_a_file_in_the_way(void) {
    make_file("a");
}

static void test_somebody_puts_a_file_there_between_asking_and_making(void **state) {
    (void)state;
    meanwhile = put_a_file_in_the_way;
    assert_refused("a");
    assert_file_is_as_before("a");
}

static void remove_a(void) {
    assert_int_equal(rmdir("a"), 0);
}

static void test_somebody_removes_the_one_above_between_asking_and_making(void **state) {
    (void)state;
    ensure("a");
    meanwhile = remove_a;
    ensure("a/b");
}

/* --- The meter ----------------------------------------------------------------------------- */

/* Windows, in events; the second is much wider. */
#define NARROW 100
#define WIDE 10000

static struct rate *fill_rate(size_t window, uint64_t *now) {
    struct rate *rate = rate_new(window);
    size_t count = 0;
    for (*now = 1; rate != NULL && *now <= 2 * window; (*now)++) {
        if (!rate_update(rate, *now, &count)) {
            rate_free(rate);
            return NULL;
        }
    }
    return rate;
}

/* Events that are not in the window any more do not take memory for ever. */
static void test_the_meter_takes_memory_for_its_window_only(void **state) {
    (void)state;
    uint64_t now;
    size_t count = 0;
    start_counting();
    struct rate *rate = fill_rate(100, &now);
    for (size_t i = 0; i < 100000 && rate != NULL; i++, now++) {
        assert_true(rate_update(rate, now, &count));
    }
    counts.on = false;
    assert_non_null(rate);
    assert_int_equal(count, 101);
    assert_in_range(counts.largest, 0, 100 * 100);
    assert_in_range(counts.live, 0, 2 * 100);
    rate_free(rate);
}

#ifdef __linux__

enum { SAMPLES = 9 };

static int order_numbers(const void *a, const void *b) {
    const size_t x = *(const size_t *)a;
    const size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Stops before and after each of its events, for the process that watches it. */
_Noreturn static void be_watched(size_t window) {
    uint64_t now;
    size_t count;
    struct rate *rate = fill_rate(window, &now);
    if (rate == NULL || ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        _exit(EXIT_FAILURE);
    }
    for (int i = 0; i < SAMPLES; i++, now++) {
        (void)raise(SIGSTOP);
        if (!rate_update(rate, now, &count)) {
            _exit(EXIT_FAILURE);
        }
    }
    (void)raise(SIGSTOP);
    _exit(EXIT_SUCCESS);
}

/*
 * Lets the stopped process do one instruction after the other until it stops itself. More than
 * `max` are not counted one by one: it then runs to where it stops.
 */
static bool step_to_stop(pid_t pid, size_t max, size_t *steps) {
    int status;
    *steps = 0;
    do {
        bool counted = *steps <= max;
        if (ptrace(counted ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, NULL, NULL) != 0 ||
            waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) {
            return false;
        }
        *steps += counted;
    } while (WSTOPSIG(status) == SIGTRAP);
    return WSTOPSIG(status) == SIGSTOP;
}

/*
 * How many instructions an event takes in a window of so many, and what surrounds it: the middle of
 * several, so that making room once in a while does not count. 0 where nobody may watch, `max` + 1
 * if it is more than that.
 */
static size_t count_instructions(size_t window, size_t max) {
    size_t steps[SAMPLES];
    int status;
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        be_watched(window);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFSTOPPED(status)) {
        return 0;
    }
    bool watched = true;
    for (int i = 0; i < SAMPLES && watched; i++) {
        watched = step_to_stop(pid, max, &steps[i]);
    }
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, &status, 0);
    qsort(steps, SAMPLES, sizeof steps[0], order_numbers);
    return watched ? steps[SAMPLES / 2] : 0;
}

/* A hundred times as wide: three times the work is allowed, so that searching by halves would do.
 */
static void test_an_event_takes_no_more_work_in_a_wider_window(void **state) {
    (void)state;
    size_t narrow = count_instructions(NARROW, SIZE_MAX - 1);
    size_t max = 3 * narrow;
    size_t wide = count_instructions(WIDE, max);
    if (narrow == 0 || wide == 0) {
        skip();
    }
    if (wide > max) {
        fail_msg("%zu instructions with %d events in the window, more than %zu with %d", narrow,
                 NARROW, max, WIDE);
    }
}

#else

static void test_an_event_takes_no_more_work_in_a_wider_window(void **state) {
    (void)state;
    skip();
}

#endif

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_calls_are_counted),
        IN_FOLDER(test_a_folder_that_is_there_takes_few_calls),
        IN_FOLDER(test_a_folder_that_is_there_takes_little_memory),
        IN_FOLDER(test_a_folder_that_was_removed_is_made_again),
        IN_FOLDER(test_a_file_in_the_place_of_a_folder_is_refused),
        IN_FOLDER(test_a_link_whose_folder_is_gone_is_refused),
        IN_FOLDER(test_another_working_folder_is_another_path),
        IN_FOLDER(test_somebody_else_makes_it_between_asking_and_making),
        IN_FOLDER(test_somebody_puts_a_file_there_between_asking_and_making),
        IN_FOLDER(test_somebody_removes_the_one_above_between_asking_and_making),
        cmocka_unit_test(test_the_meter_takes_memory_for_its_window_only),
        cmocka_unit_test(test_an_event_takes_no_more_work_in_a_wider_window),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
