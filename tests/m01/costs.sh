#!/bin/sh
# Hands out and runs what measures costs.
#
#     costs.sh --hand-out FILE    lays FILE out, for rows of one's own, unless it is there
#     costs.sh                    measures; ROWS, TIMES, GUESS, MINE, DIR and GNUPLOT as for make
#     costs.sh --check-guess      prints the guess in order of size
#
# Exit code: as build/costs/costs says; 2 when FILE cannot be had.
set -eu

given=project/journal/m01-mine.c
form=exercises/m01/guess.txt
guess=project/journal/m01-guess.txt
out=build/costs

hand_out() {
    [ ! -e "$1" ] || return 0
    [ "$1" = "$given" ] || {
        echo "MINE=$1: there is no such file" >&2
        exit 2
    }
    mkdir -p project/journal
    cp exercises/m01/mine.c "$1.$$"
    # A link is made or fails, so what another command has put there stays.
    ln "$1.$$" "$1" 2>/dev/null || :
    rm -f "$1.$$"
}

# Adds the options for the guess to those of the command, which is run.
with_guess() {
    case ${GUESS-} in
    '')
        if [ -f "$guess" ]; then
            "$@" --guess "$guess" --form "$form"
        else
            echo "No guess is there to compare with: make start EX=m01 lays out $guess"
            "$@"
        fi
        ;;
    no) "$@" ;;
    *) "$@" --guess "$GUESS" --form "$form" ;;
    esac
}

case ${1-} in
--hand-out) hand_out "$2" ;;
--check-guess)
    [ -f "$guess" ] || guess=$form
    "$out/costs" --check-guess --guess "$guess" --form "$form"
    ;;
*)
    with_guess "$out/costs" --compiler "$(cat "$out/compiler")" --out "$out" \
        --dir "${DIR:-$out}" --mine "$MINE" --rows "${ROWS-}" --times "${TIMES:-1}" \
        --gnuplot "${GNUPLOT:-gnuplot}"
    ;;
esac
