/*
 * A line's words. Words are separated by blanks (spaces and tabs). A word may stand in double
 * quotes, and within them \" \\ \n \r \t and \xNN stand for bytes; so every byte string can be
 * typed. Outside quotes every other byte, the backslash too, stands for itself. A quote that opens
 * within a word, one that never closes, or one followed by anything but a blank is an error.
 */
#ifndef MINIKV_WORDS_H
#define MINIKV_WORDS_H

#include "bytes.h"

enum words_result {
    WORDS_OK,
    WORDS_END, /* no further word */
    WORDS_UNBALANCED_QUOTES,
    WORDS_BAD_ESCAPE,
    WORDS_NO_MEMORY
};

/* All words of a line, copied. */
struct words {
    struct bytes *items;
    size_t count;
};

/*
 * Copies the next word of `*rest` into `word`, which the caller then owns, and steps `*rest` behind
 * it. `word` is only set with WORDS_OK.
 */
enum words_result words_next(struct slice *rest, struct bytes *word);

/*
 * Copies all words of `line`. With WORDS_OK the caller ends them with words_release(); otherwise
 * there is nothing to release. Never returns WORDS_END.
 */
enum words_result words_split(struct slice line, struct words *words);

void words_release(struct words *words);

#endif
