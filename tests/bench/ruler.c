/* The ruler: measures copies of minikv through their workers. `make` calls it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "calibrate.h"
#include "compare.h"
#include "complain.h"
#include "counts.h"
#include "process.h"
#include "scatter.h"
#include "schedule.h"
#include "selfcheck.h"
#include "trace.h"
#include "turn.h"

static int run_bench(int argc, char **argv) {
    struct settings settings = {
        .rows = {{.name = "get-hit"}, {.name = "get-miss"}, {.name = "set"}},
        .row_count = 3,
        .keys = 100000,
        .value_bytes = 100,
        .choice = "uniform",
        .rounds = 15,
        .turns = TURN_FOLDER,
    };
    return settings_read(&settings, argc, argv) ? bench_run(&settings) : 2;
}

static bool read_compare(struct settings *settings, int argc, char **argv) {
    *settings = (struct settings){
        .rows = {{.name = "get-hit"}, {.name = "get-miss"}, {.name = "set"}},
        .row_count = 3,
        .copies = {{.layout = 0}, {.layout = 100000}},
        .keys = 10000,
        .value_bytes = 100,
        .choice = "uniform",
        .rounds = 20,
        .seed = (uint64_t)time(NULL) & UINT32_MAX,
        .out = "build/compare",
        .compiler = "",
        .turns = TURN_FOLDER,
    };
    if (!settings_read(settings, argc, argv)) {
        return false;
    }
    if (settings->rounds % 2 != 0 || settings->rounds > SCHEDULE_ROUNDS_MAX) {
        complain("ROUNDS=%" PRIu64 ": give an even number up to %d", settings->rounds,
                 SCHEDULE_ROUNDS_MAX);
        return false;
    }
    return true;
}

static int run_compare(int argc, char **argv) {
    struct settings settings;
    return read_compare(&settings, argc, argv) ? compare_run(&settings) : 2;
}

static int run_selfcheck(int argc, char **argv) {
    struct settings settings;
    return read_compare(&settings, argc, argv) ? selfcheck_run(&settings) : 2;
}

/* Layouts that no comparison uses. */
#define FIRST_SCATTERED 300000

static int run_layouts(int argc, char **argv) {
    struct settings settings = {
        .rows = {{.name = "get-hit"}},
        .row_count = 1,
        .copies = {{.layout = FIRST_SCATTERED}},
        .keys = 10000,
        .value_bytes = 100,
        .choice = "uniform",
        .rounds = 20,
        .seed = (uint64_t)time(NULL) & UINT32_MAX,
        .out = "build/layouts",
        .compiler = "",
        .turns = TURN_FOLDER,
        .layouts = 60,
        .processes = 6,
    };
    if (!settings_read(&settings, argc, argv)) {
        return 2;
    }
    if (settings.processes % 2 != 0) {
        complain("PROCESSES=%" PRIu64 ": give an even number, to be halved", settings.processes);
        return 2;
    }
    return scatter_run(&settings);
}

static int run_counts(int argc, char **argv) {
    struct settings settings = {
        .rows = {{.name = "get-hit"}, {.name = "get-miss"}, {.name = "set"}},
        .row_count = 3,
        .keys = 10000,
        .value_bytes = 100,
        .choice = "uniform",
    };
    return settings_read(&settings, argc, argv) ? counts_run(&settings) : 2;
}

static int run_calibrate(int argc, char **argv) {
    struct settings settings;
    return read_compare(&settings, argc, argv) ? calibrate_run(&settings) : 2;
}

static int run_check(int argc, char **argv) {
    struct settings settings;
    return read_compare(&settings, argc, argv) ? calibrate_check(&settings) : 2;
}

static int run_calibration(int argc, char **argv) {
    struct settings settings;
    return read_compare(&settings, argc, argv) ? calibrate_report(&settings) : 2;
}

static int run_busy(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return calibrate_keep_busy();
}

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
    {"bench", run_bench},
    {"compare", run_compare},
    {"layouts", run_layouts},
    {"selfcheck", run_selfcheck},
    {"counts", run_counts},
    {"calibrate", run_calibrate},
    {"calibrate-check", run_check},
    {"calibration", run_calibration},
    /* What the ruler starts itself with. */
    {"trace", trace_run},
    {"busy", run_busy},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (argc > 1 && strcmp(argv[1], commands[i].name) == 0) {
            complain_as(commands[i].name);
            process_prepare();
            process_exit(commands[i].run(argc, argv));
        }
    }
    fprintf(stderr, "usage: ruler bench|compare|layouts|selfcheck|counts|calibrate|calibration "
                    "OPTIONS\n"
                    "tests/bench/bench.mk has the make commands that call it.\n");
    return 2;
}
