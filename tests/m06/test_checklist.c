/*
 * The checklist of exercise m06, as far as a machine can tick it off: what rendering a template
 * costs where there is nothing to fill in, and that nothing else has changed. Allocations are
 * counted at link time: the linker turns the copy's calls of malloc() and its kin into calls of the
 * functions below.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc.h"
#include "session.h"
#include "template.h"
#include "watchdog.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

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

/* --- Rendering ----------------------------------------------------------------------------- */

static struct template *compile(const char *source) {
    struct template *compiled = template_compile(source);
    assert_non_null(compiled);
    return compiled;
}

static void assert_text(const struct text *text, const char *expected) {
    if (!slice_equal(slice_from(text->data, text->length), slice_from_string(expected))) {
        fail_msg("'%.*s' should be '%s'", (int)text->length, text->data, expected);
    }
}

/* Renders, which must work, and counts the allocations of rendering. */
static struct text render(const struct template *compiled, const struct template_value *values,
                          size_t count) {
    struct text text;
    memset(&counts, 0, sizeof counts);
    counts.on = true;
    enum template_result result = template_render(compiled, values, count, &text);
    counts.on = false;
    assert_int_equal(result, TEMPLATE_OK);
    return text;
}

static const struct template_value unused[] = {{"name", {(const unsigned char *)"x", 1}},
                                               {"empty", {NULL, 0}}};

/* Templates without a place, and what they say. */
static const struct {
    const char *source;
    const char *text;
} plain[] = {
    {"OK", "OK"},
    {"(nil)", "(nil)"},
    {"ERR out of memory", "ERR out of memory"},
    {"user@@host", "user@host"},
    {"@@name", "@name"},
    {"a @ b", "a @ b"},
};

/* Without it, all counts could be zero and the tests below would pass. */
static void test_allocations_are_counted(void **state) {
    (void)state;
    memset(&counts, 0, sizeof counts);
    counts.on = true;
    struct template *compiled = compile("@name");
    counts.on = false;
    assert_true(counts.allocations >= 1);
    template_free(compiled);
}

static void test_a_text_without_a_place_needs_no_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        struct template *compiled = compile(plain[i].source);
        struct text text = render(compiled, NULL, 0);
        assert_text(&text, plain[i].text);
        assert_int_equal(counts.allocations, 0);
        text_release(&text);
        template_free(compiled);
    }
}

/* A value without a place is ignored: that it is there makes no work. */
static void test_values_that_are_not_asked_for_need_no_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        struct template *compiled = compile(plain[i].source);
        struct text text = render(compiled, unused, COUNT_OF(unused));
        assert_text(&text, plain[i].text);
        assert_int_equal(counts.allocations, 0);
        text_release(&text);
        template_free(compiled);
    }
}

/* So it works where nothing else does; "ERR out of memory" is such a text. */
static void test_a_text_without_a_place_is_there_when_memory_is_not(void **state) {
    (void)state;
    if (!alloc_can_fail()) {
        skip();
    }
    struct template *compiled = compile("ERR out of memory");
    struct text text;
    alloc_fail(0, SIZE_MAX);
    enum template_result result = template_render(compiled, NULL, 0, &text);
    alloc_stop();
    assert_int_equal(result, TEMPLATE_OK);
    assert_text(&text, "ERR out of memory");
    text_release(&text);
    template_free(compiled);
}

/* --- Who owns it, and for how long ----------------------------------------------------------- */

static void test_the_end_of_a_text_is_not_the_end_of_its_template(void **state) {
    (void)state;
    struct template *compiled = compile("plain");
    for (int i = 0; i < 3; i++) {
        struct text text = render(compiled, NULL, 0);
        assert_text(&text, "plain");
        text_release(&text);
        assert_null(text.data);
    }
    template_free(compiled);
}

static void test_texts_outlive_other_texts_and_other_templates(void **state) {
    (void)state;
    struct text texts[COUNT_OF(plain)][2];
    struct template *compiled[COUNT_OF(plain)];
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        compiled[i] = compile(plain[i].source);
        texts[i][0] = render(compiled[i], NULL, 0);
        texts[i][1] = render(compiled[i], NULL, 0);
    }
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        text_release(&texts[i][0]);
        for (size_t j = i; j < COUNT_OF(plain); j++) {
            assert_text(&texts[j][1], plain[j].text);
        }
        text_release(&texts[i][1]);
        template_free(compiled[i]);
    }
}

/* A text that says it is its own is so. */
static void test_an_owned_text_outlives_its_template(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        struct template *compiled = compile(plain[i].source);
        struct text text = render(compiled, NULL, 0);
        if (text.owned) {
            template_free(compiled);
            compiled = NULL;
            assert_text(&text, plain[i].text);
        }
        text_release(&text);
        template_free(compiled);
    }
}

/* --- All else is as before ------------------------------------------------------------------- */

/* Values are borrowed for the time of the call: a template that is all place cannot lend one. */
static void test_a_text_with_a_place_does_not_depend_on_its_value(void **state) {
    (void)state;
    static const char *const sources[] = {"@name", "<@name>", "@name@name"};
    static const char *const expected[] = {"Ann", "<Ann>", "AnnAnn"};
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        struct template *compiled = compile(sources[i]);
        char name[] = "Ann";
        const struct template_value values[] = {{"name", slice_from(name, 3)}};
        struct text text = render(compiled, values, 1);
        memset(name, '?', 3);
        assert_text(&text, expected[i]);
        text_release(&text);
        template_free(compiled);
    }
}

static void test_a_place_still_needs_a_value(void **state) {
    (void)state;
    static const char *const sources[] = {"@empty", "@empty text", "text @empty"};
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        struct template *compiled = compile(sources[i]);
        struct text text;
        assert_int_equal(template_render(compiled, NULL, 0, &text), TEMPLATE_MISSING);
        assert_int_equal(template_render(compiled, unused, COUNT_OF(unused), &text),
                         TEMPLATE_EMPTY);
        template_free(compiled);
    }
}

static void test_an_empty_template_gives_an_empty_text(void **state) {
    (void)state;
    struct template *compiled = compile("");
    struct text text = render(compiled, unused, COUNT_OF(unused));
    assert_int_equal(text.length, 0);
    text_release(&text);
    template_free(compiled);
}

/* Through the server: one reply must not change another. */
static void test_replies_do_not_change_each_other(void **state) {
    struct buffer reply;
    char content[64];
    buffer_init(&reply);
    static const char *const lines[] = {"SET a 1", "GET b", "\"\"", "SET c 2", "COUNT", "GET d"};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        assert_int_equal(
            minikv_execute(((struct session *)*state)->kv, slice_from_string(lines[i]), &reply),
            MINIKV_CONTINUE);
    }
    size_t length = buffer_copy(&reply, 0, sizeof content, content);
    assert_true(slice_equal(
        slice_from(content, length),
        slice_from_string("OK\n(nil)\nERR empty command name\nOK\n(integer) 2\n(nil)\n")));
    buffer_release(&reply);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations_are_counted),
        cmocka_unit_test(test_a_text_without_a_place_needs_no_memory),
        cmocka_unit_test(test_values_that_are_not_asked_for_need_no_memory),
        cmocka_unit_test(test_a_text_without_a_place_is_there_when_memory_is_not),
        cmocka_unit_test(test_the_end_of_a_text_is_not_the_end_of_its_template),
        cmocka_unit_test(test_texts_outlive_other_texts_and_other_templates),
        cmocka_unit_test(test_an_owned_text_outlives_its_template),
        cmocka_unit_test(test_a_text_with_a_place_does_not_depend_on_its_value),
        cmocka_unit_test(test_a_place_still_needs_a_value),
        cmocka_unit_test(test_an_empty_template_gives_an_empty_text),
        IN_SESSION(test_replies_do_not_change_each_other),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
