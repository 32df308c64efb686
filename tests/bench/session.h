/* A worker at work: one row of one copy, in a process of its own, spoken to in its terms. */
#ifndef BENCH_SESSION_H
#define BENCH_SESSION_H

#include "counting.h"
#include "folder.h"
#include "process.h"
#include "settings.h"

#define SESSION_HISTORY_MAX 8192

struct session {
    struct process process;
    const char *program; /* to see it again with: what was started may have been a copy */
    const char *row;
    const struct settings *settings;
    char history[SESSION_HISTORY_MAX]; /* all requests, each with "\\n" for its end */
};

/* How a session is started. */
struct session_start {
    const char *program;
    const char *copy;        /* of the program, to be started in its place; NULL: itself */
    const char *const *tool; /* runs the program: its name and arguments, then NULL; or NULL */
    const char *row;
    const char *folder; /* for the worker's files; exists */
    struct process_setting process;
};

/*
 * Asks `program` what the rows of `settings` measure. False after a complaint, which lists the rows
 * that there are if it does not know one.
 */
bool session_describe_rows(const char *program, struct settings *settings);

/*
 * Starts a worker and waits until it is ready. `start->program`, the row and the settings must
 * outlive the session. If there is a file `log` in the folder, the worker takes it over as the log
 * of its store. False after a complaint, with nothing to stop.
 */
bool session_start(struct session *session, const struct session_start *start,
                   const struct settings *settings);

/*
 * Runs `warm` operations and then `count` timed ones, chosen by `seed`. Puts the time of the latter
 * into `*ns`, and into `*sum` what the results of both add up to. False after a complaint.
 */
bool session_run(struct session *session, uint64_t seed, uint64_t warm, uint64_t count,
                 uint64_t *ns, uint64_t *sum);

/* Runs `count` operations; `*sum` is a checksum of all bytes of the results. */
bool session_check(struct session *session, uint64_t seed, uint64_t count, uint64_t *sum);

/* Counts what happens in `count` operations, behind `warm` others. See counting.h. */
bool session_count(struct session *session, uint64_t seed, uint64_t warm, uint64_t count,
                   uint64_t counts[COUNTED_KINDS]);

/* Prints a command that does again all that the session did, with every reply shown. */
void session_tell_again(const struct session *session);

/* Lets the worker end on its own, whatever it still has to do. Whether it ended well. */
bool session_finish(struct session *session);

/* Ends the worker at once. Its folder stays. */
void session_stop(struct session *session);

#endif
