#include "rows.h"

#include <stdio.h>
#include <string.h>

#include "chase.h"

const struct cost_row memory_rows[] = {
    {.name = "load-l1", .what = "a load that hits the L1 cache", .level = 1},
    {.name = "load-l2", .what = "a load that hits the L2 cache", .level = 2},
    {.name = "load-l3", .what = "a load that hits the L3 cache", .level = 3},
    {.name = "load-memory",
     .what = "a load from memory",
     .level = PLATEAU_MEMORY,
     .book = "100s of instr."},
    {.name = "load-memory-4k",
     .what = "a load from memory, pages of 4 KB",
     .level = CHASE_MEMORY_PLAIN},
    {.name = NULL},
};

const struct cost_group rows_groups[] = {
    {"processor", "The processor", processor_rows},
    {"memory", "Loads, one after the other", memory_rows},
    {"library", "The C library", library_rows},
    {"lookups", "Look-ups by key", lookup_rows},
    {"arrays", "Arrays of 100,000 structures", array_rows},
    {"system", "The system", system_rows},
    {"files", "Files", file_rows},
    {"talk", "Talking to another process", talk_rows},
    {"threads", "Threads and processes", thread_rows},
    {"mine", "Your own", mine},
    {NULL, NULL, NULL},
};

/* The next word of `*text`, which is moved behind it; false at the end. */
static bool next_word(const char **text, const char **word, size_t *length) {
    *text += strspn(*text, " \t");
    *word = *text;
    *length = strcspn(*text, " \t");
    *text += *length;
    return *length > 0;
}

static bool is_word(const char *name, const char *word, size_t length) {
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

static const struct cost_row *find(const struct cost_group *groups, const char *word,
                                   size_t length) {
    for (const struct cost_group *group = groups; group->name != NULL; group++) {
        for (const struct cost_row *row = group->rows; row->name != NULL; row++) {
            if (is_word(row->name, word, length)) {
                return row;
            }
        }
    }
    return NULL;
}

static bool is_group(const struct cost_group *groups, const char *word, size_t length) {
    for (const struct cost_group *group = groups; group->name != NULL; group++) {
        if (is_word(group->name, word, length)) {
            return true;
        }
    }
    return false;
}

const struct cost_row *rows_find(const struct cost_group *groups, const char *name) {
    return find(groups, name, strlen(name));
}

const struct cost_row *rows_find_what(const struct cost_group *groups, const char *what) {
    for (const struct cost_group *group = groups; group->name != NULL; group++) {
        for (const struct cost_row *row = group->rows; row->name != NULL; row++) {
            if (strcmp(row->what, what) == 0) {
                return row;
            }
        }
    }
    return NULL;
}

static const char *fault_of(const struct cost_group *groups, const struct cost_row *row) {
    const size_t length = strlen(row->name);
    if (length == 0 || length >= ROWS_NAME_MAX ||
        strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789-") != length) {
        return "its name has to be of lower case letters, digits and '-', and at most 31 of them";
    }
    if (rows_find(groups, row->name) != row) {
        return "there are two rows of that name; give one another";
    }
    if (is_group(groups, row->name, length)) {
        return "a group of rows has that name; give it another";
    }
    if (row->what == NULL || row->what[0] == '\0' || strlen(row->what) > COST_WHAT_MAX) {
        return "its .what has to say in at most 38 characters what one operation is";
    }
    return row->run == NULL && row->level == 0 ? "it has no .run" : NULL;
}

const char *rows_fault(const struct cost_group *groups) {
    static char text[256];
    for (const struct cost_group *group = groups; group->name != NULL; group++) {
        for (const struct cost_row *row = group->rows; row->name != NULL; row++) {
            const char *fault = fault_of(groups, row);
            if (fault != NULL) {
                (void)snprintf(text, sizeof text, "row \"%s\": %s", row->name, fault);
                return text;
            }
        }
    }
    return NULL;
}

bool rows_picked(const char *picks, const struct cost_group *group, const struct cost_row *row) {
    const char *word;
    size_t length;
    while (next_word(&picks, &word, &length)) {
        if (is_word(row->name, word, length) || is_word(group->name, word, length)) {
            return true;
        }
    }
    return false;
}

bool rows_all_known(const struct cost_group *groups, const char *picks,
                    char unknown[ROWS_NAME_MAX]) {
    const char *word;
    size_t length;
    while (next_word(&picks, &word, &length)) {
        if (find(groups, word, length) == NULL && !is_group(groups, word, length)) {
            (void)snprintf(unknown, ROWS_NAME_MAX, "%.*s", (int)length, word);
            return false;
        }
    }
    return true;
}
