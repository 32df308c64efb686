/*
 * The layers: one GET calls three times through database and store. Timed with the call that has
 * nothing else to do, less the same calls made on the index directly.
 */
#include "stages.h"

#include "minikv.c"

#include "database.h"
#include "index.h"

static const struct database *database;
static struct index *table;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    (void)queries;
    database = kv->database;
    table = index_new();
    return table != NULL;
}

static void run(const struct query *query) {
    (void)query;
    stages_sink += database_count(database);
    stages_sink += database_count(database);
    stages_sink += database_count(database);
}

static void less(const struct query *query) {
    (void)query;
    stages_sink += index_count(table);
    stages_sink += index_count(table);
    stages_sink += index_count(table);
}

const struct stage stage_layers = {.prepare = prepare, .run = run, .less = less};
