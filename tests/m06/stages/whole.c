/* All of a GET that finds nothing, through the facade. */
#include "missing.h"

static struct minikv *whole_kv;
static struct buffer reply;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    whole_kv = kv;
    buffer_init(&reply);
    return missing_prepare(queries);
}

static void run(const struct query *query) {
    (void)minikv_execute(whole_kv, missing[query->number].line, &reply);
    stages_sink += buffer_length(&reply);
    buffer_clear(&reply);
}

const struct stage stage_whole = {.prepare = prepare, .run = run};
