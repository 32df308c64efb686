#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "complain.h"
#include "plot.h"
#include "verdicts.h"

static void write_csv(FILE *file, const struct report *report) {
    const struct records *records = report->records;
    fprintf(file, "row,unit,pair,round,side,ran_first,started_first,operations,ns\n");
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->items[i];
        fprintf(file, "%s,%u,%u,%u,%c,%d,%d,%" PRIu64 ",%" PRIu64 "\n",
                report->settings->rows[record->row].name, record->unit, record->pair, record->round,
                "AB"[record->side], record -> ran_first, record -> started_first, record -> count,
                record -> ns);
    }
}

static void write_string(FILE *file, const char *text) {
    putc('"', file);
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20) {
            fprintf(file, "\\u%04x", (unsigned)*c);
        } else {
            if (*c == '"' || *c == '\\') {
                putc('\\', file);
            }
            putc(*c, file);
        }
    }
    putc('"', file);
}

static void write_member(FILE *file, const char *name, const char *text) {
    fprintf(file, "  \"%s\": ", name);
    write_string(file, text);
    fprintf(file, ",\n");
}

/* What the processor calls itself; "" where that cannot be found out. */
static void find_processor(char *name, size_t size) {
    char line[256];
    name[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    fclose(file);
}

static void write_machine(FILE *file) {
    struct utsname system;
    char processor[128];
    char text[1024];
    double load = 0;
    find_processor(processor, sizeof(processor));
    if (uname(&system) == 0) {
        snprintf(text, sizeof(text), "%s %s %s", system.sysname, system.release, system.machine);
        write_member(file, "system", text);
    }
    write_member(file, "processor", processor);
    if (getloadavg(&load, 1) == 1) {
        fprintf(file, "  \"load_average\": %.2f,\n", load);
    }
}

static void write_units(FILE *file, const struct comparison *comparison) {
    fprintf(file, "      \"unit_log_ratios\": [");
    for (size_t i = 0; i < comparison->unit_count; i++) {
        fprintf(file, "%s%.6f", i == 0 ? "" : ", ", comparison->ratios[i]);
    }
    fprintf(file, "]\n");
}

static void write_row(FILE *file, const struct report *report, size_t row) {
    const struct settings *settings = report->settings;
    const struct outcome *outcome = &report->outcomes[row];
    const struct estimate *estimate = &outcome->comparison.estimate;
    const size_t family = verdicts_family(settings, row);
    const double levels[] = {VERDICT_EFFECT_LEVEL, VERDICT_EQUIVALENCE_LEVEL};
    const char *const names[] = {"99", "95"};
    fprintf(
        file,
        "    {\n      \"name\": \"%s\",\n      \"verdict\": \"%s\",\n"
        "      \"family\": %zu,\n      \"log_ratio\": %.6f,\n      \"median_log_ratio\": %.6f,\n",
        settings->rows[row].name, verdicts_name(statistics_judge(estimate, family)), family,
        estimate->mean, estimate->median);
    for (size_t i = 0; i < 2; i++) {
        const double level = statistics_family_level(levels[i], family);
        fprintf(file, "      \"half_width_%s\": %.6f,\n", names[i],
                statistics_half_width(estimate, level));
    }
    fprintf(file,
            "      \"ns_a\": %.2f,\n      \"ns_b\": %.2f,\n      \"operations\": %" PRIu64
            ",\n      \"seconds\": %.1f,\n",
            outcome->ns[SIDE_A], outcome->ns[SIDE_B], outcome->count, outcome->seconds);
    write_units(file, &outcome->comparison);
    fprintf(file, "    }%s\n", row + 1 < settings->row_count ? "," : "");
}

static void write_batches(FILE *file, const struct records *records) {
    fprintf(file, "  \"batch_columns\": [\"row\", \"unit\", \"pair\", \"round\", \"side\", "
                  "\"ran_first\", \"started_first\", \"operations\", \"ns\"],\n  \"batches\": [\n");
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->items[i];
        fprintf(file, "    [%u, %u, %u, %u, %u, %d, %d, %" PRIu64 ", %" PRIu64 "]%s\n", record->row,
                record->unit, record->pair, record->round, record->side, record->ran_first,
                record->started_first, record->count, record->ns,
                i + 1 < records->count ? "," : "");
    }
    fprintf(file, "  ]\n");
}

static void write_json(FILE *file, const struct report *report) {
    const struct settings *settings = report->settings;
    fprintf(file, "{\n  \"format\": \"minikv-compare\",\n  \"version\": %d,\n", REPORT_VERSION);
    write_member(file, "a", settings->copies[SIDE_A].name);
    write_member(file, "b", settings->copies[SIDE_B].name);
    write_machine(file);
    write_member(file, "compiler", settings->compiler);
    write_member(file, "choice", settings->choice);
    fprintf(file,
            "  \"keys\": %" PRIu64 ",\n  \"value_bytes\": %" PRIu64 ",\n  \"seed\": %" PRIu64
            ",\n  \"first_layouts\": [%" PRIu64 ", %" PRIu64 "],\n  \"rows\": [\n",
            settings->keys, settings->value_bytes, settings->seed, settings->copies[0].layout,
            settings->copies[1].layout);
    for (size_t i = 0; i < settings->row_count; i++) {
        write_row(file, report, i);
    }
    fprintf(file, "  ],\n");
    write_batches(file, report->records);
    fprintf(file, "}\n");
}

static bool write_file(const struct report *report, const char *ending,
                       void (*write)(FILE *file, const struct report *report)) {
    char path[FOLDER_PATH_MAX];
    folder_path(path, "%s.%s", report->settings->out, ending);
    FILE *file = fopen(path, "w");
    bool ok = file != NULL;
    if (ok) {
        write(file, report);
        ok = !ferror(file);
        ok = fclose(file) == 0 && ok;
    }
    if (!ok) {
        complain_system("cannot write %s", path);
    }
    return ok;
}

bool report_write(const struct report *report) {
    const char *out = report->settings->out;
    if (!write_file(report, "csv", write_csv) || !write_file(report, "json", write_json) ||
        !write_file(report, "svg", plot_write)) {
        return false;
    }
    printf("\nEvery time: %s.csv, %s.json; plot: %s.svg\n", out, out, out);
    return true;
}
