#define _GNU_SOURCE /* sched_getaffinity() and its like, which are Linux's */

#include "cpus.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

int cpus_get(int which) {
    static cpu_set_t set; /* as it was before anything was pinned */
    static bool known;
    if (!known) {
        CPU_ZERO(&set);
        (void)sched_getaffinity(0, sizeof set, &set);
        known = true;
    }
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
        if (CPU_ISSET((size_t)cpu, &set) && which-- == 0) {
            return cpu;
        }
    }
    return -1;
}

void cpus_pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu >= 0) {
        CPU_SET((size_t)cpu, &set);
        (void)sched_setaffinity(0, sizeof set, &set);
    }
}

bool cpus_are_virtual(void) {
    char line[4096];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, "flags", 5) == 0 && strstr(line, " hypervisor") != NULL;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}
