#!/bin/sh
# Counts what a patch touches: files, places (runs of changed lines), lines added and removed.
#
#     places.sh PATCH...
set -eu

for patch in "$@"; do
    awk -v name="$patch" '
        /^--- /{ next }
        /^\+\+\+ /{ files++; run = 0; next }
        /^@@/ { run = 0; next }
        /^[-+]/ { if (!run) places++; run = 1; if (/^\+/) added++; else removed++; next }
        { run = 0 }
        END { printf "%s: files %d, places %d, lines +%d -%d\n", name, files, places, added, removed }
    ' "$patch"
done
