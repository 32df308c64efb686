/*
 * Talking to another process. It sends each byte back that it gets, until there are no more. Both
 * stay on one processor, or each has one of its own; left to the system it would be now this, now
 * that.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpus.h"
#include "rows.h"

/* What is written to `to` comes back from `from`. */
struct line {
    int to;
    int from;
    pid_t process; /* that sends it back; 0: there is none */
};

static void close_line(void *state) {
    struct line *line = state;
    (void)close(line->to);
    if (line->from != line->to) {
        (void)close(line->from);
    }
    while (line->process > 0 && waitpid(line->process, NULL, 0) < 0 && errno == EINTR) {
    }
    free(line);
}

static _Noreturn void echo(int from, int to, int cpu) {
    char byte;
    cpus_pin(cpu);
    while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1) {
    }
    _exit(EXIT_SUCCESS);
}

/* A line of what has been set up so far; NULL when there is no memory. */
static struct line *new_line(int to, int from) {
    struct line *line = malloc(sizeof *line);
    if (line == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    *line = (struct line){.to = to, .from = from};
    return line;
}

static void close_pair(const int pair[2]) {
    (void)close(pair[0]);
    (void)close(pair[1]);
}

/* Begins the other process: it reads from `there` and answers into `back`. */
static struct line *start_on_pipes(const int there[2], const int back[2], int cpu) {
    struct line *line = new_line(there[1], back[0]);
    if (line == NULL) {
        close_pair(there);
        close_pair(back);
        return NULL;
    }
    line->process = fork();
    if (line->process == 0) {
        (void)close(there[1]);
        (void)close(back[0]);
        echo(there[0], back[1], cpu);
    }
    (void)close(there[0]);
    (void)close(back[1]);
    if (line->process < 0) {
        cost_cannot("no second process: %s", strerror(errno));
        close_line(line);
        return NULL;
    }
    return line;
}

/* `which` processor the other one is on, the way cpus_get() counts. */
static void *open_pipe(uint64_t which) {
    int there[2];
    int back[2];
    const int cpu = cpus_get((int)which);
    if (cpu < 0 && which > 0) {
        cost_cannot("it takes two processors, and there is one");
        return NULL;
    }
    if (pipe(there) != 0) {
        cost_cannot("no pipe: %s", strerror(errno));
        return NULL;
    }
    if (pipe(back) != 0) {
        cost_cannot("no pipe: %s", strerror(errno));
        close_pair(there);
        return NULL;
    }
    return start_on_pipes(there, back, cpu);
}

/* A socket that listens on the loopback interface; its address goes to `address`. -1: there is
 * none. */
static int listen_on_loopback(struct sockaddr_in *address) {
    socklen_t size = sizeof *address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener >= 0 &&
        (bind(listener, (struct sockaddr *)address, size) != 0 || listen(listener, 1) != 0 ||
         getsockname(listener, (struct sockaddr *)address, &size) != 0)) {
        (void)close(listener);
        return -1;
    }
    return listener;
}

/* Both ends of one connection, without waiting for more to send; false when there is no network. */
static bool connect_pair(int ends[2]) {
    struct sockaddr_in address;
    const int one = 1;
    const int listener = listen_on_loopback(&address);
    if (listener < 0) {
        return false;
    }
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    ends[1] = -1;
    if (ends[0] >= 0 && connect(ends[0], (struct sockaddr *)&address, sizeof address) == 0) {
        ends[1] = accept(listener, NULL, NULL);
    }
    const int error = errno;
    (void)close(listener);
    if (ends[1] < 0) {
        if (ends[0] >= 0) {
            (void)close(ends[0]);
        }
        errno = error;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        (void)setsockopt(ends[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    return true;
}

static void *open_tcp(uint64_t which) {
    int ends[2];
    if (!connect_pair(ends)) {
        cost_cannot("no TCP connection to this machine itself (127.0.0.1): %s", strerror(errno));
        return NULL;
    }
    struct line *line = new_line(ends[0], ends[0]);
    if (line == NULL) {
        close_pair(ends);
        return NULL;
    }
    line->process = fork();
    if (line->process == 0) {
        (void)close(ends[0]);
        echo(ends[1], ends[1], cpus_get((int)which));
    }
    (void)close(ends[1]);
    if (line->process < 0) {
        cost_cannot("no second process: %s", strerror(errno));
        close_line(line);
        return NULL;
    }
    return line;
}

static uint64_t send_and_receive(void *state, uint64_t steps) {
    const struct line *line = state;
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        char byte = (char)step;
        if (write(line->to, &byte, 1) != 1 || read(line->from, &byte, 1) != 1) {
            return 0;
        }
        sum += (unsigned char)byte;
    }
    return sum;
}

/* A round trip with the switches taken out: what both processes do, in one. */
struct exchange {
    struct line *line;
    int own[2];
};

static void close_exchange(void *state) {
    struct exchange *exchange = state;
    close_line(exchange->line);
    close_pair(exchange->own);
    free(exchange);
}

static void *open_exchange(uint64_t size) {
    struct exchange *exchange = malloc(sizeof *exchange);
    (void)size;
    if (exchange == NULL || pipe(exchange->own) != 0) {
        cost_cannot("no pipe: %s", strerror(errno));
        free(exchange);
        return NULL;
    }
    exchange->line = open_pipe(0);
    if (exchange->line == NULL) {
        close_pair(exchange->own);
        free(exchange);
        return NULL;
    }
    return exchange;
}

static uint64_t exchange_with_other(void *state, uint64_t steps) {
    const struct exchange *exchange = state;
    return send_and_receive(exchange->line, steps);
}

static uint64_t exchange_with_oneself(void *state, uint64_t steps) {
    const struct exchange *exchange = state;
    struct line line = {.to = exchange->own[1], .from = exchange->own[0]};
    return send_and_receive(&line, 2 * steps);
}

const struct cost_row talk_rows[] = {
    {.name = "pipe",
     .what = "a round trip by pipe, one processor",
     .run = send_and_receive,
     .open = open_pipe,
     .close = close_line},
    {.name = "pipe-two",
     .what = "a round trip by pipe, two processors",
     .run = send_and_receive,
     .open = open_pipe,
     .size = 1,
     .close = close_line},
    {.name = "tcp",
     .what = "a round trip by TCP, without a wire",
     .run = send_and_receive,
     .open = open_tcp,
     .close = close_line,
     .book = "10-50 us wired"},
    {.name = "switch",
     .what = "a switch from process to process",
     .run = exchange_with_other,
     .less = exchange_with_oneself,
     .factor = 0.5, /* there are two to a round trip */
     .open = open_exchange,
     .close = close_exchange},
    {.name = NULL},
};
