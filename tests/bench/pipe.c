#include "pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "complain.h"
#include "fixture.h"
#include "prng.h"

#define PATH_ROOM 4200
#define GETS_SEED 1

struct program {
    char input[PATH_ROOM];
    char output[PATH_ROOM];
};

/* minikv's main(): compiled under this name, so that it gets its place in each layout. */
int minikv_program(int argc, char **argv);

static bool write_gets(const struct fixture *fixture, const char *path) {
    struct prng prng;
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        complain_system("cannot write %s", path);
        return false;
    }
    prng_init(&prng, GETS_SEED);
    for (size_t i = 0; i < fixture->options.keys * PIPE_GETS_PER_KEY; i++) {
        const struct slice line = fixture->lines[prng_below(&prng, fixture->options.keys)];
        fprintf(file, "%.*s\n", (int)line.length, (const char *)line.data);
    }
    const bool ok = !ferror(file);
    if (fclose(file) != 0 || !ok) {
        complain_system("cannot write %s", path);
        return false;
    }
    return true;
}

bool pipe_open(struct fixture *fixture) {
    struct program *program = calloc(1, sizeof(*program));
    if (program == NULL) {
        complain("no memory for names of files");
        return false;
    }
    snprintf(program->input, sizeof(program->input), "%s/gets", fixture->options.folder);
    snprintf(program->output, sizeof(program->output), "%s/replies", fixture->options.folder);
    if (!write_gets(fixture, program->input) || !fixture_close_store(fixture)) {
        free(program);
        return false;
    }
    fixture->own = program;
    return true;
}

void pipe_close(struct fixture *fixture) {
    free(fixture->own);
}

/* In the new process. */
_Noreturn static void become_program(const struct fixture *fixture, const char *input,
                                     const char *output) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* not to outlive a worker that is ended */
#endif
    char name[] = "minikv";
    char *log = (char *)fixture->options.log; /* which main() could change, and does not */
    char *arguments[] = {name, log, NULL};
    const int in = open(input, O_RDONLY);
    const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) {
        complain_system("cannot open %s or %s", input, output);
        _exit(1);
    }
    exit(minikv_program(2, arguments));
}

static void run_program(const struct fixture *fixture, const char *input, const char *output) {
    int status;
    fflush(stdout); /* or the new process would print it again */
    const pid_t pid = fork();
    if (pid == 0) {
        become_program(fixture, input, output);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (pid < 0 || status != 0) {
        fixture_fail("minikv did not end well");
    }
}

uint64_t pipe_run(struct fixture *fixture, const uint32_t *picks, size_t count) {
    const struct program *program = fixture->own;
    (void)picks;
    for (size_t i = 0; i < count; i++) {
        run_program(fixture, program->input, "/dev/null");
    }
    return 0;
}

static uint64_t sum_file(const char *path) {
    unsigned char bytes[4096];
    size_t length;
    uint64_t sum = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fixture_fail("the replies are gone");
    }
    while ((length = fread(bytes, 1, sizeof(bytes), file)) > 0) {
        sum = fixture_checksum(sum, slice_from(bytes, length));
    }
    fclose(file);
    return sum;
}

uint64_t pipe_check(struct fixture *fixture, const uint32_t *picks, size_t count) {
    const struct program *program = fixture->own;
    (void)picks;
    /* Each run gives the same replies: one is enough, however many are asked for. */
    if (count == 0) {
        return 0;
    }
    run_program(fixture, program->input, program->output);
    return sum_file(program->output);
}
