/*
 * Times stages: a store with all keys in it, and then round after round each stage in turn, so that
 * a phase in which the machine is slow meets them all. Of each stage the best round counts.
 *
 *     stages LOG    prints "NAME NANOSECONDS" for each stage, then the same way: rounds, calls in
 *                   each; data, the bytes of all keys and values; memory, the bytes by which the
 *                   process grew when it took them in, -1 where that cannot be found out
 */
#include "stages.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 15, CALLS = 200000, STAGES_MAX = 64, KEY_LENGTH = 12 };

volatile size_t stages_sink;

static char lines[STAGES_KEYS][4 + KEY_LENGTH + 1];
static struct query queries[STAGES_KEYS];

static _Noreturn void give_up(const char *why) {
    (void)fprintf(stderr, "stages: %s\n", why);
    exit(EXIT_FAILURE);
}

/* Shuffled as Fisher and Yates do it, always the same way. */
static void make_queries(void) {
    uint64_t random = 1;
    for (size_t i = 0; i < STAGES_KEYS; i++) {
        (void)snprintf(lines[i], sizeof lines[i], "GET key:%08zu", i);
        queries[i].line = slice_from(lines[i], 4 + KEY_LENGTH);
        queries[i].key = slice_from(lines[i] + 4, KEY_LENGTH);
    }
    for (size_t i = STAGES_KEYS - 1; i > 0; i--) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        size_t other = (size_t)(random >> 33) % (i + 1);
        struct query query = queries[i];
        queries[i] = queries[other];
        queries[other] = query;
    }
    for (size_t i = 0; i < STAGES_KEYS; i++) {
        queries[i].number = i;
    }
}

/* The keys in order, each with another value of letters. */
static void fill(struct minikv *kv) {
    char line[4 + KEY_LENGTH + 1 + STAGES_VALUE_LENGTH + 1];
    struct buffer reply;
    buffer_init(&reply);
    for (size_t i = 0; i < STAGES_KEYS; i++) {
        int head = snprintf(line, sizeof line, "SET key:%08zu ", i);
        memset(line + head, (int)('a' + i % 26), STAGES_VALUE_LENGTH);
        (void)minikv_execute(kv, slice_from(line, (size_t)head + STAGES_VALUE_LENGTH), &reply);
        if (!slice_equal(buffer_peek(&reply, 0), slice_from_string("OK\n"))) {
            give_up("a SET was not answered with OK");
        }
        buffer_clear(&reply);
    }
    buffer_release(&reply);
}

/* The memory of this process, in bytes, or -1. */
static long long memory_used(void) {
    long long pages = -1;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return -1;
    }
    if (fscanf(file, "%*d %lld", &pages) != 1) {
        pages = -1;
    }
    (void)fclose(file);
    return pages < 0 ? -1 : pages * sysconf(_SC_PAGESIZE);
}

static double now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* What each of CALLS calls took, in nanoseconds. */
static double time_calls(void (*run)(const struct query *query)) {
    double start = now_ns();
    for (size_t call = 0; call < CALLS; call++) {
        run(&queries[call % STAGES_KEYS]);
    }
    return (now_ns() - start) / CALLS;
}

static void do_nothing(const struct query *query) {
    (void)query;
}

static void keep_best(double *best, int round, double time) {
    *best = round == 0 || time < *best ? time : *best;
}

static void time_all(double best[STAGES_MAX]) {
    double run[STAGES_MAX];
    double less[STAGES_MAX];
    for (int round = 0; round < ROUNDS; round++) {
        if (isatty(STDERR_FILENO)) {
            (void)fprintf(stderr, "\rround %d of %d", round + 1, ROUNDS);
        }
        for (size_t i = 0; stages_all[i].name != NULL; i++) {
            const struct stage *stage = stages_all[i].stage;
            keep_best(&run[i], round, time_calls(stage->run));
            keep_best(&less[i], round, time_calls(stage->less == NULL ? do_nothing : stage->less));
            best[i] = run[i] - less[i];
        }
    }
    if (isatty(STDERR_FILENO)) {
        (void)fprintf(stderr, "\r                 \r");
    }
}

static void prepare_all(struct minikv *kv) {
    for (size_t i = 0; stages_all[i].name != NULL; i++) {
        const struct stage *stage = stages_all[i].stage;
        if (i == STAGES_MAX) {
            give_up("too many stages");
        }
        if (stage->prepare != NULL && !stage->prepare(kv, queries)) {
            give_up("out of memory");
        }
    }
}

int main(int argc, char **argv) {
    struct error error;
    double best[STAGES_MAX];
    if (argc != 2) {
        give_up("usage: stages LOG");
    }
    struct minikv *kv = minikv_open(argv[1], NULL, &error);
    if (kv == NULL) {
        give_up(error.text);
    }
    make_queries();
    long long before = memory_used();
    fill(kv);
    long long after = memory_used();
    prepare_all(kv);
    time_all(best);
    for (size_t i = 0; stages_all[i].name != NULL; i++) {
        (void)printf("%s %.2f\n", stages_all[i].name, best[i]);
    }
    (void)printf("rounds %d\ncalls %d\n", ROUNDS, CALLS);
    (void)printf("data %d\n", STAGES_KEYS * (KEY_LENGTH + STAGES_VALUE_LENGTH));
    (void)printf("memory %lld\n", before < 0 || after < 0 ? -1 : after - before);
    /* The store is left as it is: its log is thrown away. */
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
