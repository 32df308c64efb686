/* Replies: what a command puts into the reply buffer. Each call adds one whole line. */
#ifndef MINIKV_REPLY_H
#define MINIKV_REPLY_H

#include "buffer.h"
#include "messages.h"

/*
 * Replies with `text`. False, with the buffer unchanged, when memory runs out.
 */
bool reply_bulk(struct buffer *reply, struct slice text, bool quote, bool escape);

/*
 * Replies with a message of the catalogue and the values for its places. False, with the buffer
 * unchanged, when memory runs out.
 */
bool reply_message(struct buffer *reply, const struct messages *messages, enum message message,
                   const struct template_value *values, size_t count);

#endif
