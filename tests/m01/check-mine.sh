#!/bin/sh
# Whether there is a row of the student's own that measures something: exit code 0 or 1, with why
# not.
set -eu

mine=project/journal/m01-mine.c
said=build/costs/check-mine.txt

sh tests/m01/costs.sh --hand-out "$mine"
mkdir -p build/costs
"${MAKE:-make}" --no-print-directory -f tests/m01/costs/costs.mk MINE="$mine" >"$said" 2>&1 || {
    grep -E ': (fatal )?error: |does not compile' "$said" | sed 3q
    exit 1
}
MINE=$mine ROWS=mine GUESS=no sh tests/m01/costs.sh >"$said" 2>&1 && code=0 || code=$?
awk -v mine="$mine" '
    /^Your own, / { within = 1; next }
    /^$/ { within = 0 }
    within { rows++; print }
    END {
        if (!rows) print "there is no row in " mine
        exit !rows
    }' "$said" && [ "$code" -eq 0 ]
