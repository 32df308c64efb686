#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "die.h"
#include "tmpdir.h"

static void note(void *context, const char *text) {
    struct blob *notice = context;
    blob_clear(notice);
    blob_add(notice, text, strlen(text));
}

static struct minikv *open_store(struct session *session, struct error *error) {
    assert_null(session->kv);
    blob_clear(&session->notice);
    struct minikv_options options = {.notice = note, .notice_context = &session->notice};
    return minikv_open(session->log, &options, error);
}

void session_open(struct session *session) {
    struct error error = {""};
    session->kv = open_store(session, &error);
    if (session->kv == NULL) {
        fail_msg("the store did not open: %s", error.text);
    }
}

void session_open_refused(struct session *session, struct error *error) {
    error->text[0] = '\0';
    session->kv = open_store(session, error);
    assert_null(session->kv);
    assert_string_not_equal(error->text, "");
}

void session_close(struct session *session) {
    struct error error = {""};
    struct minikv *kv = session->kv;
    session->kv = NULL;
    if (!minikv_close(kv, &error)) {
        fail_msg("the store did not close: %s", error.text);
    }
}

void session_reopen(struct session *session) {
    session_close(session);
    session_open(session);
}

int session_setup(void **state) {
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        die("session");
    }
    session->folder = tmpdir_make();
    session->log = tmpdir_path(session->folder, "test.log");
    *state = session;
    session_open(session);
    return 0;
}

int session_setup_closed(void **state) {
    session_setup(state);
    session_close(*state);
    return 0;
}

int session_teardown(void **state) {
    struct session *session = *state;
    if (session->kv != NULL) {
        session_close(session);
    }
    free(session->log);
    tmpdir_remove(session->folder);
    blob_release(&session->notice);
    free(session);
    return 0;
}

static void add_buffer(struct blob *blob, const struct buffer *buffer) {
    struct slice piece;
    for (size_t offset = 0; offset < buffer_length(buffer); offset += piece.length) {
        piece = buffer_peek(buffer, offset);
        blob_add(blob, piece.data, piece.length);
    }
}

enum minikv_result session_execute(struct session *session, struct slice line, struct blob *reply) {
    struct buffer buffer;
    buffer_init(&buffer);
    enum minikv_result result = minikv_execute(session->kv, line, &buffer);
    blob_clear(reply);
    add_buffer(reply, &buffer);
    buffer_release(&buffer);
    return result;
}

static void fail_at(struct slice line, const struct blob *reply, const char *file, int at) {
    struct blob text = {0};
    blob_add_quoted(&text, line);
    blob_print(&text, " was answered ");
    blob_add_quoted(&text, blob_view(reply));
    blob_add_byte(&text, '\0');
    print_error("%s\n", (const char *)text.data);
    blob_release(&text);
    _fail(file, at);
}

void session_assert_reply(struct session *session, struct slice line, struct slice reply,
                          const char *file, int at) {
    struct model_reply expected = {.form = MODEL_EXACT};
    blob_add(&expected.exact, reply.data, reply.length);
    blob_add_byte(&expected.exact, '\n');
    struct blob actual = {0};
    session_execute(session, line, &actual);
    if (!model_reply_matches(&expected, blob_view(&actual))) {
        fail_at(line, &actual, file, at);
    }
    blob_release(&actual);
    model_reply_release(&expected);
}

void session_assert_error(struct session *session, struct slice line, const char *file, int at) {
    struct model_reply expected = {.form = MODEL_ERROR};
    struct blob actual = {0};
    session_execute(session, line, &actual);
    if (!model_reply_matches(&expected, blob_view(&actual))) {
        fail_at(line, &actual, file, at);
    }
    blob_release(&actual);
}

static void assert_entry(struct session *session, const struct model_entry *entry) {
    struct blob line = {0};
    struct blob reply = {0};
    blob_print(&line, "GET ");
    blob_add_quoted(&line, blob_view(&entry->key));
    blob_add_quoted(&reply, blob_view(&entry->value));
    assert_reply_bytes(session, blob_view(&line), blob_view(&reply));
    blob_release(&line);
    blob_release(&reply);
}

void session_assert_model(struct session *session, const struct model *model) {
    struct blob count = {0};
    blob_print(&count, "(integer) %zu", model->count);
    session_assert_reply(session, slice_from_string("COUNT"), blob_view(&count), __FILE__,
                         __LINE__);
    blob_release(&count);
    for (size_t i = 0; i < model->count; i++) {
        assert_entry(session, &model->entries[i]);
    }
}
