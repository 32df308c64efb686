#include "model.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

/* The longest key or value, as docs/protocol.md tells it. */
#define FIELD_MAX ((size_t)64 * 1024 * 1024)

/* --- The store ----------------------------------------------------------------------------- */

static void release_entry(struct model_entry *entry) {
    blob_release(&entry->key);
    blob_release(&entry->value);
}

void model_release(struct model *model) {
    for (size_t i = 0; i < model->count; i++) {
        release_entry(&model->entries[i]);
    }
    free(model->entries);
    *model = (struct model){0};
}

static struct model_entry *find(const struct model *model, struct slice key) {
    for (size_t i = 0; i < model->count; i++) {
        if (blob_equals(&model->entries[i].key, key)) {
            return &model->entries[i];
        }
    }
    return NULL;
}

static struct model_entry *find_or_add(struct model *model, struct slice key) {
    struct model_entry *entry = find(model, key);
    if (entry != NULL) {
        return entry;
    }
    if (model->count == model->capacity) {
        model->capacity = 2 * model->capacity + 8;
        model->entries = realloc(model->entries, model->capacity * sizeof *model->entries);
        if (model->entries == NULL) {
            die("model");
        }
    }
    entry = &model->entries[model->count++];
    *entry = (struct model_entry){0};
    blob_add(&entry->key, key.data, key.length);
    return entry;
}

static void set(struct model *model, struct slice key, struct slice value) {
    struct model_entry *entry = find_or_add(model, key);
    blob_clear(&entry->value);
    blob_add(&entry->value, value.data, value.length);
}

void model_copy(struct model *copy, const struct model *model) {
    for (size_t i = 0; i < model->count; i++) {
        set(copy, blob_view(&model->entries[i].key), blob_view(&model->entries[i].value));
    }
}

const struct blob *model_find(const struct model *model, struct slice key) {
    const struct model_entry *entry = find(model, key);
    return entry != NULL ? &entry->value : NULL;
}

/* --- The replies --------------------------------------------------------------------------- */

static void reply_form(struct model_reply *reply, enum model_form form) {
    reply->form = form;
    blob_clear(&reply->exact);
}

static void reply_exact(struct model_reply *reply, const char *text) {
    reply_form(reply, MODEL_EXACT);
    blob_print(&reply->exact, "%s\n", text);
}

static void reply_integer(struct model_reply *reply, int64_t number) {
    reply_form(reply, MODEL_EXACT);
    blob_print(&reply->exact, "(integer) %" PRId64 "\n", number);
}

static void reply_value(struct model_reply *reply, const struct blob *value) {
    reply_form(reply, MODEL_EXACT);
    blob_add_quoted(&reply->exact, blob_view(value));
    blob_add_byte(&reply->exact, '\n');
}

void model_reply_release(struct model_reply *reply) {
    blob_release(&reply->exact);
}

static bool is_one_line(struct slice reply) {
    return reply.length > 0 &&
           memchr(reply.data, '\n', reply.length) == reply.data + reply.length - 1;
}

bool model_reply_matches(const struct model_reply *expected, struct slice actual) {
    bool is_error = actual.length > 4 && memcmp(actual.data, "ERR ", 4) == 0;
    switch (expected->form) {
    case MODEL_NOTHING:
        return actual.length == 0;
    case MODEL_EXACT:
        return blob_equals(&expected->exact, actual);
    case MODEL_TEXT:
        return is_one_line(actual) && !is_error;
    case MODEL_ERROR:
        return is_one_line(actual) && is_error;
    }
    return false;
}

/* --- The commands -------------------------------------------------------------------------- */

static void run_set(struct model *model, const struct slice *words, struct model_reply *reply) {
    if (words[1].length > FIELD_MAX || words[2].length > FIELD_MAX) {
        reply_form(reply, MODEL_ERROR);
        return;
    }
    set(model, words[1], words[2]);
    reply_exact(reply, "OK");
}

static void run_get(struct model *model, const struct slice *words, struct model_reply *reply) {
    const struct blob *value = model_find(model, words[1]);
    if (value != NULL) {
        reply_value(reply, value);
    } else {
        reply_exact(reply, "(nil)");
    }
}

static void run_del(struct model *model, const struct slice *words, struct model_reply *reply) {
    struct model_entry *entry = find(model, words[1]);
    reply_integer(reply, entry != NULL ? 1 : 0);
    if (entry != NULL) {
        release_entry(entry);
        *entry = model->entries[--model->count];
    }
}

static void run_exists(struct model *model, const struct slice *words, struct model_reply *reply) {
    reply_integer(reply, find(model, words[1]) != NULL ? 1 : 0);
}

/* An integer is in its shortest form exactly if printing it gives the same text again. */
static bool parse_integer(const struct blob *value, int64_t *number) {
    char text[32] = "";
    if (value->length == 0 || value->length >= sizeof text) {
        return false;
    }
    memcpy(text, value->data, value->length);
    *number = strtoll(text, NULL, 10);
    snprintf(text, sizeof text, "%" PRId64, *number);
    return blob_equals(value, slice_from_string(text));
}

static void run_incr(struct model *model, const struct slice *words, struct model_reply *reply) {
    const struct blob *value = model_find(model, words[1]);
    int64_t number = 0;
    if (value != NULL && (!parse_integer(value, &number) || number == INT64_MAX)) {
        reply_form(reply, MODEL_ERROR);
        return;
    }
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number + 1);
    set(model, words[1], slice_from_string(text));
    reply_integer(reply, number + 1);
}

static void run_append(struct model *model, const struct slice *words, struct model_reply *reply) {
    const struct blob *value = model_find(model, words[1]);
    size_t length = (value != NULL ? value->length : 0) + words[2].length;
    if (length > FIELD_MAX) {
        reply_form(reply, MODEL_ERROR);
        return;
    }
    blob_add(&find_or_add(model, words[1])->value, words[2].data, words[2].length);
    reply_integer(reply, (int64_t)length);
}

static void run_count(struct model *model, const struct slice *words, struct model_reply *reply) {
    (void)words;
    reply_integer(reply, (int64_t)model->count);
}

static void run_ok(struct model *model, const struct slice *words, struct model_reply *reply) {
    (void)model;
    (void)words;
    reply_exact(reply, "OK");
}

static void run_text(struct model *model, const struct slice *words, struct model_reply *reply) {
    (void)model;
    (void)words;
    reply_form(reply, MODEL_TEXT);
}

static void run_help(struct model *model, const struct slice *words, struct model_reply *reply);

struct command {
    const char *name;
    size_t count; /* of words, the name included */
    void (*run)(struct model *model, const struct slice *words, struct model_reply *reply);
};

static const struct command commands[] = {
    {"SET", 3, run_set},       {"GET", 2, run_get},    {"DEL", 2, run_del},
    {"EXISTS", 2, run_exists}, {"INCR", 2, run_incr},  {"APPEND", 3, run_append},
    {"COUNT", 1, run_count},   {"STATS", 1, run_text}, {"COMPACT", 1, run_ok},
    {"BACKUP", 2, run_ok},     {"HELP", 1, run_text},  {"HELP", 2, run_help},
    {"QUIT", 1, run_ok},
};

static bool is_name(struct slice word, const char *name) {
    if (word.length != strlen(name)) {
        return false;
    }
    for (size_t i = 0; i < word.length; i++) {
        if (toupper(word.data[i]) != name[i]) {
            return false;
        }
    }
    return true;
}

static void run_help(struct model *model, const struct slice *words, struct model_reply *reply) {
    (void)model;
    reply_form(reply, MODEL_ERROR);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (is_name(words[1], commands[i].name)) {
            reply_form(reply, MODEL_TEXT);
        }
    }
}

void model_execute(struct model *model, const struct slice *words, size_t count,
                   struct model_reply *reply) {
    if (count == 0) {
        reply_form(reply, MODEL_NOTHING);
        return;
    }
    reply_form(reply, MODEL_ERROR);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (is_name(words[0], commands[i].name) && count == commands[i].count) {
            commands[i].run(model, words, reply);
        }
    }
}

/* --- The line ------------------------------------------------------------------------------ */

/* More words than any command has: a line with more is as wrong as one with just as many. */
#define WORDS_MAX 8

struct line {
    struct slice rest;
    struct blob words[WORDS_MAX];
    size_t count;
};

static bool at_blank_or_end(const struct line *line) {
    return line->rest.length == 0 || line->rest.data[0] == ' ' || line->rest.data[0] == '\t';
}

static unsigned char take(struct line *line) {
    unsigned char byte = line->rest.data[0];
    line->rest.data++;
    line->rest.length--;
    return byte;
}

static int hex_digit(unsigned char byte) {
    static const char digits[] = "0123456789abcdef";
    const char *digit = byte != '\0' ? strchr(digits, tolower(byte)) : NULL;
    return digit != NULL ? (int)(digit - digits) : -1;
}

static bool take_hex(struct line *line, struct blob *word) {
    if (line->rest.length < 2) {
        return false;
    }
    int high = hex_digit(take(line));
    int low = hex_digit(take(line));
    if (high < 0 || low < 0) {
        return false;
    }
    blob_add_byte(word, (unsigned char)(16 * high + low));
    return true;
}

static bool take_escape(struct line *line, struct blob *word) {
    if (line->rest.length == 0) {
        return false;
    }
    unsigned char byte = take(line);
    switch (byte) {
    case '"':
    case '\\':
        blob_add_byte(word, byte);
        return true;
    case 'n':
        blob_add_byte(word, '\n');
        return true;
    case 'r':
        blob_add_byte(word, '\r');
        return true;
    case 't':
        blob_add_byte(word, '\t');
        return true;
    case 'x':
        return take_hex(line, word);
    default:
        return false;
    }
}

static bool take_quoted(struct line *line, struct blob *word) {
    while (line->rest.length > 0) {
        unsigned char byte = take(line);
        if (byte == '"') {
            return at_blank_or_end(line);
        }
        if (byte != '\\') {
            blob_add_byte(word, byte);
        } else if (!take_escape(line, word)) {
            return false;
        }
    }
    return false;
}

static bool take_bare(struct line *line, struct blob *word) {
    while (!at_blank_or_end(line)) {
        unsigned char byte = take(line);
        if (byte == '"') {
            return false;
        }
        blob_add_byte(word, byte);
    }
    return true;
}

static bool take_word(struct line *line) {
    struct blob *word = &line->words[line->count];
    if (line->count < WORDS_MAX - 1) {
        line->count++;
    } else {
        blob_clear(word);
    }
    if (line->rest.data[0] == '"') {
        take(line);
        return take_quoted(line, word);
    }
    return take_bare(line, word);
}

static bool take_words(struct line *line) {
    while (line->rest.length > 0) {
        if (at_blank_or_end(line)) {
            take(line);
        } else if (!take_word(line)) {
            return false;
        }
    }
    return true;
}

void model_execute_line(struct model *model, struct slice text, struct model_reply *reply) {
    struct line line = {.rest = text};
    if (take_words(&line)) {
        struct slice words[WORDS_MAX];
        for (size_t i = 0; i < line.count; i++) {
            words[i] = blob_view(&line.words[i]);
        }
        model_execute(model, words, line.count, reply);
    } else {
        reply_form(reply, MODEL_ERROR);
    }
    for (size_t i = 0; i < WORDS_MAX; i++) {
        blob_release(&line.words[i]);
    }
}
