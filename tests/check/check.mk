# The checklist of an exercise, by machine. Included by the Makefile at the top.
#
#     SPEED=0    leaves the ruler out

.PHONY: check record-tests

check: ## goes through the checklist of EX=, as far as a machine can; SPEED=0 without the ruler
	@$(NEEDS_EX)
	+@MAKE='$(MAKE)' SPEED='$(SPEED)' sh tests/check/check.sh '$(EX)' '$(IMPL)' '$(BUILD)'

record-tests: ## for authors: records what is in tests/, for `make check` where there is no git
	@sh tests/check/untouched.sh --record
