#include "chase.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "prng.h"

/* A node is as long as a cache line on most machines. */
enum { NODE_BYTES = 64, LOADS = 64, BATCHES = 5, CURVES = 3 };

#define SMALLEST ((size_t)4 << 10)
#define HUGE_PAGE ((size_t)2 << 20)

/* Beyond the largest cache lies memory; this many times as far is far enough. */
#define BEYOND 8
#define LARGEST_LEAST ((size_t)64 << 20)
#define LARGEST_MOST ((size_t)512 << 20)

struct node {
    struct node *next;
    char rest[NODE_BYTES - sizeof(struct node *)];
};

/* Memory for the sets: one after the other is laid out at its start. */
struct arena {
    char *map; /* as mapped; `nodes` is within it, on the border of a large page */
    size_t map_bytes;
    struct node *nodes;
    uint32_t *order; /* scratch space: as many numbers as there are nodes */
    size_t bytes;
};

static void arena_release(struct arena *arena) {
    free(arena->order);
    if (arena->map != NULL) {
        (void)munmap(arena->map, arena->map_bytes);
    }
}

/* Makes an arena, in large pages if `huge`. False when there is no memory. */
static bool arena_make(struct arena *arena, size_t bytes, bool huge) {
    *arena = (struct arena){.bytes = bytes, .map_bytes = bytes + HUGE_PAGE};
    arena->order = malloc(bytes / NODE_BYTES * sizeof *arena->order);
    void *map =
        mmap(NULL, arena->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || arena->order == NULL) {
        arena->map = map == MAP_FAILED ? NULL : map;
        arena_release(arena);
        return false;
    }
    arena->map = map;
    const size_t past = (uintptr_t)map % HUGE_PAGE;
    arena->nodes = (struct node *)(void *)(arena->map + (past == 0 ? 0 : HUGE_PAGE - past));
#ifdef MADV_HUGEPAGE
    (void)madvise(arena->nodes, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)huge;
#endif
    return true;
}

/* Links the first `count` nodes into one ring in random order (Sattolo's algorithm). */
static void link_ring(struct arena *arena, size_t count, struct prng *prng) {
    uint32_t *order = arena->order;
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)prng_below(prng, i - 1);
        const uint32_t swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
    for (size_t i = 0; i < count; i++) {
        arena->nodes[i].next = &arena->nodes[order[i]];
    }
}

/* Follows the ring for `steps` steps of LOADS loads; `state` points at where it stands. */
static uint64_t follow(void *state, uint64_t steps) {
    struct node **at = state;
    struct node *node = *at;
    for (uint64_t step = 0; step < steps; step++) {
        for (int i = 0; i < LOADS; i += 8) {
            node = node->next->next->next->next->next->next->next->next;
        }
    }
    *at = node;
    return (uintptr_t)node;
}

static double time_steps(const struct runner *runner, struct node **at, uint64_t steps) {
    const uint64_t start = runner->now();
    (void)cost_hide(follow(at, steps));
    return (double)(runner->now() - start);
}

/* Measures one set. What is in a cache after one time round the ring stays there or never was. */
static struct point measure_set(const struct runner *runner, struct arena *arena, size_t bytes,
                                struct prng *prng) {
    const size_t nodes = bytes / NODE_BYTES;
    struct node *at = arena->nodes;
    link_ring(arena, nodes, prng);
    const uint64_t once = nodes < 1000000 ? nodes / LOADS + 1 : 10000;
    const double ns = time_steps(runner, &at, once) / (double)once;
    const uint64_t steps = (uint64_t)fmax(1, (double)runner->batch_ns / ns);
    double times[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        times[i] = time_steps(runner, &at, steps) / (double)(steps * LOADS);
    }
    struct outcome outcome;
    runner_sum_up(times, BATCHES, &outcome);
    return (struct point){.bytes = (double)bytes,
                          .ns = outcome.median,
                          .lowest = outcome.lowest,
                          .highest = outcome.highest};
}

/* Two sizes for each doubling, from SMALLEST up to what the arena holds. */
static void measure_once(const struct runner *runner, struct arena *arena, struct prng *prng,
                         struct curve *curve) {
    curve->count = 0;
    for (int i = 0; curve->count < CHASE_SIZES_MAX; i++) {
        const double exact = (double)SMALLEST * pow(2, i / 2.0);
        const size_t bytes = (size_t)(exact / NODE_BYTES + 0.5) * NODE_BYTES;
        if (bytes > arena->bytes) {
            return;
        }
        curve->points[curve->count++] = measure_set(runner, arena, bytes, prng);
    }
}

/*
 * Others use the last cache, too, and drive out what was there, for a while. So all sizes are
 * measured several times over, and of each the best one counts.
 */
static void measure_curve(const struct runner *runner, struct arena *arena, struct curve *curve) {
    struct prng prng;
    prng_init(&prng, 1);
    measure_once(runner, arena, &prng, curve);
    for (int i = 1; i < CURVES; i++) {
        struct curve again;
        measure_once(runner, arena, &prng, &again);
        for (size_t point = 0; point < curve->count; point++) {
            if (again.points[point].ns < curve->points[point].ns) {
                curve->points[point] = again.points[point];
            }
        }
    }
}

/* How many bytes this process has in large pages, as Linux tells. */
static size_t count_huge_bytes(void) {
    char line[256];
    size_t kilobytes = 0;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "AnonHugePages: %zu kB", &kilobytes);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kilobytes << 10;
}

/* The number that the file holds; `otherwise` when it holds none. */
static size_t read_limit(const char *path, size_t otherwise) {
    size_t bytes = otherwise;
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%zu", &bytes) != 1) {
            bytes = otherwise;
        }
        (void)fclose(file);
    }
    return bytes;
}

/* What may be taken: a quarter of what is free, or of what a container may have. */
static size_t find_room(void) {
    size_t room = SIZE_MAX;
#ifdef _SC_AVPHYS_PAGES
    const long pages = sysconf(_SC_AVPHYS_PAGES);
    room = pages < 0 ? room : (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
#endif
    const size_t limit = read_limit("/sys/fs/cgroup/memory.max", SIZE_MAX);
    return (room < limit ? room : limit) / 4;
}

/* The largest set to try: well beyond the largest cache, if there is room for it. */
static size_t choose_largest(struct chase *chase) {
    const struct caches *caches = &chase->caches;
    size_t largest = caches->count == 0 ? LARGEST_MOST : BEYOND * caches->bytes[caches->count - 1];
    largest = largest < LARGEST_LEAST ? LARGEST_LEAST : largest;
    largest = largest > LARGEST_MOST ? LARGEST_MOST : largest;
    const size_t room = find_room();
    chase->limit[0] = '\0';
    if (room < largest) {
        (void)snprintf(chase->limit, sizeof chase->limit,
                       "there was room for sets of up to %zu MB only; %zu MB would have been right",
                       room >> 20, largest >> 20);
        return room;
    }
    return largest;
}

bool chase_measure(const struct runner *runner, struct chase *chase, char why[OUTCOME_WHY_MAX]) {
    struct arena arena;
    *chase = (struct chase){.caches = caches_find()};
    const size_t largest = choose_largest(chase);
    if (!arena_make(&arena, largest, false)) {
        (void)snprintf(why, OUTCOME_WHY_MAX, "no memory for a set of %zu MB", largest >> 20);
        return false;
    }
    measure_curve(runner, &arena, &chase->plain);
    arena_release(&arena);
    const size_t before = count_huge_bytes();
    if (arena_make(&arena, largest, true)) {
        memset(arena.nodes, 0, largest);
        const size_t huge = count_huge_bytes() - before;
        chase->huge_share = (double)huge / (double)largest;
        if (chase->huge_share > 0.5) {
            measure_curve(runner, &arena, &chase->huge);
        }
        arena_release(&arena);
    }
    const struct curve *curve = chase_curve(chase);
    chase->plateau_count = plateaus_find(curve->points, curve->count, chase->plateaus);
    plateaus_name(chase->plateaus, chase->plateau_count, curve->points, &chase->caches);
    return true;
}

const struct curve *chase_curve(const struct chase *chase) {
    return chase->huge.count > 0 ? &chase->huge : &chase->plain;
}

/* Sums up points of one level. */
static void sum_up(const struct curve *curve, size_t first, size_t last, struct outcome *outcome) {
    double medians[CHASE_SIZES_MAX];
    double lowest = INFINITY;
    double highest = 0;
    for (size_t i = first; i <= last; i++) {
        medians[i - first] = curve->points[i].ns;
        lowest = fmin(lowest, curve->points[i].lowest);
        highest = fmax(highest, curve->points[i].highest);
    }
    runner_sum_up(medians, last - first + 1, outcome);
    outcome->lowest = lowest;
    outcome->highest = highest;
}

void chase_judge(const struct chase *chase, int level, struct outcome *outcome) {
    if (level == CHASE_MEMORY_PLAIN && chase->huge.count == 0) {
        runner_say(outcome, OUTCOME_IMPOSSIBLE,
                   "the system gives no large pages to compare with: the row above is this one");
        return;
    }
    const int wanted = level == CHASE_MEMORY_PLAIN ? PLATEAU_MEMORY : level;
    const struct curve *curve = level == CHASE_MEMORY_PLAIN ? &chase->plain : chase_curve(chase);
    for (size_t i = 0; i < chase->plateau_count; i++) {
        const struct plateau *plateau = &chase->plateaus[i];
        if (plateau->level == wanted && plateau->last < curve->count) {
            sum_up(curve, plateau->first, plateau->last, outcome);
            return;
        }
    }
    if (wanted <= CACHES_MAX && (size_t)wanted > chase->caches.count && chase->caches.count > 0) {
        runner_say(outcome, OUTCOME_IMPOSSIBLE, "the system names no such cache");
    } else {
        runner_say(outcome, OUTCOME_IMPOSSIBLE,
                   "no level stretch was found for it, look at the curve; others may be using that "
                   "cache%s%s",
                   chase->limit[0] == '\0' ? "" : "; ", chase->limit);
    }
}
