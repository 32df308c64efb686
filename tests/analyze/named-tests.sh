#!/bin/sh
# Every test that docs/reliability.md names must be there, and be run.
set -eu

page=docs/reliability.md
missing=0
names=$(grep -o 'test_[a-z0-9_]*' "$page" | sort -u)
for name in $names; do
    # A file's name, or a test's: in its definition, and in the table of its program.
    if [ -z "$(find tests -name "$name.c")" ] &&
        [ "$(cat tests/*/test_*.c | grep -cw "$name")" -lt 2 ]; then
        echo "$page names $name, which is no test"
        missing=1
    fi
done
[ "$missing" -eq 0 ] && echo "ok      the tests that $page names are there"
exit "$missing"
