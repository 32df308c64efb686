# Where the time of a command goes, by function. Included by the Makefile at the top.
#
#     BENCH=NAME    which benchmark (the first of EX=, or get-hit)
#     TOOL=NAME     perf or callgrind (perf where it is permitted)
#     OUT=PATH      where the flame graph goes: PATH.svg (build/profile)

.PHONY: profile

# A and B are set by bench.mk, too: they count here when the user gives one of them.
ifeq ($(filter command environment override,$(origin A) $(origin B)),)
PROFILED := $(IMPL)
else
PROFILED = $(COPY_A) $(COPY_B)
endif

# A build of its own, in which each call is one. Else a call at the very end of a function becomes a
# jump, and that function is not seen among the callers.
PROFILE_BUILD = build/$(patsubst -%,%,$(subst /,-,$(1)))/profile
PROFILE_CFLAGS = $(CFLAGS) -g -fno-optimize-sibling-calls

profile: ## shows by function where the time goes, as table and flame graph; A= B= the difference
	+@$(foreach copy,$(PROFILED),$(MEASURED) COPY='$(copy)' CFLAGS='$(PROFILE_CFLAGS)' \
	    BUILD='$(call PROFILE_BUILD,$(copy))' '$(call PROFILE_BUILD,$(copy))/worker' &&) :
	@TOOL='$(TOOL)' KEYS='$(KEYS)' VALUE='$(VALUE)' sh tests/profile/profile.sh \
	    '$(firstword $(BENCH) get-hit)' '$(or $(OUT),build/profile)' \
	    $(foreach copy,$(PROFILED),'$(copy)' '$(call PROFILE_BUILD,$(copy))')
