#include "minikv.h"

#include <stdlib.h>

#include "database.h"
#include "server.h"

struct minikv {
    struct database *database;
    struct server *server;
};

static size_t line_limit_of(const struct minikv_options *options) {
    return options->line_limit == 0 ? MINIKV_LINE_LIMIT : options->line_limit;
}

/* Both parts, or neither with `error` set. */
static bool open_parts(struct minikv *kv, const char *path, const struct minikv_options *options,
                       struct error *error) {
    struct error ignored;
    const struct store_options store_options = {.sync_always = options->sync_always,
                                                .notice = options->notice,
                                                .notice_context = options->notice_context};
    kv->database = database_open(path, &store_options, error);
    if (kv->database == NULL) {
        return false;
    }
    kv->server = server_new(kv->database, line_limit_of(options));
    if (kv->server == NULL) {
        (void)database_close(kv->database, &ignored);
        error_set(error, "out of memory");
        return false;
    }
    return true;
}

struct minikv *minikv_open(const char *path, const struct minikv_options *options,
                           struct error *error) {
    static const struct minikv_options defaults;
    struct minikv *kv = malloc(sizeof *kv);
    if (kv == NULL) {
        error_set(error, "out of memory");
        return NULL;
    }
    if (!open_parts(kv, path, options == NULL ? &defaults : options, error)) {
        free(kv);
        return NULL;
    }
    return kv;
}

bool minikv_close(struct minikv *kv, struct error *error) {
    server_free(kv->server);
    bool ok = database_close(kv->database, error);
    free(kv);
    return ok;
}

enum minikv_result minikv_execute(struct minikv *kv, struct slice line, struct buffer *reply) {
    switch (server_execute(kv->server, line, reply)) {
    case SERVER_CONTINUE:
        return MINIKV_CONTINUE;
    case SERVER_QUIT:
        return MINIKV_QUIT;
    case SERVER_NO_REPLY:
    default:
        return MINIKV_NO_REPLY;
    }
}
