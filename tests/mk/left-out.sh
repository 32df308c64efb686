#!/bin/sh
# Prints the tests of tests/unit that say nothing about the copy whose sources are in the folder "$1".
#
# Most headers are not frozen: an exercise may give one another interface. A test of such a header
# has a line
#
#      * Only where words.h is the baseline's.
#
# in it, and is left out where a copy has changed that header or has it no more. What a command does
# is tested in tests/facade, in every copy.
set -eu

for test in tests/unit/test_*.c; do
    header=$(sed -n 's/^.*Only where \([a-z0-9_]*\.h\) is the baseline.s\..*$/\1/p;30q' "$test")
    [ -z "$header" ] || cmp -s "solutions/m00/src/$header" "$1/$header" || echo "$test"
done
