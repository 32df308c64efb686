/*
 * Any template with any values: the text is what a second, plainer reading of template.h gives.
 *
 * The first line of the input is the template; each further one is the name of a value, which ends
 * at the first blank, and the value.
 */
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include "blob.h"
#include "scratch.h"
#include "template.h"

#define VALUES_MAX 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    char *source;
    char *names[VALUES_MAX];
    struct template_value values[VALUES_MAX];
    size_t count;
};

/* The bytes as a string: what follows a NUL is not seen. */
static char *string_of(struct slice bytes) {
    char *string = malloc(bytes.length + 1);
    scratch_check(string != NULL, "out of memory");
    if (bytes.length > 0) {
        memcpy(string, bytes.data, bytes.length);
    }
    string[bytes.length] = '\0';
    return string;
}

/* Steps `rest` over its first part, which ends at `end` or where `rest` does. */
static struct slice take(struct slice *rest, char end) {
    const unsigned char *place = rest->length > 0 ? memchr(rest->data, end, rest->length) : NULL;
    size_t length = place != NULL ? (size_t)(place - rest->data) : rest->length;
    struct slice part = slice_from(rest->data, length);
    size_t step = place != NULL ? length + 1 : length;
    *rest = slice_from(rest->data + step, rest->length - step);
    return part;
}

static void input_read(struct input *input, struct slice rest) {
    *input = (struct input){.source = string_of(take(&rest, '\n'))};
    while (rest.length > 0 && input->count < VALUES_MAX) {
        struct slice line = take(&rest, '\n');
        input->names[input->count] = string_of(take(&line, ' '));
        input->values[input->count] =
            (struct template_value){.name = input->names[input->count], .value = line};
        input->count++;
    }
}

static void input_release(struct input *input) {
    free(input->source);
    for (size_t i = 0; i < input->count; i++) {
        free(input->names[i]);
    }
}

/* --- The second reading -------------------------------------------------------------------- */

struct reading {
    struct blob text;
    bool missing;
    bool empty;
};

static size_t name_length(const char *at) {
    return strspn(at, "abcdefghijklmnopqrstuvwxyz_");
}

static void read_place(struct reading *reading, const struct input *input, const char *name,
                       size_t length) {
    for (size_t i = 0; i < input->count; i++) {
        const struct template_value *value = &input->values[i];
        if (strlen(value->name) != length || memcmp(value->name, name, length) != 0) {
            continue;
        }
        reading->empty = reading->empty || value->value.length == 0;
        for (size_t byte = 0; byte < value->value.length; byte++) {
            unsigned char plain = value->value.data[byte];
            blob_print(&reading->text, plain >= ' ' && plain <= '~' ? "%c" : "\\x%02x", plain);
        }
        return;
    }
    reading->missing = true;
}

static void read_template(struct reading *reading, const struct input *input) {
    const char *at = input->source;
    while (*at != '\0') {
        size_t length = *at == '@' ? name_length(at + 1) : 0;
        if (length > 0) {
            read_place(reading, input, at + 1, length);
            at += 1 + length;
        } else {
            blob_add_byte(&reading->text, (unsigned char)*at);
            at += at[0] == '@' && at[1] == '@' ? 2 : 1;
        }
    }
}

/* --- The target ---------------------------------------------------------------------------- */

static void check_text(const struct reading *reading, const struct text *text) {
    scratch_check(!reading->missing && !reading->empty, "rendered without all values");
    scratch_check(blob_equals(&reading->text, slice_from(text->data, text->length)),
                  "rendered as something else");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input input;
    struct reading reading = {0};
    input_read(&input, slice_from(data, size));
    read_template(&reading, &input);
    struct template *compiled = template_compile(input.source);
    scratch_check(compiled != NULL, "not compiled");
    for (int i = 0; i < 2; i++) {
        struct text text;
        enum template_result result = template_render(compiled, input.values, input.count, &text);
        scratch_check(result != TEMPLATE_NO_MEMORY, "out of memory");
        scratch_check(result != TEMPLATE_MISSING || reading.missing, "no value is missing");
        scratch_check(result != TEMPLATE_EMPTY || reading.empty, "no value is empty");
        if (result == TEMPLATE_OK) {
            check_text(&reading, &text);
            text_release(&text);
        }
    }
    template_free(compiled);
    blob_release(&reading.text);
    input_release(&input);
    return 0;
}
