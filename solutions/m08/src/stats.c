#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

bool stats_append_to(const struct stats *stats, struct bytes *text) {
    char line[160]; /* four names and four numbers of up to 20 digits */
    int length =
        snprintf(line, sizeof line,
                 "commands=%" PRIu64 " keyspace_hits=%" PRIu64 " keyspace_misses=%" PRIu64
                 " compactions=%" PRIu64,
                 stats->commands, stats->keyspace_hits, stats->keyspace_misses, stats->compactions);
    return bytes_append(text, slice_from(line, (size_t)length));
}
