/*
 * The checklist of exercise m08, as far as a machine can tick it off: what STATS says, and how much
 * work one GET does. Calls are counted at link time: the linker turns the copy's calls of
 * hash_bytes() and of malloc() and its kin into calls of the functions below.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hash.h"
#include "session.h"
#include "watchdog.h"

/* The lengths of the values that a GET shows where allocations are counted. */
#define SHORT_VALUE 100
#define LONG_VALUE 100000

/*
 * How often a GET that finds its key may allocate. Taking the line apart and keeping the reply are
 * other exercises' business and take six; what is left is for making the reply's text.
 */
#define ALLOCATIONS_MAX 8

/* --- Counting ------------------------------------------------------------------------------ */

static struct {
    bool on;
    size_t hashes;
    size_t allocations;
    size_t value_length;
    size_t large_allocations; /* those with room for a value of that length */
} counts;

static void count_allocation(size_t size) {
    counts.allocations += counts.on ? 1 : 0;
    counts.large_allocations += counts.on && size >= counts.value_length ? 1 : 0;
}

uint64_t __real_hash_bytes(struct slice key);
uint64_t __wrap_hash_bytes(struct slice key);

uint64_t __wrap_hash_bytes(struct slice key) {
    counts.hashes += counts.on ? 1 : 0;
    return __real_hash_bytes(key);
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
    count_allocation(size);
    return __real_realloc(data, size);
}

/* Counts what one line does, into a buffer that is empty and has been used before. */
static void count_line(struct session *session, const char *line, size_t value_length) {
    struct buffer buffer;
    buffer_init(&buffer);
    for (int i = 0; i < 2; i++) {
        buffer_clear(&buffer);
        memset(&counts, 0, sizeof counts);
        counts.value_length = value_length;
        counts.on = true;
        minikv_execute(session->kv, slice_from_string(line), &buffer);
        counts.on = false;
    }
    buffer_release(&buffer);
}

/* Sets a to a value without a byte that has to be escaped, and counts what GET a does. */
static void count_get(struct session *session, size_t value_length) {
    struct blob line = {0};
    blob_print(&line, "SET a ");
    blob_add_run(&line, 'v', value_length);
    assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
    count_line(session, "GET a", value_length);
    blob_release(&line);
}

/* --- STATS --------------------------------------------------------------------------------- */

/* What STATS says. A counter that it does not show is 0 here: showing it is a test of its own. */
struct stats_line {
    uint64_t commands;
    uint64_t hits;
    uint64_t misses;
    uint64_t compactions;
};

/* The reply to STATS, without the line end, as a string in `reply`. */
static const char *stats_text(struct session *session, struct blob *reply) {
    session_execute(session, slice_from_string("STATS"), reply);
    blob_add_byte(reply, '\0');
    char *text = (char *)reply->data;
    text[strcspn(text, "\n")] = '\0';
    return text;
}

static uint64_t find_counter(const char *text, const char *name) {
    size_t length = strlen(name);
    while (strncmp(text, name, length) != 0 || text[length] != '=') {
        text += strcspn(text, " ");
        if (*text == '\0') {
            return 0;
        }
        text++;
    }
    return strtoull(text + length + 1, NULL, 10);
}

static struct stats_line read_stats(struct session *session) {
    struct blob reply = {0};
    const char *text = stats_text(session, &reply);
    struct stats_line stats = {.commands = find_counter(text, "commands"),
                               .hits = find_counter(text, "keyspace_hits"),
                               .misses = find_counter(text, "keyspace_misses"),
                               .compactions = find_counter(text, "compactions")};
    blob_release(&reply);
    return stats;
}

/* Always all four, in this order. */
static void test_all_counters_are_shown_from_the_start(void **state) {
    static const char first[] = "commands=";
    struct blob reply = {0};
    const char *text = stats_text(*state, &reply);
    if (strncmp(text, first, strlen(first)) != 0) {
        fail_msg("STATS does not begin with commands=");
    }
    text += strlen(first);
    assert_string_equal(text + strspn(text, "0123456789"),
                        " keyspace_hits=0 keyspace_misses=0 compactions=0");
    blob_release(&reply);
}

static void test_a_get_that_finds_its_key_is_one_hit(void **state) {
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "GET a", "\"1\"");
    struct stats_line stats = read_stats(*state);
    assert_int_equal(stats.hits, 1);
    assert_int_equal(stats.misses, 0);
}

static void test_a_get_that_finds_nothing_is_one_miss(void **state) {
    assert_reply(*state, "GET a", "(nil)");
    struct stats_line stats = read_stats(*state);
    assert_int_equal(stats.hits, 0);
    assert_int_equal(stats.misses, 1);
}

static void test_exists_is_neither_hit_nor_miss(void **state) {
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "EXISTS a", "(integer) 1");
    assert_reply(*state, "EXISTS b", "(integer) 0");
    struct stats_line stats = read_stats(*state);
    assert_int_equal(stats.hits, 0);
    assert_int_equal(stats.misses, 0);
}

static void test_writes_are_neither_hit_nor_miss(void **state) {
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "INCR a", "(integer) 2");
    assert_reply(*state, "APPEND a 0", "(integer) 2");
    assert_reply(*state, "DEL a", "(integer) 1");
    assert_reply(*state, "DEL a", "(integer) 0");
    struct stats_line stats = read_stats(*state);
    assert_int_equal(stats.hits, 0);
    assert_int_equal(stats.misses, 0);
}

static void test_every_command_and_every_compaction_is_counted_once(void **state) {
    struct stats_line before = read_stats(*state);
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "COMPACT", "OK");
    assert_reply(*state, "GET a", "\"1\"");
    struct stats_line after = read_stats(*state);
    assert_int_equal(after.commands - before.commands, 4); /* the later STATS is one, too */
    assert_int_equal(after.compactions, 1);
}

/* --- The work of a GET --------------------------------------------------------------------- */

/* Without it, all counts would be zero and every test below would pass. */
static void test_calls_are_counted(void **state) {
    count_line(*state, "SET a 1", 1);
    assert_true(counts.hashes >= 1);
    assert_true(counts.large_allocations >= 1);
}

static void test_a_get_computes_one_hash(void **state) {
    count_get(*state, SHORT_VALUE);
    assert_int_equal(counts.hashes, 1);
    count_line(*state, "GET missing", SHORT_VALUE);
    assert_int_equal(counts.hashes, 1);
}

static void test_a_get_allocates_little(void **state) {
    count_get(*state, SHORT_VALUE);
    assert_in_range(counts.allocations, 0, ALLOCATIONS_MAX);
}

/*
 * A short reply fits into a new buffer, so the value needs room once where its text is made on its
 * own, and never where it goes straight into the buffer. Once more is a copy on the way.
 */
static void test_a_short_value_is_not_copied_on_its_way_to_the_reply(void **state) {
    count_get(*state, SHORT_VALUE);
    assert_in_range(counts.large_allocations, 0, 1);
}

/*
 * A long one needs room in any case. Twice at most: the buffer makes room that is filled to the
 * last byte, and again for the line end.
 */
static void test_a_long_value_is_not_copied_on_its_way_to_the_reply(void **state) {
    count_get(*state, LONG_VALUE);
    assert_in_range(counts.large_allocations, 0, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_all_counters_are_shown_from_the_start),
        IN_SESSION(test_a_get_that_finds_its_key_is_one_hit),
        IN_SESSION(test_a_get_that_finds_nothing_is_one_miss),
        IN_SESSION(test_exists_is_neither_hit_nor_miss),
        IN_SESSION(test_writes_are_neither_hit_nor_miss),
        IN_SESSION(test_every_command_and_every_compaction_is_counted_once),
        IN_SESSION(test_calls_are_counted),
        IN_SESSION(test_a_get_computes_one_hash),
        IN_SESSION(test_a_get_allocates_little),
        IN_SESSION(test_a_short_value_is_not_copied_on_its_way_to_the_reply),
        IN_SESSION(test_a_long_value_is_not_copied_on_its_way_to_the_reply),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
