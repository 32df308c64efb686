# Crashes: the loss of power by simulation, and kills. Included by the Makefile at the top.
#
#     KILLS=N         how often kill-test kills minikv (100)
#     STATES=N        power-test looks at N random states where there are too many for all (16)
#     HISTORIES=N     power-test loses the power in N random histories (2)
#
# TEST_SEED=N in the environment makes both draw other random numbers.

.PHONY: power-test kill-test

# Where power-test and fuzz.mk make their many small files: they need no device, and are faster
# without one.
RAM_DISK = $(if $(TMPDIR),$(TMPDIR),$(firstword $(wildcard /dev/shm) /tmp))

KILLS ?= 100
STATES ?= 16
HISTORIES ?= 2

POWER_TEST := $(BUILD)/tests/crash/test_power
KILL_TEST := $(BUILD)/tests/crash/test_kill

# Both disk.c and support/faults.c define open() and its like.
$(POWER_TEST): %: %.o $(BUILD)/tests/crash/disk.o $(BUILD)/tests/crash/states.o \
    $(filter-out %/faults.o,$(SUPPORT)) $(LIBRARY)
$(KILL_TEST): %: %.o $(SUPPORT) $(LIBRARY)
$(POWER_TEST) $(KILL_TEST):
	@echo "  LINK  $@"
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(CMOCKA_LIBS) $(LDLIBS)

power-test: $(PROGRAMS) $(POWER_TEST) ## loses the power at every moment, by simulation
	@TMPDIR='$(RAM_DISK)' POWER_SAMPLES='$(STATES)' POWER_ROUNDS='$(HISTORIES)' \
	    sh tests/mk/run-tests.sh $(BUILD) $(POWER_TEST)

kill-test: $(PROGRAMS) $(KILL_TEST) ## kills minikv under load, KILLS= times, and looks for losses
	@KILLS='$(KILLS)' sh tests/mk/run-tests.sh $(BUILD) $(KILL_TEST)
