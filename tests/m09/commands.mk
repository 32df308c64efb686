# The commands of exercise m09: instruction cache misses of a GET of an absent key, simulated.
#
#     IMPL=DIR          the copy (project/minikv)
#     SITE=NAME         sweep: where the code that is never called grows: front, middle or behind
#     FROM=, TO=, STEP= sweep: its bytes (0 to 4032 by 64)
#     I1=SIZE,WAYS,LINE the cache (8192,1,64)
#     FIRST=NAMES       these objects are linked first, in that order
#     OUT=PATH          sweep: PATH.tsv, and PATH.svg where there is gnuplot (build/sweep)
#     A=, B=            misses: two copies

.PHONY: sweep releases misses sets

IMAGES = build/$(patsubst -%,%,$(subst /,-,$(1)))/images-$(notdir $(firstword $(CC)))
CACHE := $(if $(I1),$(I1),8192,1,64)
MAKE_IMAGES = $(MAKE) --no-print-directory -f tests/m09/image.mk

sweep: ## m09: misses of a GET over the growth of code that is never called
	+@$(MAKE_IMAGES) COPY=$(IMPL)
	@SITE='$(SITE)' FROM='$(FROM)' TO='$(TO)' STEP='$(STEP)' I1='$(I1)' OUT='$(OUT)' \
	    sh tests/m09/sweep.sh '$(IMPL)' '$(call IMAGES,$(IMPL))'

releases: ## m09: makes minikv 1.4, 1.5 and the history between them, below build/m09
	+@MAKE='$(MAKE)' CC='$(CC)' I1='$(I1)' sh tests/m09/releases.sh

misses: ## m09: instructions and misses of a GET, by function, of A= and B=
	+@$(MAKE_IMAGES) COPY=$(COPY_A)
	+@$(MAKE_IMAGES) COPY=$(COPY_B)
	@I1='$(I1)' PROFILE=build/m09/a.profile sh tests/m09/points.sh '$(call IMAGES,$(COPY_A))' none:0
	@I1='$(I1)' PROFILE=build/m09/b.profile sh tests/m09/points.sh '$(call IMAGES,$(COPY_B))' none:0
	@awk -v a='$(COPY_A)' -v b='$(COPY_B)' -f tests/m09/misses.awk build/m09/a.profile \
	    build/m09/b.profile

sets: ## m09: which lines of a copy that a GET uses share a set of the cache
	+@$(MAKE_IMAGES) COPY=$(IMPL)
	@I1='$(I1)' PROFILE=build/m09/sets.profile \
	    sh tests/m09/points.sh '$(call IMAGES,$(IMPL))' none:0
	@awk -v cache='$(CACHE)' -f tests/m09/sets.awk build/m09/sets.profile
