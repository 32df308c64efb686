#include "runner.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "duration.h"
#include "statistics.h"

/*
 * Ten thousand times what asking for the time takes, and less than the turn that a busy system
 * gives to a process: most batches are then not interrupted, whatever else is running.
 */
#define BATCH_NS 300000

/* Four times the steps have to take at least twice as long. */
#define GROWTH_STEPS 4
#define GROWTH_LEAST 2.0
#define GROWTH_BATCHES 5
#define GROWTH_TRIES 3

/* One that is timed: where its results go, nobody but the linker knows. */
volatile uint64_t runner_sink;

struct job {
    const struct runner *runner;
    void *state;
    double empty_ns; /* of one step of the empty loop; the shortest seen */
};

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static uint64_t do_nothing(void *state, uint64_t steps) {
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        __asm__ volatile(""); /* no call, however little is optimised */
    }
    return steps;
}

struct runner runner_real(void) {
    return (struct runner){.now = now_ns, .empty = do_nothing, .batch_ns = BATCH_NS};
}

void runner_say(struct outcome *outcome, enum outcome_kind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(outcome->why, sizeof outcome->why, format, arguments);
    va_end(arguments);
    outcome->kind = kind;
}

void runner_sum_up(double *times, size_t count, struct outcome *outcome) {
    statistics_sort(times, count);
    *outcome = (struct outcome){.kind = OUTCOME_MEASURED,
                                .median = statistics_median(times, count),
                                .lowest = times[0],
                                .highest = times[count - 1]};
}

/* The time of one batch in nanoseconds. */
static double time_batch(const struct job *job, cost_run run, uint64_t steps) {
    const uint64_t start = job->runner->now();
    const uint64_t result = run(job->state, steps);
    const uint64_t end = job->runner->now();
    runner_sink = result;
    return (double)(end - start);
}

/*
 * The empty loop is timed along with the row, over and over: processors change their speed. A
 * short stretch will do.
 */
static void time_empty(struct job *job) {
    const uint64_t steps = 100000;
    const double ns = time_batch(job, job->runner->empty, steps) / (double)steps;
    job->empty_ns = job->empty_ns > 0 ? fmin(job->empty_ns, ns) : ns;
}

/*
 * Finds how many steps of `run` fill a batch. False when there is no such number: when more steps
 * than any loop could do in that time did not fill it.
 */
static bool find_steps(struct job *job, cost_run run, uint64_t *steps, struct outcome *outcome) {
    const double batch = (double)job->runner->batch_ns;
    for (*steps = 1;; *steps *= 4) {
        const double ns = time_batch(job, run, *steps);
        if (ns >= batch / 4) {
            *steps = (uint64_t)fmax(1, (double)*steps * batch / ns);
            return true;
        }
        if ((double)*steps * job->empty_ns > 4 * batch) {
            char text[DURATION_TEXT_MAX];
            duration_say(ns, text);
            runner_say(outcome, OUTCOME_REFUSED,
                       "%.0f million steps took %s: the compiler has left out the work, since "
                       "nobody sees its result",
                       (double)*steps / 1e6, text);
            return false;
        }
    }
}

/* Whether more steps take longer; `once` and `more` are the shortest times of few and of many. */
static bool takes_longer(const struct job *job, cost_run run, uint64_t steps, double *once,
                         double *more) {
    *once = INFINITY;
    *more = INFINITY;
    for (int i = 0; i < GROWTH_BATCHES; i++) {
        *once = fmin(*once, time_batch(job, run, steps));
        *more = fmin(*more, time_batch(job, run, GROWTH_STEPS * steps));
    }
    return *more >= GROWTH_LEAST * *once;
}

/*
 * Whether the time of `run` grows with the number of steps. On a busy machine few steps may take as
 * long as many, by chance. Then it is tried with more: what does not grow at all never will.
 */
static bool grows(const struct job *job, cost_run run, uint64_t steps, struct outcome *outcome) {
    double once = 0;
    double more = 0;
    for (int i = 0; i < GROWTH_TRIES; i++) {
        if (takes_longer(job, run, steps, &once, &more)) {
            return true;
        }
        steps *= GROWTH_STEPS;
    }
    char texts[2][DURATION_TEXT_MAX];
    duration_say(once, texts[0]);
    duration_say(more, texts[1]);
    runner_say(outcome, OUTCOME_REFUSED,
               "its time does not grow with the steps: many took %s, and %d times as many %s. The "
               "work is done once, not in each step, or not at all",
               texts[0], GROWTH_STEPS, texts[1]);
    return false;
}

static double lowest_of(const double times[RUNNER_BATCHES]) {
    double lowest = times[0];
    for (int i = 1; i < RUNNER_BATCHES; i++) {
        lowest = fmin(lowest, times[i]);
    }
    return lowest;
}

/* Whether a step takes longer than one of a loop that does nothing. */
static bool above_floor(const struct job *job, double step_ns, struct outcome *outcome) {
    if (step_ns > RUNNER_FLOOR * job->empty_ns) {
        return true;
    }
    char texts[2][DURATION_TEXT_MAX];
    duration_say(step_ns, texts[0]);
    duration_say(job->empty_ns, texts[1]);
    runner_say(outcome, OUTCOME_REFUSED,
               "a step takes %s, and one of an empty loop %s: the compiler has left out the work, "
               "or it is too little to be told from the loop; then do several in one step, each "
               "hidden from the compiler, and set per_step",
               texts[0], texts[1]);
    return false;
}

/* Something that is timed: a row's run(), or what is taken off it. */
struct part {
    cost_run run;
    uint64_t steps;
    double times[RUNNER_BATCHES]; /* of one step, in nanoseconds */
};

/* Times all parts in turn, so that a phase in which the machine is slow meets all of them. */
static bool time_parts(struct job *job, struct part *parts, size_t count, struct outcome *outcome) {
    time_empty(job);
    for (size_t i = 0; i < count; i++) {
        struct part *part = &parts[i];
        if (!find_steps(job, part->run, &part->steps, outcome) ||
            !grows(job, part->run, part->steps, outcome)) {
            return false;
        }
    }
    for (int batch = 0; batch < RUNNER_BATCHES; batch++) {
        time_empty(job);
        for (size_t i = 0; i < count; i++) {
            const double ns = time_batch(job, parts[i].run, parts[i].steps);
            parts[i].times[batch] = ns / (double)parts[i].steps;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!above_floor(job, lowest_of(parts[i].times), outcome)) {
            return false;
        }
    }
    return true;
}

void runner_measure(const struct runner *runner, const struct cost_row *row, void *state,
                    struct outcome *outcome) {
    struct job job = {.runner = runner, .state = state};
    struct part parts[] = {{.run = row->run}, {.run = row->less}};
    if (!time_parts(&job, parts, row->less == NULL ? 1 : 2, outcome)) {
        return;
    }
    double less = 0;
    if (row->less != NULL) {
        statistics_sort(parts[1].times, RUNNER_BATCHES);
        less = statistics_median(parts[1].times, RUNNER_BATCHES);
    }
    const double scale =
        (row->less == NULL ? 1 : row->factor) / (row->per_step == 0 ? 1 : (double)row->per_step);
    double times[RUNNER_BATCHES];
    for (int i = 0; i < RUNNER_BATCHES; i++) {
        times[i] = scale * (parts[0].times[i] - less);
    }
    runner_sum_up(times, RUNNER_BATCHES, outcome);
    if (outcome->median <= 0) {
        runner_say(outcome, OUTCOME_IMPOSSIBLE,
                   "what it takes beyond the rest was lost in the noise of this run");
    }
}
