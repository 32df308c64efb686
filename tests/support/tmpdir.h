/*
 * Folders for one test's files.
 *
 *     char *folder = tmpdir_make();
 *     char *log = tmpdir_path(folder, "test.log");
 *     ...
 *     free(log);
 *     tmpdir_remove(folder);
 *
 * A failure of any of these ends the test program with a message: no test can go on without.
 */
#ifndef TESTS_TMPDIR_H
#define TESTS_TMPDIR_H

/*
 * A new, empty folder, under TMPDIR or else /tmp; nobody but this user may enter it. Returns its
 * absolute path, owned by the caller, who ends both with tmpdir_remove().
 */
char *tmpdir_make(void);

/* Removes the folder with all its content and frees the string. Symbolic links are not followed. */
void tmpdir_remove(char *path);

/* The path of `name` within the folder, made or not; the caller ends it with free(). */
char *tmpdir_path(const char *folder, const char *name);

#endif
