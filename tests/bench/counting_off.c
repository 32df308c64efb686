/* For the worker that is timed: nothing is counted. */
#include "counting.h"

uint64_t counting_totals[COUNTED_KINDS];
