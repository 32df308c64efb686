#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "dump.h"
#include "lines.h"
#include "minikv.h"

enum { EXIT_USAGE = 2 };

/* Replies are gathered up to about this size before they are written. */
enum { REPLY_BATCH = 64 * 1024 };

/* Pieces per writev(2); POSIX allows at least 16. */
enum { PIECES_MAX = 16 };

/* The largest --max-line: a line is held in memory. */
#define LINE_LIMIT_MAX ((size_t)1024 * 1024 * 1024)

struct options {
    struct minikv_options store;
    bool dump;
    const char *log;
};

static const char usage_text[] = "usage: minikv [--sync always|never] [--max-line BYTES] LOG\n"
                                 "       minikv --dump LOG\n"
                                 "       minikv --help | --version\n";

static const char help_text[] =
    "\n"
    "A small key-value store: reads commands from standard input, one a line, and\n"
    "answers each with one line. LOG is the file that keeps the data; it is made if\n"
    "it is missing. Type HELP for the commands.\n"
    "\n"
    "  --sync always     a write is on the device before its reply: it survives power loss\n"
    "  --sync never      a write survives the end of minikv however it ends (the default)\n"
    "  --max-line BYTES  refuse longer lines (default 1048576)\n"
    "  --dump            print the records of LOG as commands and change nothing\n"
    "  --help            print this text\n"
    "  --version         print the version\n"
    "\n"
    "Exit code: 0 at the end of the input, 1 when the log or a stream failed, 2 when\n"
    "the command line was wrong.\n";

static void print_error(const char *text) {
    (void)fprintf(stderr, "minikv: %s\n", text);
}

static void print_notice(void *context, const char *text) {
    (void)context;
    print_error(text);
}

_Noreturn static void exit_usage(void) {
    (void)fprintf(stderr, "%sTry 'minikv --help'.\n", usage_text);
    exit(EXIT_USAGE);
}

_Noreturn static void exit_bad_value(const char *option, const char *value, const char *expected) {
    (void)fprintf(stderr, "minikv: --%s takes %s, not '%s'\n", option, expected, value);
    exit_usage();
}

_Noreturn static void exit_after_printing(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        print_error("cannot write to standard output");
        exit(EXIT_FAILURE);
    }
    exit(EXIT_SUCCESS);
}

static bool parse_sync(const char *value) {
    if (strcmp(value, "always") != 0 && strcmp(value, "never") != 0) {
        exit_bad_value("sync", value, "'always' or 'never'");
    }
    return strcmp(value, "always") == 0;
}

static size_t parse_line_limit(const char *value) {
    char *end;
    errno = 0;
    unsigned long long limit = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || limit == 0 ||
        limit > LINE_LIMIT_MAX) {
        exit_bad_value("max-line", value, "a number of bytes from 1 to 1073741824");
    }
    return (size_t)limit;
}

/* Takes one option; those that end the program do it here. */
static void take_option(int option, struct options *options) {
    switch (option) {
    case 's':
        options->store.sync_always = parse_sync(optarg);
        break;
    case 'm':
        options->store.line_limit = parse_line_limit(optarg);
        break;
    case 'd':
        options->dump = true;
        break;
    case 'h':
        (void)fputs(usage_text, stdout);
        (void)fputs(help_text, stdout);
        exit_after_printing();
    case 'v':
        (void)puts("minikv " MINIKV_VERSION);
        exit_after_printing();
    default:
        exit_usage(); /* getopt_long() has said why */
    }
}

static struct options parse_options(int argc, char **argv) {
    static const struct option known[] = {
        {"sync", required_argument, NULL, 's'}, {"max-line", required_argument, NULL, 'm'},
        {"dump", no_argument, NULL, 'd'},       {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},    {NULL, 0, NULL, 0},
    };
    struct options options = {.store = {.notice = print_notice}};
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        take_option(option, &options);
    }
    if (optind != argc - 1) {
        print_error(optind < argc ? "more than one log was named" : "no log was named");
        exit_usage();
    }
    options.log = argv[optind];
    return options;
}

static bool wait_for_output(void) {
    struct pollfd waiting = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

/* The pieces of `reply` from `offset` on, as many as fit into one writev(2). */
static int gather_pieces(const struct buffer *reply, size_t offset, struct iovec *pieces) {
    int count = 0;
    struct slice piece = buffer_peek(reply, offset);
    while (count < PIECES_MAX && piece.length > 0) {
        pieces[count].iov_base = (void *)piece.data; /* writev(2) only reads it */
        pieces[count].iov_len = piece.length;
        count++;
        offset += piece.length;
        piece = buffer_peek(reply, offset);
    }
    return count;
}

/* Writes all of `reply` to standard output and empties it. False with errno set on failure. */
static bool write_replies(struct buffer *reply) {
    struct iovec pieces[PIECES_MAX];
    size_t offset = 0;
    while (offset < buffer_length(reply)) {
        int count = gather_pieces(reply, offset, pieces);
        ssize_t written = writev(STDOUT_FILENO, pieces, count);
        if (written >= 0) {
            offset += (size_t)written;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait_for_output()) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    buffer_clear(reply);
    return true;
}

static bool flush(struct buffer *reply) {
    if (!write_replies(reply)) {
        (void)fprintf(stderr, "minikv: cannot write to standard output: %s\n", strerror(errno));
        return false;
    }
    return true;
}

/* Carries out the lines that have been read. False where the session is over. */
static bool serve_lines(struct minikv *kv, struct lines *lines, struct buffer *reply, int *code) {
    struct slice line;
    while (lines_next(lines, &line)) {
        enum minikv_result result = minikv_execute(kv, line, reply);
        if (result == MINIKV_NO_REPLY) {
            print_error("out of memory: the last command has no reply and may have been done");
            *code = EXIT_FAILURE;
        }
        if (result != MINIKV_CONTINUE) {
            return false;
        }
        if (buffer_length(reply) >= REPLY_BATCH && !flush(reply)) {
            *code = EXIT_FAILURE;
            return false;
        }
    }
    return true;
}

/* Replies are held back only while more input has been read: whoever waits for one gets it. */
static int serve(struct minikv *kv, struct lines *lines, struct buffer *reply) {
    int code = EXIT_SUCCESS;
    enum lines_result result = LINES_OK;
    while (serve_lines(kv, lines, reply, &code) && result == LINES_OK) {
        if (!flush(reply)) {
            return EXIT_FAILURE;
        }
        result = lines_fill(lines);
        if (result == LINES_FAILED) {
            (void)fprintf(stderr, "minikv: cannot read standard input: %s\n", strerror(errno));
            code = EXIT_FAILURE;
        }
    }
    return flush(reply) ? code : EXIT_FAILURE;
}

static int run_store(const struct options *options) {
    struct error error;
    struct lines lines;
    struct buffer reply;
    struct minikv *kv = minikv_open(options->log, &options->store, &error);
    if (kv == NULL) {
        print_error(error.text);
        return EXIT_FAILURE;
    }
    lines_init(&lines, STDIN_FILENO,
               options->store.line_limit == 0 ? MINIKV_LINE_LIMIT : options->store.line_limit);
    buffer_init(&reply);
    int code = serve(kv, &lines, &reply);
    buffer_release(&reply);
    lines_release(&lines);
    if (!minikv_close(kv, &error)) {
        print_error(error.text);
        code = EXIT_FAILURE;
    }
    return code;
}

static int run_dump(const char *log) {
    struct error error;
    if (!dump_log(log, stdout, stderr, &error)) {
        print_error(error.text);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    /* A closed pipe and a file size limit are errors of a write like any other. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    struct options options = parse_options(argc, argv);
    return options.dump ? run_dump(options.log) : run_store(&options);
}
