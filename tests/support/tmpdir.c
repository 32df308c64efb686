#define _XOPEN_SOURCE 700

#include "tmpdir.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "die.h"

/* How many folders deep nftw() keeps a descriptor open; deeper ones are only slower. */
#define OPEN_FOLDERS 16

static char *join(const char *folder, const char *name) {
    size_t size = strlen(folder) + 1 + strlen(name) + 1;
    char *path = malloc(size);
    if (path == NULL) {
        die("tmpdir");
    }
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* TMPDIR may be relative, and a test may change its working folder. */
static char *temporary_root(void) {
    const char *root = getenv("TMPDIR");
    if (root == NULL || root[0] == '\0') {
        root = "/tmp";
    }
    char *absolute = realpath(root, NULL);
    if (absolute == NULL) {
        die(root);
    }
    return absolute;
}

char *tmpdir_make(void) {
    char *root = temporary_root();
    char *path = join(root, "minikv-test-XXXXXX");
    free(root);
    if (mkdtemp(path) == NULL) {
        die(path);
    }
    return path;
}

/* A test may have taken away the rights to a folder, which has to be emptied all the same. */
static int open_up(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)place;
    if ((type == FTW_D || type == FTW_DNR) && (status->st_mode & S_IRWXU) != S_IRWXU) {
        return chmod(path, S_IRWXU);
    }
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void tmpdir_remove(char *path) {
    if (nftw(path, open_up, OPEN_FOLDERS, FTW_PHYS) != 0 ||
        nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0) {
        die(path);
    }
    free(path);
}

char *tmpdir_path(const char *folder, const char *name) {
    return join(folder, name);
}
