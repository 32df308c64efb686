# Measuring. Included by the Makefile at the top, and by each copy's through tests/mk/impl.mk.
#
#     BENCH=NAMES   which benchmarks (those of EX=, or get-hit get-miss set)
#     KEYS=N        how many keys the store holds (bench: 100000)
#     VALUE=BYTES   how long each value is (100)
#     CHOICE=NAME   how keys are chosen: uniform or zipf (uniform)
#     ROUNDS=N      how often each benchmark is timed (bench: 15, compare: 20)
#     SEED=N        of all that is drawn at random (compare: another one each time)
#     OUT=PATH      where compare leaves PATH.csv, .json and .svg (build/compare)
#     SHOW=solution counts: the solution of EX=, too

.PHONY: bench compare counts bench-selfcheck bench-test calibrate calibration

BENCH ?= $(if $(EX),$(shell sh tests/mk/manifest.sh $(EX) BENCH))
MEASURED = $(MAKE) --no-print-directory -f tests/bench/measured.mk
RULER = build/bench/ruler
MEASURED_BUILD = build/$(patsubst -%,%,$(subst /,-,$(1)))/measured
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
COMPARE_OPTIONS = --name-a '$(COPY_A)' --build-a '$(call MEASURED_BUILD,$(COPY_A))' \
    --name-b '$(COPY_B)' --build-b '$(call MEASURED_BUILD,$(COPY_B))' \
    --compiler "$$($(CC) --version | sed 1q)" $(RULER_OPTIONS)
ASKED = $(if $(filter faster,$(shell sh tests/mk/manifest.sh $(EX) KIND)),\
    --bound '$(shell sh tests/mk/manifest.sh $(EX) BOUND)')

compare: ## the baseline (or A=) against your tree (or B=), with a verdict; EX= as for bench
	+@$(MEASURED) COPY=$(COPY_A)
	+@$(MEASURED) COPY=$(COPY_B)
	@$(RULER) compare $(COMPARE_OPTIONS) $(if $(EX),$(ASKED))

bench-selfcheck: ## checks that the machine finds no difference where there is none
	+@$(MEASURED) COPY=$(COPY_A)
	@$(RULER) selfcheck $(COMPARE_OPTIONS)

COPY_C = $(if $(EX),$(if $(filter solution,$(SHOW)),solutions/$(EX)))

counts: ## exact counts per operation, of the baseline and of your tree; SHOW=solution adds EX='s
	@test -z '$(SHOW)' || test -d '$(COPY_C)' || \
	    { echo 'SHOW=solution needs an exercise: make counts EX=m08 SHOW=solution' >&2; exit 2; }
	+@for copy in '$(COPY_A)' '$(COPY_B)' $(COPY_C); do \
	    $(MEASURED) COPY="$$copy" counting || exit; \
	done
	@$(RULER) counts $(COMPARE_OPTIONS) $(if $(COPY_C),--name-c '$(COPY_C)' \
	    --build-c '$(call MEASURED_BUILD,$(COPY_C))')

# Long, so it runs by itself; what it has is kept, and the next run goes on from there.
CALIBRATION = build/calibration
CALIBRATION_OPTIONS = $(COMPARE_OPTIONS) --out $(CALIBRATION) --rows get-hit

calibrate: ## finds out, in the background and for hours, how often compare is wrong here
	+@$(MEASURED) COPY=$(COPY_A)
	@nohup $(RULER) calibrate $(CALIBRATION_OPTIONS) </dev/null >>$(CALIBRATION).log 2>&1 & \
	    echo "Running as process $$!; end it with: kill $$!"; \
	    echo "What it has: make calibration. What went wrong: $(CALIBRATION).log"

calibration: ## what calibrate has found up to now
	+@$(MEASURED) build/bench/ruler
	@$(RULER) calibration $(CALIBRATION_OPTIONS)

bench-test: cmocka ## tests the measuring itself
	+@$(MEASURED) COPY=$(IMPL) tests
