#include "scatter_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "complain.h"
#include "json.h"
#include "scatter_plot.h"
#include "units.h"
#include "verdicts.h"

/* A log ratio as a change in per cent. */
static double percent(double log_ratio) {
    return 100 * expm1(log_ratio);
}

/* The time that so many quarters of the layouts stay below. */
static double quartile(const struct scatter *scatter, size_t quarters) {
    return statistics_quantile(scatter->sorted, scatter->survey.layouts, (double)quarters / 4);
}

#define QUARTILES 5

static void print_distribution(const struct settings *settings, const struct scatter *scatter) {
    char texts[QUARTILES][UNITS_TEXT_MAX];
    for (size_t i = 0; i < QUARTILES; i++) {
        units_say_time(quartile(scatter, i), texts[i]);
    }
    printf("  median %s; quartiles %s and %s; from %s (layout %" PRIu64 ") to %s (layout %" PRIu64
           ")\n",
           texts[2], texts[1], texts[3], texts[0], settings->copies[0].layout + scatter->best,
           texts[4], settings->copies[0].layout + scatter->worst);
}

void scatter_report_print(const struct settings *settings, const struct scatter *scatter) {
    const struct spread *spread = &scatter->spread;
    printf("%s: %s\n%s: %zu random layouts, %zu processes of each; %" PRIu64
           " keys, values of %" PRIu64 " bytes, seed %" PRIu64 "\n",
           settings->rows[0].name, settings->rows[0].measures, settings->copies[0].name,
           scatter->survey.layouts, scatter->survey.passes, settings->keys, settings->value_bytes,
           settings->seed);
    print_distribution(settings, scatter);
    printf("  real spread %.2f %% [%.2f, %.2f]: standard deviation of the layouts, noise taken "
           "off\n",
           percent(spread->real), percent(spread->low), percent(spread->high));
    printf("  noise %.2f %%: standard deviation of the processes of one layout; of the variance "
           "between\n  processes %.0f %% are the layouts'\n",
           percent(spread->noise), 100 * spread->layout_part);
    printf("  what one half of the processes says of the layouts, and the other: correlation "
           "%.2f\n",
           spread->correlation);
    if (spread->low <= 0) {
        printf("  No spread was found on this machine: what these layouts' figures differ by may "
               "be noise.\n");
    }
    fflush(stdout);
}

/* What the survey said of the worst and the best. */
static double chosen_ratio(const struct scatter *scatter) {
    return scatter->effects[scatter->worst] - scatter->effects[scatter->best];
}

void scatter_report_print_again(const struct scatter *scatter) {
    const struct estimate *estimate = &scatter->again.comparison.estimate;
    char verdict[256];
    verdicts_say(estimate, 1, verdict, sizeof(verdict));
    printf("\nThe best (A) and the worst (B), timed again, only these two:\n  %s\n", verdict);
    printf("  %+.1f %% when they were chosen, %+.1f %% now: ", percent(chosen_ratio(scatter)),
           percent(estimate->mean));
    switch (statistics_judge(estimate, 1)) {
    case VERDICT_SLOWER:
        printf("there is a difference between these layouts.\n%s",
               estimate->mean < chosen_ratio(scatter) / 2
                   ? "  What is gone was luck: of many that are measured, some look better than "
                     "they are.\n"
                   : "");
        break;
    case VERDICT_INCONCLUSIVE:
        printf("the machine is too noisy to say whether it is real.\n");
        break;
    default:
        printf("it has vanished. Of many that are measured, some always look best,\n"
               "  by chance: whoever picks the best has picked the luckiest.\n");
        break;
    }
    fflush(stdout);
}

/* Files */

static void write_csv(FILE *file, const struct settings *settings, const struct scatter *scatter) {
    const struct survey *survey = &scatter->survey;
    fprintf(file, "layout,process,block,round,operations,ns\n");
    for (size_t at = 0; at < survey->passes * survey->layouts; at++) {
        for (size_t round = 0; round < survey->rounds; round++) {
            fprintf(file, "%" PRIu64 ",%zu,%zu,%zu,%" PRIu64 ",%" PRIu64 "\n",
                    settings->copies[0].layout + at % survey->layouts, at / survey->layouts,
                    survey->blocks[at], round, scatter->count,
                    scatter->ns[at * survey->rounds + round]);
        }
    }
}

static void write_settings(FILE *file, const struct settings *settings,
                           const struct scatter *scatter) {
    json_write_text(file, "copy", settings->copies[0].name);
    json_write_machine(file);
    json_write_text(file, "compiler", settings->compiler);
    json_write_text(file, "row", settings->rows[0].name);
    json_write_text(file, "choice", settings->choice);
    fprintf(file,
            "  \"keys\": %" PRIu64 ",\n  \"value_bytes\": %" PRIu64 ",\n  \"seed\": %" PRIu64
            ",\n  \"processes\": %zu,\n  \"operations\": %" PRIu64 ",\n",
            settings->keys, settings->value_bytes, settings->seed, scatter->survey.passes,
            scatter->count);
}

static void write_spread(FILE *file, const struct scatter *scatter) {
    static const char *const names[QUARTILES] = {"lowest_ns", "lower_quartile_ns", "median_ns",
                                                 "upper_quartile_ns", "highest_ns"};
    const struct spread *spread = &scatter->spread;
    for (size_t i = 0; i < QUARTILES; i++) {
        fprintf(file, "  \"%s\": %.2f,\n", names[i], quartile(scatter, i));
    }
    fprintf(
        file,
        "  \"real_spread\": %.6f,\n  \"real_spread_low\": %.6f,\n  \"real_spread_high\": %.6f,\n"
        "  \"noise\": %.6f,\n  \"layout_part\": %.4f,\n  \"correlation\": %.4f,\n",
        spread->real, spread->low, spread->high, spread->noise, spread->layout_part,
        spread->correlation);
}

static void write_again(FILE *file, const struct settings *settings,
                        const struct scatter *scatter) {
    const struct estimate *estimate = &scatter->again.comparison.estimate;
    fprintf(file,
            "  \"best\": %" PRIu64 ",\n  \"worst\": %" PRIu64 ",\n  \"log_ratio\": %.6f,\n"
            "  \"log_ratio_again\": %.6f,\n  \"half_width_99_again\": %.6f,\n"
            "  \"verdict_again\": \"%s\",\n",
            settings->copies[0].layout + scatter->best, settings->copies[0].layout + scatter->worst,
            chosen_ratio(scatter), estimate->mean,
            statistics_half_width(estimate, VERDICT_EFFECT_LEVEL),
            verdicts_name(statistics_judge(estimate, 1)));
}

static void write_json(FILE *file, const struct settings *settings, const struct scatter *scatter) {
    fprintf(file, "{\n  \"format\": \"minikv-layouts\",\n  \"version\": %d,\n",
            SCATTER_REPORT_VERSION);
    write_settings(file, settings, scatter);
    write_spread(file, scatter);
    write_again(file, settings, scatter);
    fprintf(file, "  \"layout_columns\": [\"layout\", \"ns\", \"log_effect\", \"log_effect_even\", "
                  "\"log_effect_odd\"],\n  \"layouts\": [\n");
    for (size_t i = 0; i < scatter->survey.layouts; i++) {
        fprintf(file, "    [%" PRIu64 ", %.2f, %.6f, %.6f, %.6f]%s\n",
                settings->copies[0].layout + i, scatter->times[i], scatter->effects[i],
                scatter->halves[0][i], scatter->halves[1][i],
                i + 1 < scatter->survey.layouts ? "," : "");
    }
    fprintf(file, "  ]\n}\n");
}

static bool write_file(const struct settings *settings, const struct scatter *scatter,
                       const char *ending,
                       void (*write)(FILE *, const struct settings *, const struct scatter *)) {
    char path[FOLDER_PATH_MAX];
    folder_path(path, "%s.%s", settings->out, ending);
    FILE *file = fopen(path, "w");
    bool ok = file != NULL;
    if (ok) {
        write(file, settings, scatter);
        ok = !ferror(file);
        ok = fclose(file) == 0 && ok;
    }
    if (!ok) {
        complain_system("cannot write %s", path);
    }
    return ok;
}

bool scatter_report_write(const struct settings *settings, const struct scatter *scatter) {
    const char *out = settings->out;
    if (!write_file(settings, scatter, "csv", write_csv) ||
        !write_file(settings, scatter, "json", write_json) ||
        !write_file(settings, scatter, "svg", scatter_plot_write)) {
        return false;
    }
    printf("\nEvery time: %s.csv, each layout's: %s.json; plot: %s.svg\n", out, out, out);
    return true;
}
