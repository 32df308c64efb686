#include "scatter.h"

#include <math.h>
#include <stdlib.h>

#include "complain.h"
#include "process.h"
#include "progress.h"
#include "runner.h"
#include "scatter_report.h"
#include "turn.h"
#include "weight.h"

/* The layouts being timed. */
struct surveying {
    const struct settings *settings;
    const struct layouts *layouts;
    struct scatter *scatter;
    char folder[FOLDER_PATH_MAX];
    char log[FOLDER_PATH_MAX];
    struct runner runners[SURVEY_BLOCK_MAX];
    size_t members[SURVEY_BLOCK_MAX]; /* which layout each has */
    size_t started;                   /* processes, up to now */
    uint64_t warm;
    size_t round; /* the one that `sum` is of */
    uint64_t sum;
};

static size_t number_of(const struct surveying *surveying, size_t layout) {
    return surveying->settings->copies[0].layout + layout;
}

static bool open_member(void *context, size_t member, size_t layout, size_t padding) {
    struct surveying *surveying = context;
    const struct survey *survey = &surveying->scatter->survey;
    progress_show("%s: process %zu of %zu", surveying->settings->rows[0].name,
                  surveying->started + 1, survey->layouts * survey->passes);
    surveying->members[member] = layout;
    surveying->round = SIZE_MAX;
    if (!runner_start(&surveying->runners[member], number_of(surveying, layout), padding)) {
        return false;
    }
    surveying->started++;
    return true;
}

/* The same sources must have the same results, wherever they lie. */
static bool check_sum(struct surveying *surveying, size_t member, size_t round, uint64_t sum) {
    if (surveying->round != round) {
        surveying->round = round;
        surveying->sum = sum;
    }
    if (sum != surveying->sum) {
        complain("void: layouts of %s answer differently", surveying->settings->copies[0].name);
        session_tell_again(&surveying->runners[member].session);
    }
    return sum == surveying->sum;
}

static bool run_member(void *context, size_t member, size_t round, uint64_t seed, double *ns) {
    struct surveying *surveying = context;
    struct scatter *scatter = surveying->scatter;
    const struct survey *survey = &scatter->survey;
    const size_t pass = (surveying->started - 1) / survey->layouts;
    const size_t process = pass * survey->layouts + surveying->members[member];
    uint64_t *place = &scatter->ns[process * survey->rounds + round];
    uint64_t sum;
    if (!session_run(&surveying->runners[member].session, seed, surveying->warm, scatter->count,
                     place, &sum)) {
        return false;
    }
    *ns = (double)*place / (double)scatter->count;
    return check_sum(surveying, member, round, sum);
}

static void close_members(void *context, size_t count) {
    struct surveying *surveying = context;
    for (size_t i = 0; i < count; i++) {
        session_stop(&surveying->runners[i].session);
    }
}

/* In its turn and its folder. */
static bool survey_layouts(struct surveying *surveying, bool pinned, int cpu) {
    const struct survey_subject subject = {
        .context = surveying, .open = open_member, .run = run_member, .close = close_members};
    const struct settings *settings = surveying->settings;
    const bool program = settings->rows[0].weight == WEIGHT_PROGRAM;
    struct scatter *scatter = surveying->scatter;
    folder_path(surveying->log, "%s/log", surveying->folder);
    for (size_t i = 0; i < SURVEY_BLOCK_MAX; i++) {
        surveying->runners[i] = (struct runner){.settings = settings,
                                                .layouts = surveying->layouts,
                                                .folder = surveying->folder,
                                                .number = i,
                                                .log = surveying->log,
                                                .pinned = pinned,
                                                .cpu = cpu};
    }
    if (!runner_rehearse(&surveying->runners[0], number_of(surveying, 0), &scatter->count)) {
        return false;
    }
    surveying->warm = program ? 0 : RUNNER_WARM_BATCHES * scatter->count;
    return survey_run(&scatter->survey, &subject, settings->seed);
}

static bool time_layouts(const struct settings *settings, const struct layouts *layouts,
                         struct scatter *scatter) {
    struct surveying surveying = {.settings = settings, .layouts = layouts, .scatter = scatter};
    struct turn turn;
    int cpu;
    const bool pinned = process_choose_cpu(&cpu);
    const size_t first = settings->copies[0].layout;
    if (!layouts_make(layouts, first, first + settings->layouts) ||
        !turn_take(&turn, settings->turns, cpu)) {
        return false;
    }
    bool ok = folder_make(surveying.folder);
    if (ok) {
        ok = survey_layouts(&surveying, pinned, cpu);
        folder_remove(surveying.folder);
    }
    turn_end(&turn);
    progress_clear();
    return ok;
}

/* Puts the layouts' times in place, and finds the best and the worst. */
static void find_times(struct scatter *scatter) {
    const struct survey *survey = &scatter->survey;
    const size_t processes = survey->passes * survey->layouts;
    double mean = 0;
    for (size_t i = 0; i < processes; i++) {
        mean += survey->logs[i] / (double)processes;
    }
    for (size_t i = 0; i < survey->layouts; i++) {
        const double effect = scatter->effects[i];
        scatter->times[i] = exp(mean + effect);
        scatter->best = effect < scatter->effects[scatter->best] ? i : scatter->best;
        scatter->worst = effect > scatter->effects[scatter->worst] ? i : scatter->worst;
        scatter->sorted[i] = scatter->times[i];
    }
    statistics_sort(scatter->sorted, survey->layouts);
}

/* The best against the worst, as compare would: what was chosen for looking best often is not. */
static bool time_again(const struct settings *settings, const struct layouts *layouts,
                       struct scatter *scatter) {
    const struct layouts both[2] = {*layouts, *layouts};
    struct settings own = *settings;
    struct records records = {0};
    own.copies[1] = own.copies[0];
    own.copies[0].layout += scatter->best;
    own.copies[1].layout += scatter->worst;
    own.left_out = LEFT_OUT_LAYOUTS;
    own.row_count = 1;
    const bool ok = contest_run(&own, 0, both, &records, &scatter->again);
    records_release(&records);
    return ok;
}

static bool measure(const struct settings *settings, const struct layouts *layouts,
                    struct scatter *scatter) {
    if (!time_layouts(settings, layouts, scatter) ||
        !spread_find(&scatter->spread, &scatter->survey, scatter->effects, scatter->halves)) {
        return false;
    }
    find_times(scatter);
    scatter_report_print(settings, scatter);
    if (!time_again(settings, layouts, scatter)) {
        return false;
    }
    scatter_report_print_again(scatter);
    return scatter_report_write(settings, scatter);
}

static bool allocate(const struct settings *settings, struct scatter *scatter) {
    const size_t layouts = settings->layouts;
    const size_t processes = layouts * settings->processes;
    const bool program = settings->rows[0].weight == WEIGHT_PROGRAM;
    const size_t rounds = program ? RUNNER_PROGRAM_ROUNDS : settings->rounds;
    *scatter = (struct scatter){
        .survey = {.layouts = layouts,
                   .passes = settings->processes,
                   .rounds = rounds,
                   .logs = calloc(processes, sizeof(double)),
                   .blocks = calloc(processes, sizeof(size_t))},
        .ns = calloc(processes * rounds, sizeof(uint64_t)),
        .effects = calloc(layouts, sizeof(double)),
        .halves = {calloc(layouts, sizeof(double)), calloc(layouts, sizeof(double))},
        .times = calloc(layouts, sizeof(double)),
        .sorted = calloc(layouts, sizeof(double)),
    };
    const bool ok = scatter->survey.logs != NULL && scatter->survey.blocks != NULL &&
                    scatter->ns != NULL && scatter->effects != NULL && scatter->halves[0] != NULL &&
                    scatter->halves[1] != NULL && scatter->times != NULL && scatter->sorted != NULL;
    if (!ok) {
        complain("no memory for the times of %zu layouts", layouts);
    }
    return ok;
}

static void release(struct scatter *scatter) {
    free(scatter->survey.logs);
    free(scatter->survey.blocks);
    free(scatter->ns);
    free(scatter->effects);
    free(scatter->halves[0]);
    free(scatter->halves[1]);
    free(scatter->times);
    free(scatter->sorted);
}

int scatter_run(struct settings *settings) {
    char worker[FOLDER_PATH_MAX];
    struct layouts layouts;
    struct scatter scatter;
    folder_path(worker, "%s/worker", settings->copies[0].build);
    settings->row_count = 1;
    if (!session_describe_rows(worker, settings) ||
        !layouts_open(&layouts, settings->copies[0].build)) {
        return 1;
    }
    const bool ok = allocate(settings, &scatter) && measure(settings, &layouts, &scatter);
    release(&scatter);
    layouts_close(&layouts);
    return ok ? 0 : 1;
}
