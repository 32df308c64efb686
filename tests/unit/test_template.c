/* Templates: taken apart once, rendered often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "blob.h"
#include "random.h"
#include "template.h"
#include "watchdog.h"

#define NAMES_MAX 4

/* Renders `source`, which must work, and compares. */
static void assert_renders(const char *source, const struct template_value *values, size_t count,
                           struct slice expected) {
    struct template *compiled = template_compile(source);
    assert_non_null(compiled);
    struct text text;
    assert_int_equal(template_render(compiled, values, count, &text), TEMPLATE_OK);
    if (!slice_equal(slice_from(text.data, text.length), expected)) {
        fail_msg("'%s' became '%.*s'", source, (int)text.length, text.data);
    }
    text_release(&text);
    template_free(compiled);
}

/* The same with one value, and texts. */
static void assert_renders_one(const char *source, const char *name, const char *value,
                               const char *expected) {
    const struct template_value values[] = {{name, slice_from_string(value)}};
    assert_renders(source, values, 1, slice_from_string(expected));
}

/* Renders `source`, which must fail, and looks whether the text was left alone. */
static void assert_refuses(const char *source, const struct template_value *values, size_t count,
                           enum template_result expected) {
    struct template *compiled = template_compile(source);
    assert_non_null(compiled);
    struct text text = {.data = source, .length = 12345, .owned = true};
    assert_int_equal(template_render(compiled, values, count, &text), expected);
    assert_ptr_equal(text.data, source);
    assert_int_equal(text.length, 12345);
    assert_true(text.owned);
    template_free(compiled);
}

static void test_plain_text_stays_as_it_is(void **state) {
    (void)state;
    assert_renders("OK", NULL, 0, slice_from_string("OK"));
    assert_renders("(nil) \\x41 \xc3\xa4\n", NULL, 0, slice_from_string("(nil) \\x41 \xc3\xa4\n"));
}

static void test_an_empty_template_gives_an_empty_text(void **state) {
    (void)state;
    assert_renders("", NULL, 0, slice_from_string(""));
    assert_renders_one("", "name", "value", "");
}

static void test_places_are_filled_wherever_they_stand(void **state) {
    (void)state;
    assert_renders_one("@name", "name", "Ann", "Ann");
    assert_renders_one("@name!", "name", "Ann", "Ann!");
    assert_renders_one("hello @name", "name", "Ann", "hello Ann");
    assert_renders_one("hello '@name'!", "name", "Ann", "hello 'Ann'!");
}

static void test_a_place_may_stand_more_than_once(void **state) {
    (void)state;
    assert_renders_one("@a@a, @a", "a", "x", "xx, x");
}

static void test_values_come_in_any_order(void **state) {
    (void)state;
    const struct template_value values[] = {
        {"second", slice_from_string("2")},
        {"first", slice_from_string("1")},
    };
    assert_renders("@first@second @first", values, 2, slice_from_string("12 1"));
}

static void test_the_first_value_of_a_name_counts(void **state) {
    (void)state;
    const struct template_value values[] = {
        {"a", slice_from_string("first")},
        {"a", slice_from_string("second")},
    };
    assert_renders("@a", values, 2, slice_from_string("first"));

    const struct template_value empty_first[] = {
        {"a", slice_from_string("")},
        {"a", slice_from_string("second")},
    };
    assert_refuses("@a", empty_first, 2, TEMPLATE_EMPTY);
}

static void test_a_value_without_a_place_is_ignored(void **state) {
    (void)state;
    const struct template_value values[] = {
        {"b", slice_from_string("")},
        {"a", slice_from_string("x")},
        {"c", slice_from_string("y")},
    };
    assert_renders("@a", values, 3, slice_from_string("x"));
    assert_renders("plain", values, 3, slice_from_string("plain"));
}

static void test_a_name_is_lower_case_letters_and_underscores(void **state) {
    (void)state;
    assert_renders_one("@a_b", "a_b", "x", "x");
    assert_renders_one("@_", "_", "x", "x");
    assert_renders_one("@az.", "az", "x", "x.");
    assert_renders_one("@aB", "a", "x", "xB");
    assert_renders_one("@a1", "a", "x", "x1");
    assert_renders_one("@a-b", "a", "x", "x-b");
    assert_renders_one("@a`@a{", "a", "x", "x`x{");
    assert_renders_one("@a\xc3\xa4", "a", "x", "x\xc3\xa4");
}

static void test_names_are_compared_as_a_whole(void **state) {
    (void)state;
    const struct template_value values[] = {
        {"command", slice_from_string("1")},
        {"commander", slice_from_string("2")},
        {"com", slice_from_string("3")},
        {"", slice_from_string("4")},
    };
    assert_renders("@com @command @commander", values, 4, slice_from_string("3 1 2"));
    assert_refuses("@comma", values, 4, TEMPLATE_MISSING);
}

static void test_two_at_signs_stand_for_one(void **state) {
    (void)state;
    assert_renders("@@", NULL, 0, slice_from_string("@"));
    assert_renders("a@@b", NULL, 0, slice_from_string("a@b"));
    assert_renders("@@@@", NULL, 0, slice_from_string("@@"));
    assert_renders_one("@@a", "a", "x", "@a");
    assert_renders_one("@@@a", "a", "x", "@x");
    assert_renders_one("@@@@a", "a", "x", "@@a");
    assert_renders_one("@a@@b", "a", "x", "x@b");
}

static void test_an_at_sign_before_anything_else_is_plain(void **state) {
    (void)state;
    assert_renders("@", NULL, 0, slice_from_string("@"));
    assert_renders("a@", NULL, 0, slice_from_string("a@"));
    assert_renders("@ a", NULL, 0, slice_from_string("@ a"));
    assert_renders("@A@1@'", NULL, 0, slice_from_string("@A@1@'"));
    assert_renders("@@@", NULL, 0, slice_from_string("@@"));
    assert_renders_one("@a@", "a", "x", "x@");
}

static void test_a_place_without_a_value_is_missing(void **state) {
    (void)state;
    const struct template_value values[] = {{"a", slice_from_string("x")}};
    assert_refuses("@a", NULL, 0, TEMPLATE_MISSING);
    assert_refuses("@b", values, 1, TEMPLATE_MISSING);
    assert_refuses("text @a and @b", values, 1, TEMPLATE_MISSING);
}

static void test_an_empty_value_for_a_place_is_told(void **state) {
    (void)state;
    const struct template_value values[] = {
        {"a", slice_from_string("x")},
        {"b", slice_from_string("")},
        {"c", slice_from(NULL, 0)},
    };
    assert_refuses("@b", values, 3, TEMPLATE_EMPTY);
    assert_refuses("text @a and @b", values, 3, TEMPLATE_EMPTY);
    assert_refuses("@c", values, 3, TEMPLATE_EMPTY);
}

static void add_escaped(struct blob *blob, unsigned char byte) {
    if (byte >= 0x20 && byte <= 0x7e) {
        blob_add_byte(blob, byte);
    } else {
        blob_print(blob, "\\x%02x", byte);
    }
}

static void test_a_value_may_hold_every_byte_and_is_escaped(void **state) {
    (void)state;
    unsigned char all[256];
    struct blob expected = {0};
    blob_add(&expected, "<", 1);
    for (size_t i = 0; i < sizeof all; i++) {
        all[i] = (unsigned char)i;
        add_escaped(&expected, all[i]);
    }
    blob_add(&expected, ">", 1);
    const struct template_value values[] = {{"a", slice_from(all, sizeof all)}};
    assert_renders("<@a>", values, 1, blob_view(&expected));
    blob_release(&expected);

    const struct template_value nul[] = {{"a", slice_from("\0", 1)}};
    assert_renders("@a", nul, 1, slice_from_string("\\x00"));
}

static void test_what_a_value_looks_like_does_not_matter(void **state) {
    (void)state;
    assert_renders_one("@a", "a", "@a @@ @b", "@a @@ @b");
    assert_renders_one("@a", "a", "\\x41", "\\x41");
}

static void test_long_values(void **state) {
    (void)state;
    struct blob value = {0};
    blob_add_run(&value, 'v', 100000);
    const struct template_value values[] = {{"a", blob_view(&value)}};
    assert_renders("@a", values, 1, blob_view(&value));
    blob_release(&value);
}

static void test_the_source_is_copied(void **state) {
    (void)state;
    char source[] = "a @name z";
    struct template *compiled = template_compile(source);
    assert_non_null(compiled);
    memset(source, '@', sizeof source - 1);
    const struct template_value values[] = {{"name", slice_from_string("x")}};
    struct text text;
    assert_int_equal(template_render(compiled, values, 1, &text), TEMPLATE_OK);
    assert_true(slice_equal(slice_from(text.data, text.length), slice_from_string("a x z")));
    text_release(&text);
    template_free(compiled);
}

static void test_texts_of_one_template_live_side_by_side(void **state) {
    (void)state;
    struct template *compiled = template_compile("<@a>");
    struct template *plain = template_compile("plain");
    assert_non_null(compiled);
    assert_non_null(plain);
    const struct template_value one[] = {{"a", slice_from_string("1")}};
    const struct template_value two[] = {{"a", slice_from_string("2")}};
    struct text texts[4];
    assert_int_equal(template_render(compiled, one, 1, &texts[0]), TEMPLATE_OK);
    assert_int_equal(template_render(compiled, two, 1, &texts[1]), TEMPLATE_OK);
    assert_int_equal(template_render(plain, NULL, 0, &texts[2]), TEMPLATE_OK);
    assert_int_equal(template_render(plain, NULL, 0, &texts[3]), TEMPLATE_OK);
    text_release(&texts[0]);
    text_release(&texts[2]);
    assert_true(slice_equal(slice_from(texts[1].data, texts[1].length), slice_from_string("<2>")));
    assert_true(
        slice_equal(slice_from(texts[3].data, texts[3].length), slice_from_string("plain")));
    text_release(&texts[1]);
    text_release(&texts[3]);
    template_free(compiled);
    template_free(plain);
}

static void test_an_owned_text_outlives_its_template(void **state) {
    (void)state;
    struct template *compiled = template_compile("<@a>");
    assert_non_null(compiled);
    const struct template_value values[] = {{"a", slice_from_string("1")}};
    struct text text;
    assert_int_equal(template_render(compiled, values, 1, &text), TEMPLATE_OK);
    if (text.owned) {
        template_free(compiled);
        assert_true(slice_equal(slice_from(text.data, text.length), slice_from_string("<1>")));
        text_release(&text);
    } else {
        text_release(&text);
        template_free(compiled);
    }
}

static void test_a_released_text_is_empty_and_may_be_released_again(void **state) {
    (void)state;
    struct template *compiled = template_compile("@a");
    assert_non_null(compiled);
    const struct template_value values[] = {{"a", slice_from_string("1")}};
    struct text text;
    assert_int_equal(template_render(compiled, values, 1, &text), TEMPLATE_OK);
    text_release(&text);
    assert_null(text.data);
    assert_int_equal(text.length, 0);
    assert_false(text.owned);
    text_release(&text);
    template_free(compiled);
}

static void test_the_end_of_no_template(void **state) {
    (void)state;
    template_free(NULL);
}

/* A template and values for it, made at random. */
struct sample {
    struct blob source; /* ends with a NUL */
    struct template_value values[NAMES_MAX];
    size_t count;
    unsigned char bytes[NAMES_MAX][8];
};

static const char *const names[NAMES_MAX] = {"a", "b", "ab", "a_"};

static void make_sample(struct random *random, struct sample *sample) {
    static const char alphabet[] = "@@@@aab_A. \\\n\xff";
    blob_clear(&sample->source);
    for (size_t length = random_below(random, 20); length > 0; length--) {
        char c = alphabet[random_below(random, sizeof alphabet - 1)];
        blob_add_byte(&sample->source, (unsigned char)c);
    }
    blob_add_byte(&sample->source, '\0');
    sample->count = random_below(random, NAMES_MAX + 1);
    for (size_t i = 0; i < sample->count; i++) {
        size_t length = random_below(random, 20) == 0 ? 0 : 1 + random_below(random, 8);
        for (size_t j = 0; j < length; j++) {
            sample->bytes[i][j] = (unsigned char)random_next(random);
        }
        sample->values[i].name = names[random_below(random, NAMES_MAX)];
        sample->values[i].value = slice_from(sample->bytes[i], length);
    }
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
}

static enum template_result expect_place(const struct sample *sample, const char *name,
                                         size_t length, struct blob *expected) {
    for (size_t i = 0; i < sample->count; i++) {
        const struct template_value *value = &sample->values[i];
        if (strlen(value->name) == length && strncmp(value->name, name, length) == 0) {
            for (size_t j = 0; j < value->value.length; j++) {
                add_escaped(expected, value->value.data[j]);
            }
            return value->value.length > 0 ? TEMPLATE_OK : TEMPLATE_EMPTY;
        }
    }
    return TEMPLATE_MISSING;
}

/* What rendering must give, worked out from the source text in one go. */
static enum template_result expect(const struct sample *sample, struct blob *expected) {
    const char *next = (const char *)sample->source.data;
    blob_clear(expected);
    while (*next != '\0') {
        if (*next != '@') {
            blob_add_byte(expected, (unsigned char)*next++);
        } else if (is_name(next[1])) {
            size_t length = 0;
            for (next++; is_name(next[length]); length++) {
            }
            enum template_result result = expect_place(sample, next, length, expected);
            if (result != TEMPLATE_OK) {
                return result;
            }
            next += length;
        } else {
            blob_add_byte(expected, '@');
            next += next[1] == '@' ? 2 : 1;
        }
    }
    return TEMPLATE_OK;
}

static void test_random_templates(void **state) {
    (void)state;
    struct random random;
    random_init(&random, random_seed("template"));
    struct sample sample = {0};
    struct blob expected = {0};
    size_t rendered = 0;
    for (int i = 0; i < 50000; i++) {
        make_sample(&random, &sample);
        const char *source = (const char *)sample.source.data;
        enum template_result result = expect(&sample, &expected);
        if (result == TEMPLATE_OK) {
            assert_renders(source, sample.values, sample.count, blob_view(&expected));
            rendered++;
        } else {
            assert_refuses(source, sample.values, sample.count, result);
        }
    }
    assert_true(rendered > 1000);
    blob_release(&sample.source);
    blob_release(&expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_text_stays_as_it_is),
        cmocka_unit_test(test_an_empty_template_gives_an_empty_text),
        cmocka_unit_test(test_places_are_filled_wherever_they_stand),
        cmocka_unit_test(test_a_place_may_stand_more_than_once),
        cmocka_unit_test(test_values_come_in_any_order),
        cmocka_unit_test(test_the_first_value_of_a_name_counts),
        cmocka_unit_test(test_a_value_without_a_place_is_ignored),
        cmocka_unit_test(test_a_name_is_lower_case_letters_and_underscores),
        cmocka_unit_test(test_names_are_compared_as_a_whole),
        cmocka_unit_test(test_two_at_signs_stand_for_one),
        cmocka_unit_test(test_an_at_sign_before_anything_else_is_plain),
        cmocka_unit_test(test_a_place_without_a_value_is_missing),
        cmocka_unit_test(test_an_empty_value_for_a_place_is_told),
        cmocka_unit_test(test_a_value_may_hold_every_byte_and_is_escaped),
        cmocka_unit_test(test_what_a_value_looks_like_does_not_matter),
        cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_the_source_is_copied),
        cmocka_unit_test(test_texts_of_one_template_live_side_by_side),
        cmocka_unit_test(test_an_owned_text_outlives_its_template),
        cmocka_unit_test(test_a_released_text_is_empty_and_may_be_released_again),
        cmocka_unit_test(test_the_end_of_no_template),
        cmocka_unit_test(test_random_templates),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
