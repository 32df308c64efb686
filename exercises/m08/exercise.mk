# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := Measure first, then change the critical path
CHAPTERS := 18 20
MINUTES := 180
KIND := faster
FILES := src/server.c src/reply.c src/reply.h src/store.c src/store.h src/database.c src/database.h src/stats.c src/stats.h src/pair.h src/dump.c src/index.c src/index.h
BENCH := get-hit get-miss set
BOUND := 2.40
TEST_LDFLAGS := -Wl,--wrap=hash_bytes,--wrap=malloc,--wrap=calloc,--wrap=realloc
