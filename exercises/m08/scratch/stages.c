/*
 * Times stages of a GET: scaffolding for exercise m08, for you to fill in. `make` in this folder
 * compiles it with the copy of minikv beside it, and runs it.
 *
 * A .c file included here, in place of its header, brings what is private in it within reach; the
 * Makefile then leaves it out of the rest. Include others the same way: database.c and store.c for
 * their structures, reply.c, and index.c or stats.c (not both, they share a name). But mind that a
 * call within one file may be inlined where minikv makes a real call.
 */
#include "minikv.c"
#include "server.c"

#include <time.h>
#include <unistd.h>

enum { KEYS = 100000, CALLS = 1000000, ROUNDS = 5, VALUE_LENGTH = 100 };

/* What is asked for, in random order. */
struct query {
    char key[16];
    char line[24]; /* GET and the key */
};

static struct query queries[KEYS];
static struct minikv *kv; /* holds all the keys */
static struct buffer reply;

/* Adds up results: what nobody uses, the compiler may leave out. */
static volatile size_t sink;

/* --- The stages: each does its piece once ---------------------------------------------------- */

static void whole_get(const struct query *query) {
    (void)minikv_execute(kv, slice_from_string(query->line), &reply);
    buffer_clear(&reply);
}

/* An example: kv->database is private to minikv.c. */
static void exists(const struct query *query) {
    sink += database_exists(kv->database, slice_from_string(query->key));
}

/* Yours: splitting and finding the handler; get; the look-up alone; a counter; formatting; ... */

/* --- The frame ------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Runs `stage` a million times, five times over, and prints the best. */
static void time_stage(const char *name, void (*stage)(const struct query *query)) {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (size_t call = 0; call < CALLS; call++) {
            stage(&queries[call % KEYS]);
        }
        double each = (now_ns() - start) / CALLS;
        best = round == 0 || each < best ? each : best;
    }
    (void)printf("%-46s %8.1f ns\n", name, best);
}

/* Shuffled as Fisher and Yates do it, always the same way. */
static void make_queries(void) {
    unsigned random = 1;
    for (size_t i = 0; i < KEYS; i++) {
        (void)snprintf(queries[i].key, sizeof queries[i].key, "key:%zu", i);
        (void)snprintf(queries[i].line, sizeof queries[i].line, "GET key:%zu", i);
    }
    for (size_t i = KEYS - 1; i > 0; i--) {
        random = random * 1664525U + 1013904223U;
        size_t other = (random >> 8) % (i + 1);
        struct query query = queries[i];
        queries[i] = queries[other];
        queries[other] = query;
    }
}

/* In another order than the queries, so that neighbours in time are none in memory. */
static void set_keys(void) {
    char line[32 + VALUE_LENGTH];
    for (size_t i = 0; i < KEYS; i++) {
        int head = snprintf(line, sizeof line, "SET key:%zu ", i);
        memset(line + head, 'v', VALUE_LENGTH);
        (void)minikv_execute(kv, slice_from(line, (size_t)head + VALUE_LENGTH), &reply);
        buffer_clear(&reply);
    }
}

int main(void) {
    struct error error;
    (void)unlink("stages.log");
    kv = minikv_open("stages.log", NULL, &error);
    if (kv == NULL) {
        (void)fprintf(stderr, "stages: %s\n", error.text);
        return EXIT_FAILURE;
    }
    buffer_init(&reply);
    make_queries();
    set_keys();

    time_stage("a whole GET", whole_get);
    time_stage("exists: a look-up and a counter", exists);

    buffer_release(&reply);
    (void)minikv_close(kv, &error);
    (void)unlink("stages.log");
    return EXIT_SUCCESS;
}
