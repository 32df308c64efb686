#include "turn.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "process.h"
#include "progress.h"

#define TURN_PATH_MAX 64

/* Another user's file can be locked, too, but not opened as one to be made. */
static int open_file(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    return file >= 0 ? file
                     : open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
}

bool turn_take(struct turn *turn, int cpu) {
    char path[TURN_PATH_MAX];
    snprintf(path, sizeof(path), "%s/minikv-ruler-%d.lock", P_tmpdir, cpu);
    turn->file = open_file(path);
    while (turn->file >= 0 && flock(turn->file, LOCK_EX | LOCK_NB) != 0) {
        progress_show("waiting: another ruler measures on processor %d", cpu);
        if (!process_wait_a_moment()) {
            turn_end(turn);
            return false;
        }
    }
    return true;
}

void turn_end(struct turn *turn) {
    if (turn->file >= 0) {
        close(turn->file); /* the file stays: who removed it might remove another's lock */
        turn->file = -1;
    }
}
