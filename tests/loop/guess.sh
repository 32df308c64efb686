#!/bin/sh
# Reads a student's guess.
#
#     guess.sh mNN            prints "item<TAB>percent" for each item, in the order of the page
#     guess.sh --table mNN    prints it for people, the largest first
#
# The guess is project/journal/mNN-guess.txt, or exercises/mNN/guess.txt before `make start` has
# copied that. Its lines have the form "item: number" with or without a % at the end; empty lines
# and those that begin with # mean nothing. The items are those of exercises/mNN/guess.txt, each
# once, and add up to 100. An exercise whose guess is of something else has a tests/mNN/guess.sh of
# its own, which prints it, for people in both cases.
#
# Exit code: 0; or 1 when there is no valid guess, with every fault on stderr as FILE:LINE: fault.
set -eu

table=
[ "$1" != --table ] || {
    table=yes
    shift
}
[ ! -f "tests/$1/guess.sh" ] || exec sh "tests/$1/guess.sh"
form=exercises/$1/guess.txt
guess=project/journal/$1-guess.txt
[ -f "$form" ] || {
    echo "In $1 there is nothing to guess: there is no $form." >&2
    exit 1
}
[ -f "$guess" ] || guess=$form

items=$(LC_ALL=C awk -f tests/loop/guess.awk "$form" "$guess")
if [ -z "$table" ]; then
    printf '%s\n' "$items"
else
    echo "Your guess, $guess:"
    printf '%s\n' "$items" | LC_ALL=C sort -t "$(printf '\t')" -k2,2nr |
        awk -F '\t' '{ printf "%6s %%  %s\n", $2, $1 }'
fi
