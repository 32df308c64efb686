# Builds what measures costs. Run from the top of the tree:
#
#     make -f tests/m01/costs/costs.mk [MINE=FILE]
#
# MINE is the file with the student's own rows. Theirs is the only one of the program's sources that
# is not below tests/.

include tests/mk/flags.mk

COSTS := tests/m01/costs
BUILD := build/costs
MINE ?= project/journal/m01-mine.c

# A hash table to look things up in: the baseline's, whatever the student's looks like by now.
COPY := solutions/m00/src

CFLAGS ?= -O2 -g
COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -I$(COSTS) -Itests/bench \
    -I$(COPY) -pthread -c
LINK = $(CC) $(CFLAGS) $(LDFLAGS) -pthread

MODULES := arrays caches chart chase child cost cpus duration files guess library lookups measure \
    plateaus processor report results rows runner system talk threads
SHARED := complain options prng progress statistics
TABLE := bytes hash index

LIBRARY := $(MODULES:%=$(BUILD)/%.o) $(SHARED:%=$(BUILD)/shared/%.o) $(TABLE:%=$(BUILD)/table/%.o)

$(BUILD)/costs: $(BUILD)/costs.o $(BUILD)/mine.o $(LIBRARY)
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $^ -lm $(LDLIBS)

$(BUILD)/%.o: $(COSTS)/%.c $(BUILD)/stamp
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(COMPILE) -o $@ $<

$(BUILD)/shared/%.o: tests/bench/%.c $(BUILD)/stamp
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(COMPILE) -o $@ $<

$(BUILD)/table/%.o: $(COPY)/%.c $(BUILD)/stamp
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(COMPILE) -o $@ $<

# Compiled anew each time: another MINE may be older than what was made of the last one.
.PHONY: FORCE tests
$(BUILD)/mine.o: $(MINE) $(BUILD)/stamp FORCE
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(COMPILE) -Werror=implicit-function-declaration -o $@ '$<' || { echo '$(MINE) does not compile, see above.' >&2; exit 1; }

# The stamp is only touched when what it says changes.
STAMP_TEXT = $(subst ',,$(COMPILE) ; $(LINK) $(LDLIBS))
$(BUILD)/stamp: FORCE
	@mkdir -p $(@D)
	@echo '$(STAMP_TEXT)' | cmp -s - $@ || { \
	    echo "$$($(CC) --version | sed 1q), $(CFLAGS)" > $(BUILD)/compiler; \
	    echo '$(STAMP_TEXT)' > $@; }

# Tests of what can be told without timing anything. What a compiler leaves out is compiled as it
# would be for real, whatever CFLAGS says.
TESTS := costs guess plateaus rows runner
TEST_PROGRAMS := $(TESTS:%=$(BUILD)/tests/test_%)
CMOCKA_LIBS ?= -lcmocka

tests: $(BUILD)/tests/costs $(TEST_PROGRAMS)
	@sh tests/mk/run-tests.sh $(BUILD) $(TEST_PROGRAMS)

$(BUILD)/tests/dead.o: COMPILE += -O2

# The program, with other rows in the place of the student's.
$(BUILD)/tests/costs: $(BUILD)/costs.o $(BUILD)/tests/own.o $(BUILD)/tests/dead.o $(LIBRARY)
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $^ -lm $(LDLIBS)

$(TEST_PROGRAMS): %: %.o $(BUILD)/tests/dead.o $(BUILD)/tests/own.o $(LIBRARY)
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $^ $(CMOCKA_LIBS) -lm $(LDLIBS)

.PRECIOUS: $(BUILD)/tests/%.o

-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d)
