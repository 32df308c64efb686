#define _XOPEN_SOURCE 700 /* for nftw() */

#include "folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"

#define OPEN_FOLDERS_MAX 16

void folder_path(char path[FOLDER_PATH_MAX], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path, FOLDER_PATH_MAX, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= FOLDER_PATH_MAX) {
        complain("a path is too long: %s...", path);
        exit(1);
    }
}

bool folder_make(char path[FOLDER_PATH_MAX]) {
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0') {
        parent = "/tmp";
    }
    folder_path(path, "%s/minikv-bench.XXXXXX", parent);
    if (mkdtemp(path) == NULL) {
        complain_system("cannot make a temporary folder in %s", parent);
        return false;
    }
    return true;
}

bool folder_make_at(const char *path) {
    if (mkdir(path, 0777) != 0) {
        complain_system("cannot make %s", path);
        return false;
    }
    return true;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status;
    (void)type;
    (void)walk;
    remove(path);
    return 0;
}

void folder_remove(const char *path) {
    nftw(path, remove_entry, OPEN_FOLDERS_MAX, FTW_DEPTH | FTW_PHYS);
}

static bool copy_bytes(int from, int to) {
    char bytes[1 << 16];
    ssize_t count;
    while ((count = read(from, bytes, sizeof(bytes))) > 0) {
        for (ssize_t done = 0; done < count;) {
            const ssize_t written = write(to, bytes + done, (size_t)(count - done));
            if (written <= 0) {
                return false;
            }
            done += written;
        }
    }
    return count == 0;
}

bool folder_copy_file(const char *from, const char *to) {
    const int source = open(from, O_RDONLY | O_CLOEXEC);
    struct stat status;
    bool ok = false;
    if (source >= 0 && fstat(source, &status) == 0) {
        const int target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0777);
        ok = target >= 0 && copy_bytes(source, target);
        ok = (target < 0 || close(target) == 0) && ok;
    }
    if (!ok) {
        complain_system("cannot copy %s to %s", from, to);
    }
    if (source >= 0) {
        close(source);
    }
    return ok;
}
