/* What is private below the facade, for stages: the table and the counters of the store itself. */
#ifndef STAGES_INSIDE_H
#define STAGES_INSIDE_H

#include "stages.h"

#include "minikv.c"

#include "database.c"

#include "store.c"

static struct database *database;
static struct store *store;
static struct index *table;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    (void)queries;
    database = kv->database;
    store = database->store;
    table = store->index;
    return database != NULL && store != NULL && table != NULL;
}

#endif
