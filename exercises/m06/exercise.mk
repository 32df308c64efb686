# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := Replies from templates
CHAPTERS := 10 20
MINUTES := 75
KIND := faster
FILES := src/template.c
BENCH := template-fixed template-filled get-miss set
BOUND := 7.80
TEST_LDFLAGS := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
