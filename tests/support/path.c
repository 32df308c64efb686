#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "blob.h"
#include "die.h"

bool path_is_missing(const char *path) {
    struct stat status;
    return lstat(path, &status) != 0 && errno == ENOENT;
}

bool path_is_link(const char *path) {
    struct stat status;
    must(lstat(path, &status), path);
    return S_ISLNK(status.st_mode);
}

size_t path_size(const char *path) {
    struct stat status;
    must(stat(path, &status), path);
    return (size_t)status.st_size;
}

size_t path_entries(const char *path) {
    size_t count = 0;
    DIR *folder = opendir(path);
    if (folder == NULL) {
        die(path);
    }
    while (readdir(folder) != NULL) {
        count++;
    }
    closedir(folder);
    return count - 2; /* but for "." and ".." */
}

bool path_holds(const char *path, struct slice bytes) {
    struct blob content = {0};
    blob_read_file(&content, path);
    bool same = blob_equals(&content, bytes);
    blob_release(&content);
    return same;
}
