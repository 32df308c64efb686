/* What one GET counts: itself, and a hit each in exists and in get. */
#include "inside.h"

static void run(const struct query *query) {
    (void)query;
    stats_add(store->stats, "commands");
    stats_add(store->stats, "keyspace_hits");
    stats_add(store->stats, "keyspace_hits");
}

const struct stage stage_counters = {.prepare = prepare, .run = run};
