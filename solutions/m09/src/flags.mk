# The way of a GET is linked in one piece, apart from the rest: hot.ld says what belongs to it. For
# that each function needs a section of its own.
COPY_CFLAGS := -ffunction-sections
COPY_LDFLAGS := -Wl,-T,$(SRC)/hot.ld
