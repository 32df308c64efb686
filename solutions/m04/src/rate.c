#include "rate.h"

#include <stdlib.h>

#define CAPACITY_MIN 16

/* Invariant: `times` are those of the events within the window of the last update. */
struct rate {
    uint64_t window_ns;
    uint64_t *times;
    size_t count;
    size_t capacity;
};

struct rate *rate_new(uint64_t window_ns) {
    struct rate *rate = calloc(1, sizeof *rate);
    if (rate != NULL) {
        rate->window_ns = window_ns;
    }
    return rate;
}

void rate_free(struct rate *rate) {
    if (rate != NULL) {
        free(rate->times);
        free(rate);
    }
}

static bool add_time(struct rate *rate, uint64_t time_ns) {
    if (rate->count == rate->capacity) {
        size_t capacity = rate->capacity > 0 ? rate->capacity * 2 : CAPACITY_MIN;
        if (capacity > SIZE_MAX / sizeof *rate->times) {
            return false;
        }
        uint64_t *times = realloc(rate->times, capacity * sizeof *times);
        if (times == NULL) {
            return false;
        }
        rate->times = times;
        rate->capacity = capacity;
    }
    rate->times[rate->count] = time_ns;
    rate->count++;
    return true;
}

/* Removes all events before `oldest_ns` and closes the gaps that they leave. */
static void remove_before(struct rate *rate, uint64_t oldest_ns) {
    size_t kept = 0;
    for (size_t i = 0; i < rate->count; i++) {
        if (rate->times[i] >= oldest_ns) {
            rate->times[kept] = rate->times[i];
            kept++;
        }
    }
    rate->count = kept;
}

bool rate_update(struct rate *rate, uint64_t now_ns, size_t *count) {
    if (!add_time(rate, now_ns)) {
        return false;
    }
    /* The window may reach back beyond the clock's start. */
    remove_before(rate, now_ns > rate->window_ns ? now_ns - rate->window_ns : 0);
    *count = rate->count;
    return true;
}
