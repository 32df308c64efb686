# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := Two releases
CHAPTERS := 20.2
MINUTES := 180
KIND := steadier
FILES := src/flags.mk src/hot.ld
BENCH := get-miss get-hit set
BOUND := 2.00
TEST_LDFLAGS :=
