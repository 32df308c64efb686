# How one copy of minikv, and its tests, are built. Included by the Makefile at the top.
#
# Other rules may use, and nothing else from here:
#
#     IMPL             the copy's folder
#     BUILD            where it is built: build/<the copy, slashes as dashes>/<profile>
#     LIBRARY          its objects, without those that hold a main()
#     PROGRAMS         its programs: $(BUILD)/minikv and $(BUILD)/folders
#     STAMP            changes when the compiler, the flags or the list of sources do
#     COMPILE          the command that compiles: $(COMPILE) -o OBJECT SOURCE
#     LINK, LDLIBS     the command that links: $(LINK) -o PROGRAM OBJECTS $(LDLIBS)

include tests/mk/flags.mk

# The copy

IMPL_ORIGIN := $(origin IMPL)
IMPL ?= project/minikv
ifneq ($(words $(IMPL)),1)
$(error IMPL="$(IMPL)": make cannot work on a name with blanks; name the folder relative to here)
endif
override IMPL := $(patsubst %/,%,$(patsubst ./%,%,$(IMPL)))

SRC := $(IMPL)/src
include tests/mk/brought.mk

# The exercise

EX ?=
NEEDS_EX = test -n "$(EX)" || { echo "Which exercise? For example: make $@ EX=m08" >&2; exit 2; }
ifneq ($(EX),)
ifeq ($(wildcard exercises/$(EX)/exercise.mk),)
$(error EX=$(EX): no such exercise, exercises/$(EX)/exercise.mk is missing; `make help` lists them)
endif
EX_TEST_LDFLAGS := $(shell sh tests/mk/manifest.sh $(EX) TEST_LDFLAGS)
endif

# The profile. Its own flags are apart from CFLAGS, so that setting CFLAGS never breaks a build.

PROFILE ?= release
ifeq ($(PROFILE),release)
CFLAGS ?= -O2 -g
else ifeq ($(PROFILE),san)
CFLAGS ?= -O1 -g
PROFILE_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(PROFILE),coverage)
CFLAGS ?= -O0 -g
PROFILE_FLAGS := --coverage
else
$(error PROFILE=$(PROFILE): there are release, san and coverage)
endif

# The compiler

COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(PROFILE_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c
LINK = $(CC) $(PROFILE_FLAGS) $(CFLAGS) $(LDFLAGS) $(COPY_LDFLAGS)

CMOCKA_LIBS ?= -lcmocka

# For `make verify`.
GCC ?= gcc
CLANG ?= clang

# For `make coverage`: the program that reads the compiler's counts, and the least that is enough,
# in percent.
GCOV ?= $(if $(findstring clang,$(CC)),llvm-cov gcov,gcov)
COVERAGE_LINES ?= 98
COVERAGE_BRANCHES ?= 95

# The copy's objects and programs. Objects are linked in alphabetical order.

COPY_BUILD := build/$(patsubst -%,%,$(subst /,-,$(IMPL)))
BUILD := $(COPY_BUILD)/$(PROFILE)
STAMP := $(BUILD)/stamp

SOURCES := $(sort $(wildcard $(SRC)/*.c))
OBJECTS := $(SOURCES:$(SRC)/%.c=$(BUILD)/%.o)
PROGRAMS := $(BUILD)/minikv $(BUILD)/folders
LIBRARY := $(filter-out $(BUILD)/main.o $(BUILD)/folders.o,$(OBJECTS))

# Only a release is left beside its sources: that is the one to use.
INSTALLED := $(if $(filter release,$(PROFILE)),$(PROGRAMS:$(BUILD)/%=$(IMPL)/%),$(PROGRAMS))

ifeq ($(IMPL_ORIGIN),undefined)
# All but what a student works in.
CLEANED = $(filter-out build/scratch,$(wildcard build/*)) project/minikv/minikv project/minikv/folders \
    $(wildcard solutions/*/minikv solutions/*/folders)
else
CLEANED = $(COPY_BUILD) $(IMPL)/minikv $(IMPL)/folders
endif

$(SRC)/main.c:
	@echo "$(IMPL) is no copy of minikv: $@ is missing" >&2; exit 2

$(BUILD)/%.o: $(SRC)/%.c $(STAMP)
	@echo "  CC    $<"
	$(Q)$(COMPILE) $(COPY_CFLAGS) -o $@ $<

$(BUILD)/minikv: $(sort $(LIBRARY) $(BUILD)/main.o)
$(BUILD)/folders: $(sort $(LIBRARY) $(BUILD)/folders.o)

$(PROGRAMS):
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# By way of a second name, because a program that is running cannot be overwritten.
$(filter $(IMPL)/%,$(INSTALLED)): $(IMPL)/%: $(BUILD)/%
	$(Q)cp $< $@.new && mv -f $@.new $@

# The tests: every test_*.c is a program, linked with tests/support and the copy's objects.

TEST_DIRS := facade unit $(EX)
TESTS_LEFT_OUT := $(shell sh tests/mk/left-out.sh $(SRC))
TEST_SOURCES := $(filter-out $(TESTS_LEFT_OUT),\
    $(sort $(foreach dir,$(TEST_DIRS),$(wildcard tests/$(dir)/test_*.c))))
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(BUILD)/%)
SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/support/*.c)))

$(BUILD)/tests/%.o: tests/%.c $(STAMP) | cmocka
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(COMPILE) -I$(SRC) -Itests/support -o $@ $<

$(TEST_PROGRAMS): %: %.o $(SUPPORT) $(LIBRARY)
	@echo "  LINK  $@"
	$(Q)$(LINK) $(TEST_LDFLAGS) -o $@ $(filter %.o,$^) $(CMOCKA_LIBS) $(LDLIBS)

ifneq ($(EX),)
EX_PROGRAMS := $(filter $(BUILD)/tests/$(EX)/%,$(TEST_PROGRAMS))
$(EX_PROGRAMS): TEST_LDFLAGS = $(EX_TEST_LDFLAGS)
$(EX_PROGRAMS): exercises/$(EX)/exercise.mk
endif

# The stamp is only touched when what it says changes. The compiler's notes for coverage then go, so
# that those of a source that has been removed do not stay.

STAMP_TEXT = $(subst ',,$(COMPILE) $(COPY_CFLAGS) ; $(LINK) $(CMOCKA_LIBS) $(LDLIBS) ; \
    $(COPY_FILES_SUM) ; $(SOURCES))

.PHONY: FORCE
$(STAMP): FORCE
	@mkdir -p $(@D)
	@echo '$(SRC)' >$(@D)/sources
	@echo '$(STAMP_TEXT)' | cmp -s - $@ || { rm -f $(@D)/*.gc*; echo '$(STAMP_TEXT)' > $@; }

-include $(wildcard $(BUILD)/*.d $(BUILD)/tests/*/*.d)
