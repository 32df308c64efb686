#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "complain.h"
#include "json.h"
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
            ",\n      \"seconds\": %.1f,\n      \"others_busy\": %.3f,\n"
            "      \"rivals\": %.3f,\n",
            outcome->ns[SIDE_A], outcome->ns[SIDE_B], outcome->count, outcome->seconds,
            outcome->others, outcome->rivals);
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
    json_write_text(file, "a", settings->copies[SIDE_A].name);
    json_write_text(file, "b", settings->copies[SIDE_B].name);
    json_write_machine(file);
    json_write_text(file, "compiler", settings->compiler);
    json_write_text(file, "choice", settings->choice);
    fprintf(file,
            "  \"keys\": %" PRIu64 ",\n  \"value_bytes\": %" PRIu64 ",\n  \"seed\": %" PRIu64 ",\n",
            settings->keys, settings->value_bytes, settings->seed);
    if (settings->left_out == LEFT_OUT_LAYOUTS) {
        json_write_text(file, "layouts", "one");
    } else {
        fprintf(file, "  \"first_layouts\": [%" PRIu64 ", %" PRIu64 "],\n",
                settings->copies[0].layout, settings->copies[1].layout);
    }
    fprintf(file, "  \"rows\": [\n");
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
