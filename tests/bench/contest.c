#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "complain.h"
#include "progress.h"
#include "session.h"
#include "turn.h"
#include "weight.h"

/* A batch takes about this long: short enough to fit between two interruptions. */
#define BATCH_NS 1000000

/* So many batches' operations run untimed before a timed one. */
#define WARM_BATCHES 2

/*
 * At most so many replies are compared, byte by byte, at the start and at the end of each process;
 * where operations are slow, as many as in a batch.
 */
#define CHECKED_REPLIES 500

/* Operations that take so long have their own warming up. */
#define ROUNDS_OF_PROGRAMS 2

#define PROCESSES_MAX (COMPARISON_UNITS_MAX * COMPARISON_PAIRS)

struct contest {
    const struct settings *settings;
    size_t row;
    const struct layouts *layouts;
    struct records *records;
    struct outcome *outcome;
    char folder[FOLDER_PATH_MAX];
    char programs[2][FOLDER_PATH_MAX]; /* the layouts in use */
    struct session sessions[2];
    struct process_setting setting;
    uint64_t warm;

    struct record at; /* the batch that comes next, or is under way */
    const struct schedule *schedule;
    uint64_t sum; /* of the side that ran first in this round */
    double shortest[2][PROCESSES_MAX];
    size_t process_count;
};

static void side_path(const struct contest *contest, enum side side, const char *name,
                      char path[FOLDER_PATH_MAX]) {
    folder_path(path, "%s/%c%s", contest->folder, "ab"[side], name);
}

/* A fresh folder for one side's worker, with the log in it, if there is one yet. */
static bool furnish(const struct contest *contest, enum side side) {
    char folder[FOLDER_PATH_MAX];
    char prepared[FOLDER_PATH_MAX];
    char log[FOLDER_PATH_MAX];
    side_path(contest, side, "", folder);
    side_path(contest, side, "/log", log);
    side_path(contest, side, ".log", prepared);
    folder_remove(folder);
    return folder_make_at(folder) &&
           (access(prepared, F_OK) != 0 || folder_copy_file(prepared, log));
}

/*
 * Starts one side's worker from a fresh copy of its executable: where the system happened to put
 * the pages of a file is otherwise the same for as long as it stays in memory, and makes several
 * per cent.
 */
static bool start_side(struct contest *contest, enum side side, size_t layout, size_t padding) {
    char folder[FOLDER_PATH_MAX];
    char copy[FOLDER_PATH_MAX];
    side_path(contest, side, "", folder);
    side_path(contest, side, "/worker", copy);
    layouts_path(&contest->layouts[side], layout, contest->programs[side]);
    const struct session_start start = {
        .program = contest->programs[side],
        .copy = copy,
        .row = contest->settings->rows[contest->row].name,
        .folder = folder,
        .process = {.pinned = contest->setting.pinned,
                    .cpu = contest->setting.cpu,
                    .padding = padding},
    };
    return furnish(contest, side) && folder_copy_file(start.program, copy) &&
           session_start(&contest->sessions[side], &start, contest->settings);
}

static void stop_both(struct contest *contest) {
    session_stop(&contest->sessions[SIDE_A]);
    session_stop(&contest->sessions[SIDE_B]);
}

static bool void_comparison(const struct contest *contest) {
    complain("void: %s and %s answer differently", contest->settings->copies[SIDE_A].name,
             contest->settings->copies[SIDE_B].name);
    session_tell_again(&contest->sessions[SIDE_A]);
    session_tell_again(&contest->sessions[SIDE_B]);
    return false;
}

/* Both must answer the same commands with the same bytes. */
static bool check_both(struct contest *contest, uint64_t seed) {
    uint64_t sums[2];
    const uint64_t count =
        contest->at.count < CHECKED_REPLIES ? contest->at.count : CHECKED_REPLIES;
    return session_check(&contest->sessions[SIDE_A], seed, count, &sums[SIDE_A]) &&
           session_check(&contest->sessions[SIDE_B], seed, count, &sums[SIDE_B]) &&
           (sums[SIDE_A] == sums[SIDE_B] || void_comparison(contest));
}

static bool prepare(void *context, size_t first, size_t end) {
    struct contest *contest = context;
    for (enum side side = SIDE_A; side <= SIDE_B; side++) {
        const size_t offset = contest->settings->copies[side].layout;
        if (!layouts_make(&contest->layouts[side], offset + first, offset + end)) {
            return false;
        }
    }
    return true;
}

static size_t layout_of(const struct contest *contest, enum side side, size_t unit) {
    const size_t first = contest->settings->copies[side].layout;
    return contest->settings->left_out == LEFT_OUT_LAYOUTS ? first : first + unit;
}

static bool open_pair(void *context, size_t unit, const struct schedule *schedule) {
    struct contest *contest = context;
    const enum side first = schedule->started_first;
    const enum side second = schedule_other(first);
    progress_show("%s: %zu of %zu layouts", contest->settings->rows[contest->row].name, unit + 1,
                  (unit / COMPARISON_STAGE + 1) * COMPARISON_STAGE);
    contest->at.pair = contest->at.unit == unit && contest->process_count > 0;
    contest->at.unit = (uint32_t)unit;
    contest->schedule = schedule;
    contest->shortest[SIDE_A][contest->process_count] = HUGE_VAL;
    contest->shortest[SIDE_B][contest->process_count] = HUGE_VAL;
    if (!start_side(contest, first, layout_of(contest, first, unit), schedule->padding[first])) {
        return false;
    }
    if (!start_side(contest, second, layout_of(contest, second, unit), schedule->padding[second])) {
        session_stop(&contest->sessions[first]);
        return false;
    }
    if (!check_both(contest, schedule->seeds[0] + 1)) {
        stop_both(contest);
        return false;
    }
    return true;
}

/* The side that runs second must have had the same results as the first. */
static bool check_sum(struct contest *contest, bool ran_first, uint64_t sum) {
    if (ran_first) {
        contest->sum = sum;
    }
    return sum == contest->sum || void_comparison(contest);
}

static bool run(void *context, enum side side, size_t round, uint64_t seed, double *ns) {
    struct contest *contest = context;
    struct record *at = &contest->at;
    uint64_t sum;
    at->round = (uint32_t)round;
    at->side = (uint8_t)side;
    at->ran_first = contest->schedule->first_side[round] == side;
    at->started_first = contest->schedule->started_first == side;
    const uint64_t more = side == SIDE_B ? at->count * contest->settings->slowdown / 1000 : 0;
    if (!session_run(&contest->sessions[side], seed, contest->warm, at->count + more, &at->ns,
                     &sum) ||
        (contest->settings->slowdown == 0 && !check_sum(contest, at->ran_first, sum))) {
        return false;
    }
    *ns = (double)at->ns;
    double *shortest = &contest->shortest[side][contest->process_count];
    *shortest = fmin(*shortest, *ns / (double)at->count);
    return records_add(contest->records, at);
}

static bool close_pair(void *context, double log_ratio) {
    struct contest *contest = context;
    (void)log_ratio;
    const bool ok = check_both(contest, contest->schedule->seeds[0] + 2);
    stop_both(contest);
    contest->process_count++;
    return ok;
}

static void abandon_pair(void *context) {
    stop_both(context);
}

static bool is_program(const struct contest *contest) {
    return contest->settings->rows[contest->row].weight == WEIGHT_PROGRAM;
}

static bool is_warmed(const struct contest *contest) {
    return !is_program(contest) && contest->settings->left_out != LEFT_OUT_WARMING;
}

/* How many operations take about BATCH_NS. */
static bool find_count(struct session *session, uint64_t *count) {
    uint64_t ns = 0;
    uint64_t sum;
    *count = 1;
    while (session_run(session, *count, *count, *count, &ns, &sum)) {
        if (ns >= BATCH_NS / 2) {
            *count = *count * BATCH_NS / ns + 1;
            return true;
        }
        *count *= 2;
    }
    return false;
}

/*
 * A first worker of each side fills a store, whose log all others of that side take over: that is
 * twice as fast as each doing it anew. It also finds out how many operations make a batch; the side
 * with the slower ones decides.
 */
static bool rehearse(struct contest *contest, enum side side) {
    char log[FOLDER_PATH_MAX];
    char prepared[FOLDER_PATH_MAX];
    const size_t layout = contest->settings->copies[side].layout;
    if (!layouts_make(&contest->layouts[side], layout, layout + 1) ||
        !start_side(contest, side, layout, 0)) {
        return false;
    }
    side_path(contest, side, "/log", log);
    side_path(contest, side, ".log", prepared);
    uint64_t count;
    const bool ok = (access(log, F_OK) != 0 || folder_copy_file(log, prepared)) &&
                    find_count(&contest->sessions[side], &count);
    session_stop(&contest->sessions[side]);
    if (ok && (contest->at.count == 0 || count < contest->at.count)) {
        contest->at.count = count;
        contest->warm = is_warmed(contest) ? WARM_BATCHES * count : 0;
    }
    return ok;
}

static double median_of(double *values, size_t count) {
    statistics_sort(values, count);
    return statistics_median(values, count);
}

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool run_contest(struct contest *contest) {
    const struct comparison_subject subject = {.context = contest,
                                               .prepare = prepare,
                                               .open_pair = open_pair,
                                               .run = run,
                                               .close_pair = close_pair,
                                               .abandon_pair = abandon_pair};
    struct outcome *outcome = contest->outcome;
    const double start = now_seconds();
    outcome->comparison.fixed_order = contest->settings->left_out == LEFT_OUT_ORDERS;
    outcome->comparison.rounds =
        is_program(contest) ? ROUNDS_OF_PROGRAMS : contest->settings->rounds;
    if (!rehearse(contest, SIDE_A) || !rehearse(contest, SIDE_B) ||
        !comparison_run(&outcome->comparison, &subject, contest->settings->seed)) {
        return false;
    }
    outcome->count = contest->at.count;
    for (enum side side = SIDE_A; side <= SIDE_B; side++) {
        outcome->ns[side] = median_of(contest->shortest[side], contest->process_count);
    }
    outcome->seconds = now_seconds() - start;
    return true;
}

bool contest_run(const struct settings *settings, size_t row, const struct layouts layouts[2],
                 struct records *records, struct outcome *outcome) {
    struct contest *contest = calloc(1, sizeof(*contest));
    if (contest == NULL) {
        complain("no memory for a comparison");
        return false;
    }
    struct turn turn;
    contest->settings = settings;
    contest->row = row;
    contest->layouts = layouts;
    contest->records = records;
    contest->outcome = outcome;
    contest->at.row = (uint32_t)row;
    contest->setting.pinned = process_choose_cpu(&contest->setting.cpu);
    bool ok = turn_take(&turn, contest->setting.cpu);
    if (ok) {
        ok = folder_make(contest->folder);
        if (ok) {
            ok = run_contest(contest);
            folder_remove(contest->folder);
        }
        turn_end(&turn);
    }
    progress_clear();
    free(contest);
    return ok;
}
