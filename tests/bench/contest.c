#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "complain.h"
#include "others.h"
#include "progress.h"
#include "runner.h"
#include "turn.h"
#include "weight.h"

/*
 * At most so many replies are compared, byte by byte, at the start and at the end of each process;
 * where operations are slow, as many as in a batch.
 */
#define CHECKED_REPLIES 500

#define PROCESSES_MAX (COMPARISON_UNITS_MAX * COMPARISON_PAIRS)

struct contest {
    const struct settings *settings;
    size_t row;
    struct records *records;
    struct outcome *outcome;
    char folder[FOLDER_PATH_MAX];
    char logs[2][FOLDER_PATH_MAX];
    struct runner runners[2];
    uint64_t warm;

    struct record at; /* the batch that comes next, or is under way */
    const struct schedule *schedule;
    uint64_t sum; /* of the side that ran first in this round */
    double shortest[2][PROCESSES_MAX];
    size_t process_count;
};

static struct session *session_of(struct contest *contest, enum side side) {
    return &contest->runners[side].session;
}

static void stop_both(struct contest *contest) {
    session_stop(session_of(contest, SIDE_A));
    session_stop(session_of(contest, SIDE_B));
}

static bool void_comparison(struct contest *contest) {
    complain("void: %s and %s answer differently", contest->settings->copies[SIDE_A].name,
             contest->settings->copies[SIDE_B].name);
    session_tell_again(session_of(contest, SIDE_A));
    session_tell_again(session_of(contest, SIDE_B));
    return false;
}

/* Both must answer the same commands with the same bytes. */
static bool check_both(struct contest *contest, uint64_t seed) {
    uint64_t sums[2];
    const uint64_t count =
        contest->at.count < CHECKED_REPLIES ? contest->at.count : CHECKED_REPLIES;
    return session_check(session_of(contest, SIDE_A), seed, count, &sums[SIDE_A]) &&
           session_check(session_of(contest, SIDE_B), seed, count, &sums[SIDE_B]) &&
           (sums[SIDE_A] == sums[SIDE_B] || void_comparison(contest));
}

static bool prepare(void *context, size_t first, size_t end) {
    struct contest *contest = context;
    if (contest->settings->left_out == LEFT_OUT_LAYOUTS) {
        return true; /* the rehearsal has made the only one */
    }
    for (enum side side = SIDE_A; side <= SIDE_B; side++) {
        const size_t offset = contest->settings->copies[side].layout;
        if (!layouts_make(contest->runners[side].layouts, offset + first, offset + end)) {
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
    if (!runner_start(&contest->runners[first], layout_of(contest, first, unit),
                      schedule->padding[first])) {
        return false;
    }
    if (!runner_start(&contest->runners[second], layout_of(contest, second, unit),
                      schedule->padding[second])) {
        session_stop(session_of(contest, first));
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
    if (!session_run(session_of(contest, side), seed, contest->warm, at->count + more, &at->ns,
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

/* The side with the slower operations decides how many make a batch. */
static bool rehearse(struct contest *contest, enum side side) {
    uint64_t count;
    if (!runner_rehearse(&contest->runners[side], contest->settings->copies[side].layout, &count)) {
        return false;
    }
    if (contest->at.count == 0 || count < contest->at.count) {
        contest->at.count = count;
        contest->warm = is_warmed(contest) ? RUNNER_WARM_BATCHES * count : 0;
    }
    return true;
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
        is_program(contest) ? RUNNER_PROGRAM_ROUNDS : contest->settings->rounds;
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

/* In its turn. */
static bool run_in_folder(struct contest *contest, const struct layouts layouts[2], bool pinned,
                          int cpu) {
    if (!folder_make(contest->folder)) {
        return false;
    }
    for (enum side side = SIDE_A; side <= SIDE_B; side++) {
        folder_path(contest->logs[side], "%s/%c.log", contest->folder, "ab"[side]);
        contest->runners[side] = (struct runner){.settings = contest->settings,
                                                 .row = contest->row,
                                                 .layouts = &layouts[side],
                                                 .folder = contest->folder,
                                                 .number = (size_t)side,
                                                 .log = contest->logs[side],
                                                 .pinned = pinned,
                                                 .cpu = cpu};
    }
    const bool ok = run_contest(contest);
    folder_remove(contest->folder);
    return ok;
}

bool contest_run(const struct settings *settings, size_t row, const struct layouts layouts[2],
                 struct records *records, struct outcome *outcome) {
    struct contest *contest = calloc(1, sizeof(*contest));
    if (contest == NULL) {
        complain("no memory for a comparison");
        return false;
    }
    struct turn turn;
    struct others before;
    struct others after;
    int cpu;
    const bool pinned = process_choose_cpu(&cpu);
    contest->settings = settings;
    contest->row = row;
    contest->records = records;
    contest->outcome = outcome;
    contest->at.row = (uint32_t)row;
    bool ok = turn_take(&turn, settings->turns, cpu);
    if (ok) {
        others_look(&before, cpu);
        ok = run_in_folder(contest, layouts, pinned, cpu);
        others_look(&after, cpu);
        outcome->others = others_share(&before, &after);
        outcome->rivals = others_rivals(&before, &after);
        turn_end(&turn);
    }
    progress_clear();
    free(contest);
    return ok;
}
