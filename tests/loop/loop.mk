# The student's loop: start, step, keep, take-back. Included by the Makefile at the top, before all
# else: see MSG below. What the commands do is in tests/loop/loop.sh.
#
#     EX=mNN     start: the exercise
#     FROM=DIR   start: the tree to begin with (the baseline)
#     MSG=TEXT   step: what was changed
#     AGAIN=1    step: measure anew what was changed after a step that is not decided
#     WHY=TEXT   keep, take-back: the reason

.PHONY: start guess step keep take-back loop-test

# These may hold anything. Left to itself make would expand, even run, what looks like one of its
# own variables or functions as soon as it starts a command. So the commands get them under other
# names, as they were typed.
unexport MSG WHY FROM
export LOOP_MSG := $(value MSG)
export LOOP_WHY := $(value WHY)
export LOOP_FROM := $(value FROM)
export LOOP_EX := $(value EX)
export LOOP_AGAIN := $(value AGAIN)

# Runs tests and ruler; the loop's own tests have something quicker.
export LOOP_MAKE ?= $(MAKE)

LOOP_PROGRAMS = build/loop/lock build/loop/flush
LOOP = mkdir -p project/journal && build/loop/lock project/journal/lock sh tests/loop/loop.sh

start: $(LOOP_PROGRAMS) ## opens EX= on the baseline (or FROM=); archives your tree first
	@$(LOOP) start

guess: ## checks your guess for EX= and orders it by size
	@$(NEEDS_EX)
	@sh tests/loop/guess.sh --table $(EX)

step: $(LOOP_PROGRAMS) ## MSG="...": tests, measures against the last kept step, notes the result
	@$(LOOP) step

keep: $(LOOP_PROGRAMS) ## keeps the step; WHY="..." goes into the journal
	@$(LOOP) keep

take-back: $(LOOP_PROGRAMS) ## takes back all since the last kept step, as a patch; WHY="..."
	@$(LOOP) take-back

loop-test: $(LOOP_PROGRAMS) ## for authors: tests these commands, by killing them as well
	@sh tests/loop/tests/run.sh

# By way of a second name: two commands may build at the same time.
$(LOOP_PROGRAMS): build/loop/%: tests/loop/%.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(STANDARD) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@.$$$$ $< $(LDLIBS) && \
	    mv -f $@.$$$$ $@
