#include "settings.h"

#include <string.h>

#include "complain.h"
#include "layouts.h"
#include "options.h"
#include "spread.h"

static bool read_rows(struct settings *settings, char *names) {
    settings->row_count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(names, " \t,", &rest); name != NULL;
         name = strtok_r(NULL, " \t,", &rest)) {
        if (settings->row_count == SETTINGS_ROWS_MAX) {
            complain("BENCH: at most %d names, please", SETTINGS_ROWS_MAX);
            return false;
        }
        settings->rows[settings->row_count++] = (struct row_setting){.name = name};
    }
    if (settings->row_count == 0) {
        complain("BENCH: name at least one benchmark");
    }
    return settings->row_count > 0;
}

static bool read_choice(struct settings *settings, const char *choice) {
    if (strcmp(choice, "uniform") != 0 && strcmp(choice, "zipf") != 0) {
        complain("CHOICE=%s: give uniform or zipf", choice);
        return false;
    }
    settings->choice = choice;
    return true;
}

/* "random" is what is measured otherwise; "one" leaves layouts out. */
static bool read_layouts(struct settings *settings, const char *layouts) {
    if (strcmp(layouts, "random") == 0) {
        return true;
    }
    if (strcmp(layouts, "one") != 0) {
        complain("LAYOUTS=%s: give random or one", layouts);
        return false;
    }
    settings->left_out = LEFT_OUT_LAYOUTS;
    settings->copies[0].layout = LAYOUTS_PLAIN;
    settings->copies[1].layout = LAYOUTS_PLAIN;
    return true;
}

#define LAYOUT_MAX 1000000

struct text_option {
    const char *name;
    const char **value;
};

struct number_option {
    const char *name;
    const char *variable; /* how the user of make knows it */
    uint64_t low;
    uint64_t high;
    uint64_t *value;
};

static bool read_option(struct settings *settings, const char *name, char *value) {
    const struct text_option texts[] = {
        {"--name-a", &settings->copies[0].name},
        {"--build-a", &settings->copies[0].build},
        {"--name-b", &settings->copies[1].name},
        {"--build-b", &settings->copies[1].build},
        {"--name-c", &settings->copies[2].name},
        {"--build-c", &settings->copies[2].build},
        {"--out", &settings->out},
        {"--cell", &settings->cell},
        {"--from", &settings->from},
        {"--turns", &settings->turns},
        {"--compiler", &settings->compiler},
    };
    const struct number_option numbers[] = {
        {"--keys", "KEYS", 1, 10000000, &settings->keys},
        {"--value", "VALUE", 1, 1000000, &settings->value_bytes},
        {"--rounds", "ROUNDS", 2, 1000, &settings->rounds},
        {"--seed", "SEED", 0, UINT32_MAX, &settings->seed},
        {"--layout-a", "LAYOUT_A", 0, LAYOUT_MAX, &settings->copies[0].layout},
        {"--layout-b", "LAYOUT_B", 0, LAYOUT_MAX, &settings->copies[1].layout},
        {"--count", "N", 2, 2000, &settings->layouts},
        {"--processes", "PROCESSES", 4, SPREAD_PASSES_MAX, &settings->processes},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].value = value;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        const struct number_option *number = &numbers[i];
        if (strcmp(name, number->name) == 0) {
            return options_read_number(number->variable, value, number->low, number->high,
                                       number->value);
        }
    }
    if (strcmp(name, "--rows") == 0) {
        return read_rows(settings, value);
    }
    if (strcmp(name, "--bound") == 0) {
        return options_read_factor("BOUND", value, &settings->bound);
    }
    if (strcmp(name, "--choice") == 0) {
        return read_choice(settings, value);
    }
    if (strcmp(name, "--layouts") == 0) {
        return read_layouts(settings, value);
    }
    complain("unknown option %s", name);
    return false;
}

#define PAYLOAD_MAX ((uint64_t)2 << 30)

bool settings_read(struct settings *settings, int argc, char **argv) {
    for (int i = 2; i < argc; i += 2) {
        if (i + 1 == argc) {
            complain("%s needs a value", argv[i]);
            return false;
        }
        if (!read_option(settings, argv[i], argv[i + 1])) {
            return false;
        }
    }
    while (settings->copy_count < SETTINGS_COPIES_MAX &&
           settings->copies[settings->copy_count].build != NULL) {
        settings->copy_count++;
    }
    if (settings->keys * settings->value_bytes > PAYLOAD_MAX) {
        complain("KEYS times VALUE is more than 2 GiB: make one of them smaller");
        return false;
    }
    return true;
}
