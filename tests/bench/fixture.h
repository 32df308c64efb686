/*
 * What a row works on: a store full of keys behind the facade, a ready command for each key, and a
 * reply buffer.
 */
#ifndef BENCH_FIXTURE_H
#define BENCH_FIXTURE_H

#include "buffer.h"
#include "minikv.h"
#include "row.h"

struct fixture_options {
    size_t keys;        /* how many keys the store holds */
    size_t value_bytes; /* how long each value is */
    const char *folder; /* for whatever files a row makes; empty at first */
    const char *log;    /* the store's log: taken over if it is there, else made */
};

struct fixture {
    struct fixture_options options;
    const struct row *row;
    struct minikv *kv;   /* NULL for a row without commands */
    struct slice *lines; /* one command per key */
    char *line_bytes;    /* where the lines lie */
    struct buffer reply; /* empty between operations */
    void *own;           /* what the row's open made */
    bool show;           /* check prints what it checks */
};

/* Makes `fixture` ready for `row`; false after a complaint, with nothing to close. */
bool fixture_open(struct fixture *fixture, const struct row *row,
                  const struct fixture_options *options);

void fixture_close(struct fixture *fixture);

/* Closes the store before the fixture is: for a row that opens it in another way. */
bool fixture_close_store(struct fixture *fixture);

/* Writes a value of `length` bytes, letters and digits; another one for each `number`. */
void fixture_write_text(char *text, size_t length, size_t number);

/* Writes the name of key number `key`, 12 bytes, the same in all rows. */
#define FIXTURE_KEY_LENGTH 12
void fixture_write_key(char *name, size_t key);

/* Ends the process with a complaint: an operation did not do what it must always do. */
_Noreturn void fixture_fail(const char *what);

/*
 * Mixes the bytes into a checksum. Four bytes at a time would do as well; this is only used where
 * no time is taken.
 */
uint64_t fixture_checksum(uint64_t sum, struct slice bytes);

#endif
