/* The catalogue of replies: every fixed sentence that minikv says, as templates. */
#ifndef MINIKV_MESSAGES_H
#define MINIKV_MESSAGES_H

#include "template.h"

enum message {
    MESSAGE_OK,
    MESSAGE_NIL,
    MESSAGE_INTEGER, /* @value */
    MESSAGE_ERROR,   /* @reason */
    MESSAGE_EMPTY_NAME,
    MESSAGE_UNKNOWN_COMMAND, /* @command */
    MESSAGE_WRONG_ARITY,     /* @command, @usage */
    MESSAGE_UNBALANCED_QUOTES,
    MESSAGE_BAD_ESCAPE,
    MESSAGE_LINE_TOO_LONG, /* @limit */
    MESSAGE_BAD_PATH,
    MESSAGE_NO_MEMORY,
    MESSAGE_COUNT /* how many there are */
};

struct messages {
    struct template *templates[MESSAGE_COUNT];
};

/* Compiles all of them. False, with nothing to release, when memory runs out. */
bool messages_init(struct messages *messages);

void messages_release(struct messages *messages);

#endif
