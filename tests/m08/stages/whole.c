/* All of a GET that finds its key, through the facade. */
#include "stages.h"

static struct minikv *whole_kv;
static struct buffer reply;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    (void)queries;
    whole_kv = kv;
    buffer_init(&reply);
    return true;
}

static void run(const struct query *query) {
    (void)minikv_execute(whole_kv, query->line, &reply);
    stages_sink += buffer_length(&reply);
    buffer_clear(&reply);
}

const struct stage stage_whole = {.prepare = prepare, .run = run};
