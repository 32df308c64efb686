#include "records.h"

#include <stdlib.h>

#include "complain.h"

bool records_add(struct records *records, const struct record *record) {
    if (records->count == records->capacity) {
        const size_t capacity = records->capacity * 2 + 1024;
        struct record *grown = realloc(records->items, capacity * sizeof(*grown));
        if (grown == NULL) {
            complain("no memory for the times");
            return false;
        }
        records->items = grown;
        records->capacity = capacity;
    }
    records->items[records->count++] = *record;
    return true;
}

void records_release(struct records *records) {
    free(records->items);
    *records = (struct records){0};
}
