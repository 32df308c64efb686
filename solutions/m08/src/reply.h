/* Replies: what a command puts into the reply buffer. Each call adds one whole line. */
#ifndef MINIKV_REPLY_H
#define MINIKV_REPLY_H

#include "buffer.h"
#include "messages.h"

/*
 * Replies with `text` in double quotes, escaped as the protocol says, so that it can be typed back.
 * False, with the buffer unchanged, when memory runs out.
 */
bool reply_quoted(struct buffer *reply, struct slice text);

/* Replies with `text` as it is. False, with the buffer unchanged, when memory runs out. */
bool reply_text(struct buffer *reply, struct slice text);

/*
 * Replies with a message of the catalogue and the values for its places. False, with the buffer
 * unchanged, when memory runs out.
 */
bool reply_message(struct buffer *reply, const struct messages *messages, enum message message,
                   const struct template_value *values, size_t count);

#endif
