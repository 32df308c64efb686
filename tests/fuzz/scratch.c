#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path.h"
#include "tmpdir.h"

static char *folder;
static char *log_path;

int fsync(int fd) {
    (void)fd;
    return 0;
}

int fdatasync(int fd) {
    (void)fd;
    return 0;
}

static void remove_folder(void) {
    free(log_path);
    tmpdir_remove(folder);
}

const char *scratch_log(void) {
    if (folder == NULL) {
        folder = tmpdir_make();
        log_path = tmpdir_path(folder, "fuzzed");
        (void)atexit(remove_folder);
    }
    return log_path;
}

void scratch_clear(void) {
    const char *path = scratch_log();
    scratch_check(unlink(path) == 0 || path_is_missing(path), "the log cannot be removed");
}

void scratch_check(bool right, const char *what) {
    if (!right) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void note(void *context, const char *text) {
    bool *noticed = context;
    scratch_check(text[0] != '\0', "an empty notice");
    *noticed = true;
}

struct minikv *scratch_open(size_t line_limit, bool *noticed) {
    struct error error = {""};
    struct minikv_options options = {
        .line_limit = line_limit, .notice = note, .notice_context = noticed};
    *noticed = false;
    struct minikv *kv = minikv_open(scratch_log(), &options, &error);
    scratch_check(kv != NULL || error.text[0] != '\0', "refused without a reason");
    return kv;
}

void scratch_close(struct minikv *kv) {
    struct error error;
    scratch_check(minikv_close(kv, &error), "the store does not close");
}

enum minikv_result scratch_execute(struct minikv *kv, struct slice line, struct blob *reply) {
    struct buffer buffer;
    struct slice piece;
    buffer_init(&buffer);
    enum minikv_result result = minikv_execute(kv, line, &buffer);
    blob_clear(reply);
    for (size_t offset = 0; offset < buffer_length(&buffer); offset += piece.length) {
        piece = buffer_peek(&buffer, offset);
        blob_add(reply, piece.data, piece.length);
    }
    buffer_release(&buffer);
    return result;
}

/* The line must be answered as the model would. */
static void compare_line(struct minikv *kv, struct model *model, const struct blob *line) {
    struct model_reply expected = {0};
    struct blob reply = {0};
    model_execute_line(model, blob_view(line), &expected);
    scratch_execute(kv, blob_view(line), &reply);
    scratch_check(model_reply_matches(&expected, blob_view(&reply)),
                  "the store holds something else than the model");
    blob_release(&reply);
    model_reply_release(&expected);
}

void scratch_compare(struct minikv *kv, const struct model *model) {
    struct model copy = {0};
    struct blob line = {0};
    model_copy(&copy, model);
    blob_print(&line, "COUNT");
    compare_line(kv, &copy, &line);
    for (size_t i = 0; i < model->count; i++) {
        blob_clear(&line);
        blob_print(&line, "GET ");
        blob_add_quoted(&line, blob_view(&model->entries[i].key));
        compare_line(kv, &copy, &line);
    }
    blob_release(&line);
    model_release(&copy);
}
