/*
 * The whole program: a file of GETs on its standard input, ten for each key, its replies thrown
 * away; one operation is one run from start to end. With 100,000 keys it is a million GETs.
 */
#ifndef BENCH_PIPE_H
#define BENCH_PIPE_H

#include "row.h"

#define PIPE_GETS_PER_KEY 10

bool pipe_open(struct fixture *fixture);
uint64_t pipe_run(struct fixture *fixture, const uint32_t *picks, size_t count);

/* Keeps the replies, and looks at them. */
uint64_t pipe_check(struct fixture *fixture, const uint32_t *picks, size_t count);
void pipe_close(struct fixture *fixture);

#endif
