#include "rate.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 16

/*
 * Invariant: `count` times from `times[first]` on are those of the events within the window of the
 * last update, the oldest first.
 */
struct rate {
    uint64_t window_ns;
    uint64_t *times;
    size_t first;
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

/* Makes room for one more time. */
static bool make_room(struct rate *rate) {
    if (rate->first > rate->capacity / 2) {
        /* What is moved is less than what was removed since the last time. */
        memmove(rate->times, rate->times + rate->first, rate->count * sizeof *rate->times);
        rate->first = 0;
        return true;
    }
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
    return true;
}

static bool add_time(struct rate *rate, uint64_t time_ns) {
    if (rate->first + rate->count == rate->capacity && !make_room(rate)) {
        return false;
    }
    rate->times[rate->first + rate->count] = time_ns;
    rate->count++;
    return true;
}

/* Removes all events before `oldest_ns`: they come first, so the first that stays ends it. */
static void remove_before(struct rate *rate, uint64_t oldest_ns) {
    while (rate->count > 0 && rate->times[rate->first] < oldest_ns) {
        rate->first++;
        rate->count--;
    }
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
