/*
 * A store in a folder of its own, and short ways to talk to it: the fixture of most facade tests.
 *
 *     static void test_a_set_key_can_be_read(void **state) {
 *         struct session *session = *state;
 *         assert_reply(session, "SET a 1", "OK");
 *         assert_reply(session, "GET a", "\"1\"");
 *     }
 *     ... IN_SESSION(test_a_set_key_can_be_read), ...
 */
#ifndef TESTS_SESSION_H
#define TESTS_SESSION_H

#include <stdbool.h>

#include "blob.h"
#include "minikv.h"
#include "model.h"

struct session {
    char *folder;
    char *log;          /* the log's path, within the folder */
    struct minikv *kv;  /* NULL while closed */
    struct blob notice; /* what minikv_open()'s notice told last; cleared by session_open() */
};

/*
 * Fixtures for cmocka: *state is a session whose store is open and empty, or has been so and is
 * closed, for the program under test to have the log.
 */
int session_setup(void **state);
int session_setup_closed(void **state);
int session_teardown(void **state);

/* The entry of a test with these fixtures in cmocka's table. */
#define IN_SESSION(test) cmocka_unit_test_setup_teardown(test, session_setup, session_teardown)
#define IN_CLOSED_SESSION(test)                                                                    \
    cmocka_unit_test_setup_teardown(test, session_setup_closed, session_teardown)

/* Opens the store, which must succeed. */
void session_open(struct session *session);

/* Tries to open the store, which must be refused; puts the reason into `error`. */
void session_open_refused(struct session *session, struct error *error);

/* Closes the store, which must succeed. */
void session_close(struct session *session);

/* Both. */
void session_reopen(struct session *session);

/*
 * Carries out one line and replaces `reply` by what minikv added to its buffer, line feed included.
 */
enum minikv_result session_execute(struct session *session, struct slice line, struct blob *reply);

/*
 * Carries out one line, whose reply must be exactly `reply` and a line feed. With _bytes, the line
 * and the reply are slices; else they are strings.
 */
#define assert_reply(session, line, reply)                                                         \
    assert_reply_bytes((session), slice_from_string(line), slice_from_string(reply))
#define assert_reply_bytes(session, line, reply)                                                   \
    session_assert_reply((session), (line), (reply), __FILE__, __LINE__)

/* Carries out one line, whose reply must be one line that starts with "ERR ". */
#define assert_error(session, line) assert_error_bytes((session), slice_from_string(line))
#define assert_error_bytes(session, line)                                                          \
    session_assert_error((session), (line), __FILE__, __LINE__)

/* What the macros do; `file` and `at` tell where a failure is reported. */
void session_assert_reply(struct session *session, struct slice line, struct slice reply,
                          const char *file, int at);
void session_assert_error(struct session *session, struct slice line, const char *file, int at);

/* The store must hold what the model holds, key by key, and nothing else. */
void session_assert_model(struct session *session, const struct model *model);

#endif
