/* What a store counts. */
#ifndef MINIKV_STATS_H
#define MINIKV_STATS_H

#include <stdint.h>

#include "bytes.h"

/* All zero is the start. STATS shows the counters by these names, in this order. */
struct stats {
    uint64_t commands;        /* lines with a command, right or wrong */
    uint64_t keyspace_hits;   /* GETs that found a value */
    uint64_t keyspace_misses; /* GETs that found none */
    uint64_t compactions;     /* of the log, asked for or not */
};

/* Appends all counters to `text` as "name=value" pairs. False when memory runs out. */
bool stats_append_to(const struct stats *stats, struct bytes *text);

#endif
