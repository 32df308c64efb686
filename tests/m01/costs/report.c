#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpus.h"
#include "duration.h"

enum { WIDTH = 100, INDENT = 4, OFF_TEXT_MAX = 32 };

static const double root_of_ten = 3.1622776601683795;

/* Prints text as a paragraph. */
static void print_wrapped(const char *text) {
    int column = 0;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > WIDTH) {
            printf("\n");
            column = 0;
        }
        column += printf("%*s%.*s", column == 0 ? INDENT : 1, "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

/* The processor's name, as Linux has it. */
static void find_processor(char name[256]) {
    char line[4096];
    FILE *file = fopen("/proc/cpuinfo", "r");
    (void)snprintf(name, 256, "a processor without a name");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "model name : %255[^\n]", name) == 1) {
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

static int count_cpus(void) {
    int count = 0;
    while (cpus_get(count) >= 0) {
        count++;
    }
    return count;
}

void report_head(const char *compiler, bool guessed) {
    char processor[256];
    char date[32] = "";
    double load = 0;
    const time_t now = time(NULL);
    const struct tm *local = localtime(&now);
    const int cpus = count_cpus();
    if (local != NULL) {
        (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M", local);
    }
    find_processor(processor);
    printf("%s; %s, %d processor%s%s", date, processor, cpus, cpus == 1 ? "" : "s",
           cpus_are_virtual() ? ", a virtual machine" : "");
    if (getloadavg(&load, 1) == 1) {
        printf("; load %.1f", load);
    }
    printf(
        "\n%s\n\n"
        "The time of one operation: the median of %d batches, the lowest, the highest.\n"
        "L: each operation waits for the one before it (latency). T: they overlap (throughput).\n\n"
        "%-40s %7s %7s %7s%s  %s\n",
        compiler, RUNNER_BATCHES, "", "median", "lowest", "highest",
        guessed ? "   guess          " : "", "the book");
}

/* How far a guess is off, in words. */
static void say_off(int off, char text[OFF_TEXT_MAX]) {
    if (off == 0) {
        (void)snprintf(text, OFF_TEXT_MAX, "hit");
    } else if (abs(off) < 5) {
        const char *const factors[] = {"", "10", "100", "1000", "10000"};
        (void)snprintf(text, OFF_TEXT_MAX, "%sx %s", factors[abs(off)], off < 0 ? "low" : "high");
    } else {
        (void)snprintf(text, OFF_TEXT_MAX, "10^%dx %s", abs(off), off < 0 ? "low" : "high");
    }
}

static void print_guess(const struct result *result) {
    char time[DURATION_TEXT_MAX];
    char off[OFF_TEXT_MAX];
    duration_say(result->guess_ns, time);
    say_off(duration_off(result->guess_ns, result->outcome.median), off);
    printf(" %7s  %-9s", time, off);
}

static void print_times(const struct result *result, bool guessed) {
    const struct outcome *outcome = &result->outcome;
    char texts[3][DURATION_TEXT_MAX];
    duration_say(outcome->median, texts[0]);
    duration_say(outcome->lowest, texts[1]);
    duration_say(outcome->highest, texts[2]);
    printf("%-38s %c %7s %7s %7s", result->row->what, result->row->mode == COST_LATENCY ? 'L' : 'T',
           texts[0], texts[1], texts[2]);
    if (result->guess_ns > 0) {
        print_guess(result);
    } else if (guessed && result->row->book != NULL) {
        printf("%18s", "");
    }
    printf("%s%s\n", result->row->book == NULL ? "" : "  ",
           result->row->book == NULL ? "" : result->row->book);
}

void report_group(const struct cost_group *group, const char *note) {
    printf("\n%s%s%s\n", group->what, note == NULL ? "" : ", ", note == NULL ? "" : note);
}

void report_row(const struct result *result, bool guessed) {
    const struct outcome *outcome = &result->outcome;
    if (outcome->kind == OUTCOME_MEASURED) {
        print_times(result, guessed);
    } else {
        printf("%-38s%s:\n", result->row->what,
               outcome->kind == OUTCOME_REFUSED ? "  REFUSED" : "  not measured");
        print_wrapped(outcome->why);
    }
    (void)fflush(stdout);
}

static void say_bytes(double bytes, char text[32]) {
    const bool mega = bytes >= 1 << 20;
    (void)snprintf(text, 32, "%.*f %s", mega && bytes < 10 << 20 ? 1 : 0,
                   bytes / (mega ? 1 << 20 : 1 << 10), mega ? "MB" : "KB");
}

static void print_plateau(const struct chase *chase, const struct plateau *plateau) {
    const struct curve *curve = chase_curve(chase);
    char sizes[2][32];
    char time[DURATION_TEXT_MAX];
    say_bytes(curve->points[plateau->first].bytes, sizes[0]);
    say_bytes(curve->points[plateau->last].bytes, sizes[1]);
    duration_say(plateau->ns, time);
    printf("    %8s to %8s  %7s  ", sizes[0], sizes[1], time);
    if (plateau->level == PLATEAU_MEMORY) {
        printf("memory\n");
    } else if (plateau->level == 0) {
        printf("beyond what the system names\n");
    } else if (chase->caches.count == 0) {
        printf("L%d; the system does not say how large it is\n", plateau->level);
    } else {
        char size[32];
        say_bytes((double)chase->caches.bytes[plateau->level - 1], size);
        printf("L%d, of %s if %s is right\n", plateau->level, size, chase->caches.source);
    }
}

/* Two sources that contradict each other are worth knowing about: at most one is right. */
static void print_contradiction(const struct caches *caches) {
    const struct caches other = caches_from_sysconf();
    for (size_t i = 0; i < caches->count && i < other.count; i++) {
        if (caches->bytes[i] != other.bytes[i] && caches->source != other.source) {
            char sizes[2][32];
            say_bytes((double)caches->bytes[i], sizes[0]);
            say_bytes((double)other.bytes[i], sizes[1]);
            printf("    %s says that L%zu has %s, %s %s: believe the plateaus.\n", caches->source,
                   i + 1, sizes[0], other.source, sizes[1]);
        }
    }
}

void report_chase(const struct chase *chase) {
    const struct curve *curve = chase_curve(chase);
    const double largest = curve->points[curve->count - 1].bytes;
    char size[32];
    say_bytes(largest, size);
    printf("\nLoads, by how much memory they are spread over: where the time stays the same\n");
    for (size_t i = 0; i < chase->plateau_count; i++) {
        print_plateau(chase, &chase->plateaus[i]);
    }
    print_contradiction(&chase->caches);
    if (chase->huge.count == 0) {
        printf(
            "    The system gave no large pages, so translating addresses is in these times: the\n"
            "    more, the larger the set.\n");
    } else {
        printf("    In pages of 2 MB (%.0f %% of the largest set, %s, was). In pages of 4 KB "
               "translating\n"
               "    addresses comes on top: %.1f times as long for the largest set.\n",
               100 * chase->huge_share, size,
               chase->plain.points[chase->plain.count - 1].ns / curve->points[curve->count - 1].ns);
    }
    if (chase->limit[0] != '\0') {
        printf("    %s.\n", chase->limit);
    }
    if (cpus_are_virtual()) {
        printf("    A virtual machine shares the last cache with others, and the host translates "
               "each\n"
               "    address a second time. Neither is told to it.\n");
    }
}

/* Stands above the lines below it, if there are any. */
static void print_heading(bool *printed) {
    printf("%s", *printed ? "" : "\nBeside what the book says (20.1)\n");
    *printed = true;
}

/* Prints how many times as long `name` takes as `other`, and the text behind; or nothing. */
static void print_ratio(const struct results *results, bool *printed, const char *name,
                        const char *other, const char *before, const char *behind) {
    const double longer = results_median(results, name);
    const double shorter = results_median(results, other);
    if (longer > 0 && shorter > 0) {
        print_heading(printed);
        const double ratio = longer / shorter;
        printf("    %s %.*f %s\n", before, ratio < 10 ? 1 : 0, ratio, behind);
    }
}

static void print_time(const struct results *results, bool *printed, const char *name,
                       const char *before, const char *behind) {
    const double ns = results_median(results, name);
    if (ns > 0) {
        print_heading(printed);
        char time[DURATION_TEXT_MAX];
        duration_say(ns, time);
        printf("    %s %s; %s\n", before, time, behind);
    }
}

void report_book(const struct results *results) {
    bool printed = false;
    print_time(results, &printed, "add",
               "An add:", "2000 instructions in 1 us make 0.5 ns for one");
    print_ratio(results, &printed, "load-memory", "add",
                "A load from memory:", "adds; a few hundred instructions");
    print_ratio(results, &printed, "malloc-32", "add",
                "malloc and free of 32 bytes:", "adds; significant overhead");
    print_ratio(results, &printed, "tree-1k", "hash-1k",
                "Tree to hash table, 1,000 keys:", "times as long; easily 5 to 10");
    print_ratio(results, &printed, "tree-100k", "hash-100k",
                "Tree to hash table, 100,000 keys:", "times as long; easily 5 to 10");
    print_ratio(results, &printed, "tree-1m", "hash-1m",
                "Tree to hash table, 1,000,000 keys:", "times as long; easily 5 to 10");
    print_ratio(results, &printed, "pointers-build", "array-build",
                "Pointers to array, built:", "times as long; much less efficient");
    print_ratio(results, &printed, "pointers-scan", "array-scan",
                "Pointers to array, read:", "times as long");
    print_ratio(results, &printed, "pointers-scan-old", "array-scan",
                "The same in random order:", "times as long");
    print_time(results, &printed, "write-synced", "A write that is on the device:",
               "flash 10-100 us, a disk 5-10 ms, new memories 1 us");
    print_time(results, &printed, "tcp", "A round trip by TCP:",
               "10 to 50 us, but that is within a datacenter, through a wire");
}

void report_score(const struct results *results) {
    size_t guessed = 0;
    size_t hits = 0;
    int powers = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->rows[i];
        if (result->guess_ns > 0 && result->outcome.kind == OUTCOME_MEASURED) {
            const int off = duration_off(result->guess_ns, result->outcome.median);
            guessed++;
            hits += off == 0;
            powers += abs(off);
        }
    }
    if (guessed > 0) {
        printf("\nYour guess: %zu of %zu are hits, not more than 3.2 times too high or too low.\n"
               "Powers of ten off, all together: %d.\n",
               hits, guessed, powers);
    }
}

/* Finds the smallest and the largest median of a row; false when a run has none. */
static bool find_extremes(const struct results *runs, size_t count, size_t row, double *low,
                          double *high) {
    *low = INFINITY;
    *high = 0;
    for (size_t run = 0; run < count; run++) {
        const struct outcome *outcome = &runs[run].rows[row].outcome;
        if (outcome->kind != OUTCOME_MEASURED) {
            return false;
        }
        *low = fmin(*low, outcome->median);
        *high = fmax(*high, outcome->median);
    }
    return true;
}

void report_agreement(const struct results *runs, size_t count) {
    size_t compared = 0;
    size_t agreeing = 0;
    printf("\nThe medians of %zu runs, and how many times the largest is the smallest\n\n", count);
    for (size_t row = 0; row < runs[0].count; row++) {
        double low;
        double high;
        printf("%-38s", runs[0].rows[row].row->what);
        for (size_t run = 0; run < count; run++) {
            const struct outcome *outcome = &runs[run].rows[row].outcome;
            char text[DURATION_TEXT_MAX] = "-";
            if (outcome->kind == OUTCOME_MEASURED) {
                duration_say(outcome->median, text);
            }
            printf(" %7s", text);
        }
        if (find_extremes(runs, count, row, &low, &high)) {
            const bool agree = high < root_of_ten * low;
            printf("  %5.2f%s", high / low, agree ? "" : "  NOT of one order");
            compared++;
            agreeing += agree;
        }
        printf("\n");
    }
    printf("\n%zu of %zu agree in the order of magnitude: less than 3.2 times apart.\n", agreeing,
           compared);
}
