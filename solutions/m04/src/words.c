#include "words.h"

#include <stdlib.h>

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

static enum words_result append_byte(struct bytes *word, unsigned char byte) {
    return bytes_push(word, byte) ? WORDS_OK : WORDS_NO_MEMORY;
}

/* The rest of a word whose opening quote has been read. */
static enum words_result read_quoted(struct slice *rest, struct bytes *word) {
    while (rest->length > 0) {
        enum words_result result = WORDS_OK;
        unsigned char c = rest->data[0];
        step(rest);
        if (c == '"') {
            bool ends = rest->length == 0 || is_blank(rest->data[0]);
            return ends ? WORDS_OK : WORDS_UNBALANCED_QUOTES;
        }
        if (c == '\\') {
            result = unescape(rest, &c);
        }
        if (result == WORDS_OK) {
            result = append_byte(word, c);
        }
        if (result != WORDS_OK) {
            return result;
        }
    }
    return WORDS_UNBALANCED_QUOTES;
}

static enum words_result read_plain(struct slice *rest, struct bytes *word) {
    struct slice plain = {rest->data, 0};
    while (rest->length > 0 && !is_blank(rest->data[0])) {
        if (rest->data[0] == '"') {
            return WORDS_UNBALANCED_QUOTES;
        }
        plain.length++;
        step(rest);
    }
    return bytes_append(word, plain) ? WORDS_OK : WORDS_NO_MEMORY;
}

enum words_result words_next(struct slice *rest, struct bytes *word) {
    enum words_result result;
    skip_blanks(rest);
    if (rest->length == 0) {
        return WORDS_END;
    }
    bytes_init(word);
    if (rest->data[0] == '"') {
        step(rest);
        result = read_quoted(rest, word);
    } else {
        result = read_plain(rest, word);
    }
    if (result != WORDS_OK) {
        bytes_release(word);
    }
    return result;
}

/* Takes over `word`, also where it fails. */
static bool add_word(struct words *words, size_t *capacity, struct bytes word) {
    if (words->count == *capacity) {
        size_t larger = *capacity == 0 ? 4 : *capacity * 2;
        struct bytes *items = realloc(words->items, larger * sizeof *items);
        if (items == NULL) {
            bytes_release(&word);
            return false;
        }
        words->items = items;
        *capacity = larger;
    }
    words->items[words->count++] = word;
    return true;
}

enum words_result words_split(struct slice line, struct words *words) {
    size_t capacity = 0;
    struct bytes word;
    *words = (struct words){0};
    enum words_result result = words_next(&line, &word);
    while (result == WORDS_OK) {
        result = add_word(words, &capacity, word) ? words_next(&line, &word) : WORDS_NO_MEMORY;
    }
    if (result != WORDS_END) {
        words_release(words);
        return result;
    }
    return WORDS_OK;
}

void words_release(struct words *words) {
    for (size_t i = 0; i < words->count; i++) {
        bytes_release(&words->items[i]);
    }
    free(words->items);
    *words = (struct words){0};
}
