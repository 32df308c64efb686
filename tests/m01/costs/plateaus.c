#include "plateaus.h"

#include <math.h>
#include <stdbool.h>

#include "statistics.h"

enum { POINTS_LEAST = 3, POINTS_MAX = 128 };
#define FLAT 1.25
#define DISTINCT 1.6

/* The longest flat run within the points from `begin` up to `end`; false when there is none. */
static bool longest_run(const struct point *points, size_t begin, size_t end,
                        struct plateau *longest) {
    size_t best = 0;
    for (size_t first = begin; first < end; first++) {
        double low = points[first].ns;
        double high = low;
        size_t last = first;
        for (size_t i = first; i < end && high <= FLAT * low; i++) {
            low = fmin(low, points[i].ns);
            high = fmax(high, points[i].ns);
            last = high <= FLAT * low ? i : last;
        }
        if (last - first + 1 > best) {
            best = last - first + 1;
            *longest = (struct plateau){.first = first, .last = last};
        }
    }
    return best >= POINTS_LEAST;
}

static double median_of(const struct point *points, size_t first, size_t last) {
    double times[POINTS_MAX];
    size_t count = 0;
    for (size_t i = first; i <= last && count < POINTS_MAX; i++) {
        times[count++] = points[i].ns;
    }
    statistics_sort(times, count);
    return statistics_median(times, count);
}

/* Adds the plateaus between `begin` and `end`, the smaller sizes first. */
static void find_between(const struct point *points, size_t begin, size_t end,
                         struct plateau *plateaus, size_t *count) {
    struct plateau found;
    if (*count == PLATEAUS_MAX || !longest_run(points, begin, end, &found)) {
        return;
    }
    find_between(points, begin, found.first, plateaus, count);
    if (*count < PLATEAUS_MAX) {
        found.ns = median_of(points, found.first, found.last);
        plateaus[(*count)++] = found;
    }
    find_between(points, found.last + 1, end, plateaus, count);
}

size_t plateaus_find(const struct point *points, size_t count,
                     struct plateau plateaus[PLATEAUS_MAX]) {
    struct plateau found[PLATEAUS_MAX];
    size_t found_count = 0;
    size_t kept = 0;
    find_between(points, 0, count, found, &found_count);
    for (size_t i = 0; i < found_count; i++) {
        struct plateau *before = kept == 0 ? NULL : &plateaus[kept - 1];
        if (before != NULL && found[i].ns < DISTINCT * before->ns) {
            before->last = found[i].last;
            before->ns = median_of(points, before->first, before->last);
        } else {
            plateaus[kept++] = found[i];
        }
    }
    return kept;
}

/* The level of a plateau behind one of level `above`. */
static int level_for(const struct plateau *plateau, const struct point *points,
                     const struct caches *caches, int above) {
    const double largest = (double)caches->bytes[caches->count - 1];
    const double last = points[plateau->last].bytes;
    const double middle = sqrt(points[plateau->first].bytes * last);
    for (size_t level = (size_t)above + 1; last <= 2 * largest && level <= caches->count; level++) {
        if (middle <= (double)caches->bytes[level - 1]) {
            return (int)level;
        }
    }
    return PLATEAU_MEMORY;
}

void plateaus_name(struct plateau *plateaus, size_t count, const struct point *points,
                   const struct caches *caches) {
    int level = 0;
    for (size_t i = 0; i < count && level < PLATEAU_MEMORY; i++) {
        if (i == 0) {
            level = 1;
        } else if (caches->count > 0) {
            level = level_for(&plateaus[i], points, caches, level);
        } else {
            level = i > 1 && i == count - 1 ? PLATEAU_MEMORY : level + 1;
        }
        plateaus[i].level = level;
    }
}
