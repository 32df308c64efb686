/*
 * The two copies of the value: one from where the store keeps it, and one of that. Where it lies is
 * found out before, so that no look-up is in this.
 */
#include "inside.h"

static struct slice *values;

static bool prepare_values(struct minikv *kv, const struct query queries[STAGES_KEYS]) {
    values = malloc(STAGES_KEYS * sizeof *values);
    if (values == NULL || !prepare(kv, queries)) {
        return false;
    }
    for (size_t i = 0; i < STAGES_KEYS; i++) {
        values[i] = bytes_view(index_find(table, queries[i].key));
    }
    return true;
}

static void run(const struct query *query) {
    struct bytes first;
    struct bytes second;
    if (bytes_copy(&first, values[query->number])) {
        if (bytes_copy(&second, bytes_view(&first))) {
            stages_sink += second.length;
            bytes_release(&second);
        }
        bytes_release(&first);
    }
}

const struct stage stage_copies = {.prepare = prepare_values, .run = run};
