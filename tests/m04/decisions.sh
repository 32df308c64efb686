#!/bin/sh
# Whether the journal has a measurement, a decision and a reason for each of the patches.
set -eu

journal=project/journal/m04.md
[ "$COPY" = project/minikv ] || {
    echo "a journal goes with project/minikv, not with $COPY"
    exit 3
}
[ -f "$journal" ] || {
    echo "there is no $journal: make start EX=m04"
    exit 1
}
missing=$(awk -v names='reply-length hex-digits push-byte' -f tests/m04/decisions.awk "$journal")
[ -z "$missing" ] || {
    printf '%s\n' "$missing"
    exit 1
}
