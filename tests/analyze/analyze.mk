# Tools that find mistakes without, or beside, the tests. Included by the Makefile at the top.

.PHONY: analyze memcheck

CLANG_TIDY ?= clang-tidy
CPPCHECK ?= cppcheck

analyze: ## for authors: gcc -fanalyzer, clang-tidy and cppcheck look at a copy
	@sh tests/analyze/named-tests.sh
	@sh tests/analyze/analyze.sh '$(IMPL)' '$(GCC)' '$(CLANG_TIDY)' '$(CPPCHECK)'

# Without the tests that take memory away, which valgrind does not let them, and those that send
# hundreds of megabytes.
MEMCHECKED := $(filter-out %/test_memory %/test_faults %/test_streams %/test_large, \
    $(filter $(BUILD)/tests/facade/%,$(TEST_PROGRAMS)))

memcheck: $(PROGRAMS) $(MEMCHECKED) ## for authors: the facade tests under valgrind; takes minutes
	@sh tests/analyze/memcheck.sh $(BUILD) $(MEMCHECKED)
