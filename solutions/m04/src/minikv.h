/*
 * minikv: a small key-value store. This header is the facade: all that a program, a test or a
 * benchmark needs, and frozen: no exercise changes it.
 *
 *     struct error error;
 *     struct minikv *kv = minikv_open("demo.log", NULL, &error);
 *     struct buffer reply;
 *     buffer_init(&reply);
 *     minikv_execute(kv, slice_from_string("SET a 1"), &reply);     (adds "OK\n")
 *     buffer_release(&reply);
 *     minikv_close(kv, &error);
 *
 * docs/protocol.md tells the protocol, command by command.
 * One store is used by one thread at a time.
 */
#ifndef MINIKV_H
#define MINIKV_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "bytes.h"
#include "error.h"

#define MINIKV_VERSION "1.0.0"

/* The longest line that is carried out, in bytes, unless the options say otherwise. */
#define MINIKV_LINE_LIMIT ((size_t)1024 * 1024)

struct minikv;

/* All zero gives the defaults. */
struct minikv_options {
    bool sync_always;  /* a write is on the device before its reply: survives power loss */
    size_t line_limit; /* 0: MINIKV_LINE_LIMIT */

    /*
     * Told, if set, what a user should know though nothing failed: a torn tail that was cut, an
     * automatic compaction that did not work. `text` is valid for the call.
     */
    void (*notice)(void *context, const char *text);
    void *notice_context;
};

/*
 * Opens the store whose log is at `path`, which is made if it is missing. `options` may be NULL.
 * Returns NULL with `error` set if the log cannot be had, is in use by another store, or is damaged
 * anywhere but in its torn tail.
 */
struct minikv *minikv_open(const char *path, const struct minikv_options *options,
                           struct error *error);

/*
 * Ends the store; `kv` is gone whatever this returns. False with `error` set if the system reported
 * a failure at closing. What was answered OK is in the log already.
 */
bool minikv_close(struct minikv *kv, struct error *error);

enum minikv_result {
    MINIKV_CONTINUE,
    MINIKV_QUIT,    /* the line was QUIT; its reply has been added */
    MINIKV_NO_REPLY /* memory ran out and no reply was added: the command may have been done */
};

/*
 * Carries out one line, given without its line end, and adds its reply, one line with a line feed,
 * to `reply`. A blank line is no command: it adds nothing. A line over the limit is refused.
 *
 * The reply never refers to the store's memory: it stays valid whatever is executed next.
 */
enum minikv_result minikv_execute(struct minikv *kv, struct slice line, struct buffer *reply);

#endif
