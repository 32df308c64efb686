#include "calibrate.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cells.h"
#include "complain.h"
#include "contest.h"
#include "process.h"
#include "whole.h"

/*
 * Layouts that no comparison uses. Linking fresh ones for each try would take as long as timing
 * them, so there are BLOCKS blocks of them, and no two of BLOCKS * (BLOCKS - 1) tries in a row have
 * the same block for A and the same for B.
 */
#define FIRST_LAYOUT 1000000
#define BLOCKS 32

static void results_path(const struct settings *settings, char path[FOLDER_PATH_MAX]) {
    folder_path(path, "%s.tsv", settings->out);
}

/* The way of this course: A against itself, B doing a known part more. */
static bool try_compare(const struct settings *settings, const struct layouts layouts[2],
                        struct trial *trial) {
    struct records records = {0};
    struct outcome outcome;
    const bool ok = contest_run(settings, 0, layouts, &records, &outcome);
    records_release(&records);
    if (ok) {
        const struct estimate *estimate = &outcome.comparison.estimate;
        *trial = (struct trial){
            .verdict = statistics_judge(estimate, 1),
            .log_ratio = estimate->mean,
            .half_width = statistics_half_width(estimate, VERDICT_EFFECT_LEVEL),
            .seconds = outcome.seconds,
            .others = outcome.others,
            .rivals = outcome.rivals,
        };
    }
    return ok;
}

static bool try_once(const struct settings *settings, enum method method,
                     const struct layouts layouts[2], struct trial *trial) {
    switch (method) {
    case METHOD_WHOLE_PROCESSES:
        return whole_try_ranks(settings, layouts, trial);
    case METHOD_HYPERFINE:
        return whole_try_hyperfine(settings, layouts, trial);
    default:
        return try_compare(settings, layouts, trial);
    }
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

/*
 * Whole processes are compared on the same pairs of layouts in each way, so that what those ways
 * find can be set side by side.
 */
static size_t choose_number(const struct tally tallies[CELLS], size_t cell) {
    size_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        count += tallies[i].count;
    }
    return cells[cell].method == METHOD_COMPARE ? count : tallies[cell].count;
}

static bool run_try(const struct settings *settings, const struct cell *cell, size_t number,
                    const struct layouts layouts[2], struct trial *trial) {
    struct settings own = *settings;
    struct load load = {.count = 0};
    own.row_count = 1;
    own.slowdown = cell->slowdown;
    own.left_out = cell->left_out;
    own.seed = settings->seed + number;
    own.copies[SIDE_B] = own.copies[SIDE_A];
    own.copies[SIDE_A].layout = block_start(number % BLOCKS);
    own.copies[SIDE_B].layout = block_start((number + 1 + number / BLOCKS % (BLOCKS - 1)) % BLOCKS);
    const bool ok = link_layouts(&own, layouts) && (!cell->busy || start_load(&load)) &&
                    try_once(&own, cell->method, layouts, trial);
    stop_load(&load);
    return ok;
}

/* What is to be tried: all of it, or what was asked for. */
struct plan {
    size_t only; /* CELLS: all */
    bool has_hyperfine;
};

/* The one that has the largest part missing; CELLS when all is done. */
static size_t choose_cell(const struct tally tallies[CELLS], const struct plan *plan) {
    size_t chosen = CELLS;
    double least = 1;
    for (size_t i = 0; i < CELLS; i++) {
        if (cells[i].wanted == 0 || (plan->only != CELLS && plan->only != i) ||
            (cells[i].method == METHOD_HYPERFINE && !plan->has_hyperfine)) {
            continue;
        }
        /* A try that was meant to be idle counts as one, whatever went on beside it. */
        const size_t tried =
            tallies[i].count + (i == CELL_IDLE ? tallies[CELL_DISTURBED].count : 0);
        const double done = (double)tried / (double)cells[i].wanted;
        if (done < least) {
            least = done;
            chosen = i;
        }
    }
    return chosen;
}

/* A ruler that waits for its turn looks every moment; see turn_take(). */
static bool let_others_measure(void) {
    bool ok = true;
    for (int i = 0; i < 5 && ok; i++) {
        ok = process_wait_a_moment();
    }
    return ok;
}

static bool run_tries(const struct settings *settings, const struct plan *plan, const char *path,
                      FILE *file, const struct layouts layouts[2]) {
    for (;;) {
        struct tally tallies[CELLS];
        struct trial trial;
        if (!cells_read(path, tallies)) {
            return false;
        }
        const size_t cell = choose_cell(tallies, plan);
        if (cell == CELLS) {
            return true;
        }
        if (!run_try(settings, &cells[cell], choose_number(tallies, cell), layouts, &trial) ||
            !cells_write(file, cell, &trial) || !let_others_measure()) {
            return false;
        }
    }
}

static bool make_plan(const struct settings *settings, struct plan *plan) {
    *plan = (struct plan){.only = CELLS, .has_hyperfine = whole_has_hyperfine()};
    if (settings->cell != NULL) {
        plan->only = cells_find(settings->cell);
        if (plan->only == CELLS) {
            return false;
        }
    }
    if (!plan->has_hyperfine &&
        (plan->only == CELLS || cells[plan->only].method == METHOD_HYPERFINE)) {
        complain("what needs hyperfine is left out: it is not installed");
    }
    return true;
}

/* With the file of results open and locked. */
static bool calibrate(const struct settings *settings, const struct plan *plan, const char *path,
                      FILE *file) {
    struct layouts layouts[2];
    if (!layouts_open(&layouts[SIDE_A], settings->copies[SIDE_A].build)) {
        return false;
    }
    layouts[SIDE_B] = layouts[SIDE_A];
    const bool ok = run_tries(settings, plan, path, file, layouts);
    layouts_close(&layouts[SIDE_A]);
    return ok;
}

int calibrate_run(const struct settings *settings) {
    char path[FOLDER_PATH_MAX];
    struct plan plan;
    if (!make_plan(settings, &plan)) {
        return 2;
    }
    results_path(settings, path);
    FILE *file = fopen(path, "a");
    if (file == NULL) {
        complain_system("cannot write %s", path);
        return 1;
    }
    bool ok = flock(fileno(file), LOCK_EX | LOCK_NB) == 0;
    if (ok) {
        ok = calibrate(settings, &plan, path, file);
    } else {
        complain("a calibration with the results %s is running already", path);
    }
    fclose(file);
    return ok ? 0 : 1;
}

int calibrate_check(const struct settings *settings) {
    return settings->cell == NULL || cells_find(settings->cell) != CELLS ? 0 : 2;
}

int calibrate_report(const struct settings *settings) {
    char path[FOLDER_PATH_MAX];
    struct tally tallies[CELLS];
    size_t count = 0;
    results_path(settings, path);
    if (settings->from != NULL) {
        folder_path(path, "%s", settings->from);
    }
    if (!cells_read(path, tallies)) {
        return 1;
    }
    for (size_t i = 0; i < CELLS; i++) {
        count += tallies[i].count;
    }
    if (count == 0) {
        complain("there are no results in %s: make calibrate", path);
        return 1;
    }
    cells_print(tallies);
    return 0;
}
