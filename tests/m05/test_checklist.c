/*
 * The checklist of exercise m05, as far as a machine can tick it off: that taking a line apart
 * needs no memory, that what HELP says of a command is what its errors say, and that a command's
 * name is written down once. Allocations are counted at link time: the linker turns the copy's
 * calls of malloc() and its kin into calls of the functions below. Names are counted in the
 * sources.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <ctype.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blob.h"
#include "die.h"
#include "session.h"
#include "template.h"
#include "watchdog.h"

/* --- Counting ------------------------------------------------------------------------------ */

static struct {
    bool on;
    size_t allocations;
} counts;

static void count_allocation(void) {
    counts.allocations += counts.on ? 1 : 0;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size) {
    count_allocation();
    return __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
    count_allocation();
    return __real_calloc(count, size);
}

void *__real_realloc(void *data, size_t size);
void *__wrap_realloc(void *data, size_t size);

void *__wrap_realloc(void *data, size_t size) {
    count_allocation();
    return __real_realloc(data, size);
}

/* How often a line allocates, its reply included, when it is not the first of its kind. */
static size_t count_line(struct session *session, const char *line) {
    for (int i = 0; i < 2; i++) {
        struct buffer reply;
        buffer_init(&reply);
        counts.allocations = 0;
        counts.on = true;
        minikv_execute(session->kv, slice_from_string(line), &reply);
        counts.on = false;
        buffer_release(&reply);
    }
    return counts.allocations;
}

/* How often the reply alone does: a message made from `source`, with 0 in its places. */
static size_t count_reply(const char *source) {
    const struct template_value value = {"value", slice_from_string("0")};
    struct template *message = template_compile(source);
    struct text text;
    struct buffer reply;
    assert_non_null(message);
    buffer_init(&reply);
    counts.allocations = 0;
    counts.on = true;
    enum template_result result = template_render(message, &value, 1, &text);
    bool ok = result == TEMPLATE_OK && buffer_append(&reply, slice_from(text.data, text.length)) &&
              buffer_append(&reply, slice_from("\n", 1));
    counts.on = false;
    assert_true(ok);
    text_release(&text);
    buffer_release(&reply);
    template_free(message);
    return counts.allocations;
}

/* A line that needs memory for nothing but its reply. */
static void assert_only_the_reply(struct session *session, const char *line, const char *source) {
    size_t allocations = count_line(session, line);
    size_t reply = count_reply(source);
    if (allocations != reply) {
        fail_msg("<%s> allocates %zu times, its reply %zu times", line, allocations, reply);
    }
}

#define NIL "(nil)"
#define INTEGER "(integer) @value"

static void test_allocations_are_counted(void **state) {
    assert_true(count_line(*state, "SET a \"\\x41\"") >= 1);
    assert_true(count_reply(INTEGER) >= 1);
}

static void test_a_line_without_escapes_is_taken_apart_without_memory(void **state) {
    assert_only_the_reply(*state, "GET missing", NIL);
    assert_only_the_reply(*state, "EXISTS missing", INTEGER);
    assert_only_the_reply(*state, "DEL missing", INTEGER);
    assert_only_the_reply(*state, "COUNT", INTEGER);
}

static void test_a_name_in_lower_case_needs_no_memory(void **state) {
    assert_only_the_reply(*state, "get missing", NIL);
}

static void test_a_word_in_quotes_without_escapes_needs_no_memory(void **state) {
    assert_only_the_reply(*state, "GET \"mis sing\"", NIL);
    assert_only_the_reply(*state, "\"GET\" \"\"", NIL);
}

/* --- One place that knows a command ---------------------------------------------------------- */

/* Replaces `text` by the reply to a line, as a string without its line end. */
static const char *ask(struct session *session, const char *line, struct blob *text) {
    session_execute(session, slice_from_string(line), text);
    assert_true(text->length > 0);
    text->data[text->length - 1] = '\0';
    return (const char *)text->data;
}

/* With more words than any command has: the error must tell the use that HELP tells. */
static void assert_command_is_consistent(struct session *session, const char *name) {
    struct blob line = {0};
    struct blob help = {0};
    struct blob error = {0};
    blob_print(&line, "HELP %s%c", name, '\0');
    const char *use = ask(session, (const char *)line.data, &help);
    const char *end = strstr(use, ": ");
    assert_non_null(end);
    blob_clear(&line);
    blob_print(&line, "%s 1 2 3 4 5 6%c", name, '\0');
    const char *told = ask(session, (const char *)line.data, &error);
    blob_clear(&line);
    blob_print(&line, "ERR wrong number of arguments for '%s', use: %.*s%c", name, (int)(end - use),
               use, '\0');
    assert_string_equal(told, (const char *)line.data);
    assert_memory_equal(use, name, strlen(name));
    blob_release(&line);
    blob_release(&help);
    blob_release(&error);
}

static void test_help_and_errors_agree_on_every_command(void **state) {
    struct blob names = {0};
    size_t count = 0;
    ask(*state, "HELP", &names);
    char *rest = (char *)names.data;
    for (char *name = strtok_r(rest, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        assert_command_is_consistent(*state, name);
        count++;
    }
    assert_true(count >= 12);
    blob_release(&names);
}

/* --- One place that names it ----------------------------------------------------------------- */

static bool ends_comment(const char *c, char kind) {
    return kind == '/' ? *c == '\n' : c[0] == '*' && c[1] == '/';
}

/* Behind a comment that begins at `c`; `c` itself where none does. */
static const char *skip_comment(const char *c) {
    if (c[0] != '/' || (c[1] != '/' && c[1] != '*')) {
        return c;
    }
    const char kind = c[1];
    for (c += 2; *c != '\0' && !ends_comment(c, kind); c++) {
    }
    return *c == '\0' ? c : c + (kind == '*' ? 2 : 1);
}

/* The quote that ends the literal whose first quote is at `c`. */
static const char *find_end_of_literal(const char *c) {
    const char quote = *c;
    for (c++; *c != '\0' && *c != quote; c++) {
        if (*c == '\\' && c[1] != '\0') {
            c++;
        }
    }
    return c;
}

/* How often `word` is a whole word of the literal. */
static size_t count_word(struct slice literal, const char *word) {
    const size_t length = strlen(word);
    size_t count = 0;
    for (size_t i = 0; i + length <= literal.length; i++) {
        const bool begins = i == 0 || !isalpha(literal.data[i - 1]);
        const bool ends = i + length == literal.length || !isalpha(literal.data[i + length]);
        count += begins && ends && memcmp(literal.data + i, word, length) == 0 ? 1 : 0;
    }
    return count;
}

/*
 * Whether the literal names the command: it is the name, or a list of names. A usage begins with
 * the name and goes on with words that are none.
 */
static bool is_name_of(struct slice literal, const char *name) {
    return count_word(literal, name) > 0 &&
           (literal.length == strlen(name) ||
            (strcmp(name, "HELP") != 0 && count_word(literal, "HELP") > 0));
}

static size_t count_in_file(const char *path, const char *name) {
    struct blob text = {0};
    size_t count = 0;
    blob_read_file(&text, path);
    blob_add_byte(&text, '\0');
    for (const char *c = (const char *)text.data; *c != '\0';) {
        const char *next = skip_comment(c);
        if (next == c && (*c == '"' || *c == '\'')) {
            const char *end = find_end_of_literal(c);
            count += is_name_of(slice_from(c + 1, (size_t)(end - c - 1)), name) ? 1 : 0;
            next = *end == '\0' ? end : end + 1;
        }
        c = next == c ? c + 1 : next;
    }
    blob_release(&text);
    return count;
}

/* In how many places the sources of the copy name the command. */
static size_t count_places(const char *name) {
    struct blob pattern = {0};
    glob_t found;
    size_t count = 0;
    const char *folder = getenv("MINIKV_SOURCES");
    if (folder == NULL || folder[0] == '\0') {
        die("MINIKV_SOURCES must hold the path of the sources to look at");
    }
    blob_print(&pattern, "%s/*.[ch]%c", folder, '\0');
    if (glob((const char *)pattern.data, 0, NULL, &found) != 0) {
        die((const char *)pattern.data);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        count += count_in_file(found.gl_pathv[i], name);
    }
    globfree(&found);
    blob_release(&pattern);
    return count;
}

/* Not those that records of the log have, too, nor those that are all of their usage. */
static void test_a_command_is_named_in_one_place(void **state) {
    (void)state;
    static const char *const names[] = {"GET", "EXISTS", "INCR", "BACKUP"};
    size_t more = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t places = count_places(names[i]);
        if (places > 1) {
            print_message("%s is named in %zu places\n", names[i], places);
            more++;
        }
    }
    assert_int_equal(more, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_allocations_are_counted),
        IN_SESSION(test_a_line_without_escapes_is_taken_apart_without_memory),
        IN_SESSION(test_a_name_in_lower_case_needs_no_memory),
        IN_SESSION(test_a_word_in_quotes_without_escapes_needs_no_memory),
        IN_SESSION(test_help_and_errors_agree_on_every_command),
        cmocka_unit_test(test_a_command_is_named_in_one_place),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
