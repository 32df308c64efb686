/* A text with a place: (integer) 1. */
#include "stages.h"

#include "template.h"

static struct template *compiled;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    (void)kv;
    (void)queries;
    compiled = template_compile("(integer) @value");
    return compiled != NULL;
}

static void run(const struct query *query) {
    struct text text;
    const struct template_value value = {"value", slice_from("1", 1)};
    (void)query;
    if (template_render(compiled, &value, 1, &text) == TEMPLATE_OK) {
        stages_sink += text.length;
        text_release(&text);
    }
}

const struct stage stage_filled = {.prepare = prepare, .run = run};
