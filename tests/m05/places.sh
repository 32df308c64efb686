#!/bin/sh
# Counts what a patch touches: files, places (runs of changed lines), lines added and removed.
#
#     places.sh PATCH...
set -eu

if [ $# -eq 0 ]; then
    echo 'usage: places.sh PATCH...   a patch is what diff -ru prints' >&2
    exit 2
fi
for patch in "$@"; do
    if [ ! -f "$patch" ] || [ ! -r "$patch" ]; then
        echo "places.sh: $patch cannot be read; diff -ru OLD NEW >$patch makes a patch" >&2
        exit 2
    fi
    awk -v name="$patch" '
        /^--- /{ next }
        /^\+\+\+ /{ files++; run = 0; next }
        /^@@/ { run = 0; next }
        /^[-+]/ { if (!run) places++; run = 1; if (/^\+/) added++; else removed++; next }
        { run = 0 }
        END { printf "%s: files %d, places %d, lines +%d -%d\n", name, files, places, added, removed }
    ' "$patch"
done
