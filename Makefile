# Every command of the course; `make help` explains them.
#
#     IMPL=DIR      the copy of minikv that a command works on (project/minikv)
#     EX=mNN        the exercise
#     PROFILE=NAME  how the copy is built: release, san or coverage (release)
#     WERROR=1      warnings are errors
#     V=1           commands are shown in full
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are yours, as usual. The rules that build a copy are in
# tests/mk/copy.mk. All paths are relative, so that the tree may lie in a folder with blanks in its
# name.

.DEFAULT_GOAL := all

include tests/loop/loop.mk
include tests/mk/copy.mk
include tests/analyze/analyze.mk
include tests/bench/bench.mk
include tests/crash/crash.mk
include tests/differential/differential.mk
include tests/figures/figures.mk
include tests/fuzz/fuzz.mk
include tests/stages/stages.mk
include tests/profile/profile.mk
include tests/check/check.mk

# What a single exercise adds; see docs/adding-an-exercise.md.
include $(sort $(wildcard tests/m*/commands.mk))

.PHONY: all help test test-programs cmocka setup coverage test-coverage diff verify carry clean

all: $(INSTALLED) ## builds project/minikv and leaves project/minikv/minikv

help: ## this list
	@awk -f tests/mk/help.awk $(filter %Makefile %.mk,$(MAKEFILE_LIST))
	@sh tests/mk/manifest.sh --list

test: test-programs ## runs the tests of a copy; EX= adds that exercise's checklist
	@for test in $(TESTS_LEFT_OUT); do \
	    echo "left out: $$test, whose header is another one in $(IMPL)"; \
	done
	@sh tests/mk/run-tests.sh $(BUILD) $(TEST_PROGRAMS)

# What `make test` runs: all that has to be compiled for it.
test-programs: $(PROGRAMS) $(TEST_PROGRAMS)

# Before anything that includes cmocka.h is compiled.
cmocka:
	@sh tests/mk/setup.sh --has-cmocka $(CC) $(CPPFLAGS) || $(MAKE) --no-print-directory setup

setup: ## installs what the tests need, cmocka and gcovr, and coccinelle for check, or says how
	@sh tests/mk/setup.sh $(CC) $(CPPFLAGS)

coverage: ## tells which lines and branches of a copy the tests run, as text and HTML
	@$(MAKE) --no-print-directory test-coverage PROFILE=coverage EX=

test-coverage: test-programs
	@GCOV='$(GCOV)' sh tests/mk/coverage.sh $(IMPL) $(COVERAGE_LINES) $(COVERAGE_BRANCHES) \
	    $(BUILD) $(TEST_PROGRAMS)

diff: ## compares your project/minikv with the solution of EX=
	@$(NEEDS_EX)
	@diff -ru -x minikv -x folders -x '*.log' -x DISCUSSION.md -x wrong-turns -x steps -x forms \
	    -x new-command -x figures.list $(IMPL) solutions/$(EX); \
	    test $$? -ne 2

verify: ## for authors: checks all that keeps the course honest; MEASURE=1 the figures, too
	@GCC='$(GCC)' CLANG='$(CLANG)' MEASURE='$(MEASURE)' sh tests/mk/verify.sh

carry: ## for authors: carries the change of project/minikv into every solution
	@sh tests/mk/carry.sh $(FROM)

clean: ## removes everything that was built; IMPL= only that copy's
	rm -rf $(CLEANED)
