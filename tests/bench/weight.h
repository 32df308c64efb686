/* How long one operation of a row takes: what a worker tells the ruler. */
#ifndef BENCH_WEIGHT_H
#define BENCH_WEIGHT_H

enum weight {
    WEIGHT_LIGHT,  /* up to some microseconds */
    WEIGHT_HEAVY,  /* up to a millisecond */
    WEIGHT_PROGRAM /* longer: a run of the program, in a process of its own */
};

#endif
