# Fuzzing with libFuzzer, which comes with clang. Included by the Makefile at the top.
#
#     FUZZ=NAMES   which targets: line, log, template (all)
#     RUNS=N       how many inputs each target gets
#     FUZZ_SEED=N  of the random changes (1); 0: another one each time
#
# Each target starts from tests/fuzz/corpus/NAME. What it finds on its way is kept beside its program
# under build/, and used the next time; so is an input that it fails on.

.PHONY: fuzz

FUZZ ?= line log template
RUNS ?= 20000
FUZZ_SEED ?= 1

FUZZ_BUILD := $(COPY_BUILD)/fuzz
FUZZ_FLAGS := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer
FUZZ_COMPILE = $(CLANG) $(STANDARD) $(WARNINGS) $(FUZZ_FLAGS) $(CPPFLAGS) -MMD -MP -c
FUZZ_OBJECTS := $(LIBRARY:$(BUILD)/%=$(FUZZ_BUILD)/%) \
    $(patsubst %,$(FUZZ_BUILD)/tests/support/%.o,blob die model path random tmpdir) \
    $(FUZZ_BUILD)/tests/fuzz/scratch.o
FUZZ_PROGRAMS := $(patsubst %,$(FUZZ_BUILD)/fuzz_%,$(FUZZ))

fuzz: $(FUZZ_PROGRAMS) ## fuzzes a copy, RUNS= inputs for each target; FUZZ= picks targets
	@for name in $(FUZZ); do \
	    TMPDIR='$(RAM_DISK)' sh tests/fuzz/run.sh $(FUZZ_BUILD) "$$name" $(RUNS) $(FUZZ_SEED) || exit; \
	done

.PHONY: fuzzer
fuzzer:
	@sh tests/fuzz/has-fuzzer.sh $(CLANG)

$(FUZZ_BUILD)/tests/%.o: tests/%.c | fuzzer
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(FUZZ_COMPILE) -I$(IMPL)/src -Itests/support -o $@ $<

$(FUZZ_BUILD)/%.o: $(IMPL)/src/%.c | fuzzer
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(FUZZ_COMPILE) $(COPY_CFLAGS) -o $@ $<

$(FUZZ_BUILD)/fuzz_%: $(FUZZ_BUILD)/tests/fuzz/fuzz_%.o $(FUZZ_OBJECTS)
	@echo "  LINK  $@"
	$(Q)$(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer $(LDFLAGS) $(COPY_LDFLAGS) -o $@ $^ $(LDLIBS)

.SECONDARY: $(FUZZ_OBJECTS) $(patsubst %,$(FUZZ_BUILD)/tests/fuzz/fuzz_%.o,$(FUZZ))

-include $(wildcard $(FUZZ_BUILD)/*.d $(FUZZ_BUILD)/tests/*/*.d)
