#include "caches.h"

#include <stdio.h>
#include <unistd.h>

/* Reads the file /sys/devices/system/cpu/cpu0/cache/index`index`/`name`, or leaves `text` empty. */
static void read_property(int index, const char *name, char text[32]) {
    char path[128];
    text[0] = '\0';
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fgets(text, 32, file) == NULL) {
            text[0] = '\0';
        }
        (void)fclose(file);
    }
}

/* The size that is written as "48K" or "1M"; 0 when it is not. */
static size_t read_size(const char *text) {
    size_t number = 0;
    char unit = '\0';
    if (sscanf(text, "%zu%c", &number, &unit) < 1) {
        return 0;
    }
    return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : number;
}

/* Levels behind one whose size is not known are of no use. */
static void count_levels(struct caches *caches) {
    while (caches->count < CACHES_MAX && caches->bytes[caches->count] > 0) {
        caches->count++;
    }
}

struct caches caches_from_sys(void) {
    struct caches caches = {.source = "/sys"};
    for (int index = 0; index < 16; index++) {
        char type[32];
        char level[32];
        char size[32];
        read_property(index, "type", type);
        read_property(index, "level", level);
        read_property(index, "size", size);
        const int number = level[0] - '0';
        if ((type[0] == 'D' || type[0] == 'U') && number >= 1 && number <= CACHES_MAX) {
            caches.bytes[number - 1] = read_size(size);
        }
    }
    count_levels(&caches);
    return caches;
}

struct caches caches_from_sysconf(void) {
    struct caches caches = {.source = "sysconf(3)"};
#ifdef _SC_LEVEL1_DCACHE_SIZE
    const int names[CACHES_MAX] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                                   _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE};
    for (int i = 0; i < CACHES_MAX; i++) {
        const long bytes = sysconf(names[i]);
        caches.bytes[i] = bytes > 0 ? (size_t)bytes : 0;
    }
#endif
    count_levels(&caches);
    return caches;
}

struct caches caches_find(void) {
    const struct caches sys = caches_from_sys();
    return sys.count > 0 ? sys : caches_from_sysconf();
}
