#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "complain.h"
#include "prng.h"
#include "progress.h"
#include "session.h"
#include "statistics.h"
#include "turn.h"
#include "units.h"

/* Long enough that the clock's grain and a single interruption do not matter. */
#define BATCH_NS 40000000

/* How many operations take about BATCH_NS. */
static bool find_count(struct session *session, uint64_t *count) {
    uint64_t ns = 0;
    uint64_t sum;
    *count = 1;
    while (session_run(session, *count, 0, *count, &ns, &sum)) {
        if (ns >= BATCH_NS / 4) {
            *count = *count * BATCH_NS / ns + 1;
            return true;
        }
        *count *= 2;
    }
    return false;
}

/* The times per operation, in rising order. */
static bool time_rounds(struct session *session, const char *row, double *times, size_t rounds) {
    uint64_t count;
    if (!find_count(session, &count)) {
        return false;
    }
    for (size_t i = 0; i < rounds; i++) {
        progress_show("%s: round %zu of %zu", row, i + 1, rounds);
        uint64_t ns;
        uint64_t sum;
        if (!session_run(session, i, count / 4, count, &ns, &sum)) {
            return false;
        }
        times[i] = (double)ns / (double)count;
    }
    statistics_sort(times, rounds);
    return true;
}

static void print_time(double ns) {
    char text[UNITS_TEXT_MAX];
    units_say_time(ns, text);
    printf("%12s", text);
}

static void print_row(const struct settings *settings, size_t row, const double *times) {
    const size_t rounds = (size_t)settings->rounds;
    printf("%-16s", settings->rows[row].name);
    print_time(statistics_median(times, rounds));
    print_time(times[0]);
    print_time(times[rounds - 1]);
    printf("   %s\n", settings->rows[row].measures);
    fflush(stdout);
}

static bool time_row(const struct settings *settings, const struct session_start *start,
                     double *times) {
    struct session session;
    progress_show("%s: storing %" PRIu64 " keys", start->row, settings->keys);
    if (!folder_make_at(start->folder) || !session_start(&session, start, settings)) {
        return false;
    }
    const bool ok = time_rounds(&session, start->row, times, settings->rounds);
    session_stop(&session);
    progress_clear();
    return ok;
}

static bool run_row(const struct settings *settings, const char *worker, size_t row,
                    const char *folder, double *times) {
    struct turn turn;
    int cpu;
    const bool pinned = process_choose_cpu(&cpu);
    const struct session_start start = {.program = worker,
                                        .row = settings->rows[row].name,
                                        .folder = folder,
                                        .process = {.pinned = pinned, .cpu = cpu}};
    if (!turn_take(&turn, settings->turns, cpu)) {
        return false;
    }
    const bool ok = time_row(settings, &start, times);
    turn_end(&turn);
    if (ok) {
        print_row(settings, row, times);
    }
    return ok;
}

static bool run_rows(const struct settings *settings, const char *worker, const char *folder,
                     double *times) {
    printf("%s: %" PRIu64 " keys, values of %" PRIu64 " bytes, keys chosen %s, %" PRIu64
           " rounds\n\n%-16s%12s%12s%12s   per operation\n",
           settings->copies[0].name, settings->keys, settings->value_bytes,
           settings->choice[0] == 'z' ? "by Zipf's law" : "at random", settings->rounds, "",
           "median", "minimum", "maximum");
    fflush(stdout);
    for (size_t i = 0; i < settings->row_count; i++) {
        char row_folder[FOLDER_PATH_MAX];
        folder_path(row_folder, "%s/%zu", folder, i);
        if (!run_row(settings, worker, i, row_folder, times)) {
            return false;
        }
        folder_remove(row_folder);
    }
    return true;
}

int bench_run(struct settings *settings) {
    char folder[FOLDER_PATH_MAX];
    double *times = calloc(settings->rounds, sizeof(*times));
    if (times == NULL) {
        complain("no memory for %" PRIu64 " times", settings->rounds);
        return 1;
    }
    char worker[FOLDER_PATH_MAX];
    folder_path(worker, "%s/worker", settings->copies[0].build);
    bool ok = session_describe_rows(worker, settings) && folder_make(folder);
    if (ok) {
        ok = run_rows(settings, worker, folder, times);
        folder_remove(folder);
    }
    free(times);
    if (ok) {
        printf("\nTimes drift, on a shared machine by half and more within minutes: take them as\n"
               "orientation. Only ratios taken in one run mean anything.\n");
    }
    return ok ? 0 : 1;
}
