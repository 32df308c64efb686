#include "others.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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
               &ticks[7]) != KINDS + 1) {
        return;
    }
    uint64_t *all = number == cpu ? &others->own_all : &others->all;
    uint64_t *busy = number == cpu ? &others->own_busy : &others->busy;
    for (size_t i = 0; i < KINDS; i++) {
        *all += ticks[i];
        *busy += i == KIND_IDLE || i == KIND_IOWAIT ? 0 : ticks[i];
    }
}

void others_read(struct others *others, FILE *file, int cpu) {
    char line[512];
    *others = (struct others){.busy = 0};
    while (file != NULL && fgets(line, sizeof(line), file) != NULL &&
           strncmp(line, "cpu", 3) == 0) {
        take_line(others, line, cpu);
    }
}

static double used_by(int who) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0) {
        return 0;
    }
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void others_look(struct others *others, int cpu) {
    FILE *file = fopen("/proc/stat", "r");
    others_read(others, file, cpu);
    others->used = used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN);
    if (file != NULL) {
        fclose(file);
    }
}

double others_share(const struct others *before, const struct others *after) {
    if (after->all <= before->all || after->busy < before->busy) {
        return -1;
    }
    return (double)(after->busy - before->busy) / (double)(after->all - before->all);
}

double others_rivals(const struct others *before, const struct others *after) {
    if (after->own_all <= before->own_all || after->own_busy < before->own_busy) {
        return -1;
    }
    const double second = (double)sysconf(_SC_CLK_TCK);
    const double busy = (double)(after->own_busy - before->own_busy) / second;
    const double all = (double)(after->own_all - before->own_all) / second;
    return fmax(0, (busy - (after->used - before->used)) / all);
}
