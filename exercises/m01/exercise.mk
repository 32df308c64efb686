# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := What things cost
CHAPTERS := 20.1
MINUTES := 75
KIND := measuring
FILES :=
BENCH :=
BOUND :=
TEST_LDFLAGS :=
