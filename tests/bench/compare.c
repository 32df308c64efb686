#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "contest.h"
#include "report.h"
#include "selfcheck.h"
#include "session.h"
#include "verdicts.h"

static bool same_bytes(FILE *a, FILE *b) {
    int c;
    do {
        c = getc(a);
        if (c != getc(b)) {
            return false;
        }
    } while (c != EOF);
    return !ferror(a) && !ferror(b);
}

static FILE *open_plain(const struct copy *copy) {
    char path[FOLDER_PATH_MAX];
    folder_path(path, "%s/plain", copy->build);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        complain_system("cannot read %s", path);
    }
    return file;
}

/* Whether both copies were compiled to the same code. False also after a complaint. */
static bool same_code(const struct settings *settings) {
    FILE *a = open_plain(&settings->copies[0]);
    FILE *b = open_plain(&settings->copies[1]);
    const bool same = a != NULL && b != NULL && same_bytes(a, b);
    if (a != NULL) {
        fclose(a);
    }
    if (b != NULL) {
        fclose(b);
    }
    return same;
}

/* From here on memory matters as much as it does to most stores. */
#define MANY_KEYS 100000

static void print_head(const struct settings *settings) {
    printf("A: %s\nB: %s\n%" PRIu64 " keys, values of %" PRIu64
           " bytes, keys chosen %s, seed %" PRIu64 "\n",
           settings->copies[0].name, settings->copies[1].name, settings->keys,
           settings->value_bytes, settings->choice[0] == 'z' ? "by Zipf's law" : "at random",
           settings->seed);
    if (settings->keys < MANY_KEYS) {
        printf(
            "(KEYS=%d takes longer; memory then has a larger part, and ratios are nearer to 1.)\n",
            MANY_KEYS);
    }
    fflush(stdout);
}

static void warn_of_one_layout(void) {
    printf(
        "\nATTENTION: for demonstration only. LAYOUTS=one leaves both sides as the linker happened "
        "to lay\nthem out. Much of what is found may be due to that, and not to the code; the "
        "interval does not\ntell. Without LAYOUTS= it is measured what the code makes.\n");
}

static bool run_rows(const struct settings *settings, const struct layouts layouts[2],
                     struct records *records, struct outcome *outcomes) {
    print_head(settings);
    if (settings->left_out == LEFT_OUT_LAYOUTS) {
        warn_of_one_layout();
    }
    for (size_t i = 0; i < settings->row_count; i++) {
        if (!contest_run(settings, i, layouts, records, &outcomes[i])) {
            return false;
        }
        verdicts_print(settings, i, &outcomes[i]);
    }
    return true;
}

static bool open_both(struct layouts layouts[2], const struct settings *settings) {
    if (!layouts_open(&layouts[0], settings->copies[0].build)) {
        return false;
    }
    if (!layouts_open(&layouts[1], settings->copies[1].build)) {
        layouts_close(&layouts[0]);
        return false;
    }
    return true;
}

static bool compare(const struct settings *settings, struct records *records,
                    struct outcome *outcomes) {
    struct layouts layouts[2];
    if (!open_both(layouts, settings)) {
        return false;
    }
    const bool ok = run_rows(settings, layouts, records, outcomes);
    layouts_close(&layouts[0]);
    layouts_close(&layouts[1]);
    return ok;
}

static int measure(const struct settings *settings) {
    struct records records = {0};
    struct outcome *outcomes = calloc(settings->row_count, sizeof(*outcomes));
    bool ok = outcomes != NULL;
    if (!ok) {
        complain("no memory for the results");
    }
    const struct report report = {settings, outcomes, &records};
    ok = ok && compare(settings, &records, outcomes) && report_write(&report);
    free(outcomes);
    records_release(&records);
    return ok ? 0 : 1;
}

int compare_run(struct settings *settings) {
    char worker[FOLDER_PATH_MAX];
    folder_path(worker, "%s/worker", settings->copies[0].build);
    if (!session_describe_rows(worker, settings)) {
        return 1;
    }
    if (same_code(settings)) {
        printf("%s and %s: same machine code. There is nothing to measure.\n",
               settings->copies[0].name, settings->copies[1].name);
        return 0;
    }
    if (!selfcheck_trust(settings)) {
        return 1;
    }
    return measure(settings);
}
