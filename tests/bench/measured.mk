# Builds what the ruler needs: itself, and the worker of one copy of minikv.
#
#     make -f tests/bench/measured.mk COPY=solutions/m08 [VARIANT=natural]
#
# Run from the top of the tree. The worker is the copy's library with the harness's own workload in
# front of it. The harness owns the loop: both sides of a comparison get it compiled in the same
# way, each against its own headers.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:

Q := $(if $(V),,@)
COPY ?= project/minikv
ifeq ($(wildcard $(COPY)/src/minikv.c),)
$(error $(COPY): no copy of minikv there, $(COPY)/src/minikv.c is missing)
endif

# How it is built: "measured", or "natural", which leaves code where the compiler puts it.
VARIANT ?= measured

HARNESS := tests/bench
RULER_BUILD := build/bench
BUILD := build/$(patsubst -%,%,$(subst /,-,$(COPY)))/$(VARIANT)

# No debugging information: it is not looked at, and linking without is much faster. Functions and
# loops start on cache lines, so that moving code about changes as little as possible; and the name
# of the folder stays out of the code, so that the same source gives the same bytes.
CFLAGS ?= -O2
ALIGNED := $(if $(filter measured,$(VARIANT)),-falign-functions=64 -falign-loops=64)
SAME_CODE := $(foreach flag,$(ALIGNED) -ffile-prefix-map=$(COPY)/=,\
    $(shell $(CC) -Werror $(flag) -E -x c /dev/null >/dev/null 2>&1 && echo '$(flag)'))
STANDARD := -std=c17 -D_DEFAULT_SOURCE
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(WERROR),-Werror)
COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c
LINK = $(CC) $(CFLAGS) $(LDFLAGS)

SRC := $(COPY)/src
include tests/mk/brought.mk
COMPILE_COPY = $(COMPILE) $(SAME_CODE) $(COPY_CFLAGS)
LINK_COPY = $(LINK) $(COPY_LDFLAGS)

RULER_SOURCES := bench calibrate cells compare comparison complain contest counts folder json layouts \
    options others plot prng process progress records report ruler runner scatter scatter_plot \
    scatter_report schedule selfcheck session settings spread statistics survey trace turn units \
    verdicts whole
WORKER_SOURCES := commands complain fixture ideal modules options picks pipe prng row rows worker

LIBRARY_SOURCES := $(filter-out %/main.c %/folders.c,$(sort $(wildcard $(COPY)/src/*.c)))
LIBRARY := $(LIBRARY_SOURCES:$(COPY)/src/%.c=$(BUILD)/%.o) $(BUILD)/program.o
WORKLOAD := $(WORKER_SOURCES:%=$(BUILD)/bench/%.o) $(BUILD)/bench/counting_off.o

# Layouts are linked by the ruler itself: it is told of what, and how. The plain one is there to be
# compared byte by byte.
PADDINGS := $(foreach bytes,64 128 256 512 1024,$(BUILD)/bench/padding-$(bytes).o)

# For exact counts: other code, but the same calls. memcmp() stays a call, so that it can be
# counted; and no optimisation across files, for which --wrap comes too late.
COUNTED := $(LIBRARY_SOURCES:$(COPY)/src/%.c=$(BUILD)/counted/%.o) $(BUILD)/program.o \
    $(WORKER_SOURCES:%=$(BUILD)/counted/bench/%.o) $(BUILD)/counted/bench/counting.o
COUNTING := -fno-builtin -fno-lto
WRAPPED := -Wl,--wrap=hash_bytes -Wl,--wrap=memcmp

all: $(RULER_BUILD)/ruler $(BUILD)/worker $(BUILD)/plain $(BUILD)/objects $(BUILD)/link

$(RULER_BUILD)/ruler: $(RULER_SOURCES:%=$(RULER_BUILD)/%.o)
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $^ -lm $(LDLIBS)

$(RULER_BUILD)/%.o: $(HARNESS)/%.c $(RULER_BUILD)/stamp
	@echo "  CC    $<"
	$(Q)$(COMPILE) -o $@ $<

$(BUILD)/worker: $(WORKLOAD) $(LIBRARY)
	@echo "  LINK  $@"
	$(Q)$(LINK_COPY) -o $@ $^ -lm $(LDLIBS)

$(BUILD)/bench/%.o: $(HARNESS)/%.c $(BUILD)/bench/stamp
	@echo "  CC    $< for $(COPY)"
	$(Q)$(COMPILE) $(SAME_CODE) -I$(COPY)/src -o $@ $<

$(BUILD)/%.o: $(COPY)/src/%.c $(BUILD)/bench/stamp
	@echo "  CC    $<"
	$(Q)$(COMPILE_COPY) -o $@ $<

$(BUILD)/plain: $(WORKLOAD) $(LIBRARY)
	$(Q)$(LINK_COPY) -s -Wl,--build-id=none -o $@ $^ -lm $(LDLIBS)

$(BUILD)/bench/padding-%.o: $(HARNESS)/padding.c $(BUILD)/bench/stamp
	$(Q)$(COMPILE) -DPADDING=$* -o $@ $<

$(BUILD)/objects: $(WORKLOAD) $(LIBRARY) $(PADDINGS)
	@echo '$^' > $@

$(BUILD)/link: $(BUILD)/bench/stamp
	@printf 'target=$$1; shift\nexec %s -o "$$target" "$$@" -lm %s\n# %s\n' '$(LINK_COPY)' \
	    '$(LDLIBS)' '$(COPY_FILES_SUM)' > $@

counting: $(RULER_BUILD)/ruler $(BUILD)/worker $(BUILD)/counting-worker

$(BUILD)/counting-worker: $(COUNTED)
	@echo "  LINK  $@"
	$(Q)$(LINK_COPY) $(WRAPPED) -o $@ $^ -lm -ldl $(LDLIBS)

$(BUILD)/counted/bench/%.o: $(HARNESS)/%.c $(BUILD)/bench/stamp
	@mkdir -p $(@D)
	@echo "  CC    $< for $(COPY), counting"
	$(Q)$(COMPILE) $(COUNTING) -I$(COPY)/src -o $@ $<

$(BUILD)/counted/%.o: $(COPY)/src/%.c $(BUILD)/bench/stamp
	@mkdir -p $(@D)
	@echo "  CC    $<, counting"
	$(Q)$(COMPILE) $(COPY_CFLAGS) $(COUNTING) -o $@ $<

# The program, to be called from the worker.
$(BUILD)/program.o: $(COPY)/src/main.c $(BUILD)/bench/stamp
	@echo "  CC    $<"
	$(Q)$(COMPILE_COPY) -Dmain=minikv_program -o $@ $<

# The ruler's own tests: of what can be told without timing anything.
TESTS := cells comparison layouts others process rows ruler schedule spread statistics turn verdicts
TEST_PROGRAMS := $(TESTS:%=$(RULER_BUILD)/tests/test_%)
CMOCKA_LIBS ?= -lcmocka

tests: $(RULER_BUILD)/ruler $(TEST_PROGRAMS)
	@sh tests/mk/run-tests.sh $(RULER_BUILD) $(TEST_PROGRAMS)

$(RULER_BUILD)/tests/%.o: $(HARNESS)/tests/%.c $(RULER_BUILD)/stamp
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(COMPILE) -I$(HARNESS) -I$(COPY)/src -o $@ $<

$(RULER_BUILD)/row.o: COMPILE += -I$(COPY)/src

$(TEST_PROGRAMS): %: %.o $(filter-out %/ruler.o,$(RULER_SOURCES:%=$(RULER_BUILD)/%.o)) \
    $(RULER_BUILD)/row.o $(RULER_BUILD)/picks.o
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $^ $(CMOCKA_LIBS) -lm $(LDLIBS)

.PRECIOUS: $(RULER_BUILD)/tests/%.o

# Stamps are touched only when what they say changes.
$(RULER_BUILD)/stamp: STAMP_TEXT = $(COMPILE) ; $(LINK) $(LDLIBS) ; $(RULER_SOURCES)
$(BUILD)/bench/stamp: STAMP_TEXT = $(COMPILE_COPY) ; $(LINK_COPY) $(LDLIBS) ; \
    $(COPY_FILES_SUM) ; $(LIBRARY_SOURCES) $(WORKER_SOURCES)
.PHONY: all counting tests FORCE
$(RULER_BUILD)/stamp $(BUILD)/bench/stamp: FORCE
	@mkdir -p $(@D)
	@echo '$(STAMP_TEXT)' | cmp -s - $@ || echo '$(STAMP_TEXT)' > $@

-include $(wildcard $(RULER_BUILD)/*.d $(RULER_BUILD)/tests/*.d $(BUILD)/*.d $(BUILD)/bench/*.d \
    $(BUILD)/counted/*.d $(BUILD)/counted/bench/*.d)
