/* The text of the reply: (nil). */
#include "stages.h"

#include "template.h"

static struct template *compiled;

static bool prepare(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    (void)kv;
    (void)queries;
    compiled = template_compile("(nil)");
    return compiled != NULL;
}

static void run(const struct query *query) {
    struct text text;
    (void)query;
    if (template_render(compiled, NULL, 0, &text) == TEMPLATE_OK) {
        stages_sink += text.length;
        text_release(&text);
    }
}

const struct stage stage_render = {.prepare = prepare, .run = run};
