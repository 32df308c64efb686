/* Two results of one call. Saves declaring a struct per function. */
#ifndef MINIKV_PAIR_H
#define MINIKV_PAIR_H

#include "bytes.h"

struct pair {
    bool first;
    struct bytes second;
};

#endif
