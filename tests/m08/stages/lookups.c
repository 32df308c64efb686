/* The two look-ups of one GET: the second asks for the same key, which the caches then hold. */
#include "inside.h"

static void run(const struct query *query) {
    stages_sink += index_contains(table, query->key);
    stages_sink += index_find(table, query->key)->length;
}

const struct stage stage_lookups = {.prepare = prepare, .run = run};
