# All copies on the same random commands. Included by the Makefile at the top.
#
#     COPIES=DIRS   which (project/minikv and all solutions)
#     ROUNDS=N      so many times (10)
#     COMMANDS=N    so many commands each time (1500)
#
# TEST_SEED=N in the environment draws other commands.

.PHONY: differential

COPIES ?= project/minikv $(patsubst %/,%,$(sort $(wildcard solutions/*/)))
COMMANDS ?= 1500
DIFFERENTIAL := $(BUILD)/tests/differential/differential

program_of = build/$(subst /,-,$(1))/$(PROFILE)/minikv

$(DIFFERENTIAL): %: %.o $(filter-out %/faults.o %/alloc.o,$(SUPPORT)) $(LIBRARY)
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(CMOCKA_LIBS) $(LDLIBS)

differential: $(DIFFERENTIAL) ## runs all copies on the same random commands and compares
	+@for copy in $(COPIES); do \
	    $(MAKE) --no-print-directory IMPL="$$copy" EX= \
	        "build/$$(echo "$$copy" | tr / -)/$(PROFILE)/minikv" || exit; \
	done
	@$(DIFFERENTIAL) $(if $(ROUNDS),$(ROUNDS),10) $(COMMANDS) \
	    $(foreach copy,$(COPIES),$(copy) $(call program_of,$(copy)))
