/* One row of two copies, measured against each other. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "comparison.h"
#include "layouts.h"
#include "records.h"
#include "settings.h"

/* What a contest brought. */
struct outcome {
    struct comparison comparison;
    double ns[2]; /* by side: the median over the processes of their shortest time, per operation */
    uint64_t count; /* operations in a batch */
    double seconds; /* what it took, without waiting for its turn */
    double others;  /* how busy the other processors were meanwhile: see others_share() */
    double rivals;  /* what other programs took of the measuring one: see others_rivals() */
};

/*
 * Measures row number `row` of the settings, with the layouts of both copies. Adds each time to
 * `records`. False after a complaint: also where the copies answer differently, which makes the
 * comparison void.
 */
bool contest_run(const struct settings *settings, size_t row, const struct layouts layouts[2],
                 struct records *records, struct outcome *outcome);

#endif
