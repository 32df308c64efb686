#include "modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"
#include "dirs.h"
#include "fixture.h"
#include "rate.h"
#include "template.h"

/* Buffers */

#define BUFFER_BYTES_MAX 4096

static uint64_t sum_buffer(const struct buffer *buffer) {
    uint64_t sum = 0;
    for (size_t at = 0; at < buffer_length(buffer);) {
        const struct slice piece = buffer_peek(buffer, at);
        sum = fixture_checksum(sum, piece);
        at += piece.length;
    }
    return sum;
}

/* Appends; `check` looks at all bytes, otherwise only at how many there are. */
static inline uint64_t append_bytes(struct fixture *fixture, const uint32_t *picks, size_t count,
                                    bool check) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned char byte = (unsigned char)picks[i];
        if (!buffer_append(&fixture->reply, slice_from(&byte, 1))) {
            fixture_fail("a buffer took no further byte");
        }
        if (buffer_length(&fixture->reply) == BUFFER_BYTES_MAX || i + 1 == count) {
            sum += check ? sum_buffer(&fixture->reply) : buffer_length(&fixture->reply);
            buffer_clear(&fixture->reply);
        }
    }
    return sum;
}

uint64_t modules_append_byte(struct fixture *fixture, const uint32_t *picks, size_t count) {
    return append_bytes(fixture, picks, count, false);
}

uint64_t modules_check_append_byte(struct fixture *fixture, const uint32_t *picks, size_t count) {
    return append_bytes(fixture, picks, count, true);
}

uint64_t modules_cycle_buffer(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    (void)fixture;
    for (size_t i = 0; i < count; i++) {
        struct buffer buffer;
        buffer_init(&buffer);
        if (!buffer_append(&buffer, slice_from(&picks[i], sizeof(picks[i])))) {
            fixture_fail("an empty buffer took no bytes");
        }
        sum += buffer_peek(&buffer, 0).data[0];
        buffer_release(&buffer);
    }
    return sum;
}

/* Nothing is asked in between, so that as little as possible but the call is timed. */
static uint64_t alloc_bytes(struct buffer *buffer, const uint32_t *picks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char *place = buffer_alloc(buffer, 1);
        if (place == NULL) {
            fixture_fail("a buffer gave no room for a byte");
        }
        *place = (unsigned char)picks[i];
    }
    const size_t length = buffer_length(buffer);
    buffer_clear(buffer);
    return length;
}

uint64_t modules_alloc_byte(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    for (; count > BUFFER_BYTES_MAX; count -= BUFFER_BYTES_MAX) {
        sum += alloc_bytes(&fixture->reply, picks, BUFFER_BYTES_MAX);
        picks += BUFFER_BYTES_MAX;
    }
    return sum + alloc_bytes(&fixture->reply, picks, count);
}

/* What the rows that follow work on: internal bytes, long external ones, internal ones again. */
#define HEAD_BYTES 300
#define EXTERNAL_BYTES 1500

static unsigned char external_bytes[EXTERNAL_BYTES];

static void append_run(struct buffer *buffer, size_t length, int byte) {
    void *place = buffer_alloc(buffer, length);
    if (place == NULL) {
        fixture_fail("a buffer gave no room");
    }
    memset(place, byte, length);
}

static void append_external(struct buffer *buffer) {
    if (!buffer_append_external(buffer, external_bytes, sizeof(external_bytes), NULL)) {
        fixture_fail("a buffer took no external bytes");
    }
}

bool modules_open_buffer(struct fixture *fixture) {
    append_run(&fixture->reply, HEAD_BYTES, 'h');
    append_external(&fixture->reply);
    append_run(&fixture->reply, 1, 't');
    return true;
}

uint64_t modules_measure_buffer(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += buffer_length(&fixture->reply) + picks[i];
    }
    return sum;
}

uint64_t modules_copy_buffer(struct fixture *fixture, const uint32_t *picks, size_t count) {
    unsigned char copy[HEAD_BYTES + EXTERNAL_BYTES + 1];
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t offset = picks[i] % HEAD_BYTES;
        sum += buffer_copy(&fixture->reply, offset, sizeof(copy), copy);
        sum += copy[picks[i] % EXTERNAL_BYTES];
    }
    return sum;
}

uint64_t modules_truncate_buffer(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    const size_t before = buffer_length(&fixture->reply);
    for (size_t i = 0; i < count; i++) {
        unsigned char *place = buffer_alloc(&fixture->reply, 1 + picks[i] % 8);
        if (place == NULL) {
            fixture_fail("a buffer gave no room for a few bytes");
        }
        *place = (unsigned char)picks[i];
        sum += buffer_length(&fixture->reply);
        buffer_truncate(&fixture->reply, before);
    }
    return sum;
}

uint64_t modules_append_external(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        append_external(&fixture->reply);
        sum += buffer_length(&fixture->reply) + picks[i];
        buffer_clear(&fixture->reply);
    }
    return sum;
}

/* Templates */

static bool open_template(struct fixture *fixture, const char *source) {
    fixture->own = template_compile(source);
    if (fixture->own == NULL) {
        complain("no memory for a template");
    }
    return fixture->own != NULL;
}

bool modules_open_fixed(struct fixture *fixture) {
    return open_template(fixture, "ERR empty command name");
}

bool modules_open_filled(struct fixture *fixture) {
    return open_template(fixture, "ERR unknown command '@name', try HELP");
}

static inline uint64_t look_at(struct text *text, bool check) {
    const uint64_t sum = check ? fixture_checksum(0, slice_from(text->data, text->length))
                               : text->length + (unsigned char)text->data[text->length - 1];
    text_release(text);
    return sum;
}

static inline uint64_t render_fixed(const struct fixture *fixture, size_t count, bool check) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct text text;
        if (template_render(fixture->own, NULL, 0, &text) != TEMPLATE_OK) {
            fixture_fail("a template without a place was not rendered");
        }
        sum += look_at(&text, check);
    }
    return sum;
}

uint64_t modules_render_fixed(struct fixture *fixture, const uint32_t *picks, size_t count) {
    (void)picks;
    return render_fixed(fixture, count, false);
}

uint64_t modules_check_render_fixed(struct fixture *fixture, const uint32_t *picks, size_t count) {
    (void)picks;
    return render_fixed(fixture, count, true);
}

static inline uint64_t render_filled(const struct fixture *fixture, const uint32_t *picks,
                                     size_t count, bool check) {
    uint64_t sum = 0;
    char name[FIXTURE_KEY_LENGTH] = "";
    const struct template_value value = {"name", slice_from(name, sizeof(name))};
    for (size_t i = 0; i < count; i++) {
        struct text text;
        fixture_write_key(name, picks[i]);
        if (template_render(fixture->own, &value, 1, &text) != TEMPLATE_OK) {
            fixture_fail("a template with a place was not rendered");
        }
        sum += look_at(&text, check);
    }
    return sum;
}

uint64_t modules_render_filled(struct fixture *fixture, const uint32_t *picks, size_t count) {
    return render_filled(fixture, picks, count, false);
}

uint64_t modules_check_render_filled(struct fixture *fixture, const uint32_t *picks, size_t count) {
    return render_filled(fixture, picks, count, true);
}

void modules_close_template(struct fixture *fixture) {
    template_free(fixture->own);
}

/* Folders: "<number>/a/b" below the fixture's own folder. */

struct folders {
    char *path;
    char *number; /* eight digits in it */
    size_t made;  /* so many since the last tidying */
    size_t next;
};

#define DIGITS 8
#define FOLDERS_MAX 100000000

static void set_number(const struct folders *folders, size_t number) {
    for (size_t i = DIGITS; i-- > 0; number /= 10) {
        folders->number[i] = (char)('0' + number % 10);
    }
}

static struct folders *new_folders(const char *folder) {
    struct folders *folders = calloc(1, sizeof(*folders));
    const size_t length = strlen(folder);
    char *path = malloc(length + sizeof("/00000000/a/b"));
    if (folders == NULL || path == NULL) {
        complain("no memory for a path");
        free(folders);
        free(path);
        return NULL;
    }
    strcpy(path, folder);
    strcpy(path + length, "/00000000/a/b");
    *folders = (struct folders){.path = path, .number = path + length + 1, .next = 1};
    return folders;
}

static void free_folders(struct folders *folders) {
    if (folders != NULL) {
        free(folders->path);
        free(folders);
    }
}

bool modules_open_folders(struct fixture *fixture) {
    fixture->own = new_folders(fixture->options.folder);
    return fixture->own != NULL;
}

static void ensure(const struct folders *folders) {
    struct error error;
    if (!dirs_ensure(folders->path, &error)) {
        fixture_fail(error.text);
    }
}

uint64_t modules_ensure_old(struct fixture *fixture, const uint32_t *picks, size_t count) {
    const struct folders *folders = fixture->own;
    (void)picks;
    set_number(folders, 0);
    for (size_t i = 0; i < count; i++) {
        ensure(folders);
    }
    return access(folders->path, F_OK) == 0;
}

uint64_t modules_ensure_new(struct fixture *fixture, const uint32_t *picks, size_t count) {
    struct folders *folders = fixture->own;
    uint64_t there = 0;
    (void)picks;
    for (size_t i = 0; i < count; i++) {
        set_number(folders, (folders->next + i) % FOLDERS_MAX);
        ensure(folders);
    }
    /* Looked at behind the loop, so as not to be part of it: only the last, which stands for all.
     */
    there = access(folders->path, F_OK) == 0;
    folders->next += count;
    folders->made += count;
    return there;
}

/* Cuts off the last part of the path. */
static void cut(char *path) {
    *strrchr(path, '/') = '\0';
}

void modules_tidy_folders(struct fixture *fixture) {
    struct folders *folders = fixture->own;
    for (; folders->made > 0; folders->made--) {
        char path[4096];
        set_number(folders, (folders->next - folders->made) % FOLDERS_MAX);
        snprintf(path, sizeof(path), "%s", folders->path);
        for (int i = 0; i < 3; i++) {
            rmdir(path);
            cut(path);
        }
    }
}

void modules_close_folders(struct fixture *fixture) {
    free_folders(fixture->own);
}

/* The rate meter */

#define EVENT_NS 1000
#define WINDOW_EVENTS 1000

struct meter {
    struct rate *rate;
    uint64_t now;
};

static struct meter *new_meter(size_t window_events) {
    struct meter *meter = calloc(1, sizeof(*meter));
    struct rate *rate = rate_new((uint64_t)EVENT_NS * window_events);
    if (meter == NULL || rate == NULL) {
        complain("no memory for a meter");
        free(meter);
        rate_free(rate);
        return NULL;
    }
    meter->rate = rate;
    return meter;
}

static void free_meter(struct meter *meter) {
    if (meter != NULL) {
        rate_free(meter->rate);
        free(meter);
    }
}

static inline size_t note_event(struct meter *meter) {
    size_t within;
    meter->now += EVENT_NS;
    if (!rate_update(meter->rate, meter->now, &within)) {
        fixture_fail("a meter noted no further event");
    }
    return within;
}

bool modules_open_rate(struct fixture *fixture) {
    fixture->own = new_meter(WINDOW_EVENTS);
    return fixture->own != NULL;
}

uint64_t modules_update_rate(struct fixture *fixture, const uint32_t *picks, size_t count) {
    uint64_t sum = 0;
    (void)picks;
    for (size_t i = 0; i < count; i++) {
        sum += note_event(fixture->own);
    }
    return sum;
}

void modules_close_rate(struct fixture *fixture) {
    free_meter(fixture->own);
}

/*
 * The loop of the program `folders`. There the window is a time, and a faster copy has more events
 * in it; here the events in it are given, as many as the baseline's program reports with its own
 * default window, so that all copies have the same work.
 */

#define PROGRAM_EVENTS 40000

struct program {
    struct folders *folders;
    struct meter *meter;
};

static void free_program(struct program *program) {
    free_folders(program->folders);
    free_meter(program->meter);
    free(program);
}

bool modules_open_program(struct fixture *fixture) {
    struct program *program = calloc(1, sizeof(*program));
    if (program == NULL) {
        complain("no memory for folders and a meter");
        return false;
    }
    program->folders = new_folders(fixture->options.folder);
    program->meter = new_meter(PROGRAM_EVENTS);
    if (program->folders == NULL || program->meter == NULL) {
        free_program(program);
        return false;
    }
    for (size_t i = 0; i < PROGRAM_EVENTS; i++) {
        note_event(program->meter);
    }
    fixture->own = program;
    return true;
}

uint64_t modules_ensure_counted(struct fixture *fixture, const uint32_t *picks, size_t count) {
    const struct program *program = fixture->own;
    uint64_t sum = 0;
    (void)picks;
    for (size_t i = 0; i < count; i++) {
        sum += note_event(program->meter);
        ensure(program->folders);
    }
    return sum;
}

void modules_close_program(struct fixture *fixture) {
    free_program(fixture->own);
}
