#include "stats.h"

#include <stdlib.h>
#include <string.h>

struct counter {
    const char *name;
    uint64_t value;
};

/* Invariant: the counters are sorted by name, and no name stands twice. */
struct stats {
    struct counter *counters;
    size_t count;
    size_t capacity;
};

struct stats *stats_new(void) {
    return calloc(1, sizeof(struct stats));
}

void stats_free(struct stats *stats) {
    if (stats != NULL) {
        free(stats->counters);
        free(stats);
    }
}

/* The place of `name`, or the place where it belongs. */
static size_t find_place(const struct stats *stats, const char *name) {
    size_t low = 0;
    size_t high = stats->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(stats->counters[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(const struct stats *stats, size_t place, const char *name) {
    return place < stats->count && strcmp(stats->counters[place].name, name) == 0;
}

static bool make_room(struct stats *stats) {
    if (stats->count < stats->capacity) {
        return true;
    }
    size_t capacity = stats->capacity == 0 ? 8 : stats->capacity * 2;
    struct counter *counters = realloc(stats->counters, capacity * sizeof *counters);
    if (counters == NULL) {
        return false;
    }
    stats->counters = counters;
    stats->capacity = capacity;
    return true;
}

void stats_add(struct stats *stats, const char *name) {
    size_t place = find_place(stats, name);
    if (!is_at(stats, place, name)) {
        if (!make_room(stats)) {
            return;
        }
        memmove(stats->counters + place + 1, stats->counters + place,
                (stats->count - place) * sizeof *stats->counters);
        stats->counters[place] = (struct counter){.name = name};
        stats->count++;
    }
    stats->counters[place].value++;
}

bool stats_get(const struct stats *stats, const char *name, uint64_t *value) {
    size_t place = find_place(stats, name);
    if (!is_at(stats, place, name)) {
        return false;
    }
    *value = stats->counters[place].value;
    return true;
}
