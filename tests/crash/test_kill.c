/*
 * minikv is killed at random moments under load, again and again on the same log: whatever it
 * answered before must be there when it is started the next time.
 *
 * KILLS=N kills so many times in all (100), half of them with --sync always; TEST_SEED=N draws
 * other numbers. When a kill comes is the clock's affair, so a failure may need more than one
 * attempt to come again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "die.h"
#include "generator.h"
#include "model.h"
#include "path.h"
#include "program.h"
#include "random.h"
#include "session.h"

/* Lines that are sent before their replies are waited for, at most. */
#define BATCH 40

/* Once in so many lines, a value is set that is long enough for a write to be torn. */
#define LONG_RARITY 8
#define LONG_VALUE 300000
#define LONG_KEYS 3

/* Once in so many kills, the log is removed, so that creation is killed as well. */
#define FRESH_RARITY 25

/* So many kills that all come before the program was ready are too early; more must find it busy.
 */
#define STUCK 20

#define MICROSECOND 1000L
#define MILLISECOND (1000 * MICROSECOND)
#define SECOND (1000 * MILLISECOND)

/* How long a program that got ready is left alone, at most. */
#define LOAD_TIME (100 * MILLISECOND)

/* --- Kills that come on their own ---------------------------------------------------------- */

static volatile sig_atomic_t victim; /* 0: nobody */

static void on_timer(int signal_number) {
    (void)signal_number;
    int code = errno;
    if (victim > 0) {
        (void)kill((pid_t)victim, SIGKILL);
    }
    errno = code;
}

static void listen_to_timer(void) {
    struct sigaction action = {.sa_handler = on_timer};
    must(sigaction(SIGALRM, &action, NULL), "sigaction");
}

/* Kills the program after so many nanoseconds. */
static void kill_later(pid_t pid, long delay) {
    victim = (sig_atomic_t)pid;
    struct itimerval when = {
        .it_value = {delay / SECOND, delay % SECOND / MICROSECOND + 1},
    };
    must(setitimer(ITIMER_REAL, &when, NULL), "setitimer");
}

static long now(void) {
    struct timespec time;
    must(clock_gettime(CLOCK_MONOTONIC, &time), "clock_gettime");
    return (long)time.tv_sec * SECOND + time.tv_nsec;
}

/* --- The oracle ---------------------------------------------------------------------------- */

/*
 * What has been answered is in `model`. Of the `sent` lines, which were sent and not answered
 * before the kill, any number may have been done, in their order.
 */
struct oracle {
    const char *log;
    const char *sync;
    struct model model;
    struct blob sent[BATCH];
    size_t sent_count;
    struct random random;
    long start_time; /* nanoseconds that starting and being questioned took lately */
    size_t kills;
    size_t checked;    /* times that the content was compared */
    size_t answered;   /* commands */
    size_t torn;       /* starts that cut a torn tail */
    size_t leftovers;  /* kills within a compaction */
    size_t unfinished; /* kills within a creation */
};

/* One line and its reply; false if the program has been killed before. */
static bool ask(struct program *program, struct slice line, struct blob *reply) {
    struct blob input = {0};
    blob_add(&input, line.data, line.length);
    blob_add_byte(&input, '\n');
    bool asked = program_write(program, blob_view(&input)) && program_read_line(program, reply);
    blob_add_byte(reply, '\n');
    blob_release(&input);
    return asked;
}

/* The replies of the program to a question for each key, and to COUNT. */
struct content {
    struct blob replies[GENERATOR_KEYS + 1];
};

static void add_question(size_t number, struct blob *line) {
    struct blob key = {0};
    blob_clear(line);
    if (number == GENERATOR_KEYS) {
        blob_print(line, "COUNT");
        return;
    }
    generator_add_key(&key, number);
    blob_print(line, "GET ");
    blob_add_quoted(line, blob_view(&key));
    blob_release(&key);
}

static bool content_read(struct content *content, struct program *program) {
    struct blob line = {0};
    bool alive = true;
    for (size_t i = 0; i <= GENERATOR_KEYS && alive; i++) {
        add_question(i, &line);
        alive = ask(program, blob_view(&line), &content->replies[i]);
    }
    blob_release(&line);
    return alive;
}

static void content_release(struct content *content) {
    for (size_t i = 0; i <= GENERATOR_KEYS; i++) {
        blob_release(&content->replies[i]);
    }
}

/* Whether the model gives the same replies; puts the first question that it answers otherwise. */
static bool content_matches(const struct content *content, struct model *model,
                            struct blob *question) {
    struct model_reply expected = {0};
    bool same = true;
    for (size_t i = 0; i <= GENERATOR_KEYS && same; i++) {
        add_question(i, question);
        model_execute_line(model, blob_view(question), &expected);
        same = model_reply_matches(&expected, blob_view(&content->replies[i]));
    }
    model_reply_release(&expected);
    return same;
}

/* Does in the model what was sent last, line by line, until it holds what the program holds. */
static void content_check(const struct content *content, struct oracle *oracle) {
    struct model_reply ignored = {0};
    struct blob question = {0};
    size_t done = 0;
    while (!content_matches(content, &oracle->model, &question)) {
        if (done == oracle->sent_count) {
            blob_add_byte(&question, '\0');
            fail_msg("lost after kill %zu (%zu commands were under way): %s", oracle->kills,
                     oracle->sent_count, (const char *)question.data);
        }
        model_execute_line(&oracle->model, blob_view(&oracle->sent[done]), &ignored);
        done++;
    }
    oracle->sent_count = 0;
    oracle->checked++;
    model_reply_release(&ignored);
    blob_release(&question);
}

/* --- Load ---------------------------------------------------------------------------------- */

static void next_line(struct oracle *oracle, struct blob *line) {
    struct random *random = &oracle->random;
    if (random_below(random, LONG_RARITY) != 0) {
        generator_command(random, line);
        return;
    }
    struct blob key = {0};
    generator_add_key(&key, random_below(random, LONG_KEYS));
    blob_clear(line);
    blob_print(line, "SET ");
    blob_add_quoted(line, blob_view(&key));
    blob_add_byte(line, ' ');
    blob_add_run(line, (unsigned char)('a' + random_below(random, 26)),
                 1 + random_below(random, LONG_VALUE));
    blob_release(&key);
}

/* Sends a batch of commands at once and checks what is answered; false once it has been killed. */
static bool run_batch(struct oracle *oracle, struct program *program) {
    struct blob input = {0};
    struct blob reply = {0};
    struct model_reply expected = {0};
    size_t count = 1 + random_below(&oracle->random, BATCH);
    for (size_t i = 0; i < count; i++) {
        next_line(oracle, &oracle->sent[i]);
        blob_add(&input, oracle->sent[i].data, oracle->sent[i].length);
        blob_add_byte(&input, '\n');
    }
    (void)program_write(program, blob_view(&input));
    size_t done = 0;
    while (done < count && program_read_line(program, &reply)) {
        blob_add_byte(&reply, '\n');
        model_execute_line(&oracle->model, blob_view(&oracle->sent[done]), &expected);
        assert_true(model_reply_matches(&expected, blob_view(&reply)));
        done++;
    }
    oracle->answered += done;
    oracle->sent_count = count - done;
    for (size_t i = 0; done > 0 && i < oracle->sent_count; i++) {
        struct blob swap = oracle->sent[i];
        oracle->sent[i] = oracle->sent[done + i];
        oracle->sent[done + i] = swap;
    }
    model_reply_release(&expected);
    blob_release(&reply);
    blob_release(&input);
    return oracle->sent_count == 0;
}

/* --- One life ------------------------------------------------------------------------------ */

/* Until the kill comes. What was found at the start is checked first. */
static void live(struct oracle *oracle, struct program *program) {
    struct content content = {0};
    long start = now();
    if (content_read(&content, program)) {
        oracle->start_time = now() - start;
        content_check(&content, oracle);
        while (run_batch(oracle, program)) {
        }
    }
    content_release(&content);
}

static void look_around(struct oracle *oracle, const struct program_result *result) {
    struct blob path = {0};
    blob_print(&path, "%s.compact-tmp", oracle->log);
    blob_add_byte(&path, '\0');
    oracle->leftovers += !path_is_missing((const char *)path.data);
    oracle->unfinished += path_is_missing(oracle->log) || path_size(oracle->log) < 20;
    oracle->torn += result->err.length > 0;
    blob_release(&path);
}

/* Some kills are to come before the program is ready, most of them under load. */
static long choose_delay(struct oracle *oracle) {
    struct random *random = &oracle->random;
    if (random_below(random, 4) == 0) {
        return 1 + (long)random_below(random, (size_t)oracle->start_time);
    }
    return oracle->start_time + (long)random_below(random, (size_t)LOAD_TIME);
}

static void start_afresh(struct oracle *oracle) {
    must(unlink(oracle->log), oracle->log);
    model_release(&oracle->model);
    oracle->sent_count = 0;
}

static void kill_once(struct oracle *oracle) {
    const char *const arguments[] = {"--sync", oracle->sync, oracle->log, NULL};
    struct program program;
    struct program_result result;
    if (random_below(&oracle->random, FRESH_RARITY) == 0 && !path_is_missing(oracle->log)) {
        start_afresh(oracle);
    }
    program_start(&program, program_minikv(), arguments, NULL);
    kill_later(program.pid, choose_delay(oracle));
    live(oracle, &program);
    victim = 0;
    program_finish(&program, &result);
    if (result.status != -SIGKILL) {
        blob_add_byte(&result.err, '\0');
        fail_msg("ended on its own after %zu kills, with %d: %s", oracle->kills, result.status,
                 (const char *)result.err.data);
    }
    oracle->kills++;
    look_around(oracle, &result);
    program_result_release(&result);
}

static void kill_under_load(struct session *session, const char *sync, uint64_t seed,
                            size_t kills) {
    struct oracle oracle = {.log = session->log, .sync = sync};
    listen_to_timer();
    random_init(&oracle.random, seed);
    oracle.start_time = 4 * MILLISECOND;
    for (size_t i = 0; i < kills; i++) {
        kill_once(&oracle);
        /* Where everything takes longer than was thought, the kills must come later. */
        if (i % STUCK == STUCK - 1 && oracle.checked == 0) {
            oracle.start_time *= 2;
        }
    }
    printf("--sync %s: %zu kills; %zu answered commands kept; content compared %zu times; %zu torn "
           "tails cut; killed within %zu compactions and %zu creations\n",
           sync, oracle.kills, oracle.answered, oracle.checked, oracle.torn, oracle.leftovers,
           oracle.unfinished);
    assert_true(kills < STUCK || oracle.answered > 0);
    for (size_t i = 0; i < BATCH; i++) {
        blob_release(&oracle.sent[i]);
    }
    model_release(&oracle.model);
}

static size_t kills(void) {
    const char *text = getenv("KILLS");
    return text != NULL ? (size_t)strtoull(text, NULL, 10) : 100;
}

static void test_kills_without_sync_lose_nothing_that_was_answered(void **state) {
    kill_under_load(*state, "never", random_seed("kills without sync"), kills() - kills() / 2);
}

static void test_kills_with_sync_lose_nothing_that_was_answered(void **state) {
    kill_under_load(*state, "always", random_seed("kills with sync"), kills() - kills() / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_CLOSED_SESSION(test_kills_without_sync_lose_nothing_that_was_answered),
        IN_CLOSED_SESSION(test_kills_with_sync_lose_nothing_that_was_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
