/*
 * The worker: one process that does one row's operations on one copy of minikv, and takes their
 * time. It reads requests from standard input, a line each, and answers each with a line:
 *
 *     (none)                 ready                    once, when all keys are in
 *     run SEED WARM COUNT    time NANOSECONDS SUM     WARM operations, then COUNT timed ones
 *     check SEED COUNT       sum SUM                  COUNT operations, every byte summed
 *     count SEED WARM COUNT  counts N N ...           the same as run, see counting.h
 *     show                   showing                  from here on, every reply is shown, too
 *
 * The end of its input ends it; `worker --list` lists the rows. It can be driven by hand:
 *
 *     echo 'run 1 1000 1000' | worker --row get-hit --keys 10000 --value 100 --folder . --log x.log
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "complain.h"
#include "counting.h"
#include "fixture.h"
#include "options.h"
#include "picks.h"

#define KEYS_MAX 10000000
#define VALUE_MAX 1000000
#define OPERATIONS_MAX 100000000

/* Room for most batches from the start, so that memory looks the same whatever their size. */
#define BATCH_ROOM 65536

struct worker {
    struct fixture fixture;
    const struct row *row;
    struct picks *picks;
    uint32_t *numbers;
    size_t capacity; /* of numbers */
};

struct arguments {
    struct fixture_options fixture;
    const char *row;
    bool zipf;
};

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Draws the keys of a batch: before its time is taken. */
static bool draw(struct worker *worker, uint64_t seed, size_t count) {
    if (count > worker->capacity) {
        const size_t room = count > BATCH_ROOM ? count : BATCH_ROOM;
        uint32_t *grown = realloc(worker->numbers, room * sizeof(*grown));
        if (grown == NULL) {
            complain("no memory for a batch of %zu operations", count);
            return false;
        }
        worker->numbers = grown;
        worker->capacity = room;
    }
    struct prng prng;
    prng_init(&prng, seed);
    picks_fill(worker->picks, &prng, worker->numbers, count);
    return true;
}

static void tidy(struct worker *worker) {
    if (worker->row->tidy != NULL) {
        worker->row->tidy(&worker->fixture);
    }
}

/* How the row is run where all replies matter and the time does not. */
static row_run checked(const struct worker *worker) {
    return worker->row->check != NULL ? worker->row->check : worker->row->run;
}

static bool run(struct worker *worker, uint64_t seed, size_t warm, size_t count) {
    if (!draw(worker, seed, warm + count)) {
        return false;
    }
    const row_run run_row = worker->fixture.show ? checked(worker) : worker->row->run;
    uint64_t sum = run_row(&worker->fixture, worker->numbers, warm);
    const uint64_t start = now_ns();
    sum += row_run_all(run_row, &worker->fixture, worker->numbers + warm, count);
    const uint64_t end = now_ns();
    tidy(worker);
    printf("time %" PRIu64 " %" PRIu64 "\n", end - start, sum);
    return true;
}

static bool check(struct worker *worker, uint64_t seed, size_t count) {
    if (!draw(worker, seed, count)) {
        return false;
    }
    const uint64_t sum = checked(worker)(&worker->fixture, worker->numbers, count);
    tidy(worker);
    printf("sum %" PRIu64 "\n", sum);
    return true;
}

static bool count_events(struct worker *worker, uint64_t seed, size_t warm, size_t count) {
    uint64_t before[COUNTED_KINDS];
    if (!draw(worker, seed, warm + count)) {
        return false;
    }
    worker->row->run(&worker->fixture, worker->numbers, warm);
    memcpy(before, counting_totals, sizeof(before));
    worker->row->run(&worker->fixture, worker->numbers + warm, count);
    uint64_t counts[COUNTED_KINDS];
    for (size_t i = 0; i < COUNTED_KINDS; i++) {
        counts[i] = counting_totals[i] - before[i];
    }
    tidy(worker);
    printf("counts");
    for (size_t i = 0; i < COUNTED_KINDS; i++) {
        printf(" %" PRIu64, counts[i]);
    }
    printf("\n");
    return true;
}

static bool serve(struct worker *worker, const char *request) {
    uint64_t seed;
    size_t warm;
    size_t count;
    if (sscanf(request, "run %" SCNu64 " %zu %zu", &seed, &warm, &count) == 3 &&
        warm <= OPERATIONS_MAX && count <= OPERATIONS_MAX) {
        return run(worker, seed, warm, count);
    }
    if (sscanf(request, "check %" SCNu64 " %zu", &seed, &count) == 2 && count <= OPERATIONS_MAX) {
        return check(worker, seed, count);
    }
    if (sscanf(request, "count %" SCNu64 " %zu %zu", &seed, &warm, &count) == 3 &&
        warm <= OPERATIONS_MAX && count <= OPERATIONS_MAX) {
        return count_events(worker, seed, warm, count);
    }
    if (strcmp(request, "show\n") == 0) {
        worker->fixture.show = true;
        printf("showing\n");
        return true;
    }
    complain("unknown request: %s", request);
    return false;
}

static bool serve_all(struct worker *worker) {
    char request[256];
    printf("ready\n");
    while (fflush(stdout) == 0 && fgets(request, sizeof(request), stdin) != NULL) {
        if (!serve(worker, request)) {
            return false;
        }
    }
    return !ferror(stdin) && !ferror(stdout);
}

static bool run_worker(const struct arguments *arguments) {
    struct worker worker = {.row = row_find(rows, arguments->row)};
    if (worker.row == NULL) {
        complain("there is no benchmark '%s'", arguments->row);
        return false;
    }
    if (!fixture_open(&worker.fixture, worker.row, &arguments->fixture)) {
        return false;
    }
    worker.picks = picks_new(arguments->fixture.keys, arguments->zipf);
    if (worker.picks == NULL) {
        complain("no memory for the choice of keys");
    }
    const bool ok = worker.picks != NULL && serve_all(&worker);
    picks_free(worker.picks);
    free(worker.numbers);
    fixture_close(&worker.fixture);
    return ok;
}

static void list_rows(void) {
    for (const struct row *row = rows; row->name != NULL; row++) {
        printf("%s\t%d\t%s\n", row->name, (int)row->weight, row->measures);
    }
    printf("\n");
}

static bool read_option(struct arguments *arguments, const char *name, const char *value) {
    uint64_t number;
    if (strcmp(name, "--row") == 0) {
        arguments->row = value;
    } else if (strcmp(name, "--folder") == 0) {
        arguments->fixture.folder = value;
    } else if (strcmp(name, "--log") == 0) {
        arguments->fixture.log = value;
    } else if (strcmp(name, "--choice") == 0) {
        arguments->zipf = strcmp(value, "zipf") == 0;
    } else if (strcmp(name, "--keys") == 0 &&
               options_read_number(name, value, 1, KEYS_MAX, &number)) {
        arguments->fixture.keys = number;
    } else if (strcmp(name, "--value") == 0 &&
               options_read_number(name, value, 1, VALUE_MAX, &number)) {
        arguments->fixture.value_bytes = number;
    } else {
        return false;
    }
    return true;
}

static bool read_arguments(int argc, char **argv, struct arguments *arguments) {
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || !read_option(arguments, argv[i], argv[i + 1])) {
            return false;
        }
    }
    return arguments->row != NULL && arguments->fixture.folder != NULL &&
           arguments->fixture.log != NULL && arguments->fixture.keys > 0 &&
           arguments->fixture.value_bytes > 0;
}

int main(int argc, char **argv) {
    complain_as("worker");
    const char *twin = row_find_twin(rows);
    if (twin != NULL) {
        complain("two benchmarks have the name '%s'", twin);
        return 2;
    }
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_rows();
        return 0;
    }
    struct arguments arguments = {0};
    if (!read_arguments(argc, argv, &arguments)) {
        fprintf(stderr, "usage: worker --row NAME --keys N --value BYTES --folder DIR --log FILE\n"
                        "              [--choice uniform|zipf]\n"
                        "       worker --list\n");
        return 2;
    }
    return run_worker(&arguments) ? 0 : 1;
}
