# Builds what images of one copy of minikv are linked from: the whole program, with the C library's
# functions on the way of a GET in plain C.
#
#     make -f tests/m09/image.mk COPY=solutions/m00 [FIRST="server words"]
#
# Run from the top of the tree. points.sh links the images, one for each padding. FIRST: the copy's
# objects that are linked first, in that order; the others follow by name.

include tests/mk/flags.mk

COPY ?= project/minikv
ifeq ($(wildcard $(COPY)/src/minikv.c),)
$(error $(COPY): no copy of minikv there, $(COPY)/src/minikv.c is missing)
endif

# A folder for each compiler, so that one's figures can be held against the other's.
IMAGES := build/$(patsubst -%,%,$(subst /,-,$(COPY)))/images-$(notdir $(firstword $(CC)))

SRC := $(COPY)/src
include tests/mk/brought.mk

# No libc function is known to the compiler, nor expanded by its headers: what is called is in
# plain.c. What is linked has one address for good, the one that `nm` shows.
CFLAGS ?= -O2
PLAIN := -fno-builtin -D__NO_INLINE__ -D__NO_CTYPE
COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -c
COMPILE_COPY = $(COMPILE) $(PLAIN) $(COPY_CFLAGS)
LINK = $(CC) $(CFLAGS) $(LDFLAGS) -no-pie $(COPY_LDFLAGS)

# As small as a library for small machines is. gcc would make a loop that copies a call of memcpy(),
# the very function that it stands in.
NO_LOOP_CALLS := $(shell $(CC) -Werror -fno-tree-loop-distribute-patterns -E -x c /dev/null \
    >/dev/null 2>&1 && echo -fno-tree-loop-distribute-patterns)
COMPILE_PLAIN = $(CC) $(STANDARD) $(WARNINGS) -Os -ffreestanding -ffunction-sections \
    $(NO_LOOP_CALLS) -c

SOURCES := $(filter-out $(SRC)/folders.c,$(sort $(wildcard $(SRC)/*.c)))
NAMES := $(FIRST) $(filter-out $(FIRST),$(SOURCES:$(SRC)/%.c=%))
OBJECTS := $(NAMES:%=$(IMAGES)/%.o)

.PHONY: all where FORCE
all: $(OBJECTS) $(IMAGES)/plain/plain.o $(IMAGES)/commands

# Which folder that is.
where:
	@echo '$(IMAGES)'

$(IMAGES)/%.o: $(SRC)/%.c $(IMAGES)/commands
	@echo "  CC    $<, for images"
	$(Q)$(COMPILE_COPY) -MMD -MP -o $@ $<

$(IMAGES)/plain/plain.o: tests/m09/plain.c $(IMAGES)/commands
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(COMPILE_PLAIN) -o $@ $<

# What points.sh needs to know. Only touched when it changes; what is new then makes all anew.
COMMANDS = compile_pad='$(COMPILE_COPY)'; link='$(LINK)'; libraries='$(LDLIBS)'; \
    objects='$(OBJECTS)'; plain='$(IMAGES)/plain/plain.o'; other_files='$(COPY_FILES_SUM)'

$(IMAGES)/commands: FORCE
	@mkdir -p $(@D)
	@echo "$(COMMANDS)" | cmp -s - $@ || echo "$(COMMANDS)" >$@

-include $(wildcard $(IMAGES)/*.d)
