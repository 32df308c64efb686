/* Of rendering (nil): that the text is built up in a growing buffer. */
#include "stages.h"

#include "template.c"

static struct template *compiled;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    (void)kv;
    (void)queries;
    compiled = template_compile("(nil)");
    return compiled != NULL;
}

static void run(const struct query *query) {
    struct bytes built;
    (void)query;
    bytes_init(&built);
    if (build(compiled, NULL, 0, &built) == TEMPLATE_OK) {
        stages_sink += built.length;
    }
    bytes_release(&built);
}

const struct stage stage_build = {.prepare = prepare, .run = run};
