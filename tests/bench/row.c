#include "row.h"

#include <string.h>

uint64_t row_run_all(row_run run, struct fixture *fixture, const uint32_t *picks, size_t count) {
    return run(fixture, picks, count);
}

const struct row *row_find(const struct row *table, const char *name) {
    for (const struct row *row = table; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

const char *row_find_twin(const struct row *table) {
    for (const struct row *row = table; row->name != NULL; row++) {
        if (row_find(table, row->name) != row) {
            return row->name;
        }
    }
    return NULL;
}
