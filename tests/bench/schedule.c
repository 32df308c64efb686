#include "schedule.h"

enum side schedule_other(enum side side) {
    return side == SIDE_A ? SIDE_B : SIDE_A;
}

static enum side draw_side(struct prng *prng) {
    return prng_below(prng, 2) == 0 ? SIDE_A : SIDE_B;
}

void schedule_draw(struct schedule *schedule, struct prng *prng, size_t rounds) {
    schedule->started_first = draw_side(prng);
    schedule->padding[SIDE_A] = (size_t)prng_below(prng, SCHEDULE_PADDING_MAX);
    schedule->padding[SIDE_B] = (size_t)prng_below(prng, SCHEDULE_PADDING_MAX);
    schedule->rounds = rounds;
    for (size_t i = 0; i < rounds; i += 2) {
        schedule->first_side[i] = draw_side(prng);
        schedule->first_side[i + 1] = schedule_other(schedule->first_side[i]);
        schedule->seeds[i] = prng_next(prng);
        schedule->seeds[i + 1] = prng_next(prng);
    }
}
