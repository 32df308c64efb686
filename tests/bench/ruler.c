/* The ruler: measures copies of minikv through their workers. `make` calls it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "compare.h"
#include "complain.h"
#include "process.h"
#include "schedule.h"
#include "selfcheck.h"

static int run_bench(int argc, char **argv) {
    struct settings settings = {
        .rows = {"get-hit", "get-miss", "set"},
        .row_count = 3,
        .keys = 100000,
        .value_bytes = 100,
        .choice = "uniform",
        .rounds = 15,
    };
    return settings_read(&settings, argc, argv) ? bench_run(&settings) : 2;
}

static bool read_compare(struct settings *settings, int argc, char **argv) {
    *settings = (struct settings){
        .rows = {"get-hit", "get-miss", "set"},
        .row_count = 3,
        .copies = {{.layout = 0}, {.layout = 100000}},
        .keys = 10000,
        .value_bytes = 100,
        .choice = "uniform",
        .rounds = 12,
        .seed = (uint64_t)time(NULL) & UINT32_MAX,
        .out = "build/compare",
        .compiler = "",
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

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
    {"bench", run_bench},
    {"compare", run_compare},
    {"selfcheck", run_selfcheck},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (argc > 1 && strcmp(argv[1], commands[i].name) == 0) {
            complain_as(commands[i].name);
            process_prepare();
            process_exit(commands[i].run(argc, argv));
        }
    }
    fprintf(stderr, "usage: ruler bench|compare|selfcheck OPTIONS (see tests/bench/bench.mk)\n");
    return 2;
}
