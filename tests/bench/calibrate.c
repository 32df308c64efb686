#include "calibrate.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "complain.h"
#include "contest.h"
#include "others.h"
#include "session.h"
#include "turn.h"
#include "verdicts.h"

/*
 * Layouts that no comparison uses. Linking fresh ones for each try would take as long as timing
 * them, so there are BLOCKS times as many as a comparison begins with, and each try takes two
 * blocks that no try before it had together.
 */
#define FIRST_LAYOUT 1000000
#define BLOCKS 32

enum method { METHOD_COMPARE, METHOD_WHOLE_PROCESSES };

/* One thing that is tried, many times over. */
struct cell {
    const char *name;
    size_t wanted; /* so many times */
    enum method method;
    uint64_t slowdown; /* of B, per mille */
    enum left_out left_out;
    bool busy; /* the other processors are */
};

/* A try of CELL_IDLE beside which others were at work is one of CELL_DISTURBED. */
enum { CELL_IDLE, CELL_DISTURBED };
#define IDLE_SHARE_MAX 0.1

static const struct cell cells[] = {
    [CELL_IDLE] = {.name = "same, idle", .wanted = 250},
    [CELL_DISTURBED] = {.name = "same, others at work"},
    {.name = "same, busy", .wanted = 250, .busy = true},
    {.name = "slower by 1 %", .wanted = 40, .slowdown = 10},
    {.name = "slower by 2 %", .wanted = 40, .slowdown = 20},
    {.name = "slower by 3 %", .wanted = 40, .slowdown = 30},
    {.name = "slower by 5 %", .wanted = 40, .slowdown = 50},
    {.name = "slower by 10 %", .wanted = 40, .slowdown = 100},
    {.name = "same, without warming", .wanted = 40, .left_out = LEFT_OUT_WARMING},
    {.name = "same, one layout each", .wanted = 40, .left_out = LEFT_OUT_LAYOUTS},
    {.name = "same, A always first", .wanted = 40, .left_out = LEFT_OUT_ORDERS},
    {.name = "same, ten whole processes each", .wanted = 100, .method = METHOD_WHOLE_PROCESSES},
};
#define CELLS (sizeof(cells) / sizeof(cells[0]))

/* What one try brought. */
struct try {
    enum verdict verdict;
    double log_ratio;
    double half_width;
    double seconds;
    double others; /* how busy the other processors were: see others_share() */
};

/* All tries of one cell. */
struct tally {
    size_t count;
    size_t verdicts[VERDICT_INCONCLUSIVE + 1];
    double seconds; /* the sum */
};

static void results_path(const struct settings *settings, char path[FOLDER_PATH_MAX]) {
    folder_path(path, "%s.tsv", settings->out);
}

static bool take_line(const char *line, struct tally *tallies) {
    char name[64];
    char verdict[32];
    double seconds;
    if (sscanf(line, "%63[^\t]\t%31[^\t]\t%*f\t%*f\t%lf", name, verdict, &seconds) != 3) {
        return false;
    }
    for (size_t cell = 0; cell < CELLS; cell++) {
        for (enum verdict i = VERDICT_FASTER; i <= VERDICT_INCONCLUSIVE; i++) {
            if (strcmp(name, cells[cell].name) == 0 && strcmp(verdict, verdicts_name(i)) == 0) {
                tallies[cell].count++;
                tallies[cell].verdicts[i]++;
                tallies[cell].seconds += seconds;
                return true;
            }
        }
    }
    return false;
}

/* Adds up what the file holds; no file is no result. */
static bool read_results(const char *path, struct tally tallies[CELLS]) {
    char line[256];
    memset(tallies, 0, CELLS * sizeof(*tallies));
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return errno == ENOENT;
    }
    bool ok = true;
    while (ok && fgets(line, sizeof(line), file) != NULL) {
        ok = take_line(line, tallies);
    }
    fclose(file);
    if (!ok) {
        complain("%s: not a line of results: %s", path, line);
    }
    return ok;
}

static bool write_result(FILE *file, size_t cell, const struct try *try) {
    if (cell == CELL_IDLE && try->others > IDLE_SHARE_MAX) {
        cell = CELL_DISTURBED;
    }
    fprintf(file, "%s\t%s\t%.6f\t%.6f\t%.1f\t%.3f\n", cells[cell].name, verdicts_name(try->verdict),
            try->log_ratio, try->half_width, try->seconds, try->others);
    if (fflush(file) != 0) {
        complain_system("cannot write results");
        return false;
    }
    return true;
}

/* The way of this course: A against itself, B doing a known part more. */
static bool try_compare(const struct settings *settings, const struct layouts layouts[2],
                        struct try *try) {
    struct records records = {0};
    struct outcome outcome;
    const bool ok = contest_run(settings, 0, layouts, &records, &outcome);
    records_release(&records);
    if (ok) {
        const struct estimate *estimate = &outcome.comparison.estimate;
        try->verdict = statistics_judge(estimate, 1);
        try->log_ratio = estimate->mean;
        try->half_width = statistics_half_width(estimate, VERDICT_EFFECT_LEVEL);
        try->seconds = outcome.seconds;
    }
    return ok;
}

/* The usual way, for comparison: whole processes, one side after the other, and a rank test. */

#define WHOLE_PROCESSES 10
#define WHOLE_OPERATIONS 50000

/* Of ten against ten, U is this or less in 5 % of cases where there is no difference. */
#define MANN_WHITNEY_LIMIT 23

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool time_process(const struct settings *settings, const struct layouts *layouts,
                         size_t layout, const char *folder, double *seconds) {
    char program[FOLDER_PATH_MAX];
    char worker_folder[FOLDER_PATH_MAX];
    struct session session;
    uint64_t ns;
    uint64_t sum;
    layouts_path(layouts, layout, program);
    folder_path(worker_folder, "%s/worker", folder);
    const struct session_start start = {
        .program = program, .row = settings->rows[0].name, .folder = worker_folder};
    folder_remove(worker_folder);
    const double before = now_seconds();
    if (!folder_make_at(worker_folder) || !session_start(&session, &start, settings)) {
        return false;
    }
    const bool ok = session_run(&session, 1, 0, WHOLE_OPERATIONS, &ns, &sum);
    if (!session_finish(&session) || !ok) {
        return false;
    }
    *seconds = now_seconds() - before;
    return true;
}

static bool time_processes(const struct settings *settings, const struct layouts layouts[2],
                           const char *folder, double seconds[2][WHOLE_PROCESSES]) {
    for (size_t side = 0; side < 2; side++) {
        const size_t layout = settings->copies[side].layout;
        if (!layouts_make(&layouts[side], layout, layout + 1)) {
            return false;
        }
        for (size_t i = 0; i < WHOLE_PROCESSES; i++) {
            if (!time_process(settings, &layouts[side], layout, folder, &seconds[side][i])) {
                return false;
            }
        }
    }
    return true;
}

static bool try_whole_processes(const struct settings *settings, const struct layouts layouts[2],
                                struct try *try) {
    char folder[FOLDER_PATH_MAX];
    double seconds[2][WHOLE_PROCESSES];
    const double start = now_seconds();
    struct turn turn;
    int cpu;
    process_choose_cpu(&cpu);
    if (!folder_make(folder)) {
        return false;
    }
    bool ok = turn_take(&turn, cpu);
    if (ok) {
        ok = time_processes(settings, layouts, folder, seconds);
        turn_end(&turn);
    }
    folder_remove(folder);
    if (ok) {
        const double u = statistics_mann_whitney(seconds[0], seconds[1], WHOLE_PROCESSES);
        statistics_sort(seconds[0], WHOLE_PROCESSES);
        statistics_sort(seconds[1], WHOLE_PROCESSES);
        try->log_ratio = log(statistics_median(seconds[1], WHOLE_PROCESSES) /
                             statistics_median(seconds[0], WHOLE_PROCESSES));
        try->half_width = 0;
        try->verdict = u > MANN_WHITNEY_LIMIT ? VERDICT_NO_CHANGE
                       : try->log_ratio < 0   ? VERDICT_FASTER
                                              : VERDICT_SLOWER;
        try->seconds = now_seconds() - start;
    }
    return ok;
}

/* Load */

#define BUSY_BYTES ((size_t)8 * 1024 * 1024)

int calibrate_keep_busy(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char *bytes = calloc(BUSY_BYTES, 1);
    if (bytes == NULL) {
        complain("no memory to be busy with");
        return 1;
    }
    for (size_t i = 0; poll(&input, 1, 0) == 0; i++) {
        memset(bytes, (int)(i & 0xff), BUSY_BYTES);
    }
    free(bytes);
    return 0;
}

#define BUSY_MAX 64

struct load {
    struct process processes[BUSY_MAX];
    size_t count;
};

/* As many as there are processors beside the measuring one. */
static bool start_load(struct load *load) {
    static const struct process_setting as_usual;
    const char *const arguments[] = {"build/bench/ruler", "busy", NULL};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    while (load->count < BUSY_MAX && (long)load->count + 1 < processors) {
        if (!process_start(&load->processes[load->count], arguments, &as_usual)) {
            return false;
        }
        load->count++;
    }
    return true;
}

static void stop_load(struct load *load) {
    while (load->count > 0) {
        process_stop(&load->processes[--load->count]);
    }
}

/* The calibration */

static uint64_t block_start(size_t block) {
    return FIRST_LAYOUT + (uint64_t)block * COMPARISON_UNITS_MAX;
}

/* Before anything is timed: the linking keeps other processors busy. */
static bool link_layouts(const struct settings *settings, const struct layouts layouts[2]) {
    for (size_t side = 0; side < 2; side++) {
        const size_t first = settings->copies[side].layout;
        if (!layouts_make(&layouts[side], first, first + COMPARISON_STAGE)) {
            return false;
        }
    }
    return true;
}

static bool run_try(const struct settings *settings, const struct cell *cell, size_t number,
                    const struct layouts layouts[2], struct try *try) {
    struct settings own = *settings;
    struct load load = {.count = 0};
    struct others before;
    struct others after;
    own.row_count = 1;
    own.slowdown = cell->slowdown;
    own.left_out = cell->left_out;
    own.seed = settings->seed + number;
    own.copies[SIDE_B] = own.copies[SIDE_A];
    own.copies[SIDE_A].layout = block_start(number % BLOCKS);
    own.copies[SIDE_B].layout = block_start((number + 1 + number / BLOCKS % (BLOCKS - 1)) % BLOCKS);
    int cpu;
    process_choose_cpu(&cpu);
    bool ok = link_layouts(&own, layouts) && (!cell->busy || start_load(&load));
    others_look(&before, cpu);
    if (ok) {
        ok = cell->method == METHOD_COMPARE ? try_compare(&own, layouts, try)
                                            : try_whole_processes(&own, layouts, try);
    }
    others_look(&after, cpu);
    try->others = others_share(&before, &after);
    stop_load(&load);
    return ok;
}

/* The one that has the largest part missing; CELLS when all is done. */
static size_t choose_cell(const struct tally tallies[CELLS], const char *only) {
    size_t chosen = CELLS;
    double least = 1;
    for (size_t i = 0; i < CELLS; i++) {
        const bool asked = only == NULL || strcmp(only, cells[i].name) == 0;
        if (!asked || cells[i].wanted == 0) {
            continue;
        }
        const double done = (double)tallies[i].count / (double)cells[i].wanted;
        if (done < least) {
            least = done;
            chosen = i;
        }
    }
    return chosen;
}

static size_t count_all(const struct tally tallies[CELLS]) {
    size_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        count += tallies[i].count;
    }
    return count;
}

/* A ruler that waits for its turn looks every moment; see turn_take(). */
static bool let_others_measure(void) {
    bool ok = true;
    for (int i = 0; i < 5 && ok; i++) {
        ok = process_wait_a_moment();
    }
    return ok;
}

static bool run_tries(const struct settings *settings, const char *path, FILE *file,
                      const struct layouts layouts[2]) {
    for (;;) {
        struct tally tallies[CELLS];
        struct try try;
        if (!read_results(path, tallies)) {
            return false;
        }
        const size_t cell = choose_cell(tallies, settings->cell);
        if (cell == CELLS) {
            return true;
        }
        if (!run_try(settings, &cells[cell], count_all(tallies), layouts, &try) ||
            !write_result(file, cell, &try) || !let_others_measure()) {
            return false;
        }
    }
}

int calibrate_run(const struct settings *settings) {
    char path[FOLDER_PATH_MAX];
    struct layouts layouts[2];
    results_path(settings, path);
    FILE *file = fopen(path, "a");
    if (file == NULL) {
        complain_system("cannot write %s", path);
        return 1;
    }
    bool ok = flock(fileno(file), LOCK_EX | LOCK_NB) == 0;
    if (!ok) {
        complain("a calibration with the results %s is running already", path);
    }
    if (ok && layouts_open(&layouts[SIDE_A], settings->copies[SIDE_A].build)) {
        layouts[SIDE_B] = layouts[SIDE_A];
        ok = run_tries(settings, path, file, layouts);
        layouts_close(&layouts[SIDE_A]);
    } else {
        ok = false;
    }
    fclose(file);
    return ok ? 0 : 1;
}

static void print_cell(const struct cell *cell, const struct tally *tally) {
    const size_t declared = tally->verdicts[VERDICT_FASTER] + tally->verdicts[VERDICT_SLOWER];
    double low;
    double high;
    statistics_proportion(declared, tally->count, &low, &high);
    printf("%-34s %4zu of %4zu  %3zu faster  %3zu slower  %3zu no change  %3zu inconclusive   "
           "%5.1f %% [%.1f, %.1f]  %5.1f s\n",
           cell->name, tally->count, cell->wanted, tally->verdicts[VERDICT_FASTER],
           tally->verdicts[VERDICT_SLOWER], tally->verdicts[VERDICT_NO_CHANGE],
           tally->verdicts[VERDICT_INCONCLUSIVE], 100 * (double)declared / (double)tally->count,
           100 * low, 100 * high, tally->seconds / (double)tally->count);
}

int calibrate_report(const struct settings *settings) {
    char path[FOLDER_PATH_MAX];
    struct tally tallies[CELLS];
    results_path(settings, path);
    if (!read_results(path, tallies)) {
        return 1;
    }
    if (count_all(tallies) == 0) {
        printf("No results in %s yet: make calibrate\n", path);
        return 0;
    }
    printf("Differences declared, in per cent with the 95 %% interval, and the mean time of one "
           "comparison:\n");
    for (size_t i = 0; i < CELLS; i++) {
        if (tallies[i].count > 0) {
            print_cell(&cells[i], &tallies[i]);
        }
    }
    return 0;
}
