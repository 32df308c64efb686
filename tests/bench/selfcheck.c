#include "selfcheck.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "complain.h"
#include "contest.h"
#include "verdicts.h"

/* Beside the ruler: build products of one machine. */
#define RESULT_FILE "build/bench/selfcheck"

/* So far apart that no two checks or comparisons share a layout. */
#define LAYOUTS_APART 1000
#define FIRST_LAYOUT 200000

enum result { RESULT_PASSED, RESULT_FAILED, RESULT_UNKNOWN };

static void keep_result(enum result result) {
    FILE *file = fopen(RESULT_FILE, "w");
    if (file == NULL) {
        complain_system("cannot write %s", RESULT_FILE);
        return;
    }
    fprintf(file, "%s %lld\n", result == RESULT_PASSED ? "passed" : "failed",
            (long long)time(NULL));
    fclose(file);
}

static enum result read_result(void) {
    char word[16];
    long long when;
    FILE *file = fopen(RESULT_FILE, "r");
    if (file == NULL) {
        return RESULT_UNKNOWN;
    }
    const int fields = fscanf(file, "%15s %lld", word, &when);
    fclose(file);
    const long long age = (long long)time(NULL) - when;
    if (fields != 2 || age < 0 || age > SELFCHECK_HOURS * 3600) {
        return RESULT_UNKNOWN;
    }
    return strcmp(word, "passed") == 0 ? RESULT_PASSED : RESULT_FAILED;
}

/* One comparison of A with itself, in layouts that no other has. */
static bool compare_with_itself(const struct settings *settings, uint64_t first_layout,
                                struct outcome *outcome) {
    struct settings own = *settings;
    struct layouts layouts[2];
    struct records records = {0};
    own.copies[SIDE_A].layout = first_layout;
    own.copies[SIDE_B] = own.copies[SIDE_A];
    own.copies[SIDE_B].layout = first_layout + LAYOUTS_APART;
    own.row_count = 1;
    own.left_out = LEFT_OUT_NOTHING;
    own.seed = settings->seed + first_layout;
    if (!layouts_open(&layouts[SIDE_A], own.copies[SIDE_A].build)) {
        return false;
    }
    layouts[SIDE_B] = layouts[SIDE_A];
    const bool ok = contest_run(&own, 0, layouts, &records, outcome);
    layouts_close(&layouts[SIDE_A]);
    records_release(&records);
    return ok;
}

static void tell_result(const struct outcome *outcome) {
    const struct estimate *estimate = &outcome->comparison.estimate;
    const double width = statistics_half_width(estimate, VERDICT_EFFECT_LEVEL);
    printf("%+.2f %% +-%.2f (99 %%) where there is no difference: %s\n",
           100 * expm1(estimate->mean), 100 * width, verdicts_name(statistics_judge(estimate, 1)));
    fflush(stdout);
}

static void tell_what_to_do(void) {
    double load = 0;
    if (getloadavg(&load, 1) == 1) {
        complain("the load average is %.1f", load);
    }
    complain("this machine, as it is now, finds differences where there are none. Close what else "
             "runs (browsers, builds, other virtual machines), plug a laptop in, let it cool down; "
             "then: make bench-selfcheck");
}

int selfcheck_run(const struct settings *settings) {
    printf("Self-check: %s against itself, in other layouts\n", settings->copies[SIDE_A].name);
    fflush(stdout);
    for (uint64_t attempt = 0; attempt < 2; attempt++) {
        struct outcome outcome;
        if (!compare_with_itself(settings, FIRST_LAYOUT + 2 * attempt * LAYOUTS_APART, &outcome)) {
            return 1;
        }
        tell_result(&outcome);
        const enum verdict verdict = statistics_judge(&outcome.comparison.estimate, 1);
        if (verdict == VERDICT_NO_CHANGE || verdict == VERDICT_INCONCLUSIVE) {
            keep_result(RESULT_PASSED);
            printf("passed: no difference was found where there is none.\n");
            return 0;
        }
    }
    keep_result(RESULT_FAILED);
    tell_what_to_do();
    return 1;
}

bool selfcheck_trust(const struct settings *settings) {
    switch (read_result()) {
    case RESULT_PASSED:
        return true;
    case RESULT_FAILED:
        complain("no verdict: the last self-check failed");
        tell_what_to_do();
        return false;
    default:
        break;
    }
    printf("First, once in %d hours:\n", SELFCHECK_HOURS);
    const bool passed = selfcheck_run(settings) == 0;
    printf("\n");
    return passed;
}
