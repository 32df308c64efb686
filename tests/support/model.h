/*
 * What minikv should answer, worked out in the simplest way there is: an unsorted array of keys and
 * values, a line taken apart one byte at a time, nothing shared with minikv's own code. It follows
 * docs/protocol.md, and is itself the second opinion on it.
 *
 * What the model does not know: files (it expects BACKUP to succeed), the line limit, and the free
 * wording of errors, HELP and STATS, for which it tells only the form of the reply.
 */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "blob.h"
#include "bytes.h"

struct model_entry {
    struct blob key;
    struct blob value;
};

/* All zero is the model of an empty store. The entries may be read; their order means nothing. */
struct model {
    struct model_entry *entries;
    size_t count;
    size_t capacity;
};

/* What kind of reply to expect. */
enum model_form {
    MODEL_NOTHING, /* no reply: the line was blank */
    MODEL_EXACT,   /* exactly these bytes, line feed included */
    MODEL_TEXT,    /* one line of free text that does not start with "ERR " */
    MODEL_ERROR    /* one line that starts with "ERR " */
};

/* An expected reply. All zero is a valid start; ended with model_reply_release(). */
struct model_reply {
    enum model_form form;
    struct blob exact; /* with MODEL_EXACT */
};

void model_release(struct model *model);

/* Makes `copy`, all zero before, a model of the same content. */
void model_copy(struct model *copy, const struct model *model);

/* Carries out a command given as words and replaces `reply` by what to expect. */
void model_execute(struct model *model, const struct slice *words, size_t count,
                   struct model_reply *reply);

/* The same for a line as it is typed, without its line end. */
void model_execute_line(struct model *model, struct slice line, struct model_reply *reply);

/* The value of `key`, borrowed until the next command; NULL where there is none. */
const struct blob *model_find(const struct model *model, struct slice key);

/* Whether minikv's reply, line feed included, is as expected. */
bool model_reply_matches(const struct model_reply *expected, struct slice actual);

void model_reply_release(struct model_reply *reply);

#endif
