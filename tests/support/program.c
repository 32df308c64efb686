#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "watchdog.h"

/* Exit code of a child that could not be started; minikv has no such code. */
#define NOT_STARTED 127

const char *program_minikv(void) {
    const char *path = getenv("MINIKV_PROGRAM");
    if (path == NULL) {
        errno = EINVAL;
        die("MINIKV_PROGRAM must hold the path of the program to test");
    }
    return path;
}

static void add_flag(int fd, int get, int set, int flag) {
    int flags = fcntl(fd, get);
    if (flags < 0 || fcntl(fd, set, flags | flag) < 0) {
        die("fcntl");
    }
}

/* The descriptors of one channel, both closed when some other program is started. */
struct channel {
    int read;
    int write;
};

static struct channel channel_open(void) {
    int ends[2];
    if (pipe(ends) != 0) {
        die("pipe");
    }
    add_flag(ends[0], F_GETFD, F_SETFD, FD_CLOEXEC);
    add_flag(ends[1], F_GETFD, F_SETFD, FD_CLOEXEC);
    return (struct channel){ends[0], ends[1]};
}

static void close_once(int *fd) {
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static void limit_memory(size_t bytes) {
    struct rlimit limit = {bytes, bytes};
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        _exit(NOT_STARTED);
    }
}

/* Puts the file at `path` in the place of `fd`. */
static void redirect(const char *path, int flags, int fd) {
    int file = open(path, flags);
    if (file < 0 || dup2(file, fd) < 0) {
        _exit(NOT_STARTED);
    }
    close(file);
}

/* What the options say, within the child. */
static void apply(const struct program_options *options) {
    if (options->input != NULL) {
        redirect(options->input, O_RDONLY, STDIN_FILENO);
    }
    if (options->output != NULL) {
        redirect(options->output, O_WRONLY, STDOUT_FILENO);
    }
    if (options->memory_limit > 0) {
        limit_memory(options->memory_limit);
    }
}

/* Runs in the child. The alarm outlives exec, and so would an ignored SIGPIPE. */
static _Noreturn void become(const char *executable, const char *const *arguments,
                             const int standard[3], const struct program_options *options) {
    for (int fd = 0; fd < 3; fd++) {
        if (dup2(standard[fd], fd) < 0) {
            _exit(NOT_STARTED);
        }
    }
    signal(SIGPIPE, SIG_DFL);
    alarm(WATCHDOG_SECONDS);
    apply(options);
    size_t count = 0;
    while (arguments[count] != NULL) {
        count++;
    }
    char **words = calloc(count + 2, sizeof *words);
    if (words != NULL) {
        words[0] = (char *)executable;
        memcpy(words + 1, arguments, count * sizeof *words);
        execv(executable, words);
    }
    _exit(NOT_STARTED);
}

void program_start(struct program *program, const char *executable, const char *const *arguments,
                   const struct program_options *options) {
    static const struct program_options defaults;
    options = options != NULL ? options : &defaults;
    struct channel in = channel_open();
    struct channel out = channel_open();
    struct channel err = channel_open();
    if (options->nonblocking) {
        add_flag(in.read, F_GETFL, F_SETFL, O_NONBLOCK);
        add_flag(out.write, F_GETFL, F_SETFL, O_NONBLOCK);
    }
    signal(SIGPIPE, SIG_IGN);

    const int standard[3] = {in.read, out.write, err.write};
    pid_t pid = fork();
    if (pid < 0) {
        die("fork");
    }
    if (pid == 0) {
        become(executable, arguments, standard, options);
    }
    for (int i = 0; i < 3; i++) {
        close(standard[i]);
    }
    add_flag(in.write, F_GETFL, F_SETFL, O_NONBLOCK);
    *program = (struct program){.pid = pid, .in = in.write, .out = out.read, .err = err.read};
}

/* Reads what is there, once; closes the descriptor at its end. */
static void receive(int *fd, struct blob *into) {
    unsigned char chunk[65536];
    ssize_t length = read(*fd, chunk, sizeof chunk);
    if (length < 0 && errno != EINTR) {
        die("read");
    }
    if (length > 0) {
        blob_add(into, chunk, (size_t)length);
    }
    if (length == 0) {
        close_once(fd);
    }
}

/* Writes what fits and steps `rest` over it; closes the descriptor if nobody reads any more. */
static void send_some(int *fd, struct slice *rest) {
    ssize_t length = write(*fd, rest->data, rest->length);
    if (length >= 0) {
        rest->data += length;
        rest->length -= (size_t)length;
    } else if (errno == EPIPE) {
        close_once(fd);
    } else if (errno != EINTR && errno != EAGAIN) {
        die("write");
    }
}

/* Waits until any of the channels can move, and moves it. `rest` may be empty. */
static void step(struct program *program, struct slice *rest) {
    struct pollfd channels[3] = {
        {.fd = rest->length > 0 ? program->in : -1, .events = POLLOUT},
        {.fd = program->out, .events = POLLIN},
        {.fd = program->err, .events = POLLIN},
    };
    if (poll(channels, 3, -1) < 0) {
        if (errno == EINTR) {
            return;
        }
        die("poll");
    }
    if (channels[0].revents != 0) {
        send_some(&program->in, rest);
    }
    if (channels[1].revents != 0) {
        receive(&program->out, &program->out_bytes);
    }
    if (channels[2].revents != 0) {
        receive(&program->err, &program->err_bytes);
    }
}

bool program_write(struct program *program, struct slice input) {
    while (input.length > 0 && program->in >= 0) {
        step(program, &input);
    }
    return input.length == 0;
}

/* Moves the first `length` bytes of `from` to `to`, and drops `skip` bytes behind them. */
static void hand_out(struct blob *from, size_t length, size_t skip, struct blob *to) {
    blob_clear(to);
    blob_add(to, from->data, length);
    from->length -= length + skip;
    if (from->length > 0) {
        memmove(from->data, from->data + length + skip, from->length);
    }
}

bool program_read_line(struct program *program, struct blob *line) {
    struct slice nothing = {NULL, 0};
    struct blob *bytes = &program->out_bytes;
    size_t searched = 0;
    for (;;) {
        const unsigned char *end = NULL;
        if (bytes->length > searched) {
            end = memchr(bytes->data + searched, '\n', bytes->length - searched);
        }
        if (end != NULL) {
            hand_out(bytes, (size_t)(end - bytes->data), 1, line);
            return true;
        }
        if (program->out < 0) {
            hand_out(bytes, bytes->length, 0, line);
            return false;
        }
        searched = bytes->length;
        step(program, &nothing);
    }
}

void program_close_input(struct program *program) {
    close_once(&program->in);
}

void program_close_output(struct program *program) {
    close_once(&program->out);
    blob_clear(&program->out_bytes);
}

static int wait_for_end(pid_t pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            die("waitpid");
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void program_finish(struct program *program, struct program_result *result) {
    struct slice nothing = {NULL, 0};
    program_close_input(program);
    while (program->out >= 0 || program->err >= 0) {
        step(program, &nothing);
    }
    *result = (struct program_result){
        .status = wait_for_end(program->pid), .out = program->out_bytes, .err = program->err_bytes};
    if (result->status == NOT_STARTED) {
        errno = ENOEXEC;
        die("a program could not be started");
    }
}

void program_run(const char *executable, const char *const *arguments, struct slice input,
                 struct program_result *result) {
    struct program program;
    program_start(&program, executable, arguments, NULL);
    program_write(&program, input);
    program_finish(&program, result);
}

void program_result_release(struct program_result *result) {
    blob_release(&result->out);
    blob_release(&result->err);
}
