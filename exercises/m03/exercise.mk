# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := The database layer
CHAPTERS := 7
MINUTES := 75
KIND := equivalent
FILES := src/database.c src/database.h src/minikv.c src/server.c src/server.h
BENCH := get-hit get-miss exists incr
BOUND :=
TEST_LDFLAGS :=
