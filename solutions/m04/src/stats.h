/* Named counters: a map from name to number, kept as an array sorted by name. */
#ifndef MINIKV_STATS_H
#define MINIKV_STATS_H

#include <stdbool.h>
#include <stdint.h>

struct stats;

/* No counters yet; NULL when memory runs out. Ended with stats_free(). */
struct stats *stats_new(void);

/* NULL is allowed. */
void stats_free(struct stats *stats);

/*
 * Adds one to the counter `name`, which is made when it is first counted. `name` must outlive the
 * stats. When memory for a new counter runs out, the count is dropped.
 */
void stats_add(struct stats *stats, const char *name);

/* The value of the counter `name`; false when nothing was ever counted under it. */
bool stats_get(const struct stats *stats, const char *name, uint64_t *value);

#endif
