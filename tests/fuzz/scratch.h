/*
 * What the fuzz targets share: a log to work on, and a way to say that something is wrong.
 *
 * scratch.c also takes the syncs away, which wins over libc's in whatever is linked with it: no
 * target is about the device, and each would wait for it thousands of times.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "blob.h"
#include "bytes.h"
#include "minikv.h"
#include "model.h"

/* The path of the log, in a folder that goes when the program ends. Borrowed. */
const char *scratch_log(void);

/* Removes the log if it is there. */
void scratch_clear(void);

/*
 * Opens the store on the log; NULL if it is refused, for a reason that is not empty. `*noticed`
 * tells whether there was something to tell the user.
 */
struct minikv *scratch_open(size_t line_limit, bool *noticed);

/* Closes it, which must succeed. */
void scratch_close(struct minikv *kv);

/* Carries out one line and replaces `reply`. */
enum minikv_result scratch_execute(struct minikv *kv, struct slice line, struct blob *reply);

/* The store must hold what the model holds, and nothing else. */
void scratch_compare(struct minikv *kv, const struct model *model);

/* Ends the program, as a finding, with `what` unless `right`. */
void scratch_check(bool right, const char *what);

#endif
