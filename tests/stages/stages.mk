# The time of each stage of a command. Included by the Makefile at the top.

.PHONY: stages scratch

OBJCOPY ?= objcopy

stages: $(LIBRARY) ## times the stages of EX= one by one, beside your guess and your own table
	@$(NEEDS_EX)
	@COMPILE='$(COMPILE)' LINK='$(LINK)' LDLIBS='$(LDLIBS)' OBJCOPY='$(OBJCOPY)' \
	    sh tests/stages/stages.sh '$(EX)' '$(IMPL)' '$(BUILD)' $(LIBRARY)

scratch: ## makes a throw-away copy with a small timing program in it, for EX=
	@$(NEEDS_EX)
	@sh tests/stages/scratch.sh '$(EX)' '$(IMPL)'
