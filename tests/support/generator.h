/*
 * Random commands, typed in every way that docs/protocol.md allows: names in any case, words bare
 * or quoted, each byte of a quoted word as itself or as any escape that stands for it, blanks of
 * any number and kind. Keys come from a small set, so that commands meet each other's keys; keys
 * and values may hold any byte.
 */
#ifndef TESTS_GENERATOR_H
#define TESTS_GENERATOR_H

#include "blob.h"
#include "bytes.h"
#include "random.h"

/* How many different keys there are. */
#define GENERATOR_KEYS 40

/* Adds key number `number`, below GENERATOR_KEYS. The same number always gives the same key. */
void generator_add_key(struct blob *key, size_t number);

/* Adds `word` to a line, typed in a random way. */
void generator_type_word(struct random *random, struct slice word, struct blob *line);

/*
 * Replaces `line` by a random command, without its line end: mostly right, sometimes with a word
 * too many or too few. Never QUIT, BACKUP or an automatic surprise: what the model expects of it is
 * what any store must answer. Holds no line feed and does not end with a carriage return, so it can
 * also be sent through a pipe.
 */
void generator_command(struct random *random, struct blob *line);

/*
 * Breaks a line: takes out, puts in or replaces one to three bytes. What was said of line feeds and
 * carriage returns still holds; whether the line is still a command, the model tells.
 */
void generator_break_line(struct random *random, struct blob *line);

#endif
