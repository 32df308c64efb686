/*
 * What opening makes of a log that a crash or an accident has changed: a torn tail is cut and told,
 * damage before the tail is refused and the file left as it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "die.h"
#include "model.h"
#include "path.h"
#include "session.h"
#include "watchdog.h"

/* --- A log whose every record is known ----------------------------------------------------- */

/*
 * The commands that write it, one record each: new and replaced values, removals, sums and appends,
 * bytes of every kind, the empty key.
 */
static const char *const writes[] = {
    "SET a 1",
    "SET \"b\\x00\\n\" \"value \\xff\"",
    "INCR n",
    "APPEND a -more",
    "SET \"\" \"\"",
    "DEL a",
    "INCR n",
    "SET b \"a value that is a little longer than the others, with \\\"quotes\\\" in it\"",
    "APPEND new x",
    "SET b short",
    "DEL \"\"",
    "SET a again",
};

#define WRITES (sizeof writes / sizeof writes[0])

struct history {
    struct blob log;                 /* the whole file */
    size_t ends[WRITES + 1];         /* where the file ended before the first, second, ... write */
    struct model models[WRITES + 1]; /* what the store held then */
};

static void execute_both(struct session *session, struct model *model, const char *line) {
    struct model_reply expected = {0};
    struct blob actual = {0};
    model_execute_line(model, slice_from_string(line), &expected);
    session_execute(session, slice_from_string(line), &actual);
    assert_true(model_reply_matches(&expected, blob_view(&actual)));
    blob_release(&actual);
    model_reply_release(&expected);
}

/* Writes the history through an open, empty session, and closes it. */
static void history_write(struct history *history, struct session *session) {
    *history = (struct history){0};
    history->ends[0] = path_size(session->log);
    for (size_t i = 0; i < WRITES; i++) {
        model_copy(&history->models[i + 1], &history->models[i]);
        execute_both(session, &history->models[i + 1], writes[i]);
        history->ends[i + 1] = path_size(session->log);
        assert_true(history->ends[i + 1] > history->ends[i]);
    }
    session_close(session);
    blob_read_file(&history->log, session->log);
    assert_int_equal(history->log.length, history->ends[WRITES]);
}

static void history_release(struct history *history) {
    blob_release(&history->log);
    for (size_t i = 0; i <= WRITES; i++) {
        model_release(&history->models[i]);
    }
}

/* How many whole records the first `length` bytes of the log hold. */
static size_t records_within(const struct history *history, size_t length) {
    size_t count = 0;
    while (count < WRITES && history->ends[count + 1] <= length) {
        count++;
    }
    return count;
}

/* --- Checks -------------------------------------------------------------------------------- */

/*
 * Opens the closed session on `bytes`: there must be what `model` holds, a word on the cut tail if
 * and only if there was one, and a key that is written afterwards must last.
 */
static void check_recovers(struct session *session, const struct blob *bytes,
                           const struct model *model, bool torn) {
    blob_write_file(session->log, bytes->data, bytes->length);
    session_open(session);
    assert_true((session->notice.length > 0) == torn);
    session_assert_model(session, model);

    assert_reply(session, "SET c 1", "OK");
    session_reopen(session);
    assert_int_equal(session->notice.length, 0);
    assert_reply(session, "GET c", "\"1\"");
    assert_reply(session, "DEL c", "(integer) 1");
    session_assert_model(session, model);
    session_close(session);
}

/* Opening `bytes` must fail and leave them as they are; puts the reason into `error`. */
static void check_refuses(struct session *session, const struct blob *bytes, struct error *error) {
    blob_write_file(session->log, bytes->data, bytes->length);
    session_open_refused(session, error);
    assert_true(path_holds(session->log, blob_view(bytes)));
}

/* The reason must name the byte `offset`, as a number of its own. */
static void assert_names_offset(const char *text, size_t offset) {
    char number[32];
    size_t length = (size_t)snprintf(number, sizeof number, "%zu", offset);
    bool found = false;
    for (const char *at = strstr(text, number); at != NULL; at = strstr(at + 1, number)) {
        bool starts = at == text || strchr("0123456789", at[-1]) == NULL;
        bool ends = at[length] == '\0' || strchr("0123456789", at[length]) == NULL;
        found = found || (starts && ends);
    }
    if (!found) {
        fail_msg("\"%s\" does not name byte %zu", text, offset);
    }
}

/* Replaces the bytes from `start` to `end` by `count` bytes of one value. */
static void splice(struct blob *bytes, size_t start, size_t end, unsigned char byte, size_t count) {
    struct blob result = {0};
    blob_add(&result, bytes->data, start);
    blob_add_run(&result, byte, count);
    blob_add(&result, bytes->data + end, bytes->length - end);
    blob_release(bytes);
    *bytes = result;
}

/* --- Torn tails ---------------------------------------------------------------------------- */

static void test_a_log_cut_at_any_byte_keeps_every_whole_record(void **state) {
    struct history history;
    history_write(&history, *state);
    struct blob cut = {0};
    for (size_t length = 0; length <= history.log.length; length++) {
        size_t records = records_within(&history, length);
        bool torn = length > 0 && length != history.ends[records];
        blob_clear(&cut);
        blob_add(&cut, history.log.data, length);
        check_recovers(*state, &cut, &history.models[records], torn);
    }
    blob_release(&cut);
    history_release(&history);
}

/* Some file systems leave a file at its full length with zeros where data never arrived. */
static void test_a_log_zeroed_from_any_byte_of_its_last_record_loses_only_that(void **state) {
    struct history history;
    history_write(&history, *state);
    struct blob zeroed = {0};
    for (size_t from = history.ends[WRITES - 1]; from < history.log.length; from++) {
        blob_clear(&zeroed);
        blob_add(&zeroed, history.log.data, from);
        blob_add_run(&zeroed, 0, history.log.length - from);
        if (!blob_equals(&zeroed, blob_view(&history.log))) {
            check_recovers(*state, &zeroed, &history.models[WRITES - 1], true);
        }
    }
    blob_release(&zeroed);
    history_release(&history);
}

static void test_zeros_behind_the_last_record_are_cut(void **state) {
    struct history history;
    history_write(&history, *state);
    for (size_t count = 1; count <= 4096; count *= 2) {
        struct blob longer = {0};
        blob_add(&longer, history.log.data, history.log.length);
        blob_add_run(&longer, 0, count);
        check_recovers(*state, &longer, &history.models[WRITES], true);
        blob_release(&longer);
    }
    history_release(&history);
}

static void test_a_last_record_short_by_three_bytes_is_cut(void **state) {
    struct history history;
    history_write(&history, *state);
    history.log.length -= 3;
    check_recovers(*state, &history.log, &history.models[WRITES - 1], true);
    history_release(&history);
}

static void test_a_changed_byte_in_the_last_record_cuts_only_that_record(void **state) {
    struct history history;
    history_write(&history, *state);
    for (size_t at = history.ends[WRITES - 1]; at < history.log.length; at++) {
        history.log.data[at] ^= 0x01;
        check_recovers(*state, &history.log, &history.models[WRITES - 1], true);
        history.log.data[at] ^= 0x01;
    }
    history_release(&history);
}

static void test_a_creation_that_was_cut_short_opens_as_an_empty_store(void **state) {
    struct session *session = *state;
    struct blob header = {0};
    struct model empty = {0};
    blob_read_file(&header, session->log);
    session_close(session);
    for (size_t length = 0; length < header.length; length++) {
        struct blob part = {0};
        blob_add(&part, header.data, length);
        check_recovers(session, &part, &empty, length > 0);
        blob_release(&part);
    }
    blob_release(&header);
}

/*
 * The value of the torn record is a log with more records than this one has, so a reader that
 * searches for later records finds some, which are none.
 */
static void test_a_torn_record_whose_value_is_a_log_is_cut(void **state) {
    struct session *session = *state;
    struct history history;
    struct model empty = {0};
    struct blob line = {0};
    struct blob whole = {0};
    history_write(&history, session);
    blob_print(&line, "SET log ");
    blob_add_quoted(&line, blob_view(&history.log));
    must(unlink(session->log), session->log); /* a new log, no copy of the other one's start */
    session_open(session);
    assert_reply_bytes(session, blob_view(&line), slice_from_string("OK"));
    session_close(session);
    blob_read_file(&whole, session->log);

    for (size_t length = history.ends[0] + 1; length < whole.length; length++) {
        struct blob torn = {0};
        blob_add(&torn, whole.data, length);
        check_recovers(session, &torn, &empty, true);
        blob_release(&torn);
    }
    blob_release(&whole);
    blob_release(&line);
    history_release(&history);
}

static void test_a_tail_that_was_cut_stays_cut(void **state) {
    struct session *session = *state;
    struct history history;
    history_write(&history, session);
    blob_write_file(session->log, history.log.data, history.log.length - 1);
    session_open(session);
    session_close(session);
    history.log.length = history.ends[WRITES - 1];
    assert_true(path_holds(session->log, blob_view(&history.log)));
    history_release(&history);
}

static void test_a_torn_tail_is_cut_also_where_nobody_wants_to_be_told(void **state) {
    struct session *session = *state;
    struct history history;
    struct error error;
    history_write(&history, session);
    blob_write_file(session->log, history.log.data, history.log.length - 1);
    session->kv = minikv_open(session->log, NULL, &error);
    assert_non_null(session->kv);
    session_assert_model(session, &history.models[WRITES - 1]);
    history_release(&history);
}

/* --- Damage -------------------------------------------------------------------------------- */

static void test_a_changed_byte_before_the_last_record_is_refused_with_its_place(void **state) {
    struct history history;
    history_write(&history, *state);
    struct error error;
    for (size_t at = history.ends[0]; at < history.ends[WRITES - 1]; at++) {
        for (unsigned bit = 0; bit < 8; bit += 7) {
            history.log.data[at] ^= (unsigned char)(1U << bit);
            check_refuses(*state, &history.log, &error);
            assert_names_offset(error.text, history.ends[records_within(&history, at)]);
            history.log.data[at] ^= (unsigned char)(1U << bit);
        }
    }
    history_release(&history);
}

static void test_a_changed_byte_in_the_head_of_the_file_is_refused(void **state) {
    struct history history;
    history_write(&history, *state);
    struct error error;
    for (size_t at = 0; at < history.ends[0]; at++) {
        history.log.data[at] ^= 0x20;
        check_refuses(*state, &history.log, &error);
        history.log.data[at] ^= 0x20;
    }
    history_release(&history);
}

static void test_bytes_missing_before_the_last_record_are_refused_with_their_place(void **state) {
    struct history history;
    history_write(&history, *state);
    struct error error;
    for (size_t at = history.ends[0]; at + 20 <= history.ends[WRITES - 1]; at++) {
        struct blob shorter = {0};
        blob_add(&shorter, history.log.data, history.log.length);
        splice(&shorter, at, at + 20, 0, 0);
        check_refuses(*state, &shorter, &error);
        assert_names_offset(error.text, history.ends[records_within(&history, at)]);
        blob_release(&shorter);
    }
    history_release(&history);
}

static void test_a_record_that_is_missing_as_a_whole_is_refused(void **state) {
    struct history history;
    history_write(&history, *state);
    struct error error;
    for (size_t i = 0; i + 1 < WRITES; i++) {
        struct blob shorter = {0};
        blob_add(&shorter, history.log.data, history.log.length);
        splice(&shorter, history.ends[i], history.ends[i + 1], 0, 0);
        check_refuses(*state, &shorter, &error);
        assert_names_offset(error.text, history.ends[i]);
        blob_release(&shorter);
    }
    history_release(&history);
}

static void test_bytes_put_in_before_the_last_record_are_refused(void **state) {
    struct history history;
    history_write(&history, *state);
    struct error error;
    for (size_t i = 0; i < WRITES; i++) {
        struct blob longer = {0};
        blob_add(&longer, history.log.data, history.log.length);
        splice(&longer, history.ends[i], history.ends[i], 'x', 5);
        check_refuses(*state, &longer, &error);
        assert_names_offset(error.text, history.ends[i]);
        blob_release(&longer);
    }
    history_release(&history);
}

/* Also where the first record is the only one. */
static void test_zeros_before_the_first_record_are_refused(void **state) {
    struct history history;
    history_write(&history, *state);
    struct error error;
    const size_t places[] = {0, history.ends[0]};
    const size_t lengths[] = {history.ends[1], history.log.length};
    for (size_t i = 0; i < 4; i++) {
        struct blob longer = {0};
        blob_add(&longer, history.log.data, lengths[i / 2]);
        splice(&longer, places[i % 2], places[i % 2], 0, 16);
        check_refuses(*state, &longer, &error);
        blob_release(&longer);
    }
    history_release(&history);
}

static void test_a_zeroed_record_before_the_last_is_refused(void **state) {
    struct history history;
    history_write(&history, *state);
    struct error error;
    for (size_t i = 0; i + 1 < WRITES; i++) {
        size_t length = history.ends[i + 1] - history.ends[i];
        struct blob zeroed = {0};
        blob_add(&zeroed, history.log.data, history.log.length);
        splice(&zeroed, history.ends[i], history.ends[i + 1], 0, length);
        check_refuses(*state, &zeroed, &error);
        assert_names_offset(error.text, history.ends[i]);
        blob_release(&zeroed);
    }
    history_release(&history);
}

static void test_two_logs_joined_into_one_file_are_refused(void **state) {
    struct history history;
    history_write(&history, *state);
    struct blob joined = {0};
    struct error error;
    blob_add(&joined, history.log.data, history.log.length);
    blob_add(&joined, history.log.data, history.log.length);
    blob_write_file(((struct session *)*state)->log, joined.data, joined.length);
    /* Nothing there is newer than the first log: it counts as a tail, or as damage. Never as data.
     */
    struct session *session = *state;
    session->kv = minikv_open(session->log, NULL, &error);
    if (session->kv != NULL) {
        session_assert_model(session, &history.models[WRITES]);
    } else {
        assert_true(path_holds(session->log, blob_view(&joined)));
    }
    blob_release(&joined);
    history_release(&history);
}

/* --- What was removed stays removed -------------------------------------------------------- */

static void test_a_key_that_was_removed_before_compact_stays_gone(void **state) {
    assert_reply(*state, "SET a 1", "OK");
    assert_reply(*state, "DEL a", "(integer) 1");
    assert_reply(*state, "COMPACT", "OK");
    session_reopen(*state);
    assert_reply(*state, "GET a", "(nil)");
    assert_reply(*state, "COUNT", "(integer) 0");
}

static void test_keys_removed_between_two_compacts_stay_gone(void **state) {
    static const char *const keys[] = {"a", "b", "c", "d"};
    struct blob line = {0};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 4; i++) {
            blob_clear(&line);
            blob_print(&line, round == 0 ? "SET %s 1" : "DEL %s", keys[i]);
            struct slice reply = slice_from_string(round == 0 ? "OK" : "(integer) 1");
            assert_reply_bytes(*state, blob_view(&line), reply);
        }
        assert_reply(*state, "COMPACT", "OK");
    }
    session_reopen(*state);
    assert_reply(*state, "COUNT", "(integer) 0");
    blob_release(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_a_log_cut_at_any_byte_keeps_every_whole_record),
        IN_SESSION(test_a_log_zeroed_from_any_byte_of_its_last_record_loses_only_that),
        IN_SESSION(test_zeros_behind_the_last_record_are_cut),
        IN_SESSION(test_a_last_record_short_by_three_bytes_is_cut),
        IN_SESSION(test_a_changed_byte_in_the_last_record_cuts_only_that_record),
        IN_SESSION(test_a_creation_that_was_cut_short_opens_as_an_empty_store),
        IN_SESSION(test_a_torn_record_whose_value_is_a_log_is_cut),
        IN_SESSION(test_a_tail_that_was_cut_stays_cut),
        IN_SESSION(test_a_torn_tail_is_cut_also_where_nobody_wants_to_be_told),
        IN_SESSION(test_a_changed_byte_before_the_last_record_is_refused_with_its_place),
        IN_SESSION(test_a_changed_byte_in_the_head_of_the_file_is_refused),
        IN_SESSION(test_bytes_missing_before_the_last_record_are_refused_with_their_place),
        IN_SESSION(test_a_record_that_is_missing_as_a_whole_is_refused),
        IN_SESSION(test_bytes_put_in_before_the_last_record_are_refused),
        IN_SESSION(test_zeros_before_the_first_record_are_refused),
        IN_SESSION(test_a_zeroed_record_before_the_last_is_refused),
        IN_SESSION(test_two_logs_joined_into_one_file_are_refused),
        IN_SESSION(test_a_key_that_was_removed_before_compact_stays_gone),
        IN_SESSION(test_keys_removed_between_two_compacts_stay_gone),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
