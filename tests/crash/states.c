#include "states.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

/* Of a write up to this long, every byte is a place to tear it at. */
#define TEAR_EVERYWHERE 64

/* So many sectors at most are lost in every combination. */
#define SECTORS_ALL 5

/* So many steps on entries at most are lost in every combination. */
#define NAMES_ALL 5

/* --- What is not synced -------------------------------------------------------------------- */

/* What may be found in a file: `versions[0]` is synced, each other one is a step further. */
struct file {
    struct blob *versions;
    size_t last; /* the number of the last version */
    size_t torn_at;
    size_t torn_length; /* of the last step, if it was a write; else 0 */
    size_t *sectors;    /* those that were written since the sync */
    size_t sector_count;
};

static void *more(void *array, size_t count, size_t size) {
    void *grown = realloc(array, (count + 1) * size);
    if (grown == NULL) {
        die("states");
    }
    return grown;
}

static void add_sectors(struct file *file, size_t start, size_t end) {
    for (size_t sector = start / STATES_SECTOR; sector * STATES_SECTOR < end; sector++) {
        bool known = false;
        for (size_t i = 0; i < file->sector_count; i++) {
            known = known || file->sectors[i] == sector;
        }
        if (!known) {
            file->sectors = more(file->sectors, file->sector_count, sizeof *file->sectors);
            file->sectors[file->sector_count] = sector;
            file->sector_count++;
        }
    }
}

/* Makes the file's content so far a version that may be found. */
static void add_version(struct file *file, const struct blob *content) {
    file->last++;
    file->versions = more(file->versions, file->last, sizeof *file->versions);
    file->versions[file->last] = (struct blob){0};
    blob_add(&file->versions[file->last], content->data, content->length);
}

static void keep_last_version(struct file *file) {
    struct blob last = file->versions[file->last];
    file->versions[file->last] = (struct blob){0};
    for (size_t i = 0; i <= file->last; i++) {
        blob_release(&file->versions[i]);
    }
    file->versions[0] = last;
    file->last = 0;
    file->sector_count = 0;
    file->torn_length = 0;
}

static void file_release(struct file *file) {
    for (size_t i = 0; i <= file->last; i++) {
        blob_release(&file->versions[i]);
    }
    free(file->versions);
    free(file->sectors);
}

/* Collects what may be found in file number `number`. */
static void file_collect(struct file *file, const struct disk *disk, size_t count, size_t number) {
    struct disk_image image;
    disk_image_init(&image, disk);
    *file = (struct file){.versions = more(NULL, 0, sizeof *file->versions)};
    file->versions[0] = (struct blob){0};
    for (size_t i = 0; i < count; i++) {
        const struct disk_step *step = &disk->steps[i];
        bool writes = step->kind == DISK_WRITE;
        if (step->file != number || (!writes && step->kind != DISK_TRUNCATE)) {
            if (step->file == number && step->kind == DISK_SYNC) {
                keep_last_version(file);
            }
            continue;
        }
        disk_apply(&image, step);
        add_version(file, &image.files[number]);
        file->torn_at = (size_t)step->at;
        file->torn_length = writes ? step->data.length : 0;
        if (writes) {
            add_sectors(file, file->torn_at, file->torn_at + file->torn_length);
        }
    }
    disk_image_release(&image);
}

/* --- What may be found in one file --------------------------------------------------------- */

enum damage { DAMAGE_LATER, DAMAGE_ZEROS, DAMAGE_TORN, DAMAGE_TORN_ZEROS, DAMAGE_SECTORS };

/* One thing that may be found. */
struct variant {
    enum damage damage;
    size_t number; /* the version; the bytes of a torn write; which sectors, as bits */
    size_t size;   /* with DAMAGE_SECTORS, the version that the length is of */
    bool random;   /* with DAMAGE_SECTORS, `number` is the seed of a choice among all versions */
};

struct variants {
    struct variant *list;
    size_t count;
};

static void add_variant(struct variants *variants, struct variant variant) {
    variants->list = more(variants->list, variants->count, sizeof variant);
    variants->list[variants->count] = variant;
    variants->count++;
}

/* A write is torn after `bytes` bytes, and ends there or goes on with zeros. */
static void add_torn_at(struct variants *variants, size_t bytes) {
    add_variant(variants, (struct variant){.damage = DAMAGE_TORN, .number = bytes});
    add_variant(variants, (struct variant){.damage = DAMAGE_TORN_ZEROS, .number = bytes});
}

static void add_torn(struct variants *variants, const struct file *file, size_t samples,
                     struct random *random) {
    if (file->torn_length <= TEAR_EVERYWHERE) {
        for (size_t bytes = 1; bytes < file->torn_length; bytes++) {
            add_torn_at(variants, bytes);
        }
        return;
    }
    for (size_t i = 0; i < 2 * samples; i++) {
        size_t bytes = 1 + random_below(random, file->torn_length - 1);
        size_t over = (file->torn_at + bytes) % STATES_SECTOR;
        add_torn_at(variants, bytes);
        if (bytes > over) {
            add_torn_at(variants, bytes - over);
        }
    }
}

static void add_sector_choices(struct variants *variants, const struct file *file, size_t samples,
                               struct random *random) {
    if (file->last == 1 && file->sector_count <= SECTORS_ALL) {
        for (size_t bits = 0; bits < (size_t)2 << file->sector_count; bits++) {
            add_variant(
                variants,
                (struct variant){.damage = DAMAGE_SECTORS, .number = bits / 2, .size = bits % 2});
        }
        return;
    }
    for (size_t i = 0; i < samples; i++) {
        size_t size =
            random_below(random, 2) == 0 ? file->last : random_below(random, file->last + 1);
        add_variant(variants, (struct variant){.damage = DAMAGE_SECTORS,
                                               .number = (size_t)random_next(random),
                                               .size = size,
                                               .random = true});
    }
}

static void variants_collect(struct variants *variants, const struct file *file, size_t samples,
                             struct random *random) {
    *variants = (struct variants){0};
    for (size_t i = 0; i <= file->last; i++) {
        add_variant(variants, (struct variant){.damage = DAMAGE_LATER, .number = file->last - i});
    }
    for (size_t i = 0; i < file->last; i++) {
        add_variant(variants, (struct variant){.damage = DAMAGE_ZEROS, .number = i});
    }
    add_torn(variants, file, samples, random);
    if (file->sector_count > 0) {
        add_sector_choices(variants, file, samples, random);
    }
}

static void add_zeros(struct blob *content, size_t length) {
    if (length > content->length) {
        blob_add_run(content, 0, length - content->length);
    }
}

/* Puts into `content` the sector as it was in one version, as far as it lies within. */
static void put_sector(struct blob *content, const struct blob *version, size_t sector) {
    size_t start = sector * STATES_SECTOR;
    for (size_t at = start; at < start + STATES_SECTOR && at < content->length; at++) {
        content->data[at] = at < version->length ? version->data[at] : 0;
    }
}

/* The version in which sector number `sector` of those written is found. */
static size_t choose_version(const struct file *file, const struct variant *variant, size_t sector,
                             struct random *random) {
    if (!variant->random) {
        return (variant->number >> sector & 1) != 0 ? file->last : 0;
    }
    return random_below(random, 3) == 0 ? random_below(random, file->last + 1)
                                        : file->last * random_below(random, 2);
}

static void lose_sectors(const struct file *file, const struct variant *variant,
                         struct blob *content) {
    struct random random;
    random_init(&random, variant->number);
    size_t length = file->versions[variant->size].length;
    add_zeros(content, length);
    content->length = length;
    for (size_t i = 0; i < file->sector_count; i++) {
        size_t version = choose_version(file, variant, i, &random);
        put_sector(content, &file->versions[version], file->sectors[i]);
    }
}

/* Puts into `content` what is found. */
static void variant_build(const struct file *file, const struct variant *variant,
                          struct blob *content) {
    const struct blob *last = &file->versions[file->last];
    bool torn = variant->damage == DAMAGE_TORN || variant->damage == DAMAGE_TORN_ZEROS;
    size_t version = torn                                ? file->last - 1
                     : variant->damage == DAMAGE_SECTORS ? 0
                                                         : variant->number;
    blob_clear(content);
    blob_add(content, file->versions[version].data, file->versions[version].length);
    if (torn) {
        add_zeros(content, file->torn_at + variant->number);
        memcpy(content->data + file->torn_at, last->data + file->torn_at, variant->number);
    }
    if (variant->damage == DAMAGE_SECTORS) {
        lose_sectors(file, variant, content);
    }
    if (variant->damage == DAMAGE_ZEROS || variant->damage == DAMAGE_TORN_ZEROS) {
        add_zeros(content, last->length);
    }
}

static void variant_describe(const struct variant *variant, size_t number, char *text,
                             size_t size) {
    static const char *const damages[] = {
        "steps kept", "steps kept, then zeros", "bytes kept of the last write",
        "bytes kept of the last write, then zeros", "is the choice of sectors"};
    size_t used = strlen(text);
    snprintf(text + used, size - used, "file %zu: %zu %s; ", number, variant->number,
             damages[variant->damage]);
}

/* --- What may be found in the folders ------------------------------------------------------ */

static bool is_about_entries(const struct disk_step *step) {
    return step->kind == DISK_CREATE || step->kind == DISK_MKDIR || step->kind == DISK_RENAME ||
           step->kind == DISK_LINK || step->kind == DISK_UNLINK;
}

/* Whether a sync of the step's folder follows before step `count`. */
static bool is_synced(const struct disk *disk, size_t count, size_t at) {
    const char *name = disk->steps[at].name;
    size_t length = disk_folder_length(name);
    for (size_t i = at + 1; i < count; i++) {
        const struct disk_step *step = &disk->steps[i];
        if (step->kind == DISK_SYNC_FOLDER && strlen(step->name) == length &&
            strncmp(step->name, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static size_t count_pending(const struct disk *disk, size_t count) {
    size_t pending = 0;
    for (size_t i = 0; i < count; i++) {
        pending += is_about_entries(&disk->steps[i]) && !is_synced(disk, count, i);
    }
    return pending;
}

/* Does all synced steps on entries, and of the others those whose bit is set. */
static void apply_entries(const struct disk *disk, size_t count, uint64_t bits,
                          struct disk_image *image) {
    size_t pending = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_about_entries(&disk->steps[i])) {
            continue;
        }
        bool synced = is_synced(disk, count, i);
        if (synced || (bits >> pending & 1) != 0) {
            disk_apply(image, &disk->steps[i]);
        }
        pending += !synced;
    }
}

/* --- Both ---------------------------------------------------------------------------------- */

struct search {
    const struct disk *disk;
    size_t count;
    struct file *files;
    struct variants *variants;
    size_t most_variants;
    states_check check;
    void *context;
    size_t shown;
};

/* Shows the state with these entries, and of each file the variant of that number. */
static void show(struct search *search, uint64_t bits, size_t number) {
    struct state state = {.ordered = true};
    disk_image_init(&state.image, search->disk);
    apply_entries(search->disk, search->count, bits, &state.image);
    snprintf(state.text, sizeof state.text, "entries kept: %#llx; ", (unsigned long long)bits);
    for (size_t i = 0; i < search->disk->files; i++) {
        const struct variants *variants = &search->variants[i];
        const struct variant *variant = &variants->list[number % variants->count];
        variant_build(&search->files[i], variant, &state.image.files[i]);
        variant_describe(variant, i, state.text, sizeof state.text);
        state.ordered = state.ordered && variant->damage != DAMAGE_SECTORS;
    }
    search->check(search->context, &state);
    search->shown++;
    disk_image_release(&state.image);
}

/* All that may be found in the files goes with all entries and with none; with others, a part. */
static void show_entries(struct search *search, uint64_t bits, bool all_or_none) {
    for (size_t i = 0; i < search->most_variants; i += all_or_none || i < 4 ? 1 : 7) {
        show(search, bits, i);
    }
}

static void show_all(struct search *search, size_t samples, struct random *random) {
    size_t pending = count_pending(search->disk, search->count);
    uint64_t all = ((uint64_t)1 << pending) - 1;
    if (pending <= NAMES_ALL) {
        for (uint64_t bits = 0; bits <= all; bits++) {
            show_entries(search, bits, bits == 0 || bits == all);
        }
        return;
    }
    for (size_t kept = 0; kept <= pending; kept++) {
        show_entries(search, ((uint64_t)1 << kept) - 1, kept == 0 || kept == pending);
    }
    for (size_t i = 0; i < samples; i++) {
        show_entries(search, random_next(random) & all, false);
    }
}

static bool has_file(const struct disk_image *image, size_t number) {
    for (size_t i = 0; i < image->entry_count; i++) {
        if (!image->entries[i].folder && image->entries[i].file == number) {
            return true;
        }
    }
    return false;
}

/* Whether any state may have the file; one that has been replaced for good is in none. */
static bool may_be_there(const struct disk *disk, size_t count, size_t number) {
    struct disk_image image;
    disk_image_init(&image, disk);
    apply_entries(disk, count, 0, &image);
    bool found = has_file(&image, number);
    disk_image_release(&image);
    for (size_t i = 0; i < count && !found; i++) {
        const struct disk_step *step = &disk->steps[i];
        found = is_about_entries(step) && step->kind != DISK_UNLINK && step->file == number &&
                !is_synced(disk, count, i);
    }
    return found;
}

size_t states_each(const struct disk *disk, size_t count, size_t samples, struct random *random,
                   states_check check, void *context) {
    struct search search = {.disk = disk, .count = count, .check = check, .context = context};
    search.files = more(NULL, disk->files, sizeof *search.files);
    search.variants = more(NULL, disk->files, sizeof *search.variants);
    for (size_t i = 0; i < disk->files; i++) {
        file_collect(&search.files[i], disk, may_be_there(disk, count, i) ? count : 0, i);
        variants_collect(&search.variants[i], &search.files[i], samples, random);
        if (search.variants[i].count > search.most_variants) {
            search.most_variants = search.variants[i].count;
        }
    }
    if (disk->files == 0) {
        search.most_variants = 1;
    }
    show_all(&search, samples, random);
    for (size_t i = 0; i < disk->files; i++) {
        file_release(&search.files[i]);
        free(search.variants[i].list);
    }
    free(search.files);
    free(search.variants);
    return search.shown;
}
