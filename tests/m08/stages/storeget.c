/* get, called on the store itself. */
#include "stages.h"

#include "minikv.c"

#include "database.c"

static struct store *store;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    (void)queries;
    store = kv->database->store;
    return true;
}

static void run(const struct query *query) {
    struct pair result = store_get(store, query->key);
    stages_sink += result.second.length;
    bytes_release(&result.second);
}

const struct stage stage_storeget = {.prepare = prepare, .run = run};
