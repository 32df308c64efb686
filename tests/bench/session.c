#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"

/* Notes in `settings` what a line of the list says: the row's name, weight and purpose. */
static void take_description(struct settings *settings, char *line) {
    int weight;
    int used = 0;
    char *tab = strchr(line, '\t');
    if (tab == NULL || sscanf(tab, "\t%d\t%n", &weight, &used) != 1 || used == 0) {
        return;
    }
    *tab = '\0';
    for (size_t i = 0; i < settings->row_count; i++) {
        struct row_setting *row = &settings->rows[i];
        if (strcmp(row->name, line) == 0) {
            row->weight = weight;
            snprintf(row->measures, sizeof(row->measures), "%s", tab + used);
        }
    }
}

static bool all_described(const struct settings *settings, const char *known) {
    for (size_t i = 0; i < settings->row_count; i++) {
        if (settings->rows[i].measures[0] == '\0') {
            complain("there is no benchmark '%s'; there are:%s", settings->rows[i].name, known);
            return false;
        }
    }
    return true;
}

bool session_describe_rows(const char *program, struct settings *settings) {
    static const struct process_setting as_usual;
    const char *arguments[] = {program, "--list", NULL};
    struct process process;
    char known[1024] = "";
    char line[PROCESS_REPLY_MAX];
    if (!process_start(&process, arguments, &as_usual)) {
        return false;
    }
    bool ok;
    while ((ok = process_ask(&process, "", line)) && line[0] != '\0') {
        take_description(settings, line);
        const size_t used = strlen(known);
        snprintf(known + used, sizeof(known) - used, " %s", line);
    }
    process_stop(&process);
    return ok && all_described(settings, known);
}

/* To be read by a shell, from the top of the tree; the log is made anew each time. */
void session_tell_again(const struct session *session) {
    const struct settings *settings = session->settings;
    fprintf(stderr,
            "To see it again, reply by reply:\n"
            "    rm -f again.log; printf 'show\\n%s' | %s --row %s --keys %" PRIu64
            " --value %" PRIu64 " --choice %s --folder . --log again.log\n",
            session->history, session->program, session->row, settings->keys, settings->value_bytes,
            settings->choice);
}

static void note(struct session *session, const char *request) {
    const size_t used = strlen(session->history);
    const size_t length = strcspn(request, "\n");
    if (length > 0) {
        snprintf(session->history + used, sizeof(session->history) - used, "%.*s\\n", (int)length,
                 request);
    }
}

/* Asks; if there is no answer, and not for a signal, tells how to see that again. */
static bool ask(struct session *session, const char *request, char reply[PROCESS_REPLY_MAX]) {
    note(session, request);
    if (process_ask(&session->process, request, reply)) {
        return true;
    }
    if (!process_interrupted()) {
        session_tell_again(session);
    }
    return false;
}

/* Always false. */
static bool complain_of(const struct session *session, const char *reply) {
    complain("a worker answered '%s'", reply);
    session_tell_again(session);
    return false;
}

bool session_start(struct session *session, const struct session_start *start,
                   const struct settings *settings) {
    char keys[32];
    char value_bytes[32];
    char log[FOLDER_PATH_MAX];
    snprintf(keys, sizeof(keys), "%" PRIu64, settings->keys);
    snprintf(value_bytes, sizeof(value_bytes), "%" PRIu64, settings->value_bytes);
    folder_path(log, "%s/log", start->folder);
    const char *const options[] = {start->copy != NULL ? start->copy : start->program,
                                   "--row",
                                   start->row,
                                   "--keys",
                                   keys,
                                   "--value",
                                   value_bytes,
                                   "--choice",
                                   settings->choice,
                                   "--folder",
                                   start->folder,
                                   "--log",
                                   log,
                                   NULL};
    const char *arguments[PROCESS_ARGUMENTS_MAX];
    size_t count = 0;
    for (; start->tool != NULL && start->tool[count] != NULL; count++) {
        arguments[count] = start->tool[count];
    }
    memcpy(arguments + count, options, sizeof(options));
    *session = (struct session){.program = start->program, .row = start->row, .settings = settings};
    char reply[PROCESS_REPLY_MAX];
    if (!process_start(&session->process, arguments, &start->process)) {
        return false;
    }
    if (ask(session, "", reply) && (strcmp(reply, "ready") == 0 || complain_of(session, reply))) {
        return true;
    }
    process_stop(&session->process);
    return false;
}

bool session_run(struct session *session, uint64_t seed, uint64_t warm, uint64_t count,
                 uint64_t *ns, uint64_t *sum) {
    char request[PROCESS_REPLY_MAX];
    char reply[PROCESS_REPLY_MAX];
    snprintf(request, sizeof(request), "run %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", seed, warm,
             count);
    return ask(session, request, reply) &&
           (sscanf(reply, "time %" SCNu64 " %" SCNu64, ns, sum) == 2 ||
            complain_of(session, reply));
}

bool session_check(struct session *session, uint64_t seed, uint64_t count, uint64_t *sum) {
    char request[PROCESS_REPLY_MAX];
    char reply[PROCESS_REPLY_MAX];
    snprintf(request, sizeof(request), "check %" PRIu64 " %" PRIu64 "\n", seed, count);
    return ask(session, request, reply) &&
           (sscanf(reply, "sum %" SCNu64, sum) == 1 || complain_of(session, reply));
}

bool session_count(struct session *session, uint64_t seed, uint64_t warm, uint64_t count,
                   uint64_t counts[COUNTED_KINDS]) {
    char request[PROCESS_REPLY_MAX];
    char reply[PROCESS_REPLY_MAX];
    snprintf(request, sizeof(request), "count %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", seed, warm,
             count);
    if (!ask(session, request, reply)) {
        return false;
    }
    const char *rest = strchr(reply, ' ');
    for (size_t i = 0; i < COUNTED_KINDS; i++) {
        int used = 0;
        if (rest == NULL || sscanf(rest, " %" SCNu64 "%n", &counts[i], &used) != 1) {
            return complain_of(session, reply);
        }
        rest += used;
    }
    return true;
}

bool session_finish(struct session *session) {
    return process_finish(&session->process);
}

void session_stop(struct session *session) {
    process_stop(&session->process);
}
