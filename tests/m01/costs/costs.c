/*
 * `make costs`: measures what things cost on this machine, beside what the student guessed and what
 * the book says.
 *
 *     costs [--rows NAMES] [--guess FILE --form FILE] [--times N] [--dir FOLDER] [--out FOLDER]
 *           [--mine NAME] [--compiler TEXT] [--gnuplot PROGRAM]
 *     costs --list
 *     costs --check-guess --guess FILE --form FILE
 *
 * Exit code: 0; 1 when a row was refused or a file could not be written; 2 when nothing was
 * measured because what was asked for is wrong.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "complain.h"
#include "duration.h"
#include "files.h"
#include "measure.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "results.h"
#include "statistics.h"

enum { TIMES_MAX = 5, EXIT_REFUSED = 1, EXIT_WRONG = 2 };

struct settings {
    const char *rows;  /* "": all */
    const char *guess; /* NULL: none */
    const char *form;
    const char *mine; /* what the student's file is called */
    const char *compiler;
    const char *gnuplot;
    const char *out;
    uint64_t times;
    bool list;
    bool check_guess;
};

static void list_rows(void) {
    for (const struct cost_group *group = rows_groups; group->name != NULL; group++) {
        printf("%s%s: %s\n", group == rows_groups ? "" : "\n", group->name, group->what);
        for (const struct cost_row *row = group->rows; row->name != NULL; row++) {
            printf("    %-18s %s\n", row->name, row->what);
        }
    }
}

/* Measuring */

/* The rows of a run, without what became of them. False when there are too many. */
static bool collect(const struct settings *settings, const struct guess *guess,
                    struct results *results) {
    *results = (struct results){.count = 0};
    for (const struct cost_group *group = rows_groups; group->name != NULL; group++) {
        for (const struct cost_row *row = group->rows; row->name != NULL; row++) {
            if (settings->rows[0] != '\0' && !rows_picked(settings->rows, group, row)) {
                continue;
            }
            if (results->count == RESULTS_MAX) {
                complain("there are more than %d rows", RESULTS_MAX);
                return false;
            }
            results->rows[results->count++] =
                (struct result){.group = group, .row = row, .guess_ns = guess_of(guess, row->what)};
        }
    }
    return true;
}

/* Loads of all levels are measured together, when the first is asked for. */
static void measure_level(struct results *results, struct result *result, char *why) {
    if (!results->chased && why[0] == '\0') {
        results->chased = measure_chase(&results->chase, why);
    }
    if (results->chased) {
        chase_judge(&results->chase, result->row->level, &result->outcome);
    } else {
        runner_say(&result->outcome, OUTCOME_IMPOSSIBLE, "%s", why);
    }
}

static void measure_all(const struct settings *settings, struct results *results, bool guessed,
                        bool quiet) {
    char why[OUTCOME_WHY_MAX] = "";
    for (size_t i = 0; i < results->count; i++) {
        struct result *result = &results->rows[i];
        const bool first = i == 0 || result->group != results->rows[i - 1].group;
        progress_show("%zu of %zu: %s", i + 1, results->count, result->row->what);
        if (result->row->level != 0) {
            measure_level(results, result, why);
        } else {
            measure_row(result->row, &result->outcome);
        }
        progress_clear();
        if (!quiet && first) {
            report_group(result->group, result->group->rows == mine ? settings->mine : NULL);
        }
        if (!quiet) {
            report_row(result, guessed);
        }
    }
}

static bool any_refused(const struct results *results) {
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].outcome.kind == OUTCOME_REFUSED) {
            return true;
        }
    }
    return false;
}

static bool report_all(const struct settings *settings, const struct results *results) {
    if (results->chased) {
        report_chase(&results->chase);
    }
    report_book(results);
    report_score(results);
    return chart_draw(results, settings->out, settings->gnuplot);
}

static int run(const struct settings *settings, const struct guess *guess) {
    struct results *runs = calloc(settings->times, sizeof *runs);
    if (runs == NULL) {
        complain("no memory");
        return EXIT_WRONG;
    }
    bool ok = true;
    for (size_t i = 0; i < settings->times && ok; i++) {
        ok = collect(settings, guess, &runs[i]);
    }
    if (!ok) {
        free(runs);
        return EXIT_WRONG;
    }
    report_head(settings->compiler, guess->count > 0);
    for (size_t i = 0; i < settings->times; i++) {
        measure_all(settings, &runs[i], guess->count > 0, i > 0);
        ok = (i > 0 || report_all(settings, &runs[i])) && !any_refused(&runs[i]) && ok;
    }
    if (settings->times > 1) {
        report_agreement(runs, settings->times);
    }
    free(runs);
    return ok ? EXIT_SUCCESS : EXIT_REFUSED;
}

/* The guess */

/* The guess in order, the largest first. */
static void print_guess(const struct guess *guess, const char *path) {
    struct guess left = *guess;
    printf("Your guess, %s:\n", path);
    for (size_t n = 0; n < guess->count; n++) {
        size_t largest = 0;
        for (size_t i = 1; i < left.count; i++) {
            largest = left.lines[i].ns > left.lines[largest].ns ? i : largest;
        }
        char time[DURATION_TEXT_MAX];
        duration_say(left.lines[largest].ns, time);
        printf("%10s  %s\n", time, left.lines[largest].what);
        left.lines[largest].ns = -1;
    }
}

/* Reads the guess, if there is one. False after complaints. */
static bool read_guess(const struct settings *settings, struct guess *guess) {
    guess->count = 0;
    if (settings->guess == NULL) {
        return true;
    }
    switch (guess_read(settings->form, settings->guess, stderr, guess)) {
    case GUESS_COMPLETE:
        return true;
    case GUESS_UNTOUCHED:
    case GUESS_MALFORMED:
        if (!settings->check_guess) {
            complain("nothing was measured. First the guess; GUESS=no measures without");
        }
        return false;
    case GUESS_UNREADABLE:
        return false;
    }
    return false;
}

/* Options */

enum { ROWS = 1, GUESS, FORM, MINE, COMPILER, GNUPLOT, DIR, OUT, TIMES, LIST, CHECK_GUESS };

static const struct option options[] = {
    {"rows", required_argument, NULL, ROWS},         {"guess", required_argument, NULL, GUESS},
    {"form", required_argument, NULL, FORM},         {"mine", required_argument, NULL, MINE},
    {"compiler", required_argument, NULL, COMPILER}, {"gnuplot", required_argument, NULL, GNUPLOT},
    {"dir", required_argument, NULL, DIR},           {"out", required_argument, NULL, OUT},
    {"times", required_argument, NULL, TIMES},       {"list", no_argument, NULL, LIST},
    {"check-guess", no_argument, NULL, CHECK_GUESS}, {NULL, 0, NULL, 0},
};

static bool take_option(int option, struct settings *settings) {
    switch (option) {
    case ROWS:
        settings->rows = optarg;
        return true;
    case GUESS:
        settings->guess = optarg;
        return true;
    case FORM:
        settings->form = optarg;
        return true;
    case MINE:
        settings->mine = optarg;
        return true;
    case COMPILER:
        settings->compiler = optarg;
        return true;
    case GNUPLOT:
        settings->gnuplot = optarg;
        return true;
    case DIR:
        files_set_folder(optarg);
        return true;
    case OUT:
        settings->out = optarg;
        return true;
    case TIMES:
        return options_read_number("TIMES", optarg, 1, TIMES_MAX, &settings->times);
    case LIST:
        settings->list = true;
        return true;
    case CHECK_GUESS:
        settings->check_guess = true;
        return true;
    default:
        return false;
    }
}

static bool read_options(int argc, char **argv, struct settings *settings) {
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (!take_option(option, settings)) {
            return false;
        }
    }
    if (optind < argc) {
        complain("not understood: %s", argv[optind]);
        return false;
    }
    if (settings->guess != NULL && settings->form == NULL) {
        complain("--guess needs --form");
        return false;
    }
    return true;
}

/* The tables, and what was picked of them. */
static bool check_rows(const struct settings *settings) {
    char unknown[ROWS_NAME_MAX];
    const char *fault = rows_fault(rows_groups);
    if (fault != NULL) {
        complain("%s", fault);
        return false;
    }
    if (!rows_all_known(rows_groups, settings->rows, unknown)) {
        complain("ROWS: there is no row and no group \"%s\"; make costs-list shows them", unknown);
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    static struct guess guess;
    struct settings settings = {.rows = "",
                                .mine = "your own",
                                .compiler = "",
                                .gnuplot = "gnuplot",
                                .out = ".",
                                .times = 1};
    complain_as("costs");
    if (!read_options(argc, argv, &settings) || !check_rows(&settings)) {
        return EXIT_WRONG;
    }
    if (settings.list) {
        list_rows();
        return EXIT_SUCCESS;
    }
    if (!read_guess(&settings, &guess)) {
        return EXIT_WRONG;
    }
    if (settings.check_guess) {
        print_guess(&guess, settings.guess);
        return EXIT_SUCCESS;
    }
    return run(&settings, &guess);
}
