# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := Three patches
CHAPTERS := 20
MINUTES := 60
KIND := decision
FILES := src/bytes.c src/bytes.h src/reply.c src/words.c
BENCH := get-hit
BOUND :=
TEST_LDFLAGS := -Wl,--wrap=bytes_append
