#include "counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "counting.h"
#include "progress.h"
#include "session.h"
#include "weight.h"

/* So many operations run before those that are counted, and as many are. */
#define LIGHT_COUNT 1000
#define HEAVY_COUNT 50
#define SEED 1

enum kind { KIND_CALLS = COUNTED_KINDS, KIND_INSTRUCTIONS, KINDS };

static const char *const kind_names[KINDS] = {
    [COUNTED_ALLOCATIONS] = "allocations",  [COUNTED_BYTES] = "bytes allocated",
    [COUNTED_HASHES] = "hash computations", [COUNTED_KEY_COMPARISONS] = "key comparisons",
    [KIND_CALLS] = "system calls",          [KIND_INSTRUCTIONS] = "instructions",
};

/* What one copy does in one row's operation. */
struct figures {
    double value[KINDS];
    bool known[KINDS];
};

struct counter {
    const struct settings *settings;
    bool can_trace;
    bool can_simulate;
    char folder[FOLDER_PATH_MAX]; /* for workers */
    char totals[FOLDER_PATH_MAX]; /* where a tool leaves its result */
    uint64_t count;               /* operations */
};

static const struct process_setting quiet = {.log = "/dev/null"};

/* Whether a tool does what it is asked. */
static bool works(const char *const *arguments) {
    struct process process;
    return process_start(&process, arguments, &quiet) && process_finish_quietly(&process);
}

/* A fresh, empty folder for the next worker. */
static bool start(const struct counter *counter, const struct session_start *how,
                  struct session *session) {
    folder_remove(how->folder);
    return folder_make_at(how->folder) && session_start(session, how, counter->settings);
}

static bool count_events(const struct counter *counter, const struct copy *copy, const char *row,
                         struct figures *figures) {
    char program[FOLDER_PATH_MAX];
    struct session session;
    uint64_t counts[COUNTED_KINDS];
    folder_path(program, "%s/counting-worker", copy->build);
    const struct session_start how = {.program = program, .row = row, .folder = counter->folder};
    if (!start(counter, &how, &session)) {
        return false;
    }
    const bool ok = session_count(&session, SEED, counter->count, counter->count, counts);
    session_stop(&session);
    for (size_t i = 0; ok && i < COUNTED_KINDS; i++) {
        figures->value[i] = (double)counts[i] / (double)counter->count;
        figures->known[i] = true;
    }
    return ok;
}

static bool read_totals(const char *path, uint64_t *total) {
    char line[4096];
    FILE *file = fopen(path, "r");
    bool found = false;
    if (file == NULL) {
        complain_system("cannot read %s", path);
        return false;
    }
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        found = sscanf(line, "totals: %" SCNu64, total) == 1;
    }
    fclose(file);
    if (!found) {
        complain("there is no total in %s", path);
    }
    return found;
}

/* What a tool counts in a whole process that does `count` operations. */
static bool count_process(const struct counter *counter, const struct copy *copy, const char *row,
                          const char *const *tool, uint64_t count, uint64_t *total) {
    char program[FOLDER_PATH_MAX];
    struct session session;
    uint64_t ns;
    uint64_t sum;
    folder_path(program, "%s/worker", copy->build);
    const struct session_start how = {
        .program = program, .tool = tool, .row = row, .folder = counter->folder};
    if (!start(counter, &how, &session)) {
        return false;
    }
    const bool ok = session_run(&session, SEED, counter->count, count, &ns, &sum);
    if (!session_finish(&session) || !ok || !read_totals(counter->totals, total)) {
        return false;
    }
    if (*total == 0) {
        complain("%s counted nothing in %s: is there a function row_run_all() left in it?", tool[0],
                 program);
    }
    return *total > 0;
}

/* The difference that as many further operations make: so set-up and end are left out. */
static bool count_difference(const struct counter *counter, const struct copy *copy,
                             const char *row, const char *const *tool, double *value) {
    uint64_t once;
    uint64_t twice;
    if (!count_process(counter, copy, row, tool, counter->count, &once) ||
        !count_process(counter, copy, row, tool, 2 * counter->count, &twice)) {
        return false;
    }
    *value = ((double)twice - (double)once) / (double)counter->count;
    return true;
}

static bool count_copy(const struct counter *counter, const struct copy *copy, const char *row,
                       struct figures *figures) {
    char out[FOLDER_PATH_MAX];
    folder_path(out, "--callgrind-out-file=%s", counter->totals);
    const char *const tracing[] = {"build/bench/ruler", "trace", counter->totals, NULL};
    const char *const simulating[] = {"valgrind",
                                      "-q",
                                      "--tool=callgrind",
                                      "--collect-atstart=no",
                                      "--toggle-collect=row_run_all",
                                      out,
                                      NULL};
    *figures = (struct figures){0};
    progress_show("%s: counting in %s", row, copy->name);
    figures->known[KIND_CALLS] = counter->can_trace;
    figures->known[KIND_INSTRUCTIONS] = counter->can_simulate;
    return count_events(counter, copy, row, figures) &&
           (!counter->can_trace ||
            count_difference(counter, copy, row, tracing, &figures->value[KIND_CALLS])) &&
           (!counter->can_simulate ||
            count_difference(counter, copy, row, simulating, &figures->value[KIND_INSTRUCTIONS]));
}

static void print_row(const struct settings *settings, size_t row, const struct figures *figures) {
    printf("\n%s: %s\n%-20s", settings->rows[row].name, settings->rows[row].measures,
           "  per operation");
    for (size_t i = 0; i < settings->copy_count; i++) {
        printf("  %16s", settings->copies[i].name);
    }
    printf("\n");
    for (size_t kind = 0; kind < KINDS; kind++) {
        printf("  %-18s", kind_names[kind]);
        for (size_t i = 0; i < settings->copy_count; i++) {
            if (figures[i].known[kind]) {
                printf("  %16.2f", figures[i].value[kind]);
            } else {
                printf("  %16s", "-");
            }
        }
        printf("\n");
    }
    fflush(stdout);
}

static bool count_rows(struct counter *counter) {
    const struct settings *settings = counter->settings;
    for (size_t row = 0; row < settings->row_count; row++) {
        if (settings->rows[row].weight == WEIGHT_PROGRAM) {
            printf("\n%s: what a whole program does is not counted.\n", settings->rows[row].name);
            continue;
        }
        counter->count = settings->rows[row].weight == WEIGHT_HEAVY ? HEAVY_COUNT : LIGHT_COUNT;
        struct figures figures[SETTINGS_COPIES_MAX];
        for (size_t i = 0; i < settings->copy_count; i++) {
            if (!count_copy(counter, &settings->copies[i], settings->rows[row].name, &figures[i])) {
                return false;
            }
        }
        progress_clear();
        print_row(settings, row, figures);
    }
    return true;
}

static void find_tools(struct counter *counter) {
    const char *const tracing[] = {"build/bench/ruler", "trace", "/dev/null", "/bin/true", NULL};
    const char *const simulating[] = {"valgrind", "--version", NULL};
    counter->can_trace = works(tracing);
    counter->can_simulate = works(simulating);
    if (!counter->can_trace) {
        printf("System calls are left out: they cannot be traced here.\n");
    }
    if (!counter->can_simulate) {
        printf("Instructions are left out: valgrind is not installed.\n");
    }
}

int counts_run(struct settings *settings) {
    struct counter counter = {.settings = settings};
    char worker[FOLDER_PATH_MAX];
    char folder[FOLDER_PATH_MAX];
    folder_path(worker, "%s/worker", settings->copies[0].build);
    if (!session_describe_rows(worker, settings) || !folder_make(folder)) {
        return 1;
    }
    folder_path(counter.folder, "%s/worker", folder);
    folder_path(counter.totals, "%s/totals", folder);
    find_tools(&counter);
    const bool ok = count_rows(&counter);
    progress_clear();
    folder_remove(folder);
    return ok ? 0 : 1;
}
