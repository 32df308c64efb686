/*
 * How many folders can be ensured per second? Ensures the same folder again and again, and tells
 * how many of these events lay within a window of time, on average, and how long all of it took.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dirs.h"
#include "rate.h"

#define EVENTS_DEFAULT 100000
#define EVENTS_MAX 1000000000
#define WINDOW_DEFAULT_MS 1000
#define WINDOW_MAX_MS 1000000000
#define PATH_DEFAULT "./a/b"

#define NS_PER_MS 1000000
#define NS_PER_S 1000000000

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct options {
    uint64_t events;
    uint64_t window_ms;
    const char *path;
    bool help;
};

/* What the run was like. */
struct result {
    uint64_t count_sum; /* the sum of the meter's counts, one for each event */
    uint64_t spent_ns;
};

static const char usage[] = "usage: folders [--events N] [--window MS] [PATH]\n";

static void print_help(void) {
    printf(
        "%s\n"
        "Notes an event and sees to it that the folder PATH exists, again and again. Prints how\n"
        "many events lay within a window of time, on average, and the time that all took.\n"
        "\n"
        "  --events N   how often (default: %d)\n"
        "  --window MS  length of the window in milliseconds (default: %d)\n"
        "  --help       show this\n"
        "\n"
        "PATH is %s unless given. The exit code is 0 if all went well, 1 if not, and 2 if the\n"
        "command line was wrong.\n",
        usage, EVENTS_DEFAULT, WINDOW_DEFAULT_MS, PATH_DEFAULT);
}

static bool parse_number(const char *option, const char *text, uint64_t max, uint64_t *number) {
    /* Digits only: strtoull() by itself would take blanks and signs, and read -1 as a lot. */
    bool is_number = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    errno = 0;
    *number = strtoull(text, NULL, 10);
    if (!is_number || errno != 0 || *number < 1 || *number > max) {
        fprintf(stderr, "folders: %s must be a number from 1 to %" PRIu64 ", not '%s'\n", option,
                max, text);
        return false;
    }
    return true;
}

/* Returns false, with the reason on standard error, where the command line is wrong. */
static bool parse_options(int argc, char **argv, struct options *options) {
    static const struct option names[] = {
        {"events", required_argument, NULL, 'e'},
        {"window", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int name;
    bool right = true;
    while (right && (name = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (name) {
        case 'e':
            right = parse_number("--events", optarg, EVENTS_MAX, &options->events);
            break;
        case 'w':
            right = parse_number("--window", optarg, WINDOW_MAX_MS, &options->window_ms);
            break;
        case 'h':
            options->help = true;
            return true;
        default:
            right = false;
        }
    }
    if (right && argc - optind > 1) {
        fprintf(stderr, "folders: one PATH at most, not also '%s'\n", argv[optind + 1]);
        right = false;
    }
    if (right && optind < argc) {
        options->path = argv[optind];
    }
    return right;
}

/* A time in nanoseconds that never runs backwards. */
static bool read_clock(uint64_t *now_ns, struct error *error) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        error_set_system(error, errno, "cannot read the clock");
        return false;
    }
    *now_ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
    return true;
}

static bool ensure_counted(const char *path, struct rate *rate, size_t *count,
                           struct error *error) {
    uint64_t now_ns;
    if (!read_clock(&now_ns, error)) {
        return false;
    }
    if (!rate_update(rate, now_ns, count)) {
        error_set(error, "out of memory for the events of a window; try a shorter one");
        return false;
    }
    return dirs_ensure(path, error);
}

static bool run(const struct options *options, struct rate *rate, struct result *result,
                struct error *error) {
    uint64_t start_ns;
    if (!read_clock(&start_ns, error)) {
        return false;
    }
    result->count_sum = 0;
    for (uint64_t i = 0; i < options->events; i++) {
        size_t count;
        if (!ensure_counted(options->path, rate, &count, error)) {
            return false;
        }
        result->count_sum += count;
    }
    uint64_t end_ns;
    if (!read_clock(&end_ns, error)) {
        return false;
    }
    result->spent_ns = end_ns - start_ns;
    return true;
}

static bool run_and_print(const struct options *options, struct error *error) {
    struct rate *rate = rate_new(options->window_ms * NS_PER_MS);
    if (rate == NULL) {
        error_set(error, "out of memory");
        return false;
    }
    struct result result;
    bool done = run(options, rate, &result, error);
    rate_free(rate);
    if (done) {
        printf("average: %" PRIu64 " folders in %" PRIu64 " ms\n",
               result.count_sum / options->events, options->window_ms);
        printf("spent: %" PRIu64 " ms\n", result.spent_ns / NS_PER_MS);
    }
    return done;
}

int main(int argc, char **argv) {
    struct options options = {
        .events = EVENTS_DEFAULT,
        .window_ms = WINDOW_DEFAULT_MS,
        .path = PATH_DEFAULT,
    };
    if (!parse_options(argc, argv, &options)) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    struct error error;
    if (options.help) {
        print_help();
    } else if (!run_and_print(&options, &error)) {
        fprintf(stderr, "folders: %s\n", error.text);
        return EXIT_FAILED;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "folders: cannot write the result: %s\n", strerror(errno));
        return EXIT_FAILED;
    }
    return EXIT_SUCCESS;
}
