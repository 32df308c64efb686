# The commands within one copy of minikv: the folder's Makefile includes this. Each command is the
# one of the same name at the top, told which copy it is for. A folder finds its own name, so that
# a copy of it, one folder below the top's, needs no edit.

# The last two parts of the path, the only ones that may not have blanks.
PARTS := $(subst /, ,$(CURDIR))
LEAF := $(lastword $(PARTS))
PARENT := $(word $(words $(PARTS)),x $(PARTS))

COMMANDS := all bench clean coverage help test

.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: $(COMMANDS)
$(COMMANDS):
	@$(MAKE) --no-print-directory -C ../.. $@ IMPL=$(PARENT)/$(LEAF)
