/*
 * Times the pieces of a GET of the baseline: exercises/m08/stages.c, filled in. The first table of
 * DISCUSSION.md comes from it.
 *
 * From the top of the repository:
 *
 *     mkdir -p build/scratch
 *     cc -std=c17 -D_DEFAULT_SOURCE -O2 -Iproject/minikv/src -o build/scratch/stages \
 *         solutions/m08/stages.c \
 *         $(find project/minikv/src -name '*.c' | grep -v -e main.c -e folders.c -e server.c)
 *     build/scratch/stages
 */
#include "server.c"

#include <time.h>
#include <unistd.h>

#include "index.h"
#include "stats.h"

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

/* The same content as the database's, for the pieces that it does not show. */
static struct store *store;
static struct index *table;
static struct stats *stats;

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

static void split_and_find(const struct query *query) {
    struct words words;
    struct bytes name;
    struct bytes upper;
    struct slice rest = slice_from_string(query->line);
    if (words_next(&rest, &name) == WORDS_OK) {
        if (upper_case(bytes_view(&name), &upper)) {
            sink += find_handler(bytes_view(&upper)) != NULL;
            bytes_release(&upper);
        }
        bytes_release(&name);
    }
    if (words_split(slice_from_string(query->line), &words) == WORDS_OK) {
        sink += words.count;
        words_release(&words);
    }
}

static void use(struct pair result) {
    sink += result.second.length;
    bytes_release(&result.second);
}

static void get(const struct query *query) {
    use(database_get(database, slice_from_string(query->key)));
}

static void get_in_store(const struct query *query) {
    use(store_get(store, slice_from_string(query->key)));
}

static void look_up(const struct query *query) {
    sink += index_find(table, slice_from_string(query->key))->length;
}

static void copy_twice(const struct query *query) {
    struct bytes first;
    struct bytes second;
    (void)query;
    if (bytes_copy(&first, slice_from(value, sizeof value))) {
        if (bytes_copy(&second, bytes_view(&first))) {
            sink += second.length;
            bytes_release(&second);
        }
        bytes_release(&first);
    }
}

static void count(const struct query *query) {
    (void)query;
    stats_add(stats, "keyspace_hits");
}

static void format(const struct query *query) {
    (void)query;
    sink += reply_bulk(&reply, slice_from(value, sizeof value), true, true);
    buffer_clear(&reply);
}

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

static void set_everywhere(struct slice key, struct slice content) {
    struct index_change change;
    struct error error;
    if (!database_set(database, key, content, &error) || !store_set(store, key, content, &error)) {
        give_up(error.text);
    }
    if (!index_prepare_set(table, key, content, &change)) {
        give_up("out of memory");
    }
    index_commit(table, &change);
}

/* In another order than the queries, so that neighbours in time are none in memory. */
static void fill(void) {
    char key[16];
    for (size_t i = 0; i < KEYS; i++) {
        (void)snprintf(key, sizeof key, "key:%zu", i);
        set_everywhere(slice_from_string(key), slice_from(value, sizeof value));
    }
    /* As many counters as a running store has. */
    stats_add(stats, "commands");
    stats_add(stats, "keyspace_hits");
    stats_add(stats, "keyspace_misses");
}

static void open_all(void) {
    static const struct store_options options;
    struct error error;
    (void)unlink("stages.log");
    (void)unlink("stages-store.log");
    database = database_open("stages.log", &options, &error);
    if (database == NULL) {
        give_up(error.text);
    }
    store = store_open("stages-store.log", &options, &error);
    if (store == NULL) {
        give_up(error.text);
    }
    server = server_new(database, 1024);
    table = index_new();
    stats = stats_new();
    if (server == NULL || table == NULL || stats == NULL) {
        give_up("out of memory");
    }
}

static void close_all(void) {
    struct error error;
    server_free(server);
    index_free(table);
    stats_free(stats);
    (void)database_close(database, &error);
    (void)store_close(store, &error);
    (void)unlink("stages.log");
    (void)unlink("stages-store.log");
}

int main(void) {
    memset(value, 'v', sizeof value);
    make_queries();
    open_all();
    buffer_init(&reply);
    fill();
    time_piece("a whole GET", whole_get);
    time_piece("splitting, upper-casing, finding the handler", split_and_find);
    time_piece("exists: a look-up and a counter", exists);
    time_piece("get: a look-up, two copies and a counter", get);
    time_piece("  the same, called on the store", get_in_store);
    time_piece("  of it the look-up alone", look_up);
    time_piece("  of it the two copies alone", copy_twice);
    time_piece("  of it one counter", count);
    time_piece("formatting 100 printable bytes", format);
    close_all();
    return EXIT_SUCCESS;
}
