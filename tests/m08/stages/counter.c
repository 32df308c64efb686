/* One counter by its name. */
#include "inside.h"

static void run(const struct query *query) {
    (void)query;
    stats_add(store->stats, "keyspace_hits");
}

const struct stage stage_counter = {.prepare = prepare, .run = run};
