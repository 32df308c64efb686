/* The queries of the runner, but for keys that are not there. */
#ifndef STAGES_MISSING_H
#define STAGES_MISSING_H

#include "stages.h"

#include <stdlib.h>
#include <string.h>

static struct query *missing;

/* False when memory runs out. All lines are equally long, and so are all keys. */
static bool missing_prepare(const struct query queries[STAGES_KEYS]) {
    size_t length = queries[0].line.length;
    unsigned char *line = malloc(STAGES_KEYS * length);
    missing = malloc(STAGES_KEYS * sizeof *missing);
    if (line == NULL || missing == NULL) {
        return false;
    }
    for (size_t i = 0; i < STAGES_KEYS; i++, line += length) {
        size_t key = length - queries[i].key.length;
        memcpy(line, queries[i].line.data, length);
        line[key] = '!';
        missing[i] = (struct query){.number = i,
                                    .key = slice_from(line + key, length - key),
                                    .line = slice_from(line, length)};
    }
    return true;
}

#endif
