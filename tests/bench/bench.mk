# Measuring. Included by the Makefile at the top, and by each copy's through tests/mk/impl.mk.
#
#     BENCH=NAMES   which benchmarks (those of EX=, or get-hit get-miss set)
#     KEYS=N        how many keys the store holds (bench: 100000)
#     VALUE=BYTES   how long each value is (100)
#     CHOICE=NAME   how keys are chosen: uniform or zipf (uniform)
#     ROUNDS=N      how often each benchmark is timed (bench: 15)

#     SEED=N        of all that is drawn at random (compare: another one each time)
#     OUT=PATH      where compare leaves PATH.csv, .json and .svg (build/compare)

.PHONY: bench compare bench-selfcheck

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

compare: ## the baseline (or A=) against your tree (or B=), with a verdict; EX= as for bench
	+@$(MEASURED) COPY=$(COPY_A)
	+@$(MEASURED) COPY=$(COPY_B)
	@$(RULER) compare $(COMPARE_OPTIONS)

bench-selfcheck: ## checks that the machine finds no difference where there is none
	+@$(MEASURED) COPY=$(COPY_A)
	@$(RULER) selfcheck $(COMPARE_OPTIONS)
