# Measuring. Included by the Makefile at the top, and by each copy's through tests/mk/impl.mk.
#
#     BENCH=NAMES   which benchmarks (those of EX=, or get-hit get-miss set)
#     KEYS=N        how many keys the store holds (bench: 100000)
#     VALUE=BYTES   how long each value is (100)
#     CHOICE=NAME   how keys are chosen: uniform or zipf (uniform)
#     ROUNDS=N      how often each benchmark is timed (bench: 15, else 20)
#     SEED=N        of all that is drawn at random (compare: another one each time)
#     OUT=PATH      where compare and layouts leave PATH.csv, .json and .svg (build/compare,
#                   build/layouts)
#     SHOW=solution counts: the solution of EX=, too
#     LAYOUTS=one   compare: both sides as they happen to be laid out, to show what that does
#     N=COUNT       layouts: how many (60)
#     PROCESSES=N   layouts: how many processes of each, an even number (6)
#     FIRST=NUMBER  layouts: which are drawn, from this number on (300000)
#     CELL=NAME     calibrate: only this, of what is tried; a wrong name shows which there are
#     FROM=FILE     calibration: the results (build/calibration.tsv)

.PHONY: bench compare layouts counts bench-selfcheck bench-test calibrate calibration

BENCH ?= $(if $(EX),$(shell sh tests/mk/manifest.sh $(EX) BENCH))
MEASURED = $(MAKE) --no-print-directory -f tests/bench/measured.mk
RULER = build/bench/ruler
MEASURED_BUILD = build/$(patsubst -%,%,$(subst /,-,$(1)))/$(or $(2),measured)
RULER_OPTIONS = $(if $(BENCH),--rows '$(BENCH)') $(if $(KEYS),--keys '$(KEYS)') \
    $(if $(VALUE),--value '$(VALUE)') $(if $(CHOICE),--choice '$(CHOICE)') \
    $(if $(ROUNDS),--rounds '$(ROUNDS)') $(if $(SEED),--seed '$(SEED)') \
    $(if $(OUT),--out '$(OUT)')

bench: ## times a copy, as orientation; EX= picks the exercise's benchmarks
	+@$(MEASURED) COPY=$(IMPL)
	@$(RULER) bench --name-a '$(IMPL)' --build-a '$(call MEASURED_BUILD,$(IMPL))' \
	    $(RULER_OPTIONS)

# What is compared. Both sides are built in the same way, whatever they are.
A ?= solutions/m00
B ?= project/minikv
COPY_A = $(patsubst %/,%,$(A:./%=%))
COPY_B = $(patsubst %/,%,$(B:./%=%))
COMPILER_OPTION = --compiler "$$($(CC) --version | sed 1q)"
COMPARE_OPTIONS = --name-a '$(COPY_A)' --build-a '$(call MEASURED_BUILD,$(COPY_A),$(1))' \
    --name-b '$(COPY_B)' --build-b '$(call MEASURED_BUILD,$(COPY_B),$(1))' \
    $(COMPILER_OPTION) $(RULER_OPTIONS)
ASKED = $(if $(filter faster,$(shell sh tests/mk/manifest.sh $(EX) KIND)),\
    --bound '$(shell sh tests/mk/manifest.sh $(EX) BOUND)')

# One layout is shown as any other build makes it: nothing is aligned for measuring's sake.
VARIANT_COMPARED = $(if $(filter one,$(LAYOUTS)),natural,measured)

compare: ## the baseline (or A=) against your tree (or B=), with a verdict; EX= as for bench
	+@$(MEASURED) COPY=$(COPY_A) VARIANT=$(VARIANT_COMPARED)
	+@$(MEASURED) COPY=$(COPY_B) VARIANT=$(VARIANT_COMPARED)
	@$(RULER) compare $(call COMPARE_OPTIONS,$(VARIANT_COMPARED)) $(if $(EX),$(ASKED)) \
	    $(if $(LAYOUTS),--layouts '$(LAYOUTS)')

layouts: ## times N= random layouts of a copy: how far they lie apart, and what of that is noise
	+@$(MEASURED) COPY=$(IMPL) VARIANT=natural
	@$(RULER) layouts --name-a '$(IMPL)' --build-a '$(call MEASURED_BUILD,$(IMPL),natural)' \
	    $(COMPILER_OPTION) $(RULER_OPTIONS) $(if $(N),--count '$(N)') \
	    $(if $(PROCESSES),--processes '$(PROCESSES)') $(if $(FIRST),--layout-a '$(FIRST)')

bench-selfcheck: ## checks that the machine finds no difference where there is none
	+@$(MEASURED) COPY=$(COPY_A)
	@$(RULER) selfcheck $(call COMPARE_OPTIONS)

COPY_C = $(if $(EX),$(if $(filter solution,$(SHOW)),solutions/$(EX)))

counts: ## exact counts per operation, of the baseline and of your tree; SHOW=solution adds EX='s
	@test -z '$(SHOW)' || test -d '$(COPY_C)' || \
	    { echo 'SHOW=solution needs an exercise: make counts EX=m08 SHOW=solution' >&2; exit 2; }
	+@for copy in '$(COPY_A)' '$(COPY_B)' $(COPY_C); do \
	    $(MEASURED) COPY="$$copy" counting || exit; \
	done
	@$(RULER) counts $(call COMPARE_OPTIONS) $(if $(COPY_C),--name-c '$(COPY_C)' \
	    --build-c '$(call MEASURED_BUILD,$(COPY_C))')

# Long, so it runs by itself; what it has is kept, and the next run goes on from there.
CALIBRATION = build/calibration
CALIBRATION_OPTIONS = $(call COMPARE_OPTIONS) --out $(CALIBRATION) --rows get-hit

calibrate: ## finds out, in the background and for hours, how often compare is wrong here
	+@$(MEASURED) COPY=$(COPY_A)
	@$(RULER) calibrate-check $(if $(CELL),--cell '$(CELL)')
	@nohup $(RULER) calibrate $(CALIBRATION_OPTIONS) $(if $(CELL),--cell '$(CELL)') </dev/null \
	    >>$(CALIBRATION).log 2>&1 & \
	    echo "Running as process $$!; end it with: kill $$!"; \
	    echo "What it has: make calibration. What went wrong: $(CALIBRATION).log"

calibration: ## what calibrate has found up to now, or what is in FROM=
	+@$(MEASURED) build/bench/ruler
	@$(RULER) calibration --out $(CALIBRATION) $(if $(FROM),--from '$(FROM)')

# Counts are exact: they are the same twice, with other addresses and another environment.
COUNT_TWICE = $(RULER) counts --name-a '$(IMPL)' --build-a '$(call MEASURED_BUILD,$(IMPL))' \
    --rows 'get-hit set buffer-cycle dirs-new'

bench-test: cmocka ## tests the measuring itself
	+@$(MEASURED) COPY=$(IMPL) tests
	+@$(MEASURED) COPY=$(IMPL) counting
	@$(COUNT_TWICE) >build/bench/counts-once
	@PADDING=$$(printf '%03000d' 0) $(COUNT_TWICE) >build/bench/counts-twice
	@cmp build/bench/counts-once build/bench/counts-twice
