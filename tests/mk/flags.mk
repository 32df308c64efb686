# What everything that is compiled here has in common.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:

# In front of a command: whether it is shown.
Q := $(if $(V),,@)

STANDARD := -std=c17 -D_DEFAULT_SOURCE
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(WERROR),-Werror)
