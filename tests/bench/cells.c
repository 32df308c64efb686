#include "cells.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "complain.h"
#include "verdicts.h"

const struct cell cells[CELLS] = {
    [CELL_IDLE] = {.name = "same, idle", .wanted = 250},
    [CELL_DISTURBED] = {.name = "same, others at work"},
    [CELL_BUSY] = {.name = "same, busy", .wanted = 250, .busy = true},
    {.name = "slower by 1 %", .wanted = 40, .slowdown = 10},
    {.name = "slower by 2 %", .wanted = 40, .slowdown = 20},
    {.name = "slower by 3 %", .wanted = 40, .slowdown = 30},
    {.name = "slower by 5 %", .wanted = 40, .slowdown = 50},
    {.name = "slower by 10 %", .wanted = 40, .slowdown = 100},
    {.name = "same, without warming", .wanted = 40, .left_out = LEFT_OUT_WARMING},
    {.name = "same, one layout each", .wanted = 40, .left_out = LEFT_OUT_LAYOUTS},
    {.name = "same, A always first", .wanted = 40, .left_out = LEFT_OUT_ORDERS},
    {.name = "same, ten whole processes each", .wanted = 100, .method = METHOD_WHOLE_PROCESSES},
    {.name = "same, hyperfine", .wanted = 100, .method = METHOD_HYPERFINE},
};

size_t cells_find(const char *name) {
    size_t cell = 0;
    while (cell < CELLS && (cells[cell].wanted == 0 || strcmp(name, cells[cell].name) != 0)) {
        cell++;
    }
    if (cell == CELLS) {
        complain("CELL=%s: there is none of that name; there are", name);
        for (size_t i = 0; i < CELLS; i++) {
            if (cells[i].wanted > 0) {
                complain("    CELL='%s'", cells[i].name);
            }
        }
    }
    return cell;
}

/* Puts the verdict of that name into `*verdict`. */
static bool find_verdict(const char *name, enum verdict *verdict) {
    for (*verdict = VERDICT_FASTER; *verdict <= VERDICT_INCONCLUSIVE; ++*verdict) {
        if (strcmp(name, verdicts_name(*verdict)) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct tally *tally, const struct trial *trial, double truth) {
    tally->count++;
    tally->verdicts[trial->verdict]++;
    tally->seconds[trial->verdict] += trial->seconds;
    tally->longest[trial->verdict] = fmax(tally->longest[trial->verdict], trial->seconds);
    tally->log_ratio += trial->log_ratio;
    tally->others += fmax(0, trial->others);
    tally->told += trial->others >= 0;
    tally->missed += fabs(trial->log_ratio - truth) > trial->half_width;
}

/* What others did may be missing. */
static bool read_trial(const char *line, char name[64], struct trial *trial) {
    char verdict[32];
    int used = 0;
    *trial = (struct trial){.others = -1, .rivals = -1};
    if (sscanf(line, "%63[^\t]\t%31[^\t]\t%lf\t%lf\t%lf%n", name, verdict, &trial->log_ratio,
               &trial->half_width, &trial->seconds, &used) != 5 ||
        !find_verdict(verdict, &trial->verdict)) {
        return false;
    }
    double *const fields[] = {&trial->others, &trial->rivals};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && line[used] == '\t'; i++) {
        int more = 0;
        sscanf(line + used, "%lf%n", fields[i], &more);
        used += more;
    }
    return strcmp(line + used, "\n") == 0;
}

static bool take_line(const char *line, struct tally tallies[CELLS]) {
    char name[64];
    struct trial trial;
    if (!read_trial(line, name, &trial)) {
        return false;
    }
    for (size_t cell = 0; cell < CELLS; cell++) {
        if (strcmp(name, cells[cell].name) == 0) {
            add(&tallies[cell], &trial, log1p((double)cells[cell].slowdown / 1000));
            return true;
        }
    }
    return false;
}

bool cells_read(const char *path, struct tally tallies[CELLS]) {
    char line[256];
    memset(tallies, 0, CELLS * sizeof(*tallies));
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        const bool none = errno == ENOENT;
        if (!none) {
            complain_system("cannot read %s", path);
        }
        return none;
    }
    bool ok = true;
    for (size_t number = 1; ok && fgets(line, sizeof(line), file) != NULL; number++) {
        ok = line[0] == '#' || take_line(line, tallies);
        if (!ok) {
            complain("%s: line %zu holds no result: %.*s", path, number, (int)strcspn(line, "\n"),
                     line);
        }
    }
    if (ok && ferror(file)) {
        complain_system("cannot read %s", path);
        ok = false;
    }
    fclose(file);
    return ok;
}

bool cells_write(FILE *file, size_t cell, const struct trial *trial) {
    if (cell == CELL_IDLE && trial->others > CELLS_IDLE_SHARE_MAX) {
        cell = CELL_DISTURBED;
    }
    fprintf(file, "%s\t%s\t%.6f\t%.6f\t%.1f\t%.3f\t%.3f\n", cells[cell].name,
            verdicts_name(trial->verdict), trial->log_ratio, trial->half_width, trial->seconds,
            trial->others, trial->rivals);
    if (fflush(file) != 0) {
        complain_system("cannot write results");
        return false;
    }
    return true;
}

static void add_all(struct tally *sum, const struct tally *tally) {
    sum->count += tally->count;
    sum->log_ratio += tally->log_ratio;
    sum->missed += tally->missed;
    for (size_t i = 0; i <= VERDICT_INCONCLUSIVE; i++) {
        sum->verdicts[i] += tally->verdicts[i];
        sum->seconds[i] += tally->seconds[i];
        sum->longest[i] = fmax(sum->longest[i], tally->longest[i]);
    }
}

/* " n of m: p % [low, high] |", the interval that of 95 %. */
static void print_part(size_t hits, size_t count) {
    double low;
    double high;
    statistics_proportion(hits, count, &low, &high);
    printf(" %zu of %zu: %.1f %% [%.1f, %.1f] |", hits, count, 100 * (double)hits / (double)count,
           100 * low, 100 * high);
}

size_t cells_declared(const struct cell *cell, const struct tally *tally) {
    return tally->verdicts[VERDICT_SLOWER] +
           (cell->slowdown == 0 ? tally->verdicts[VERDICT_FASTER] : 0);
}

static void print_tally(const char *name, const struct tally *tally, const struct cell *cell) {
    if (tally->count == 0) {
        return;
    }
    printf("| %s |", name);
    print_part(cells_declared(cell, tally), tally->count);
    for (size_t i = 0; i <= VERDICT_INCONCLUSIVE; i++) {
        printf(" %zu |", tally->verdicts[i]);
    }
    if (cell->slowdown > 0) {
        printf(" %+.2f %% |", 100 * expm1(tally->log_ratio / (double)tally->count));
    } else {
        printf(" |");
    }
    if (cell->method == METHOD_COMPARE) {
        printf(" %zu |\n", tally->missed);
    } else {
        printf(" |\n");
    }
}

/* What whoever looks at hyperfine's last line, "1.02 +- 0.03 times faster", may conclude from it.
 */
static void print_apart(const struct tally *tally) {
    if (tally->count > 0) {
        printf("| the same tries, a ratio that its +- does not cover |");
        print_part(tally->missed, tally->count);
        printf(" | | | | | |\n");
    }
}

static void print_verdicts(const struct tally tallies[CELLS]) {
    struct tally same = {0};
    printf("| tried | declared different (a slower side: slower) | faster | slower | no change "
           "| inconclusive | mean difference | 99 %% intervals that miss the truth |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < CELLS; i++) {
        print_tally(cells[i].name, &tallies[i], &cells[i]);
        if (i <= CELL_BUSY) {
            add_all(&same, &tallies[i]);
        }
        if (i == CELL_BUSY) {
            print_tally("same, all of these", &same, &cells[CELL_IDLE]);
        }
        if (cells[i].method == METHOD_HYPERFINE) {
            print_apart(&tallies[i]);
        }
    }
}

static void print_time(const char *name, size_t count, double sum, double longest) {
    printf("| %s | %zu | %.1f s | %.1f s |", name, count, sum / (double)count, longest);
}

static void print_times_of_cell(const char *name, const struct tally *tally) {
    double sum = 0;
    double longest = 0;
    if (tally->count == 0) {
        return;
    }
    for (size_t verdict = 0; verdict <= VERDICT_INCONCLUSIVE; verdict++) {
        sum += tally->seconds[verdict];
        longest = fmax(longest, tally->longest[verdict]);
    }
    print_time(name, tally->count, sum, longest);
    if (tally->told > 0) {
        printf(" %.0f %% |\n", 100 * tally->others / (double)tally->told);
    } else {
        printf(" |\n");
    }
}

/* Of each cell, and of compare's verdicts where all precautions are taken. */
static void print_times(const struct tally tallies[CELLS]) {
    struct tally all = {0};
    printf("| time of one comparison | comparisons | mean | longest | others busy |\n"
           "|---|---|---|---|---|\n");
    for (size_t i = 0; i < CELLS; i++) {
        print_times_of_cell(cells[i].name, &tallies[i]);
        if (cells[i].method == METHOD_COMPARE && cells[i].left_out == LEFT_OUT_NOTHING) {
            add_all(&all, &tallies[i]);
        }
    }
    for (enum verdict i = VERDICT_FASTER; i <= VERDICT_INCONCLUSIVE; i++) {
        char name[64];
        snprintf(name, sizeof(name), "compare, verdict \"%s\"", verdicts_name(i));
        if (all.verdicts[i] > 0) {
            print_time(name, all.verdicts[i], all.seconds[i], all.longest[i]);
            printf(" |\n");
        }
    }
}

void cells_print(const struct tally tallies[CELLS]) {
    print_verdicts(tallies);
    printf("\n");
    print_times(tallies);
}
