/*
 * The checklist of exercise m03, as far as a machine can tick it off: whether there is still a part
 * of the code of which the larger share only passes on what it is asked. It reads the sources of
 * the copy: what a layer adds to the reader's work is in the text, not in what the program does.
 *
 * A function passes on when all that its body does is one call of a function that another file
 * defines, with nothing for arguments but its own parameters or members of them. A macro passes on
 * when it is another name for such a function. How it is laid out, what it is called, whether it is
 * static, inline or in a header makes no difference.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blob.h"
#include "die.h"
#include "watchdog.h"

#define FILES_MAX 200
#define FUNCTIONS_MAX 2000
#define PARAMETERS_MAX 16

/*
 * So many functions of one file may pass on to one other file: now and then a function is nothing
 * else, and right. The layer of this exercise has eleven.
 */
#define PASSING_MAX 2

/* --- Tokens ---------------------------------------------------------------------------------- */

/* A word or a sign; borrowed from the text. */
struct token {
    const char *text;
    size_t length;
};

struct file {
    char *name; /* without folder and ending: a .c and its .h are one part */
    struct blob text;
    struct token *tokens; /* without comments, literals and lines of the preprocessor */
    size_t count;
};

static bool is_word(struct token token) {
    return isalpha((unsigned char)token.text[0]) || token.text[0] == '_';
}

static bool is(struct token token, const char *text) {
    return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0;
}

static bool same(struct token a, struct token b) {
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* The end of the literal that begins at `c`, which is a quote. */
static const char *skip_literal(const char *c) {
    const char quote = *c;
    for (c++; *c != '\0' && *c != quote; c++) {
        if (*c == '\\' && c[1] != '\0') {
            c++;
        }
    }
    return *c == '\0' ? c : c + 1;
}

static const char *skip_to(const char *c, const char *end) {
    const char *found = strstr(c, end);
    return found == NULL ? c + strlen(c) : found + strlen(end);
}

/* A directive with the lines that continue it. */
static const char *skip_directive(const char *c) {
    while (*c != '\0' && *c != '\n') {
        c += c[0] == '\\' && c[1] != '\0' ? 2 : 1;
    }
    return c;
}

/* Behind what is no token at `c`: blanks, comments, literals, directives; `c` itself at a token. */
static const char *skip_rest(const char *c) {
    if (isspace((unsigned char)*c)) {
        return c + 1;
    }
    if (strncmp(c, "/*", 2) == 0) {
        return skip_to(c + 2, "*/");
    }
    if (strncmp(c, "//", 2) == 0) {
        return skip_to(c, "\n");
    }
    if (*c == '#') {
        return skip_directive(c);
    }
    return *c == '"' || *c == '\'' ? skip_literal(c) : c;
}

static size_t token_length(const char *c) {
    size_t length = 0;
    while (isalnum((unsigned char)c[length]) || c[length] == '_') {
        length++;
    }
    if (length == 0) {
        length = strncmp(c, "->", 2) == 0 ? 2 : 1;
    }
    return length;
}

/* Adds the tokens from `c` up to `end` to those of the file. */
static void take_tokens(struct file *file, const char *c, const char *end) {
    while (c < end) {
        const char *next = skip_rest(c);
        if (next == c) {
            const size_t length = token_length(c);
            file->tokens[file->count++] = (struct token){.text = c, .length = length};
            next = c + length;
        }
        c = next;
    }
}

/* --- Functions ------------------------------------------------------------------------------- */

struct function {
    const struct file *file;
    struct token name;
    struct token parameters[PARAMETERS_MAX];
    size_t parameter_count;
    const struct token *body; /* between the braces; all behind the parameters of a macro */
    const struct token *end;
    bool is_macro;
};

static struct {
    struct file files[FILES_MAX];
    size_t file_count;
    struct function functions[FUNCTIONS_MAX];
    size_t function_count;
} code;

/* Behind what closes the bracket at `token`. */
static const struct token *skip_brackets(const struct token *token, const struct token *end) {
    size_t depth = 0;
    do {
        if (is(*token, "(") || is(*token, "{") || is(*token, "[")) {
            depth++;
        } else if (is(*token, ")") || is(*token, "}") || is(*token, "]")) {
            depth--;
        }
        token++;
    } while (token < end && depth > 0);
    return token;
}

/* The parameters' names, from what stands between the parentheses: the last word of each. */
static void take_parameters(struct function *function, const struct token *token,
                            const struct token *end) {
    struct token last = {0};
    for (; token <= end; token++) {
        if (token == end || is(*token, ",")) {
            if (last.text != NULL && function->parameter_count < PARAMETERS_MAX) {
                function->parameters[function->parameter_count++] = last;
            }
            last = (struct token){0};
        } else if (is_word(*token)) {
            last = *token;
        }
    }
}

static struct function *add_function(const struct file *file, const struct token *name) {
    assert_true(code.function_count < FUNCTIONS_MAX);
    struct function *function = &code.functions[code.function_count++];
    *function = (struct function){.file = file, .name = *name};
    return function;
}

/* A function that begins with `name`, or nothing. Returns where to go on. */
static const struct token *take_function(const struct file *file, const struct token *name) {
    const struct token *end = file->tokens + file->count;
    const struct token *open = name + 1;
    if (!is_word(*name) || open >= end || !is(*open, "(")) {
        return is(*name, "{") ? skip_brackets(name, end) : name + 1;
    }
    const struct token *close = skip_brackets(open, end);
    if (close >= end || !is(*close, "{")) {
        return close;
    }
    const struct token *after = skip_brackets(close, end);
    assert_true(code.function_count < FUNCTIONS_MAX);
    struct function *function = &code.functions[code.function_count++];
    *function = (struct function){.file = file, .name = *name, .body = close + 1, .end = after - 1};
    take_parameters(function, open + 1, close - 1);
    return after;
}

static void take_functions(const struct file *file) {
    const struct token *token = file->tokens;
    while (token < file->tokens + file->count) {
        token = take_function(file, token);
    }
}

/* The macro whose directive goes from `c` to `end`. Its tokens come behind those of the file. */
static void take_macro(struct file *file, const char *c, const char *end) {
    const size_t first = file->count;
    take_tokens(file, c, end);
    const struct token *name = file->tokens + first;
    const struct token *rest = name + 1;
    if (file->count > first && is_word(*name)) {
        struct function *macro = add_function(file, name);
        macro->is_macro = true;
        macro->end = file->tokens + file->count;
        macro->body = rest < macro->end && is(*rest, "(") && rest->text == name->text + name->length
                          ? skip_brackets(rest, macro->end)
                          : rest;
    }
}

static void take_macros(struct file *file) {
    const char *c = (const char *)file->text.data;
    while ((c = strstr(c, "#define ")) != NULL) {
        const char *end = skip_directive(c);
        take_macro(file, c + strlen("#define "), end);
        c = end;
    }
}

/* --- What passes on -------------------------------------------------------------------------- */

/* The part that defines the function, another than `file`; NULL if there is none. */
static const char *defined_elsewhere(struct token name, const struct file *file) {
    for (size_t i = 0; i < code.function_count; i++) {
        const struct function *function = &code.functions[i];
        if (!function->is_macro && same(function->name, name) &&
            strcmp(function->file->name, file->name) != 0) {
            return function->file->name;
        }
    }
    return NULL;
}

static bool is_parameter(const struct function *function, struct token word) {
    for (size_t i = 0; i < function->parameter_count; i++) {
        if (same(function->parameters[i], word)) {
            return true;
        }
    }
    return false;
}

/* Whether the arguments are parameters or members of parameters, and there is one at least. */
static bool passes_parameters(const struct function *function, const struct token *token,
                              const struct token *end) {
    bool expected = true; /* an argument begins */
    for (; token < end; token++) {
        if (is(*token, ",")) {
            expected = true;
        } else if (expected && is_word(*token)) {
            if (!is_parameter(function, *token)) {
                return false;
            }
            expected = false;
        } else if (is(*token, "->") || is(*token, ".")) {
            token++;
        } else if (!is(*token, "&") && !is(*token, "*")) {
            return false;
        }
    }
    return !expected;
}

/*
 * Where the one call of the body begins: behind a `return`, a cast to void, or the declaration of a
 * variable that is returned. What follows it must be the end.
 */
static const struct token *find_call(const struct function *function) {
    const struct token *token = function->body;
    if (token < function->end && is(*token, "return")) {
        return token + 1;
    }
    for (const struct token *word = token; word + 1 < function->end && is_word(*word); word++) {
        if (is(word[1], "=") || (is(word[1], "*") && is(word[3], "="))) {
            return word + (is(word[1], "=") ? 2 : 4);
        }
    }
    return token + 3 < function->end && is(token[0], "(") && is(token[1], "void") ? token + 3
                                                                                  : token;
}

/* Whether nothing but the end, or the return of a variable, is at `token`. */
static bool ends_there(const struct function *function, const struct token *token) {
    if (token == function->end || !is(*token, ";")) {
        return false;
    }
    token++;
    return token == function->end || (token + 3 == function->end && is(*token, "return"));
}

/* The part that the macro is another name for; NULL if it is none. */
static const char *stands_for(const struct function *macro) {
    const struct token *body = macro->body;
    if (body == macro->end || !is_word(*body)) {
        return NULL;
    }
    const bool is_call = body + 1 < macro->end && is(body[1], "(");
    const struct token *after = is_call ? skip_brackets(body + 1, macro->end) : body + 1;
    return after == macro->end ? defined_elsewhere(*body, macro->file) : NULL;
}

/* The part that the function only passes on to; NULL if it does something of its own. */
static const char *passes_on_to(const struct function *function) {
    if (function->is_macro) {
        return stands_for(function);
    }
    const struct token *call = find_call(function);
    if (call + 2 >= function->end || !is_word(call[0]) || !is(call[1], "(")) {
        return NULL;
    }
    const struct token *after = skip_brackets(call + 1, function->end);
    if (!ends_there(function, after) || !passes_parameters(function, call + 2, after - 1)) {
        return NULL;
    }
    return defined_elsewhere(call[0], function->file);
}

/* --- The sources of the copy ----------------------------------------------------------------- */

static void take_file(const char *path) {
    assert_true(code.file_count < FILES_MAX);
    struct file *file = &code.files[code.file_count++];
    const char *slash = strrchr(path, '/');
    file->name = strdup(slash == NULL ? path : slash + 1);
    if (file->name == NULL) {
        die("a file's name");
    }
    *strrchr(file->name, '.') = '\0';
    blob_read_file(&file->text, path);
    blob_add_byte(&file->text, '\0');
    file->tokens = calloc(file->text.length, sizeof(*file->tokens));
    if (file->tokens == NULL) {
        die("tokens");
    }
    const char *text = (const char *)file->text.data;
    take_tokens(file, text, text + file->text.length - 1);
    take_functions(file);
    take_macros(file);
}

static void take_files(const char *folder, const char *pattern) {
    struct blob path = {0};
    glob_t found;
    blob_print(&path, "%s/%s", folder, pattern);
    blob_add_byte(&path, '\0');
    if (glob((const char *)path.data, 0, NULL, &found) != 0) {
        die((const char *)path.data);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        take_file(found.gl_pathv[i]);
    }
    globfree(&found);
    blob_release(&path);
}

static int read_sources(void **state) {
    const char *folder = getenv("MINIKV_SOURCES");
    if (folder == NULL || folder[0] == '\0') {
        die("MINIKV_SOURCES must hold the path of the sources to look at");
    }
    take_files(folder, "*.h");
    take_files(folder, "*.c");
    return watchdog_start(state);
}

static int forget_sources(void **state) {
    (void)state;
    for (size_t i = 0; i < code.file_count; i++) {
        free(code.files[i].name);
        free(code.files[i].tokens);
        blob_release(&code.files[i].text);
    }
    return 0;
}

/* How many functions of the part `from` only pass on to the part `to`. */
static size_t count_passing(const char *from, const char *to) {
    size_t count = 0;
    for (size_t i = 0; i < code.function_count; i++) {
        const struct function *function = &code.functions[i];
        const char *target = passes_on_to(function);
        if (target != NULL && strcmp(function->file->name, from) == 0 && strcmp(target, to) == 0) {
            count++;
        }
    }
    return count;
}

static void tell(const struct function *function, const char *target) {
    print_message("%s: %.*s() only passes on to %s\n", function->file->name,
                  (int)function->name.length, function->name.text, target);
}

/* --- The tests ------------------------------------------------------------------------------- */

static void test_the_sources_are_understood(void **state) {
    (void)state;
    assert_true(code.function_count > 100); /* or a test below says nothing */
}

static void test_no_part_only_passes_on_to_another(void **state) {
    (void)state;
    size_t layers = 0;
    for (size_t i = 0; i < code.function_count; i++) {
        const char *from = code.functions[i].file->name;
        const char *target = passes_on_to(&code.functions[i]);
        if (target != NULL && count_passing(from, target) > PASSING_MAX) {
            tell(&code.functions[i], target);
            layers++;
        }
    }
    assert_int_equal(layers, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_sources_are_understood),
        cmocka_unit_test(test_no_part_only_passes_on_to_another),
    };
    return cmocka_run_group_tests(tests, read_sources, forget_sources);
}
