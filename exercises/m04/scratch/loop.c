/*
 * Times how a reply is made from a value, in a loop of its own: scaffolding for exercise m04.
 * `make` in this folder compiles it with the copy of minikv beside it, and runs it.
 *
 * To time something else, write a function like reply_to() for it, or add a value at the end of
 * main().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reply.h"

enum { CALLS = 20000, ROUNDS = 9, VALUE_LENGTH = 100 };

/* --- What is timed ---------------------------------------------------------------------------- */

static void reply_to(struct slice value, struct buffer *reply) {
    if (!reply_bulk(reply, value, true, true)) {
        (void)fprintf(stderr, "loop: out of memory\n");
        exit(EXIT_FAILURE);
    }
    buffer_clear(reply);
}

/* --- The frame -------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Replies with `value` many times, nine times over, and prints the best. */
static void time_replies(const char *what, struct slice value) {
    double best = 0;
    struct buffer reply;
    buffer_init(&reply);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (size_t call = 0; call < CALLS; call++) {
            reply_to(value, &reply);
        }
        double each = (now_ns() - start) / CALLS;
        best = round == 0 || each < best ? each : best;
    }
    buffer_release(&reply);
    (void)printf("%-40s %9.1f ns\n", what, best);
}

int main(void) {
    unsigned char value[VALUE_LENGTH];
    for (size_t i = 0; i < sizeof value; i++) {
        value[i] = (unsigned char)(0x80 + i);
    }
    time_replies("a value of 100 bytes above ASCII", slice_from(value, sizeof value));
    return EXIT_SUCCESS;
}
