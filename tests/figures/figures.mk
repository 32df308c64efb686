# The figures of a discussion, all from one command. Included by the Makefile at the top.
#
#     ONLY=TEXT   only the lines of figures.list that contain TEXT

.PHONY: figures
figures: ## for authors: measures what the discussion of EX= says; ONLY= picks lines
	@$(NEEDS_EX)
	@MAKE='$(MAKE)' ONLY='$(ONLY)' sh tests/figures/figures.sh '$(EX)'
