#include "runner.h"

#include <unistd.h>

static void own_path(const struct runner *runner, const char *name, char path[FOLDER_PATH_MAX]) {
    folder_path(path, "%s/%c%s", runner->folder, (char)('a' + runner->number), name);
}

/* A fresh folder for the worker, with the log in it, if there is one yet. */
static bool furnish(const struct runner *runner) {
    char folder[FOLDER_PATH_MAX];
    char log[FOLDER_PATH_MAX];
    own_path(runner, "", folder);
    own_path(runner, "/log", log);
    folder_remove(folder);
    return folder_make_at(folder) &&
           (access(runner->log, F_OK) != 0 || folder_copy_file(runner->log, log));
}

/*
 * A fresh copy of the executable, because where the system happened to put the pages of a file is
 * otherwise the same for as long as it stays in memory, and makes several per cent.
 */
bool runner_start(struct runner *runner, size_t layout, size_t padding) {
    char folder[FOLDER_PATH_MAX];
    char copy[FOLDER_PATH_MAX];
    own_path(runner, "", folder);
    own_path(runner, "/worker", copy);
    layouts_path(runner->layouts, layout, runner->program);
    const struct session_start start = {
        .program = runner->program,
        .copy = copy,
        .row = runner->settings->rows[runner->row].name,
        .folder = folder,
        .process = {.pinned = runner->pinned, .cpu = runner->cpu, .padding = padding},
    };
    return furnish(runner) && folder_copy_file(start.program, copy) &&
           session_start(&runner->session, &start, runner->settings);
}

/* How many operations take about RUNNER_BATCH_NS. */
static bool find_count(struct session *session, uint64_t *count) {
    uint64_t ns = 0;
    uint64_t sum;
    *count = 1;
    while (session_run(session, *count, *count, *count, &ns, &sum)) {
        if (ns >= RUNNER_BATCH_NS / 2) {
            *count = *count * RUNNER_BATCH_NS / ns + 1;
            return true;
        }
        *count *= 2;
    }
    return false;
}

bool runner_rehearse(struct runner *runner, size_t layout, uint64_t *count) {
    char log[FOLDER_PATH_MAX];
    if (!layouts_make(runner->layouts, layout, layout + 1) || !runner_start(runner, layout, 0)) {
        return false;
    }
    own_path(runner, "/log", log);
    const bool ok = (access(log, F_OK) != 0 || folder_copy_file(log, runner->log)) &&
                    find_count(&runner->session, count);
    session_stop(&runner->session);
    return ok;
}
