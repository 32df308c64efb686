/*
 * Texts with places to fill in: "ERR unknown command '@name'". A template is taken apart once, when
 * it is compiled, and rendered often.
 *
 * A place is '@' and a name of lower-case letters and underscores; '@@' stands for a plain '@', and
 * a '@' before anything else is a plain '@', too.
 *
 * The prototypes, `struct text` and text_release() are frozen.
 */
#ifndef MINIKV_TEMPLATE_H
#define MINIKV_TEMPLATE_H

#include <stdlib.h>

#include "bytes.h"

/*
 * A rendered text. `owned` tells whether the memory is the text's own; a text that is not owned is
 * valid as long as its template. Either way the caller ends it with text_release().
 */
struct text {
    const char *data; /* not NUL-terminated */
    size_t length;
    bool owned;
};

/* Ends a text: whoever got one calls this, once. */
static inline void text_release(struct text *text) {
    if (text->owned) {
        free((void *)text->data);
    }
    *text = (struct text){0};
}

/* What to put in a place. Borrowed for the time of the call. */
struct template_value {
    const char *name; /* without the '@' */
    struct slice value;
};

enum template_result {
    TEMPLATE_OK,
    TEMPLATE_MISSING, /* no value for a place */
    TEMPLATE_EMPTY,   /* an empty value for a place */
    TEMPLATE_NO_MEMORY
};

struct template;

/*
 * Takes `source` apart; it is copied. NULL when memory runs out. Ended with template_free(). Every
 * source is a valid template.
 */
struct template *template_compile(const char *source);

/* NULL is allowed. */
void template_free(struct template *compiled);

/*
 * Renders the template with the `count` values, in any order; the first value of a name counts, and
 * one without a place is ignored. Bytes of a value that are not printable ASCII become \xNN, so
 * that a text is one line whatever it is given.
 *
 * With TEMPLATE_OK, `text` is set and the caller ends it with text_release(). Otherwise `text` is
 * not touched.
 */
enum template_result template_render(const struct template *compiled,
                                     const struct template_value *values, size_t count,
                                     struct text *text);

#endif
