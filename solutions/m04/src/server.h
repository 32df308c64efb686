/* Commands: takes a line apart, carries it out on the database, and replies. */
#ifndef MINIKV_SERVER_H
#define MINIKV_SERVER_H

#include "buffer.h"
#include "database.h"

struct server;

enum server_result {
    SERVER_CONTINUE,
    SERVER_QUIT,    /* the line was QUIT */
    SERVER_NO_REPLY /* memory ran out: no reply was added, and the command may have been done */
};

/*
 * A server on `database`, which stays the caller's and must outlive it. Lines over `line_limit`
 * bytes are refused. NULL when memory runs out. Ended with server_free().
 */
struct server *server_new(struct database *database, size_t line_limit);

/* NULL is allowed. */
void server_free(struct server *server);

/*
 * Carries out one line, without its line end, and adds exactly one reply line to `reply`, except
 * for a blank line, which is no command and has none. Never adds a part of a reply.
 */
enum server_result server_execute(struct server *server, struct slice line, struct buffer *reply);

#endif
