/*
 * Runs copies of minikv on the same random commands: every reply must be what the model expects,
 * and the same in all copies, byte for byte. Then the copies take turns on one log, so each has to
 * read what the others wrote, and the replies must be the same once more. STATS is left out: its
 * numbers are the one thing in which copies may differ.
 *
 *     differential ROUNDS COMMANDS NAME PROGRAM [NAME PROGRAM]...
 *
 * TEST_SEED=N in the environment draws other commands. Exit code: 0 no difference, 1 one was found
 * and is told, 2 the command line is wrong.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blob.h"
#include "bytes.h"
#include "die.h"
#include "generator.h"
#include "model.h"
#include "path.h"
#include "program.h"
#include "random.h"
#include "tmpdir.h"

#define COPIES_MAX 32

/* Once in so many commands, one is broken. */
#define BREAK_RARITY 5

/* How often each copy's turn comes on the common log. */
#define TURNS 3

struct copy {
    const char *name;
    const char *program;
    struct blob out; /* what it answered to the script */
};

/* Commands, each with its reply as the model expects it. `input` is what is sent. */
struct script {
    size_t count;
    struct blob *lines;
    struct model_reply *expected;
    struct blob input;
    size_t *ends; /* where in `input` each line ends */
};

struct contest {
    struct copy copies[COPIES_MAX];
    size_t copy_count;
    struct script script;
    uint64_t seed;
    size_t replies;
};

/* --- The script ---------------------------------------------------------------------------- */

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        die("differential");
    }
    return memory;
}

static void script_write(struct script *script, struct random *random, size_t count) {
    struct model model = {0};
    *script = (struct script){.count = count,
                              .lines = allocate(count, sizeof *script->lines),
                              .expected = allocate(count, sizeof *script->expected),
                              .ends = allocate(count, sizeof *script->ends)};
    for (size_t i = 0; i < count; i++) {
        struct blob *line = &script->lines[i];
        generator_command(random, line);
        if (random_below(random, BREAK_RARITY) == 0) {
            generator_break_line(random, line);
        }
        model_execute_line(&model, blob_view(line), &script->expected[i]);
        blob_add(&script->input, line->data, line->length);
        blob_print(&script->input, "%s", random_below(random, 2) == 0 ? "\n" : "\r\n");
        script->ends[i] = script->input.length;
    }
    model_release(&model);
}

static void script_release(struct script *script) {
    for (size_t i = 0; i < script->count; i++) {
        blob_release(&script->lines[i]);
        model_reply_release(&script->expected[i]);
    }
    free(script->lines);
    free(script->expected);
    free(script->ends);
    blob_release(&script->input);
}

/* The input from line `first` to before line `last`. */
static struct slice script_part(const struct script *script, size_t first, size_t last) {
    size_t start = first == 0 ? 0 : script->ends[first - 1];
    size_t end = last == 0 ? 0 : script->ends[last - 1];
    return slice_from(script->input.data + start, end - start);
}

/* --- Replies ------------------------------------------------------------------------------- */

/* Steps `rest` over its first line, line feed included. */
static struct slice take_line(struct slice *rest) {
    const unsigned char *end = rest->length > 0 ? memchr(rest->data, '\n', rest->length) : NULL;
    size_t length = end != NULL ? (size_t)(end - rest->data) + 1 : rest->length;
    struct slice line = slice_from(rest->data, length);
    *rest = slice_from(rest->data + length, rest->length - length);
    return line;
}

static bool is_stats(struct slice reply) {
    static const char start[] = "commands=";
    return reply.length >= sizeof start && memcmp(reply.data, start, sizeof start - 1) == 0;
}

static void print_quoted(const char *what, struct slice bytes) {
    struct blob text = {0};
    blob_add_quoted(&text, bytes);
    printf("    %-20s %.*s\n", what, (int)text.length, (const char *)text.data);
    blob_release(&text);
}

static void tell(const struct contest *contest, size_t line, const char *name, struct slice reply,
                 const char *other, struct slice other_reply) {
    printf("DIFFERENT (TEST_SEED=%llu repeats it), line %zu\n", (unsigned long long)contest->seed,
           line + 1);
    print_quoted("line", blob_view(&contest->script.lines[line]));
    print_quoted(name, reply);
    print_quoted(other, other_reply);
}

/* Whether the replies are the model's, and those of the first copy. */
static bool same_replies(struct contest *contest, const char *name, struct slice out) {
    const struct script *script = &contest->script;
    struct slice first = blob_view(&contest->copies[0].out);
    for (size_t i = 0; i < script->count; i++) {
        const struct model_reply *expected = &script->expected[i];
        if (expected->form == MODEL_NOTHING) {
            continue;
        }
        struct slice reply = take_line(&out);
        struct slice other = take_line(&first);
        if (!model_reply_matches(expected, reply)) {
            tell(contest, i, name, reply, "expected", blob_view(&expected->exact));
            return false;
        }
        if (!slice_equal(reply, other) && !(is_stats(reply) && is_stats(other))) {
            tell(contest, i, name, reply, contest->copies[0].name, other);
            return false;
        }
        contest->replies++;
    }
    if (out.length > 0) {
        tell(contest, script->count - 1, name, out, "expected", (struct slice){NULL, 0});
    }
    return out.length == 0;
}

/* --- Running ------------------------------------------------------------------------------- */

/* Adds to `out` what the copy answers to `input`; false if it does not end well. */
static bool run(const struct copy *copy, const char *log, struct slice input, struct blob *out) {
    const char *const arguments[] = {log, NULL};
    struct program_result result;
    program_run(copy->program, arguments, input, &result);
    blob_add(out, result.out.data, result.out.length);
    bool well = result.status == 0 && result.err.length == 0;
    if (!well) {
        printf("%s ended with %d: %.*s\n", copy->name, result.status, (int)result.err.length,
               result.err.length > 0 ? (const char *)result.err.data : "");
    }
    program_result_release(&result);
    return well;
}

static bool run_alone(struct contest *contest, const char *log) {
    const struct script *script = &contest->script;
    bool same = true;
    for (size_t i = 0; i < contest->copy_count && same; i++) {
        struct copy *copy = &contest->copies[i];
        blob_clear(&copy->out);
        same = run(copy, log, blob_view(&script->input), &copy->out) &&
               same_replies(contest, copy->name, blob_view(&copy->out));
        must(unlink(log), log);
    }
    return same;
}

static bool run_in_turn(struct contest *contest, const char *log) {
    const struct script *script = &contest->script;
    size_t turns = TURNS * contest->copy_count;
    struct blob out = {0};
    bool same = true;
    for (size_t i = 0; i < turns && same; i++) {
        size_t first = script->count * i / turns;
        size_t last = script->count * (i + 1) / turns;
        same = run(&contest->copies[i % contest->copy_count], log, script_part(script, first, last),
                   &out);
    }
    same = same && same_replies(contest, "in turn", blob_view(&out));
    blob_release(&out);
    return same;
}

static bool run_round(struct contest *contest, size_t commands) {
    struct random random;
    char *folder = tmpdir_make();
    char *log = tmpdir_path(folder, "common.log");
    random_init(&random, contest->seed);
    script_write(&contest->script, &random, commands);
    bool same = run_alone(contest, log) && run_in_turn(contest, log);
    script_release(&contest->script);
    free(log);
    tmpdir_remove(folder);
    return same;
}

static void release(struct contest *contest) {
    for (size_t i = 0; i < contest->copy_count; i++) {
        blob_release(&contest->copies[i].out);
    }
    free(contest);
}

int main(int count, char **arguments) {
    if (count < 5 || count % 2 == 0 || count > 3 + 2 * COPIES_MAX) {
        fputs("use: differential ROUNDS COMMANDS NAME PROGRAM [NAME PROGRAM]...\n", stderr);
        return 2;
    }
    struct contest *contest = allocate(1, sizeof *contest);
    size_t rounds = strtoull(arguments[1], NULL, 10);
    size_t commands = strtoull(arguments[2], NULL, 10);
    for (int i = 3; i < count; i += 2) {
        contest->copies[contest->copy_count] =
            (struct copy){.name = arguments[i], .program = arguments[i + 1]};
        contest->copy_count++;
    }
    uint64_t seed = random_seed("differential");
    bool same = true;
    for (size_t i = 0; i < rounds && same; i++) {
        contest->seed = seed + i;
        same = run_round(contest, commands);
    }
    if (same) {
        printf("ok      %zu copies gave the same %zu replies\n", contest->copy_count,
               contest->replies);
    }
    release(contest);
    return same ? 0 : 1;
}
