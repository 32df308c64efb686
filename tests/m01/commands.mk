# The commands of this exercise. Included by the Makefile at the top.
#
#     ROWS=NAMES      which rows or groups of rows (all)
#     TIMES=N         how often all of it is measured (1); several runs are compared
#     GUESS=no        without your guess
#     MINE=FILE       the file with rows of your own (project/journal/m01-mine.c)
#     DIR=FOLDER      where files are written to for the rows about files (build/costs)
#     GNUPLOT=NAME    what draws the picture (gnuplot)

.PHONY: costs costs-list costs-test

COSTS_MINE = $(or $(MINE),project/journal/m01-mine.c)
COSTS_MAKE = $(MAKE) --no-print-directory -f tests/m01/costs/costs.mk MINE='$(COSTS_MINE)'
COSTS_RUN = ROWS='$(ROWS)' TIMES='$(TIMES)' GUESS='$(GUESS)' MINE='$(COSTS_MINE)' DIR='$(DIR)' \
    GNUPLOT='$(GNUPLOT)' sh tests/m01/costs.sh

costs: ## m01: measures what things cost, beside your guess and the book; ROWS= picks
	@sh tests/m01/costs.sh --hand-out '$(COSTS_MINE)'
	+@$(COSTS_MAKE)
	@$(COSTS_RUN)

costs-list: ## m01: the names for ROWS=
	@sh tests/m01/costs.sh --hand-out '$(COSTS_MINE)'
	+@$(COSTS_MAKE)
	@build/costs/costs --list

costs-test: cmocka ## tests what measures costs
	+@$(COSTS_MAKE) tests
