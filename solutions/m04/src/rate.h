/*
 * How many events there were within the last window of time: a sliding-window rate meter.
 *
 * The prototypes are frozen.
 */
#ifndef MINIKV_RATE_H
#define MINIKV_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rate;

/*
 * A meter for windows of `window_ns` nanoseconds. NULL when memory runs out. Ended with
 * rate_free().
 */
struct rate *rate_new(uint64_t window_ns);

/* NULL is allowed. */
void rate_free(struct rate *rate);

/*
 * Notes an event at `now_ns`, a time on any clock that does not run backwards, and puts into
 * `*count` how many events lie within the window that ends now, this one included: those no older
 * than `window_ns`. Returns false when memory runs out: the event is then not noted.
 */
bool rate_update(struct rate *rate, uint64_t now_ns, size_t *count);

#endif
