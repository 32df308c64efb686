#include "survey.h"

#include <math.h>
#include <stdlib.h>

#include "complain.h"
#include "prng.h"
#include "schedule.h"

/* The processes that live at the same time. */
struct block {
    size_t count;
    size_t layouts[SURVEY_BLOCK_MAX];
    double shortest[SURVEY_BLOCK_MAX];
};

size_t survey_blocks(size_t layouts) {
    return (layouts + SURVEY_BLOCK_MAX - 1) / SURVEY_BLOCK_MAX;
}

/* Every second round runs in the reverse order, so that a steady drift cancels out. */
static bool run_rounds(const struct survey *survey, const struct survey_subject *subject,
                       struct block *block, struct prng *prng) {
    size_t order[SURVEY_BLOCK_MAX];
    for (size_t i = 0; i < block->count; i++) {
        order[i] = i;
        block->shortest[i] = HUGE_VAL;
    }
    for (size_t round = 0; round < survey->rounds; round++) {
        const bool back = round % 2 != 0;
        const uint64_t seed = prng_next(prng);
        if (!back) {
            prng_shuffle(prng, order, block->count);
        }
        for (size_t i = 0; i < block->count; i++) {
            const size_t member = order[back ? block->count - 1 - i : i];
            double ns;
            if (!subject->run(subject->context, member, round, seed, &ns)) {
                return false;
            }
            block->shortest[member] = fmin(block->shortest[member], ns);
        }
    }
    return true;
}

static bool run_block(const struct survey *survey, const struct survey_subject *subject,
                      struct block *block, struct prng *prng) {
    size_t opened = 0;
    bool ok = true;
    for (; ok && opened < block->count; opened += ok) {
        ok = subject->open(subject->context, opened, block->layouts[opened],
                           (size_t)prng_below(prng, SCHEDULE_PADDING_MAX));
    }
    ok = ok && run_rounds(survey, subject, block, prng);
    subject->close(subject->context, opened);
    return ok;
}

/* `order`: the layouts, as many as fit into one block after the other. */
static bool run_pass(const struct survey *survey, const struct survey_subject *subject, size_t pass,
                     const size_t *order, struct prng *prng) {
    const size_t blocks = survey_blocks(survey->layouts);
    for (size_t i = 0; i < blocks; i++) {
        /* Blocks of nearly the same size. */
        const size_t first = i * survey->layouts / blocks;
        const size_t end = (i + 1) * survey->layouts / blocks;
        struct block block = {.count = end - first};
        for (size_t member = 0; member < block.count; member++) {
            block.layouts[member] = order[first + member];
        }
        if (!run_block(survey, subject, &block, prng)) {
            return false;
        }
        for (size_t member = 0; member < block.count; member++) {
            const size_t at = pass * survey->layouts + block.layouts[member];
            survey->logs[at] = log(block.shortest[member]);
            survey->blocks[at] = pass * blocks + i;
        }
    }
    return true;
}

bool survey_run(const struct survey *survey, const struct survey_subject *subject, uint64_t seed) {
    struct prng prng;
    size_t *order = calloc(survey->layouts, sizeof(*order));
    bool ok = order != NULL;
    if (!ok) {
        complain("no memory for the order of %zu layouts", survey->layouts);
    }
    prng_init(&prng, seed);
    for (size_t i = 0; ok && i < survey->layouts; i++) {
        order[i] = i;
    }
    for (size_t pass = 0; ok && pass < survey->passes; pass++) {
        prng_shuffle(&prng, order, survey->layouts);
        ok = run_pass(survey, subject, pass, order, &prng);
    }
    free(order);
    return ok;
}
