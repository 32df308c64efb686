#!/bin/sh
# Runs the tests of the loop.
set -eu

for test in tests/loop/tests/test-*.sh; do
    sh "$test" || failed=1
done
exit "${failed-0}"
