/* The sizes of the caches, as the system tells them. What is there shows only by measuring. */
#ifndef COSTS_CACHES_H
#define COSTS_CACHES_H

#include <stddef.h>

#define CACHES_MAX 4

struct caches {
    size_t count;             /* levels whose size is known: 1, 2 ... without a gap */
    size_t bytes[CACHES_MAX]; /* of level 1 first */
    const char *source;       /* who says so, for people */
};

/* What Linux says in /sys/devices/system/cpu; of data caches and those for data and code. */
struct caches caches_from_sys(void);

/* What sysconf(3) says. */
struct caches caches_from_sysconf(void);

/* The first of the two if it knows anything, else the second. */
struct caches caches_find(void);

#endif
