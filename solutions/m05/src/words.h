/*
 * A line's words, where they stand. Words are separated by blanks (spaces and tabs). A word may
 * stand in double quotes, and within them \" \\ \n \r \t and \xNN stand for bytes; so every byte
 * string can be typed. Outside quotes every other byte, the backslash too, stands for itself. A
 * quote that opens within a word, one that never closes, or one followed by anything but a blank is
 * an error.
 */
#ifndef MINIKV_WORDS_H
#define MINIKV_WORDS_H

#include "bytes.h"

enum words_result { WORDS_OK, WORDS_UNBALANCED_QUOTES, WORDS_BAD_ESCAPE, WORDS_NO_MEMORY };

/* No command has more words than this; a line that has takes memory for them. */
enum { WORDS_BUILTIN = 4 };

/*
 * The words of a line. They are parts of the line itself, but for those with an escape, whose bytes
 * stand nowhere in it: these lie in memory of their own. Must not be moved or copied, because
 * `items` may point into it. The fields below `count` are private.
 */
struct words {
    struct slice *items;
    size_t count;
    size_t capacity;
    struct slice builtin[WORDS_BUILTIN];
    struct bytes unescaped;
};

/*
 * Finds the words of `line`, which must stay as it is while they are used. Where there is a mistake
 * in the line, or memory runs out, the words before it are there. The caller ends them with
 * words_release(), whatever the result is.
 */
enum words_result words_split(struct slice line, struct words *words);

void words_release(struct words *words);

#endif
