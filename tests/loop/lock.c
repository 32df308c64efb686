/*
 * Runs a command while it holds the lock on a file; refuses when another process holds it.
 *
 *     lock FILE COMMAND [ARGUMENT...]
 *
 * The lock belongs to the process that becomes the command: it ends with it, however that dies, and
 * what the command starts does not have it. The file stays.
 *
 * Exit code: the command's; 1 when the lock is taken; 2 when something else is wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int complain(const char *what) {
    (void)fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 2;
}

/* Says who holds the lock, if that can still be found out. */
static int refuse(int file) {
    struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_GETLK, &other) == 0 && other.l_type != F_UNLCK) {
        (void)fprintf(stderr, "(process %ld) ", (long)other.l_pid);
    }
    (void)fprintf(stderr, "Another make start, step, keep or take-back is at work in this tree: "
                          "wait until it has ended. Nothing was done.\n");
    return 1;
}

int main(int argc, char **argv) {
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (argc < 3) {
        (void)fprintf(stderr, "usage: lock FILE COMMAND [ARGUMENT...]\n");
        return 2;
    }
    const int file = open(argv[1], O_RDWR | O_CREAT, 0666);
    if (file < 0) {
        return complain(argv[1]);
    }
    if (fcntl(file, F_SETLK, &whole) != 0) {
        return errno == EAGAIN || errno == EACCES ? refuse(file) : complain(argv[1]);
    }
    (void)execvp(argv[2], argv + 2);
    return complain(argv[2]);
}
