#include "measure.h"

#include <stdio.h>

#include "child.h"
#include "cpus.h"

/* Far more than any row needs on a machine that is not stuck. */
enum { ROW_SECONDS = 30, CHASE_SECONDS = 120 };

static void do_row(const void *task, void *result) {
    const struct cost_row *row = task;
    struct outcome *outcome = result;
    const struct runner runner = runner_real();
    void *state = NULL;
    cpus_pin(cpus_get(0));
    if (row->open != NULL) {
        state = row->open(row->size);
        if (state == NULL) {
            runner_say(outcome, OUTCOME_IMPOSSIBLE, "%s", cost_why_not());
            return;
        }
    }
    runner_measure(&runner, row, state, outcome);
    if (row->close != NULL) {
        row->close(state);
    }
}

void measure_row(const struct cost_row *row, struct outcome *outcome) {
    char why[CHILD_WHY_MAX];
    if (!child_run(do_row, row, outcome, sizeof *outcome, ROW_SECONDS, why)) {
        runner_say(outcome, OUTCOME_REFUSED, "%s", why);
    }
}

struct chase_result {
    bool ok;
    struct chase chase;
    char why[OUTCOME_WHY_MAX];
};

static void do_chase(const void *task, void *result) {
    struct chase_result *chased = result;
    const struct runner runner = runner_real();
    (void)task;
    cpus_pin(cpus_get(0));
    chased->ok = chase_measure(&runner, &chased->chase, chased->why);
}

bool measure_chase(struct chase *chase, char why[OUTCOME_WHY_MAX]) {
    struct chase_result chased = {.ok = false};
    if (child_run(do_chase, NULL, &chased, sizeof chased, CHASE_SECONDS, why) && chased.ok) {
        *chase = chased.chase;
        return true;
    }
    if (chased.why[0] != '\0') {
        (void)snprintf(why, OUTCOME_WHY_MAX, "%s", chased.why);
    }
    return false;
}
