#include "generator.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* --- Keys and values ----------------------------------------------------------------------- */

/*
 * The first keys are those that a store may get wrong: empty, one a prefix of the other, NULs, what
 * has to be quoted. The others hold random bytes.
 */
void generator_add_key(struct blob *key, size_t number) {
    static const struct {
        const char *bytes;
        size_t length;
    } special[] = {{"", 0},       {"a", 1},       {"ab", 2},      {"\0", 1},   {"\0\0", 2},
                   {"a\0b", 3},   {"a\0c", 3},    {"\n", 1},      {"\r", 1},   {"with blank", 10},
                   {"\"", 1},     {"\\", 1},      {"\\x00", 4},   {"'", 1},    {"\xff\xfe", 2},
                   {"line\n", 5}, {"counter", 7}, {"COUNTER", 7}, {"\t a", 3}, {"\x7f\x80", 2}};
    if (number < sizeof special / sizeof special[0]) {
        blob_add(key, special[number].bytes, special[number].length);
        return;
    }
    struct random random;
    random_init(&random, number);
    blob_print(key, "%zu", number);
    for (size_t i = random_below(&random, 24); i > 0; i--) {
        blob_add_byte(key, (unsigned char)random_next(&random));
    }
}

static void add_number(struct random *random, struct blob *value) {
    static const char *const numbers[] = {"0",
                                          "-1",
                                          "41",
                                          "9223372036854775806",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "-9223372036854775808",
                                          "-9223372036854775809",
                                          "007",
                                          "-0",
                                          "+1",
                                          " 1",
                                          "1 ",
                                          "1x",
                                          "-"};
    const char *number = numbers[random_below(random, sizeof numbers / sizeof numbers[0])];
    blob_add(value, number, strlen(number));
}

static void add_value(struct random *random, struct blob *value) {
    size_t kind = random_below(random, 10);
    if (kind < 4) {
        add_number(random, value);
    } else if (kind < 6) {
        blob_add_run(value, 'v', random_below(random, 300));
    } else {
        size_t length = random_below(random, kind < 9 ? 40 : 3000);
        for (size_t i = 0; i < length; i++) {
            blob_add_byte(value, (unsigned char)random_next(random));
        }
    }
}

/* --- Typing -------------------------------------------------------------------------------- */

/* Bytes that cannot stand for themselves outside quotes, or (CR, LF) not in every line. */
static bool needs_quotes(struct slice word) {
    if (word.length == 0) {
        return true;
    }
    for (size_t i = 0; i < word.length; i++) {
        if (word.data[i] != '\0' && strchr(" \t\r\n\"", word.data[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void type_hex(struct random *random, unsigned char byte, struct blob *line) {
    char digits[3] = {"0123456789abcdef"[byte / 16], "0123456789abcdef"[byte % 16], '\0'};
    for (int i = 0; i < 2; i++) {
        if (random_below(random, 2) == 0) {
            digits[i] = (char)toupper((unsigned char)digits[i]);
        }
    }
    blob_print(line, "\\x%s", digits);
}

/* The letter of the escape for a byte that has one, or 0. */
static char short_escape(unsigned char byte) {
    static const char bytes[] = "\"\\\n\r\t";
    static const char letters[] = "\"\\nrt";
    const char *place = byte != '\0' ? strchr(bytes, byte) : NULL;
    return place != NULL ? letters[place - bytes] : '\0';
}

static void type_quoted_byte(struct random *random, unsigned char byte, struct blob *line) {
    char letter = short_escape(byte);
    bool may_be_plain = byte != '"' && byte != '\\' && byte != '\n';
    size_t choice = random_below(random, 4);
    if (choice == 0 || (letter == '\0' && !may_be_plain)) {
        type_hex(random, byte, line);
    } else if (letter != '\0' && (choice == 1 || !may_be_plain)) {
        blob_print(line, "\\%c", letter);
    } else {
        blob_add_byte(line, byte);
    }
}

void generator_type_word(struct random *random, struct slice word, struct blob *line) {
    if (!needs_quotes(word) && random_below(random, 2) == 0) {
        blob_add(line, word.data, word.length);
        return;
    }
    if (random_below(random, 3) == 0) {
        blob_add_quoted(line, word);
        return;
    }
    blob_add_byte(line, '"');
    for (size_t i = 0; i < word.length; i++) {
        type_quoted_byte(random, word.data[i], line);
    }
    blob_add_byte(line, '"');
}

static void type_blanks(struct random *random, size_t least, struct blob *line) {
    size_t count = least + (random_below(random, 4) == 0 ? random_below(random, 3) : 0);
    for (size_t i = 0; i < count; i++) {
        blob_add_byte(line, random_below(random, 4) == 0 ? '\t' : ' ');
    }
}

static void type_name(struct random *random, const char *name, struct blob *line) {
    char word[16] = {0};
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        unsigned char letter = (unsigned char)name[i];
        word[i] = (char)(random_below(random, 2) == 0 ? tolower(letter) : letter);
    }
    if (random_below(random, 8) == 0) {
        generator_type_word(random, (struct slice){(unsigned char *)word, length}, line);
    } else {
        blob_add(line, word, length);
    }
}

/* --- Commands ------------------------------------------------------------------------------ */

/* What a command is followed by: k for a key, v for a value, c for the name of a command. */
struct form {
    const char *name;
    const char *words;
    size_t weight; /* how often it is chosen, compared with the others */
};

static const struct form forms[] = {
    {"SET", "kv", 30},  {"GET", "k", 25},     {"DEL", "k", 10}, {"EXISTS", "k", 8},
    {"INCR", "k", 15},  {"APPEND", "kv", 15}, {"COUNT", "", 5}, {"STATS", "", 2},
    {"COMPACT", "", 1}, {"HELP", "", 1},      {"HELP", "c", 1}, {"NOSUCH", "k", 1},
};

#define FORMS (sizeof forms / sizeof forms[0])

static const struct form *choose_form(struct random *random) {
    size_t sum = 0;
    for (size_t i = 0; i < FORMS; i++) {
        sum += forms[i].weight;
    }
    size_t choice = random_below(random, sum);
    size_t i = 0;
    while (choice >= forms[i].weight) {
        choice -= forms[i].weight;
        i++;
    }
    return &forms[i];
}

static void type_operand(struct random *random, char kind, struct blob *line) {
    struct blob word = {0};
    if (kind == 'k') {
        generator_add_key(&word, random_below(random, GENERATOR_KEYS));
    } else if (kind == 'v') {
        add_value(random, &word);
    } else {
        blob_print(&word, "%s", forms[random_below(random, FORMS)].name);
    }
    type_blanks(random, 1, line);
    generator_type_word(random, blob_view(&word), line);
    blob_release(&word);
}

void generator_command(struct random *random, struct blob *line) {
    const struct form *form = choose_form(random);
    size_t count = strlen(form->words);
    size_t typed = count;
    if (random_below(random, 40) == 0) {
        typed = random_below(random, count + 3);
    }
    blob_clear(line);
    type_blanks(random, 0, line);
    type_name(random, form->name, line);
    for (size_t i = 0; i < typed; i++) {
        type_operand(random, i < count ? form->words[i] : 'v', line);
    }
    type_blanks(random, 0, line);
}

/* --- Breaking ------------------------------------------------------------------------------ */

/* Mostly the bytes that mean something. */
static unsigned char breaking_byte(struct random *random) {
    static const char meaning[] = "\"\\ \txnrt0fG'";
    size_t choice = random_below(random, 2 * sizeof meaning);
    unsigned char byte = choice < sizeof meaning ? (unsigned char)meaning[choice]
                                                 : (unsigned char)random_next(random);
    return byte == '\n' || byte == '\r' ? ' ' : byte;
}

static void break_once(struct random *random, struct blob *line) {
    size_t place = random_below(random, line->length + 1);
    size_t kind = random_below(random, 3);
    struct blob broken = {0};
    blob_add(&broken, line->data, place);
    if (kind != 0) {
        blob_add_byte(&broken, breaking_byte(random));
    }
    size_t skip = kind != 1 && place < line->length ? 1 : 0;
    if (place + skip < line->length) {
        blob_add(&broken, line->data + place + skip, line->length - place - skip);
    }
    blob_release(line);
    *line = broken;
}

void generator_break_line(struct random *random, struct blob *line) {
    for (size_t i = 1 + random_below(random, 3); i > 0; i--) {
        break_once(random, line);
    }
    if (line->length > 0 && line->data[line->length - 1] == '\r') {
        line->data[line->length - 1] = ' ';
    }
}
