# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := From line to command
CHAPTERS := 6 9
MINUTES := 180
KIND := faster
FILES := src/server.c src/words.c src/words.h
BENCH := get-miss get-hit exists set
BOUND := 1.40
TEST_LDFLAGS := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
