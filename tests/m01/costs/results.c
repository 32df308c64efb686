#include "results.h"

#include <string.h>

double results_median(const struct results *results, const char *name) {
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->rows[i];
        if (strcmp(result->row->name, name) == 0 && result->outcome.kind == OUTCOME_MEASURED) {
            return result->outcome.median;
        }
    }
    return 0;
}
