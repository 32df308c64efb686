# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := Folders per second
CHAPTERS := 20.2
MINUTES := 90
KIND := faster
FILES := src/dirs.c src/rate.c
BENCH := folders rate dirs-old
BOUND := 16.00
TEST_LDFLAGS := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=free,--wrap=mkdir,--wrap=mkdirat,--wrap=stat,--wrap=lstat,--wrap=fstatat,--wrap=access,--wrap=getcwd,--wrap=getpwuid_r
