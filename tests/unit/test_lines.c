/* Lines from a descriptor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "blob.h"
#include "faults.h"
#include "lines.h"
#include "random.h"
#include "tmpdir.h"
#include "watchdog.h"

/* A pipe with lines on its reading end. */
struct feed {
    struct lines lines;
    int in; /* the writing end; -1 once closed */
};

static void feed_start(struct feed *feed, size_t limit) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    feed->in = ends[1];
    lines_init(&feed->lines, ends[0], limit);
}

/* Little enough for a pipe to hold. */
static void feed_write(struct feed *feed, struct slice bytes) {
    assert_int_equal(write(feed->in, bytes.data, bytes.length), (ssize_t)bytes.length);
}

static void feed_close_input(struct feed *feed) {
    assert_int_equal(close(feed->in), 0);
    feed->in = -1;
}

static void feed_end(struct feed *feed) {
    if (feed->in >= 0) {
        feed_close_input(feed);
    }
    assert_int_equal(close(feed->lines.fd), 0);
    lines_release(&feed->lines);
}

static void assert_next_is(struct lines *lines, const char *expected) {
    struct slice line;
    assert_true(lines_next(lines, &line));
    if (!slice_equal(line, slice_from_string(expected))) {
        fail_msg("<%.*s> instead of <%s>", (int)line.length, (const char *)line.data, expected);
    }
}

static void assert_no_next(struct lines *lines) {
    struct slice line;
    assert_false(lines_next(lines, &line));
}

static void assert_fills(struct lines *lines) {
    assert_int_equal(lines_fill(lines), LINES_OK);
}

static void test_lines_come_one_by_one(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 100);
    assert_no_next(&feed.lines);
    feed_write(&feed, slice_from_string("one\ntwo\n\nfour\n"));
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "one");
    assert_next_is(&feed.lines, "two");
    assert_next_is(&feed.lines, "");
    assert_next_is(&feed.lines, "four");
    assert_no_next(&feed.lines);
    feed_end(&feed);
}

static void test_a_line_may_arrive_in_pieces(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 100);
    static const char *const pieces[] = {"o", "n", "e", "\r"};
    for (size_t i = 0; i < 4; i++) {
        feed_write(&feed, slice_from_string(pieces[i]));
        assert_fills(&feed.lines);
        assert_no_next(&feed.lines);
    }
    feed_write(&feed, slice_from_string("\ntwo"));
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "one");
    assert_no_next(&feed.lines);
    feed_write(&feed, slice_from_string("\n"));
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "two");
    feed_end(&feed);
}

static void test_both_line_ends_may_be_mixed(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 100);
    feed_write(&feed, slice_from_string("one\r\ntwo\n\r\nth\rree\n\r\r\nend\n"));
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "one");
    assert_next_is(&feed.lines, "two");
    assert_next_is(&feed.lines, "");
    assert_next_is(&feed.lines, "th\rree");
    assert_next_is(&feed.lines, "\r");
    assert_next_is(&feed.lines, "end");
    feed_end(&feed);
}

static void test_a_nul_is_a_byte_like_any_other(void **state) {
    (void)state;
    struct feed feed;
    struct slice line;
    feed_start(&feed, 100);
    feed_write(&feed, slice_from("a\0b\n\0\n", 6));
    assert_fills(&feed.lines);
    assert_true(lines_next(&feed.lines, &line));
    assert_true(slice_equal(line, slice_from("a\0b", 3)));
    assert_true(lines_next(&feed.lines, &line));
    assert_true(slice_equal(line, slice_from("\0", 1)));
    feed_end(&feed);
}

static void test_the_last_line_needs_no_line_end(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 100);
    feed_write(&feed, slice_from_string("one\ntwo"));
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "one");
    assert_no_next(&feed.lines);
    feed_close_input(&feed);
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "two");
    assert_no_next(&feed.lines);
    assert_int_equal(lines_fill(&feed.lines), LINES_END);
    assert_int_equal(lines_fill(&feed.lines), LINES_END);
    feed_end(&feed);
}

static void test_a_line_end_at_the_end_adds_no_line(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 100);
    feed_write(&feed, slice_from_string("one\n"));
    feed_close_input(&feed);
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "one");
    assert_no_next(&feed.lines);
    assert_fills(&feed.lines);
    assert_no_next(&feed.lines);
    assert_int_equal(lines_fill(&feed.lines), LINES_END);
    feed_end(&feed);
}

static void test_no_input_has_no_lines(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 100);
    feed_close_input(&feed);
    assert_fills(&feed.lines);
    assert_no_next(&feed.lines);
    assert_int_equal(lines_fill(&feed.lines), LINES_END);
    feed_end(&feed);
}

static void test_a_line_of_the_limit_is_whole_and_a_longer_one_is_told(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 5);
    feed_write(&feed, slice_from_string("12345\n12345\r\n123456\n1234567890\r\nok\n123456"));
    feed_close_input(&feed);
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "12345");
    assert_next_is(&feed.lines, "12345");
    assert_next_is(&feed.lines, "123456");
    assert_next_is(&feed.lines, "123456");
    assert_next_is(&feed.lines, "ok");
    assert_no_next(&feed.lines);
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "123456");
    assert_no_next(&feed.lines);
    feed_end(&feed);
}

static void test_a_limit_of_nothing(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 0);
    feed_write(&feed, slice_from_string("\na\n\r\nabc\n"));
    assert_fills(&feed.lines);
    assert_next_is(&feed.lines, "");
    assert_next_is(&feed.lines, "a");
    assert_next_is(&feed.lines, "");
    assert_next_is(&feed.lines, "a");
    feed_end(&feed);
}

static void test_an_endless_line_takes_no_more_memory(void **state) {
    (void)state;
    struct feed feed;
    struct blob piece = {0};
    size_t capacity = 0;
    feed_start(&feed, 1000);
    blob_add_run(&piece, 'x', 50000);
    for (int i = 0; i < 200; i++) {
        feed_write(&feed, blob_view(&piece));
        assert_fills(&feed.lines);
        assert_no_next(&feed.lines);
        if (i == 10) {
            capacity = feed.lines.buffer.capacity;
        }
    }
    assert_int_equal(feed.lines.buffer.capacity, capacity);

    feed_write(&feed, slice_from_string("\r\nok\n"));
    assert_fills(&feed.lines);
    struct slice line;
    assert_true(lines_next(&feed.lines, &line));
    assert_true(slice_equal(line, slice_from(piece.data, 1001)));
    assert_next_is(&feed.lines, "ok");
    blob_release(&piece);
    feed_end(&feed);
}

static void test_a_long_input_takes_no_more_memory(void **state) {
    (void)state;
    struct feed feed;
    struct blob piece = {0};
    size_t capacity = 0;
    feed_start(&feed, 1000);
    for (int i = 0; i < 700; i++) {
        blob_print(&piece, "a line of some fifty bytes, as any of many others\n");
    }
    for (int i = 0; i < 200; i++) {
        feed_write(&feed, blob_view(&piece));
        assert_fills(&feed.lines);
        for (int j = 0; j < 700; j++) {
            assert_next_is(&feed.lines, "a line of some fifty bytes, as any of many others");
        }
        if (i == 10) {
            capacity = feed.lines.buffer.capacity;
        }
    }
    assert_int_equal(feed.lines.buffer.capacity, capacity);
    blob_release(&piece);
    feed_end(&feed);
}

static void test_a_descriptor_that_does_not_block_is_waited_for(void **state) {
    (void)state;
    struct feed feed;
    feed_start(&feed, 100);
    assert_int_equal(fcntl(feed.lines.fd, F_SETFL, O_NONBLOCK), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        for (int i = 0; i < 1000; i++) {
            if (write(feed.in, "line\n", 5) != 5) {
                _exit(1);
            }
        }
        _exit(0);
    }
    feed_close_input(&feed);
    int count = 0;
    enum lines_result result;
    while ((result = lines_fill(&feed.lines)) == LINES_OK) {
        struct slice line;
        while (lines_next(&feed.lines, &line)) {
            assert_true(slice_equal(line, slice_from_string("line")));
            count++;
        }
    }
    assert_int_equal(result, LINES_END);
    assert_int_equal(count, 1000);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    feed_end(&feed);
}

/* Whichever of the two comes first above: here nothing has come when it is read, and then has. */
static void test_a_read_that_would_block_is_made_again(void **state) {
    struct feed feed;
    (void)state;
    if (!faults_can_happen()) {
        skip();
    }
    feed_start(&feed, 100);
    feed_write(&feed, slice_from_string("line\n"));
    faults_clear();
    faults_add(FAULT_READ, 0, 1, EAGAIN);
    faults_on();
    enum lines_result result = lines_fill(&feed.lines);
    faults_off();
    assert_int_equal(result, LINES_OK);
    assert_int_equal(faults_happened(), 1);
    assert_next_is(&feed.lines, "line");
    feed_end(&feed);
}

static void test_an_input_that_cannot_be_read_is_told(void **state) {
    (void)state;
    char *folder = tmpdir_make();
    int fd = open(folder, O_RDONLY);
    assert_true(fd >= 0);
    struct lines lines;
    lines_init(&lines, fd, 100);
    errno = 0;
    assert_int_equal(lines_fill(&lines), LINES_FAILED);
    assert_int_equal(errno, EISDIR);
    lines_release(&lines);
    assert_int_equal(close(fd), 0);
    tmpdir_remove(folder);
}

/* Where the next line of `text` from `*at` on ends; what it should be handed out as in `line`. */
static bool expect_next(const struct blob *text, size_t limit, size_t *at, struct slice *line) {
    if (*at == text->length) {
        return false;
    }
    const unsigned char *start = text->data + *at;
    const unsigned char *end = memchr(start, '\n', text->length - *at);
    size_t length = end != NULL ? (size_t)(end - start) : text->length - *at;
    *at += length + (end != NULL);
    if (length > 0 && start[length - 1] == '\r') {
        length--;
    }
    *line = slice_from(start, length <= limit ? length : limit + 1);
    return true;
}

/* Random text, so written that its last line does not end with a lone CR. */
static void make_text(struct random *random, struct blob *text) {
    static const char alphabet[] = "ab\r\r\n\n";
    for (size_t pieces = random_below(random, 30); pieces > 0; pieces--) {
        char c = alphabet[random_below(random, sizeof alphabet)]; /* its NUL too */
        bool many = random_below(random, 4) == 0;
        blob_add_run(text, (unsigned char)c, many ? 1 + random_below(random, 20) : 1);
    }
    blob_add(text, "z", random_below(random, 2));
    blob_add(text, "\n", text->length > 0 && text->data[text->length - 1] == '\r');
}

static void run_random_text(struct random *random) {
    struct feed feed;
    struct blob text = {0};
    make_text(random, &text);
    size_t limit = random_below(random, 12);
    feed_start(&feed, limit);
    size_t written = 0;
    size_t at = 0;
    struct slice expected;
    struct slice actual;
    do {
        if (written < text.length) {
            size_t piece = 1 + random_below(random, text.length - written);
            feed_write(&feed, slice_from(text.data + written, piece));
            written += piece;
        } else if (feed.in >= 0) {
            feed_close_input(&feed);
        }
        while (lines_next(&feed.lines, &actual)) {
            assert_true(expect_next(&text, limit, &at, &expected));
            assert_true(slice_equal(actual, expected));
        }
    } while (lines_fill(&feed.lines) == LINES_OK);
    assert_false(expect_next(&text, limit, &at, &expected));
    blob_release(&text);
    feed_end(&feed);
}

static void test_random_texts_in_random_pieces(void **state) {
    (void)state;
    struct random random;
    random_init(&random, random_seed("lines"));
    for (int i = 0; i < 5000; i++) {
        run_random_text(&random);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_come_one_by_one),
        cmocka_unit_test(test_a_line_may_arrive_in_pieces),
        cmocka_unit_test(test_both_line_ends_may_be_mixed),
        cmocka_unit_test(test_a_nul_is_a_byte_like_any_other),
        cmocka_unit_test(test_the_last_line_needs_no_line_end),
        cmocka_unit_test(test_a_line_end_at_the_end_adds_no_line),
        cmocka_unit_test(test_no_input_has_no_lines),
        cmocka_unit_test(test_a_line_of_the_limit_is_whole_and_a_longer_one_is_told),
        cmocka_unit_test(test_a_limit_of_nothing),
        cmocka_unit_test(test_an_endless_line_takes_no_more_memory),
        cmocka_unit_test(test_a_long_input_takes_no_more_memory),
        cmocka_unit_test(test_a_descriptor_that_does_not_block_is_waited_for),
        cmocka_unit_test(test_a_read_that_would_block_is_made_again),
        cmocka_unit_test(test_an_input_that_cannot_be_read_is_told),
        cmocka_unit_test(test_random_texts_in_random_pieces),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
