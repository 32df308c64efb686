#include "words.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(unsigned char c) {
    return c == ' ' || c == '\t';
}

static void step(struct slice *rest) {
    rest->data++;
    rest->length--;
}

static void skip_blanks(struct slice *rest) {
    while (rest->length > 0 && is_blank(rest->data[0])) {
        step(rest);
    }
}

/* The value of a hexadecimal digit, or -1. */
static int hex_digit(unsigned char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Two digits behind "\x". */
static enum words_result unescape_hex(struct slice *rest, unsigned char *byte) {
    int high = rest->length >= 2 ? hex_digit(rest->data[0]) : -1;
    int low = rest->length >= 2 ? hex_digit(rest->data[1]) : -1;
    if (high < 0 || low < 0) {
        return WORDS_BAD_ESCAPE;
    }
    step(rest);
    step(rest);
    *byte = (unsigned char)(high * 16 + low);
    return WORDS_OK;
}

/* What stands behind a backslash. */
static enum words_result unescape(struct slice *rest, unsigned char *byte) {
    if (rest->length == 0) {
        return WORDS_UNBALANCED_QUOTES;
    }
    unsigned char c = rest->data[0];
    step(rest);
    switch (c) {
    case '"':
    case '\\':
        *byte = c;
        return WORDS_OK;
    case 'n':
        *byte = '\n';
        return WORDS_OK;
    case 'r':
        *byte = '\r';
        return WORDS_OK;
    case 't':
        *byte = '\t';
        return WORDS_OK;
    case 'x':
        return unescape_hex(rest, byte);
    default:
        return WORDS_BAD_ESCAPE;
    }
}

/*
 * The rest of a quoted word, from its first escape on; `word` is what stands before that. All words
 * of a line together have fewer bytes than the line, so the memory for them is never moved.
 */
static enum words_result read_escaped(struct slice line, struct slice *rest, struct words *words,
                                      struct slice *word) {
    struct bytes *unescaped = &words->unescaped;
    if (!bytes_reserve(unescaped, line.length)) {
        return WORDS_NO_MEMORY;
    }
    const size_t start = unescaped->length;
    (void)bytes_append(unescaped, *word); /* its room was reserved, like that of all below */
    while (rest->length > 0 && rest->data[0] != '"') {
        unsigned char c = rest->data[0];
        step(rest);
        enum words_result result = c == '\\' ? unescape(rest, &c) : WORDS_OK;
        if (result != WORDS_OK) {
            return result;
        }
        unescaped->data[unescaped->length++] = c;
    }
    *word = slice_from(unescaped->data + start, unescaped->length - start);
    return WORDS_OK;
}

/* A word in quotes. */
static enum words_result read_quoted(struct slice line, struct slice *rest, struct words *words,
                                     struct slice *word) {
    step(rest);
    *word = slice_from(rest->data, 0);
    while (rest->length > 0 && rest->data[0] != '"' && rest->data[0] != '\\') {
        word->length++;
        step(rest);
    }
    if (rest->length > 0 && rest->data[0] == '\\') {
        enum words_result result = read_escaped(line, rest, words, word);
        if (result != WORDS_OK) {
            return result;
        }
    }
    if (rest->length == 0) {
        return WORDS_UNBALANCED_QUOTES;
    }
    step(rest);
    return rest->length == 0 || is_blank(rest->data[0]) ? WORDS_OK : WORDS_UNBALANCED_QUOTES;
}

static enum words_result read_plain(struct slice *rest, struct slice *word) {
    *word = slice_from(rest->data, 0);
    while (rest->length > 0 && !is_blank(rest->data[0])) {
        if (rest->data[0] == '"') {
            return WORDS_UNBALANCED_QUOTES;
        }
        word->length++;
        step(rest);
    }
    return WORDS_OK;
}

/* More room for items than is built in. */
static bool grow(struct words *words) {
    struct slice *old = words->items == words->builtin ? NULL : words->items;
    struct slice *items = realloc(old, words->capacity * 2 * sizeof *items);
    if (items == NULL) {
        return false;
    }
    if (old == NULL) {
        memcpy(items, words->builtin, sizeof words->builtin);
    }
    words->items = items;
    words->capacity *= 2;
    return true;
}

static bool add_word(struct words *words, struct slice word) {
    if (words->count == words->capacity && !grow(words)) {
        return false;
    }
    words->items[words->count++] = word;
    return true;
}

enum words_result words_split(struct slice line, struct words *words) {
    struct slice rest = line;
    words->items = words->builtin;
    words->count = 0;
    words->capacity = WORDS_BUILTIN;
    bytes_init(&words->unescaped);
    for (skip_blanks(&rest); rest.length > 0; skip_blanks(&rest)) {
        struct slice word;
        enum words_result result =
            rest.data[0] == '"' ? read_quoted(line, &rest, words, &word) : read_plain(&rest, &word);
        if (result != WORDS_OK) {
            return result;
        }
        if (!add_word(words, word)) {
            return WORDS_NO_MEMORY;
        }
    }
    return WORDS_OK;
}

void words_release(struct words *words) {
    if (words->items != words->builtin) {
        free(words->items);
    }
    bytes_release(&words->unescaped);
    words->items = words->builtin;
    words->count = 0;
}
