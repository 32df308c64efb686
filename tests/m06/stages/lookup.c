/* What a GET that finds nothing asks the database, and what it counts. */
#include "missing.h"

#include "minikv.c"

static struct database *database;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    database = kv->database;
    return missing_prepare(queries);
}

static void run(const struct query *query) {
    database_add_stat(database, "commands");
    stages_sink += database_exists(database, missing[query->number].key);
}

const struct stage stage_lookup = {.prepare = prepare, .run = run};
