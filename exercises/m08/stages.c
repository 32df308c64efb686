/*
 * Times the pieces of a GET: scaffolding for exercise m08, to be filled in.
 *
 * Copy it to a throw-away folder and fill it in there. It is compiled with all of minikv but its
 * programs and server.c, which is included below, so that its static functions are within reach.
 * From the top of the repository:
 *
 *     mkdir -p build/scratch && cp exercises/m08/stages.c build/scratch/
 *     cc -std=c17 -D_DEFAULT_SOURCE -O2 -Iproject/minikv/src -o build/scratch/stages \
 *         build/scratch/stages.c \
 *         $(find project/minikv/src -name '*.c' | grep -v -e main.c -e folders.c -e server.c)
 *     build/scratch/stages
 */
#include "server.c"

#include <time.h>
#include <unistd.h>

enum { KEYS = 100000, CALLS = 1000000, ROUNDS = 5, VALUE_LENGTH = 100 };

/* The keys are asked for in the order of `queries`, which is random. */
struct query {
    char key[16];
    char line[24];
};

static struct query queries[KEYS];
static char value[VALUE_LENGTH];
static struct database *database;
static struct server *server;
static struct buffer reply;

/* Adds up results: what nobody uses, the compiler may leave out. */
static volatile size_t sink;

static double now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Runs `piece` a million times, five times over, and prints the best. */
static void time_piece(const char *name, void (*piece)(const struct query *query)) {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (size_t call = 0; call < CALLS; call++) {
            piece(&queries[call % KEYS]);
        }
        double each = (now_ns() - start) / CALLS;
        best = round == 0 || each < best ? each : best;
    }
    (void)printf("%-46s %8.1f ns\n", name, best);
}

static void whole_get(const struct query *query) {
    (void)server_execute(server, slice_from_string(query->line), &reply);
    buffer_clear(&reply);
}

static void exists(const struct query *query) {
    sink += database_exists(database, slice_from_string(query->key));
}

/* Yours: splitting and finding the handler, get, the look-up alone, a counter, formatting. */

static void give_up(const char *why) {
    (void)fprintf(stderr, "stages: %s\n", why);
    exit(EXIT_FAILURE);
}

/* Queries in random order: shuffled as Fisher and Yates do it, always the same way. */
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
static void fill(void) {
    struct error error;
    char key[16];
    for (size_t i = 0; i < KEYS; i++) {
        (void)snprintf(key, sizeof key, "key:%zu", i);
        if (!database_set(database, slice_from_string(key), slice_from(value, sizeof value),
                          &error)) {
            give_up(error.text);
        }
    }
}

int main(void) {
    static const struct store_options options;
    struct error error;
    memset(value, 'v', sizeof value);
    make_queries();
    (void)unlink("stages.log");
    database = database_open("stages.log", &options, &error);
    if (database == NULL) {
        give_up(error.text);
    }
    server = server_new(database, 1024);
    if (server == NULL) {
        give_up("out of memory");
    }
    buffer_init(&reply);
    fill();
    time_piece("a whole GET", whole_get);
    time_piece("exists: a look-up and a counter", exists);
    server_free(server);
    (void)database_close(database, &error);
    (void)unlink("stages.log");
    return EXIT_SUCCESS;
}
