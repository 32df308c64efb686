#!/bin/sh
# Reads exercise manifests: exercises/mNN/exercise.mk, lines of the form NAME := value.
#
#     manifest.sh mNN NAME     prints one value; nothing when it is empty or missing
#     manifest.sh --list       prints every exercise with its title
set -eu

value() {
    sed -n "s/^$2 *:= *//p" "exercises/$1/exercise.mk"
}

list() {
    printf '\nExercises:\n'
    for manifest in exercises/*/exercise.mk; do
        ex=$(basename "$(dirname "$manifest")")
        printf '  %-16s %s (chapters %s, about %s minutes)\n' "$ex" "$(value "$ex" TITLE)" \
            "$(value "$ex" CHAPTERS)" "$(value "$ex" MINUTES)"
    done
}

case $1 in
--list) list ;;
*) value "$1" "$2" ;;
esac
