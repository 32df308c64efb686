# What a copy of minikv brings along for its own building. Included by whatever builds one, with SRC
# set to the copy's folder of sources.
#
#     src/flags.mk         sets the variables below; it may use $(SRC), and knows no other name of its
#                          folder, because a copy goes by many
#     COPY_CFLAGS          how the copy's own sources are compiled, behind CFLAGS
#     COPY_LDFLAGS         how they are linked with anything at all, behind LDFLAGS
#     src/*.ld, *.order    files that those flags name
#
# COPY_FILES_SUM changes when one of these files does.

COPY_CFLAGS :=
COPY_LDFLAGS :=
include $(wildcard $(SRC)/flags.mk)
COPY_FILES := $(wildcard $(SRC)/flags.mk $(SRC)/*.ld $(SRC)/*.order)
COPY_FILES_SUM := $(if $(COPY_FILES),$(shell cat $(COPY_FILES) | cksum))
