/* Layouts, with a "linker" that only writes down what it was given. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layouts.h"

#define OBJECTS 8
#define LAYOUTS 20

static char top[FOLDER_PATH_MAX];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* "copy" holds eight objects and two paddings. */
static int enter_folder(void **state) {
    (void)state;
    if (!folder_make(top) || chdir(top) != 0 || mkdir("copy", 0777) != 0) {
        return -1;
    }
    char names[256] = "copy/padding-64.o copy/padding-128.o";
    write_file("copy/padding-64.o", "p");
    write_file("copy/padding-128.o", "q");
    for (int i = 0; i < OBJECTS; i++) {
        char name[32];
        snprintf(name, sizeof(name), "copy/%d.o", i);
        write_file(name, "object");
        snprintf(names + strlen(names), sizeof(names) - strlen(names), " %s", name);
    }
    strcat(names, "\n");
    write_file("copy/objects", names);
    write_file("copy/link",
               "echo >>links; target=$1; shift; echo \"$*\" >\"$target\"; chmod +x \"$target\"\n");
    return 0;
}

static int leave_folder(void **state) {
    (void)state;
    folder_remove(top);
    return chdir("/");
}

/* What layout `number` was linked from. */
static void read_layout(const struct layouts *layouts, size_t number, char text[1024]) {
    char path[FOLDER_PATH_MAX];
    layouts_path(layouts, number, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, 1023, file)] = '\0';
    fclose(file);
}

static size_t count_links(void) {
    struct stat status;
    return stat("links", &status) == 0 ? (size_t)status.st_size : 0;
}

static void test_each_object_is_in_each_layout_once(void **state) {
    (void)state;
    struct layouts layouts;
    assert_true(layouts_open(&layouts, "copy"));
    assert_true(layouts_make(&layouts, 0, LAYOUTS));
    for (size_t number = 0; number < LAYOUTS; number++) {
        char text[1024];
        read_layout(&layouts, number, text);
        for (int i = 0; i < OBJECTS; i++) {
            char name[32];
            snprintf(name, sizeof(name), "copy/%d.o", i);
            const char *at = strstr(text, name);
            assert_non_null(at);
            assert_null(strstr(at + 1, name));
        }
    }
    layouts_close(&layouts);
}

static void test_no_two_layouts_are_alike(void **state) {
    (void)state;
    static char texts[LAYOUTS][1024];
    struct layouts layouts;
    size_t padded = 0;
    assert_true(layouts_open(&layouts, "copy"));
    assert_true(layouts_make(&layouts, 0, LAYOUTS));
    for (size_t i = 0; i < LAYOUTS; i++) {
        read_layout(&layouts, i, texts[i]);
        padded += strstr(texts[i], "padding-64") != NULL;
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(texts[i], texts[j]);
        }
    }
    assert_in_range(padded, LAYOUTS / 2, LAYOUTS);
    layouts_close(&layouts);
}

static void test_a_layout_is_kept_until_something_changes(void **state) {
    (void)state;
    struct layouts layouts;
    char before[1024];
    char after[1024];
    assert_true(layouts_open(&layouts, "copy"));
    assert_true(layouts_make(&layouts, 3, 5));
    assert_int_equal(count_links(), 2);
    assert_true(layouts_make(&layouts, 3, 6));
    assert_int_equal(count_links(), 3);
    read_layout(&layouts, 3, before);
    layouts_close(&layouts);

    write_file("copy/2.o", "another object");
    assert_true(layouts_open(&layouts, "copy"));
    assert_true(layouts_make(&layouts, 3, 6));
    assert_int_equal(count_links(), 6);
    read_layout(&layouts, 3, after); /* the number alone says how it is laid out */
    assert_string_equal(before, after);
    layouts_close(&layouts);
}

static void test_a_failed_link_leaves_no_layout(void **state) {
    (void)state;
    struct layouts layouts;
    char path[FOLDER_PATH_MAX];
    write_file("copy/link", "echo half >\"$1\"; exit 1\n");
    assert_true(layouts_open(&layouts, "copy"));
    assert_false(layouts_make(&layouts, 0, 1));
    layouts_path(&layouts, 0, path);
    assert_int_equal(access(path, F_OK), -1);
    layouts_close(&layouts);
}

static void test_a_missing_build_is_told(void **state) {
    (void)state;
    struct layouts layouts;
    assert_false(layouts_open(&layouts, "nothing"));
    assert_int_equal(unlink("copy/3.o"), 0);
    assert_false(layouts_open(&layouts, "copy"));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_each_object_is_in_each_layout_once),
        IN_FOLDER(test_no_two_layouts_are_alike),
        IN_FOLDER(test_a_layout_is_kept_until_something_changes),
        IN_FOLDER(test_a_failed_link_leaves_no_layout),
        IN_FOLDER(test_a_missing_build_is_told),
    };
    return cmocka_run_group_tests_name("layouts", tests, NULL, NULL);
}
