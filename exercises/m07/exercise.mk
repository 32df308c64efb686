# The manifest of this exercise; docs/adding-an-exercise.md explains the names.
TITLE := The reply buffer
CHAPTERS := 7 20
MINUTES := 180
KIND := faster
FILES := src/buffer.c src/buffer.h src/allocation.c src/allocation.h
BENCH := buffer-alloc buffer-append buffer-cycle buffer-length buffer-copy buffer-truncate buffer-external get-miss
BOUND := 2.00
TEST_LDFLAGS := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
