#include "others.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; see proc(5). */
#define KINDS 8
#define KIND_IDLE 3
#define KIND_IOWAIT 4

static void take_line(struct others *others, const char *line, int cpu) {
    int number;
    uint64_t ticks[KINDS];
    if (line[3] == ' ' || /* the sum of all */
        sscanf(line,
               "cpu%d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " %" SCNu64,
               &number, &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6],
               &ticks[7]) != KINDS + 1 ||
        number == cpu) {
        return;
    }
    for (size_t i = 0; i < KINDS; i++) {
        others->all += ticks[i];
        others->busy += i == KIND_IDLE || i == KIND_IOWAIT ? 0 : ticks[i];
    }
}

void others_look(struct others *others, int cpu) {
    char line[512];
    *others = (struct others){.busy = 0};
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL && strncmp(line, "cpu", 3) == 0) {
        take_line(others, line, cpu);
    }
    fclose(file);
}

double others_share(const struct others *before, const struct others *after) {
    if (after->all <= before->all || after->busy < before->busy) {
        return -1;
    }
    return (double)(after->busy - before->busy) / (double)(after->all - before->all);
}
