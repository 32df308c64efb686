#!/bin/sh
# Runs a copy's tests, built for coverage, and tells which lines and branches of the copy's sources
# they ran, the programs that the tests started included. Nothing is left out. Fails below the
# bounds.
#
#     coverage.sh IMPL LINES BRANCHES BUILD PROGRAM...
#
# LINES, BRANCHES: the least that is enough, in percent. BUILD, PROGRAM: as for run-tests.sh.
#
# GCOV: the program that reads the compiler's counts.
set -eu

impl=$1
lines=$2
branches=$3
shift 3
build=$1
html=$build/html

command -v gcovr >/dev/null || {
    echo 'gcovr is missing: make setup' >&2
    exit 1
}

# The counts add up over all processes, so those of an earlier run have to go.
find "$build" -name '*.gcda' -exec rm -f {} +
sh tests/mk/run-tests.sh "$@"

rm -rf "$html"
mkdir -p "$html"
gcovr --root . --filter "$impl/src/" --gcov-executable "$GCOV" \
    --txt --html-details "$html/index.html" --print-summary \
    --fail-under-line "$lines" --fail-under-branch "$branches" "$build" && code=0 || code=$?
echo "Line by line: $html/index.html"
[ "$code" -eq 0 ] || echo "Wanted: $lines % of the lines, $branches % of the branches." >&2
exit "$code"
