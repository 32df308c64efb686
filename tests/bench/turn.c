#include "turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "complain.h"
#include "folder.h"
#include "process.h"
#include "progress.h"

/* In moments; see process_wait_a_moment(). */
#define LONG_WAITING 6000

/* Another user's file can be locked, too, but not opened as one to be made. */
static int open_file(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    return file >= 0 ? file
                     : open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
}

bool turn_take(struct turn *turn, const char *folder, int cpu) {
    char path[FOLDER_PATH_MAX];
    folder_path(path, "%s/minikv-ruler-%d.lock", folder, cpu);
    turn->file = open_file(path);
    for (long waited = 1; turn->file >= 0 && flock(turn->file, LOCK_EX | LOCK_NB) != 0; waited++) {
        progress_show("waiting: another ruler measures on processor %d", cpu);
        if (waited == LONG_WAITING) {
            progress_clear();
            complain("still waiting: another ruler measures on processor %d, with the lock on %s",
                     cpu, path);
        }
        if (!process_wait_a_moment()) {
            turn_end(turn);
            return false;
        }
    }
    progress_clear();
    return true;
}

void turn_end(struct turn *turn) {
    if (turn->file >= 0) {
        close(turn->file); /* the file stays: who removed it might remove another's lock */
        turn->file = -1;
    }
}
