#include "template.h"

#include <string.h>

/* A piece of a template: plain text, or a place, whose `text` is the name without the '@'. */
struct token {
    struct slice text;
    bool is_place;
};

/*
 * Invariants: two neighbouring tokens are never both plain text, and no token is empty. So a
 * template without places has one token, or none where the source is empty.
 */
struct template {
    char *text; /* what the tokens point into: all plain text and all names, one after the other */
    struct token *tokens;
    size_t count;
};

/* Whether `c` can stand in the name of a place. In every locale the same, unlike islower(). */
static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
}

/* At most as many tokens as `source` gives: each place has its '@', and text before or after. */
static size_t count_tokens_max(const char *source) {
    size_t count = 1;
    for (; *source != '\0'; source++) {
        if (*source == '@') {
            count += 2;
        }
    }
    return count;
}

static void add_token(struct template *compiled, const char *text, size_t length, bool is_place) {
    compiled->tokens[compiled->count] =
        (struct token){.text = slice_from(text, length), .is_place = is_place};
    compiled->count++;
}

/* Moves the name at `*source` to `end`, as a place. Returns the new end of the text. */
static char *take_place(struct template *compiled, const char **source, char *end) {
    char *start = end;
    while (is_name_char(**source)) {
        *end++ = *(*source)++;
    }
    add_token(compiled, start, (size_t)(end - start), true);
    return end;
}

/* Moves plain text up to the next place to `end`. Returns the new end of the text. */
static char *take_plain(struct template *compiled, const char **source, char *end) {
    char *start = end;
    const char *next = *source;
    while (*next != '\0' && !(*next == '@' && is_name_char(next[1]))) {
        if (next[0] == '@' && next[1] == '@') {
            next++;
        }
        *end++ = *next++;
    }
    *source = next;
    add_token(compiled, start, (size_t)(end - start), false);
    return end;
}

static void take_apart(struct template *compiled, const char *source) {
    char *end = compiled->text;
    while (*source != '\0') {
        if (*source == '@' && is_name_char(source[1])) {
            source++;
            end = take_place(compiled, &source, end);
        } else {
            end = take_plain(compiled, &source, end);
        }
    }
}

struct template *template_compile(const char *source) {
    struct template *compiled = calloc(1, sizeof *compiled);
    if (compiled == NULL) {
        return NULL;
    }
    compiled->text = malloc(strlen(source) + 1);
    compiled->tokens = calloc(count_tokens_max(source), sizeof *compiled->tokens);
    if (compiled->text == NULL || compiled->tokens == NULL) {
        template_free(compiled);
        return NULL;
    }
    take_apart(compiled, source);
    return compiled;
}

void template_free(struct template *compiled) {
    if (compiled == NULL) {
        return;
    }
    free(compiled->text);
    free(compiled->tokens);
    free(compiled);
}

/* The value for the place `name`, or NULL. */
static const struct template_value *find_value(const struct template_value *values, size_t count,
                                               struct slice name) {
    for (size_t i = 0; i < count; i++) {
        if (slice_equal(slice_from_string(values[i].name), name)) {
            return &values[i];
        }
    }
    return NULL;
}

static bool append_escaped(struct bytes *built, unsigned char byte) {
    static const char digits[] = "0123456789abcdef";
    if (byte >= ' ' && byte <= '~') {
        return bytes_append(built, slice_from(&byte, 1));
    }
    const char escape[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 0xf]};
    return bytes_append(built, slice_from(escape, sizeof escape));
}

static enum template_result append_value(struct bytes *built, const struct template_value *values,
                                         size_t count, struct slice name) {
    const struct template_value *found = find_value(values, count, name);
    if (found == NULL) {
        return TEMPLATE_MISSING;
    }
    if (found->value.length == 0) {
        return TEMPLATE_EMPTY;
    }
    for (size_t i = 0; i < found->value.length; i++) {
        if (!append_escaped(built, found->value.data[i])) {
            return TEMPLATE_NO_MEMORY;
        }
    }
    return TEMPLATE_OK;
}

static enum template_result build(const struct template *compiled,
                                  const struct template_value *values, size_t count,
                                  struct bytes *built) {
    for (size_t i = 0; i < compiled->count; i++) {
        const struct token *token = &compiled->tokens[i];
        enum template_result result = TEMPLATE_OK;
        if (token->is_place) {
            result = append_value(built, values, count, token->text);
        } else if (!bytes_append(built, token->text)) {
            result = TEMPLATE_NO_MEMORY;
        }
        if (result != TEMPLATE_OK) {
            return result;
        }
    }
    return TEMPLATE_OK;
}

/* Makes `text` an exactly sized copy of what was built. */
static enum template_result copy_out(const struct bytes *built, struct text *text) {
    struct bytes copy;
    if (!bytes_copy(&copy, bytes_view(built))) {
        return TEMPLATE_NO_MEMORY;
    }
    *text = (struct text){.data = (const char *)copy.data, .length = copy.length, .owned = true};
    return TEMPLATE_OK;
}

enum template_result template_render(const struct template *compiled,
                                     const struct template_value *values, size_t count,
                                     struct text *text) {
    struct bytes built;
    bytes_init(&built);
    enum template_result result = build(compiled, values, count, &built);
    if (result == TEMPLATE_OK) {
        result = copy_out(&built, text);
    }
    bytes_release(&built);
    return result;
}
