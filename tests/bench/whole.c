#include "whole.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "complain.h"
#include "others.h"
#include "schedule.h"
#include "session.h"
#include "turn.h"

#define PROCESSES 10
#define OPERATIONS 50000

/* Of ten against ten, U is this or less in 5 % of cases where there is no difference. */
#define MANN_WHITNEY_LIMIT 23

#define WELCH_P 0.05

/* What both ways share. */
struct whole {
    const struct settings *settings;
    const struct layouts *layouts; /* of A and of B */
    char folder[FOLDER_PATH_MAX];
    struct process_setting process;
    double seconds[2][PROCESSES];
};

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void find_program(const struct whole *whole, size_t side, char path[FOLDER_PATH_MAX]) {
    layouts_path(&whole->layouts[side], whole->settings->copies[side].layout, path);
}

/* With what it needs, in the turn of this ruler; the time that takes is the trial's. */
static bool try_whole(const struct settings *settings, const struct layouts layouts[2],
                      bool (*time_both)(struct whole *whole), struct trial *trial,
                      double seconds[2][PROCESSES]) {
    struct whole whole = {.settings = settings, .layouts = layouts};
    struct turn turn;
    struct others before;
    struct others after;
    whole.process.pinned = process_choose_cpu(&whole.process.cpu);
    if (!folder_make(whole.folder)) {
        return false;
    }
    bool ok = turn_take(&turn, settings->turns, whole.process.cpu);
    if (ok) {
        const double start = now_seconds();
        others_look(&before, whole.process.cpu);
        ok = time_both(&whole);
        others_look(&after, whole.process.cpu);
        trial->seconds = now_seconds() - start;
        trial->others = others_share(&before, &after);
        trial->rivals = others_rivals(&before, &after);
        turn_end(&turn);
    }
    folder_remove(whole.folder);
    memcpy(seconds, whole.seconds, sizeof(whole.seconds));
    return ok;
}

static void judge(struct trial *trial, bool differ) {
    trial->verdict = !differ                ? VERDICT_NO_CHANGE
                     : trial->log_ratio < 0 ? VERDICT_FASTER
                                            : VERDICT_SLOWER;
}

/* Ranks */

static bool time_process(const struct whole *whole, size_t side, double *seconds) {
    char program[FOLDER_PATH_MAX];
    char folder[FOLDER_PATH_MAX];
    struct session session;
    uint64_t ns;
    uint64_t sum;
    find_program(whole, side, program);
    folder_path(folder, "%s/worker", whole->folder);
    const struct session_start start = {.program = program,
                                        .row = whole->settings->rows[0].name,
                                        .folder = folder,
                                        .process = whole->process};
    folder_remove(folder);
    const double before = now_seconds();
    if (!folder_make_at(folder) || !session_start(&session, &start, whole->settings)) {
        return false;
    }
    const bool ok = session_run(&session, 1, 0, OPERATIONS, &ns, &sum);
    if (!session_finish(&session) || !ok) {
        return false;
    }
    *seconds = now_seconds() - before;
    return true;
}

static bool time_processes(struct whole *whole) {
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < PROCESSES; i++) {
            if (!time_process(whole, side, &whole->seconds[side][i])) {
                return false;
            }
        }
    }
    return true;
}

bool whole_try_ranks(const struct settings *settings, const struct layouts layouts[2],
                     struct trial *trial) {
    double seconds[2][PROCESSES];
    if (!try_whole(settings, layouts, time_processes, trial, seconds)) {
        return false;
    }
    const double u = statistics_mann_whitney(seconds[0], seconds[1], PROCESSES);
    statistics_sort(seconds[0], PROCESSES);
    statistics_sort(seconds[1], PROCESSES);
    trial->log_ratio =
        log(statistics_median(seconds[1], PROCESSES) / statistics_median(seconds[0], PROCESSES));
    trial->half_width = 0;
    judge(trial, u <= MANN_WHITNEY_LIMIT);
    return true;
}

/* hyperfine */

static const struct process_setting quiet = {.log = "/dev/null"};

bool whole_has_hyperfine(void) {
    const char *const arguments[] = {"hyperfine", "--version", NULL};
    struct process process;
    return process_start(&process, arguments, &quiet) && process_finish_quietly(&process);
}

/* What a shell has to do for one run of a side: the worker's requests come from a file. */
static bool write_command(const struct whole *whole, size_t side, char command[2 * FOLDER_PATH_MAX],
                          const char *requests) {
    const struct settings *settings = whole->settings;
    char program[FOLDER_PATH_MAX];
    char folder[FOLDER_PATH_MAX];
    find_program(whole, side, program);
    folder_path(folder, "%s/%zu", whole->folder, side);
    const int length = snprintf(command, 2 * FOLDER_PATH_MAX,
                                "'%s' --row %s --keys %" PRIu64 " --value %" PRIu64
                                " --choice %s --folder '%s' --log '%s/log' <'%s'",
                                program, settings->rows[0].name, settings->keys,
                                settings->value_bytes, settings->choice, folder, folder, requests);
    if (length >= 2 * FOLDER_PATH_MAX) {
        complain("a path is too long: %s", program);
        return false;
    }
    return folder_make_at(folder);
}

static bool write_requests(const char *path) {
    FILE *file = fopen(path, "w");
    bool ok = file != NULL;
    if (ok) {
        fprintf(file, "run 1 0 %d\n", OPERATIONS);
        ok = fclose(file) == 0;
    }
    if (!ok) {
        complain_system("cannot write %s", path);
    }
    return ok;
}

/* Reads the lists of times out of what hyperfine has exported, a list for each command. */
static bool read_times(const char *path, double seconds[2][PROCESSES]) {
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        complain_system("cannot read %s", path);
        return false;
    }
    const ssize_t length = getdelim(&text, &capacity, '\0', file);
    fclose(file);
    const char *rest = length > 0 ? text : NULL;
    bool ok = true;
    for (size_t side = 0; ok && side < 2; side++) {
        rest = rest == NULL ? NULL : strstr(rest, "\"times\"");
        rest = rest == NULL ? NULL : strchr(rest, '[');
        for (size_t i = 0; i < PROCESSES && rest != NULL; i++) {
            char *end;
            seconds[side][i] = strtod(rest + 1, &end);
            rest = end == rest + 1 ? NULL : strpbrk(end, ",]");
        }
        ok = rest != NULL;
    }
    free(text);
    if (!ok) {
        complain("%s does not hold the times of hyperfine's runs", path);
    }
    return ok;
}

static bool time_by_hyperfine(struct whole *whole) {
    char requests[FOLDER_PATH_MAX];
    char results[FOLDER_PATH_MAX];
    char runs[16];
    static char commands[2][2 * FOLDER_PATH_MAX];
    struct process process;
    folder_path(requests, "%s/requests", whole->folder);
    folder_path(results, "%s/results.json", whole->folder);
    snprintf(runs, sizeof(runs), "%d", PROCESSES);
    if (!write_requests(requests) || !write_command(whole, 0, commands[0], requests) ||
        !write_command(whole, 1, commands[1], requests)) {
        return false;
    }
    const char *const arguments[] = {"hyperfine", "--warmup",  "2",         "--runs",
                                     runs,        "--style",   "none",      "--export-json",
                                     results,     commands[0], commands[1], NULL};
    struct process_setting setting = whole->process;
    setting.log = "/dev/null"; /* it warns of outliers, which is what is looked at here */
    if (!process_start(&process, arguments, &setting) || !process_finish(&process)) {
        return false;
    }
    return read_times(results, whole->seconds);
}

bool whole_try_hyperfine(const struct settings *settings, const struct layouts layouts[2],
                         struct trial *trial) {
    double seconds[2][PROCESSES];
    if (!try_whole(settings, layouts, time_by_hyperfine, trial, seconds)) {
        return false;
    }
    double means[2];
    double deviations[2];
    for (size_t side = 0; side < 2; side++) {
        statistics_describe(seconds[side], PROCESSES, &means[side], &deviations[side]);
    }
    trial->log_ratio = log(means[1] / means[0]);
    /* As hyperfine works out what it prints behind the ratio. */
    trial->half_width = hypot(deviations[0] / means[0], deviations[1] / means[1]);
    judge(trial, statistics_welch(seconds[0], seconds[1], PROCESSES, 1 - WELCH_P));
    return true;
}
