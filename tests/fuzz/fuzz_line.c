/*
 * Any lines: each gets the reply that the model gives, exactly one line, or none if it is blank;
 * what they stored is there after a reopening; and a reply to GET that is typed back stores the
 * same value.
 */
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <strings.h>

#include "scratch.h"

/* Short, so that lines over the limit are met. */
#define LINE_LIMIT 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int hex_value(unsigned char byte) {
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *place = byte != '\0' ? strchr(digits, byte) : NULL;
    return place != NULL ? (int)((place - digits) % 16) : -1;
}

/*
 * Whether the line may name BACKUP, in whatever way it is typed: it would write anywhere. Blanks
 * and quotes are passed over, so this says yes to some lines that are none, which does not matter.
 */
static bool may_name_backup(struct slice line) {
    char name[7] = "";
    size_t length = 0;
    for (size_t i = 0; i < line.length && length < 6; i++) {
        unsigned char byte = line.data[i];
        if (byte == '\\' && i + 3 < line.length && hex_value(line.data[i + 2]) >= 0 &&
            hex_value(line.data[i + 3]) >= 0) {
            byte = (unsigned char)(hex_value(line.data[i + 2]) * 16 + hex_value(line.data[i + 3]));
            i += 3;
        }
        if (byte != ' ' && byte != '\t' && byte != '"') {
            name[length] = (char)byte;
            length++;
        }
    }
    return strcasecmp(name, "BACKUP") == 0;
}

static bool is_error_line(const struct blob *reply) {
    return reply->length > 4 && memcmp(reply->data, "ERR ", 4) == 0 &&
           memchr(reply->data, '\n', reply->length) == reply->data + reply->length - 1;
}

/* False once the line has ended the session. */
static bool run_line(struct minikv *kv, struct model *model, struct slice line) {
    struct model_reply expected = {0};
    struct blob reply = {0};
    enum minikv_result result = scratch_execute(kv, line, &reply);
    if (line.length > LINE_LIMIT) {
        scratch_check(is_error_line(&reply), "a line over the limit was not refused");
    } else {
        model_execute_line(model, line, &expected);
        scratch_check(model_reply_matches(&expected, blob_view(&reply)),
                      "the reply is not the model's");
    }
    scratch_check(result != MINIKV_NO_REPLY, "no reply");
    blob_release(&reply);
    model_reply_release(&expected);
    return result == MINIKV_CONTINUE;
}

static void run_lines(struct minikv *kv, struct model *model, struct slice input) {
    bool goes_on = true;
    while (input.length > 0 && goes_on) {
        const unsigned char *end = memchr(input.data, '\n', input.length);
        size_t length = end != NULL ? (size_t)(end - input.data) : input.length;
        struct slice line = slice_from(input.data, length);
        size_t step = end != NULL ? length + 1 : length;
        if (!may_name_backup(line)) {
            goes_on = run_line(kv, model, line);
        }
        input = slice_from(input.data + step, input.length - step);
    }
}

/* The reply to GET, pasted into SET, gives a key with the same value. */
static void type_back(struct minikv *kv, const struct model *model) {
    struct blob line = {0};
    struct blob value = {0};
    struct blob reply = {0};
    for (size_t i = 0; i < model->count; i++) {
        blob_clear(&line);
        blob_print(&line, "GET ");
        blob_add_quoted(&line, blob_view(&model->entries[i].key));
        scratch_execute(kv, blob_view(&line), &value);
        blob_clear(&line);
        blob_print(&line, "SET \"typed back\" ");
        blob_add(&line, value.data, value.length - 1);
        scratch_execute(kv, blob_view(&line), &reply);
        scratch_check(blob_equals(&reply, slice_from_string("OK\n")), "a reply cannot be typed");
        scratch_execute(kv, slice_from_string("GET \"typed back\""), &reply);
        scratch_check(blob_equals(&reply, blob_view(&value)), "typed back, a value is another");
    }
    blob_release(&line);
    blob_release(&value);
    blob_release(&reply);
}

static struct minikv *must_open(size_t line_limit) {
    bool noticed;
    struct minikv *kv = scratch_open(line_limit, &noticed);
    scratch_check(kv != NULL && !noticed, "a log that was closed well does not open well");
    return kv;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct model model = {0};
    scratch_clear();
    struct minikv *kv = must_open(LINE_LIMIT);
    run_lines(kv, &model, slice_from(data, size));
    scratch_close(kv);
    kv = must_open(0); /* a quoted key may be longer than the limit */
    scratch_compare(kv, &model);
    type_back(kv, &model);
    scratch_close(kv);
    model_release(&model);
    return 0;
}
