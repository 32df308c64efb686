/*
 * What a GET cannot do without, on a table like minikv's own: find the key in the line, hash it
 * once, follow the chain, copy the value into the reply once, with its quotes. It knows no other
 * command, no error and no byte that needs an escape; so it is no design, but the distance that a
 * design has to the floor.
 */
#ifndef BENCH_IDEAL_H
#define BENCH_IDEAL_H

#include "row.h"

bool ideal_open(struct fixture *fixture);
uint64_t ideal_run(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t ideal_check(struct fixture *fixture, const uint32_t *picks, size_t count);
void ideal_close(struct fixture *fixture);

#endif
