#include "layouts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"
#include "prng.h"
#include "process.h"
#include "progress.h"

/* So many links at a time. */
#define JOBS 2

/* Changes when layouts are to be made in another way than before. */
#define CHECKSUM_START 2

static bool add_checksum(uint64_t *sum, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        complain_system("cannot read %s", path);
        return false;
    }
    for (int c = getc(file); c != EOF; c = getc(file)) {
        *sum = (*sum ^ (uint64_t)c) * 0x100000001b3u; /* FNV-1a */
    }
    const bool ok = !ferror(file);
    fclose(file);
    return ok;
}

/* Reads a whole small file, with blanks between names made NUL. */
static char *read_names(const char *path, size_t *length) {
    char *names = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        complain_system("cannot read %s", path);
        return NULL;
    }
    const ssize_t count = getdelim(&names, &capacity, '\0', file);
    fclose(file);
    if (count <= 0) {
        complain("%s is empty", path);
        free(names);
        return NULL;
    }
    *length = (size_t)count;
    for (size_t i = 0; i < *length; i++) {
        if (names[i] == ' ' || names[i] == '\n') {
            names[i] = '\0';
        }
    }
    return names;
}

/* Sorts the names of the file into objects and paddings. */
static bool take_names(struct layouts *layouts, size_t length) {
    layouts->objects = calloc(length, sizeof(*layouts->objects));
    layouts->paddings = calloc(length, sizeof(*layouts->paddings));
    if (layouts->objects == NULL || layouts->paddings == NULL) {
        complain("no memory for the names of objects");
        return false;
    }
    for (const char *name = layouts->names; name < layouts->names + length;
         name += strlen(name) + 1) {
        if (strstr(name, "/padding-") != NULL) {
            layouts->paddings[layouts->padding_count++] = name;
        } else if (name[0] != '\0') {
            layouts->objects[layouts->object_count++] = name;
        }
    }
    return true;
}

/* Everything that a layout is made of. */
static bool checksum_all(const struct layouts *layouts, const char *link, uint64_t *sum) {
    *sum = CHECKSUM_START;
    bool ok = add_checksum(sum, link);
    for (size_t i = 0; ok && i < layouts->object_count; i++) {
        ok = add_checksum(sum, layouts->objects[i]);
    }
    for (size_t i = 0; ok && i < layouts->padding_count; i++) {
        ok = add_checksum(sum, layouts->paddings[i]);
    }
    return ok;
}

static bool make_folder(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        complain_system("cannot make %s", path);
        return false;
    }
    return true;
}

/* Leaves only the folder of these objects. */
static bool open_folder(struct layouts *layouts, uint64_t sum) {
    char parent[FOLDER_PATH_MAX];
    folder_path(parent, "%s/layouts", layouts->build);
    folder_path(layouts->folder, "%s/layouts/%016" PRIx64, layouts->build, sum);
    if (access(layouts->folder, F_OK) == 0) {
        return true;
    }
    folder_remove(parent);
    return make_folder(parent) && make_folder(layouts->folder);
}

bool layouts_open(struct layouts *layouts, const char *build) {
    char path[FOLDER_PATH_MAX];
    size_t length = 0;
    uint64_t sum;
    *layouts = (struct layouts){.build = build};
    folder_path(path, "%s/objects", build);
    layouts->names = read_names(path, &length);
    folder_path(path, "%s/link", build);
    if (layouts->names != NULL && take_names(layouts, length) &&
        checksum_all(layouts, path, &sum) && open_folder(layouts, sum)) {
        return true;
    }
    layouts_close(layouts);
    return false;
}

void layouts_close(struct layouts *layouts) {
    free(layouts->objects);
    free(layouts->paddings);
    free(layouts->names);
}

void layouts_path(const struct layouts *layouts, size_t number, char path[FOLDER_PATH_MAX]) {
    if (number == LAYOUTS_PLAIN) {
        folder_path(path, "%s/plain", layouts->build);
    } else {
        folder_path(path, "%s/%zu", layouts->folder, number);
    }
}

/* A link under way: its result gets its name only when it is whole. */
struct job {
    struct process process;
    char target[FOLDER_PATH_MAX];
    char partial[FOLDER_PATH_MAX];
};

/* The objects in the order of layout `number`, a random choice of paddings before each. */
static size_t arrange(const struct layouts *layouts, size_t number, const char **arguments,
                      size_t *order) {
    struct prng prng;
    prng_init(&prng, number);
    for (size_t i = 0; i < layouts->object_count; i++) {
        order[i] = i;
    }
    prng_shuffle(&prng, order, layouts->object_count);
    size_t count = 0;
    for (size_t i = 0; i < layouts->object_count; i++) {
        const uint64_t chosen = prng_next(&prng);
        for (size_t padding = 0; padding < layouts->padding_count; padding++) {
            if ((chosen >> padding & 1) != 0) {
                arguments[count++] = layouts->paddings[padding];
            }
        }
        arguments[count++] = layouts->objects[order[i]];
    }
    return count;
}

static bool start_job(const struct layouts *layouts, size_t number, struct job *job) {
    static const struct process_setting as_usual;
    char link[FOLDER_PATH_MAX];
    const size_t room = 3 + layouts->object_count * (layouts->padding_count + 1) + 1;
    const char **arguments = calloc(room, sizeof(*arguments));
    size_t *order = calloc(layouts->object_count, sizeof(*order));
    bool ok = arguments != NULL && order != NULL;
    if (ok) {
        folder_path(link, "%s/link", layouts->build);
        folder_path(job->partial, "%s.partial", job->target);
        arguments[0] = "sh";
        arguments[1] = link;
        arguments[2] = job->partial;
        arrange(layouts, number, arguments + 3, order);
        ok = process_start(&job->process, arguments, &as_usual);
    } else {
        complain("no memory for a list of objects");
    }
    free(order);
    free(arguments);
    return ok;
}

static bool finish_job(struct job *job) {
    if (!process_finish(&job->process)) {
        unlink(job->partial);
        return false;
    }
    if (rename(job->partial, job->target) != 0) {
        complain_system("cannot make %s", job->target);
        return false;
    }
    return true;
}

/* Starts links for what is missing from `*next` on, at most JOBS; how many. */
static size_t start_jobs(const struct layouts *layouts, size_t *next, size_t end, struct job *jobs,
                         bool *ok) {
    size_t count = 0;
    for (; *ok && *next < end && count < JOBS; ++*next) {
        layouts_path(layouts, *next, jobs[count].target);
        if (access(jobs[count].target, X_OK) != 0) {
            *ok = start_job(layouts, *next, &jobs[count]);
            count += *ok;
        }
    }
    return count;
}

bool layouts_make(const struct layouts *layouts, size_t first, size_t end) {
    bool ok = true;
    for (size_t next = first; ok && next < end;) {
        struct job jobs[JOBS];
        const size_t count = start_jobs(layouts, &next, end, jobs, &ok);
        for (size_t i = 0; i < count; i++) {
            ok = finish_job(&jobs[i]) && ok;
        }
        if (count > 0) {
            progress_show("%s: linking layout %zu of %zu", layouts->build, next - first,
                          end - first);
        }
    }
    return ok && !process_interrupted();
}
