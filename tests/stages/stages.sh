#!/bin/sh
# Times the stages of an exercise on one copy of minikv, and shows them beside the guess and the
# student's own table.
#
#     stages.sh EX COPY BUILD OBJECT...
#
# OBJECT...: what the copy's library consists of, built in the folder BUILD. The commands COMPILE,
# LINK, LDLIBS and OBJCOPY are those of tests/mk/copy.mk.
#
# Exit code: 0, also where the copy lacks what some stages need; 1 when nothing could be timed.
set -eu

ex=$1
copy=$2
build=$3/stages
shift 3
from=tests/$ex/stages
list=$from/stages.list
journal=project/journal/$ex

LC_ALL=C
export LC_ALL

[ -f "$list" ] || {
    echo "$ex has no stages: $list is missing." >&2
    exit 1
}
mkdir -p "$build"

# The stages, one a line.
stages() {
    awk '!/^#/ && NF > 1 { print $2 }' "$list"
}

# What the compiler or the linker did not find, out of its complaints in the file "$1"; where it
# complained of something else, its first complaint.
missing() {
    sed -n \
        -e "s/.*undefined reference to .\([a-z_A-Z0-9]*\).*/\1/p" \
        -e "s/.*undefined symbol: \([a-z_A-Z0-9]*\).*/\1/p" \
        -e "s/.*implicit declaration of function '\([^']*\)'.*/\1()/p" \
        -e "s/.*error: '\([^']*\)' undeclared.*/\1/p" \
        -e "s/.*undeclared \(identifier\|function\) '\([^']*\)'.*/\2/p" \
        -e "s/.*has no member named '\([^']*\)'.*/\1/p" \
        -e "s/.*no member named '\([^']*\)' in.*/\1/p" \
        -e "s/.*unknown type name '\([^']*\)'.*/\1/p" \
        -e "s/.*fatal error: \([^:]*\): No such file.*/\1/p" \
        -e "s/.*fatal error: '\([^']*\)' file not found.*/\1/p" \
        "$1" | awk '!seen[$0]++' >"$1.names"
    if [ -s "$1.names" ]; then
        paste -s -d ' ' "$1.names"
    else
        sed -n 's/.*error: //p' "$1" | sed 1q
    fi
}

# Compiles the stage "$1" so that only `stage_NAME` is seen of it. False when the copy lacks
# something.
compile() {
    rm -f "$build/$1.o"
    $COMPILE -fno-lto -Werror=implicit-function-declaration -Werror=incompatible-pointer-types \
        -Werror=int-conversion -I"$copy/src" -Itests/stages \
        -o "$build/$1.all.o" "$from/$1.c" >"$build/$1.log" 2>&1 &&
        $OBJCOPY -G "stage_$1" "$build/$1.all.o" "$build/$1.o"
}

# Links a program "$1" with the stages "$2"...; $objects are the copy's.
link() {
    program=$1
    shift
    {
        printf '#include "stages.h"\n\n'
        [ $# -eq 0 ] || printf 'extern const struct stage stage_%s;\n' "$@"
        printf '\nconst struct stages_entry stages_all[] = {\n'
        [ $# -eq 0 ] || for stage; do
            printf '    {"%s", &stage_%s},\n' "$stage" "$stage"
        done
        printf '    {0},\n};\n'
    } >"$build/table.c"
    $COMPILE -fno-lto -I"$copy/src" -Itests/stages -o "$build/table.o" "$build/table.c"
    for stage; do
        set -- "$@" "$build/$stage.o"
        shift
    done
    # shellcheck disable=SC2086 # lists of files and options
    $LINK -o "$program" "$build/stages.o" "$build/table.o" "$@" $objects $LDLIBS \
        >"$program.log" 2>&1
}

# Puts the stages that compile and link into $timed, and of the others what is missing into the file
# `missing`.
timed=
find_stages() {
    : >"$build/missing"
    for stage in $(stages); do
        if ! compile "$stage"; then
            echo "$stage $(missing "$build/$stage.log")" >>"$build/missing"
        elif ! link "$build/one" "$stage"; then
            echo "$stage $(missing "$build/one.log")" >>"$build/missing"
        else
            timed="$timed $stage"
        fi
    done
}

# The student's guess, into the file `guess`: "NAME PERCENT". Its items are called as in the list.
guess() {
    no_guess=
    if sh tests/loop/guess.sh "$ex" >"$build/items" 2>/dev/null; then
        awk 'NR == FNR { name = $2; sub(/^[^ ]+ +[^ ]+ +/, ""); names[$0] = name; next }
            {
                item = $0
                sub(/\t.*/, "", item)
                sub(/.*\t/, "")
                if (item in names)
                    print names[item], $0
            }' "$list" "$build/items" >"$build/guess"
    else
        : >"$build/guess"
        no_guess="No guess to compare with. make start EX=$ex puts it there, to be filled in:
$journal-guess.txt; make guess EX=$ex tells whether it is complete."
    fi
}

# The student's own table, into the file `own`: "NAME NANOSECONDS".
own() {
    no_own=
    : >"$build/own"
    if [ -f "$journal-table.txt" ]; then
        awk -f tests/stages/own.awk "$list" "$journal-table.txt" >"$build/own"
    fi
    [ -s "$build/own" ] || no_own="No table of your own to compare with. make scratch EX=$ex
makes a place to measure in, and $journal-table.txt to fill in."
}

# The sizes of this processor's caches, as "L1 48K, L2 2048K, L3 300M"; nothing when unknown.
caches() {
    for cache in /sys/devices/system/cpu/cpu0/cache/index*; do
        if [ -r "$cache/size" ] && [ "$(cat "$cache/type")" != Instruction ]; then
            printf 'L%s %s\n' "$(cat "$cache/level")" "$(cat "$cache/size")"
        fi
    done >"$build/caches"
    if [ ! -s "$build/caches" ]; then
        getconf -a 2>/dev/null | awk '
            /^LEVEL(1_D|2_|3_|4_)CACHE_SIZE/ && $2 > 0 {
                printf "L%s %dK\n", substr($1, 6, 1), $2 / 1024
            }' >"$build/caches"
    fi
    paste -s -d ',' "$build/caches" | sed 's/,/, /g'
}

[ ! -t 2 ] || echo "Building the stages of $ex for $copy" >&2
objects=$*
$COMPILE -I"$copy/src" -o "$build/stages.o" tests/stages/stages.c
find_stages
[ -n "$timed" ] || {
    echo "No stage could be built for $copy:" >&2
    sed 's/ /: /' "$build/missing" >&2
    exit 1
}
# shellcheck disable=SC2086 # a list
link "$build/stages" $timed

log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
trap 'exit 130' INT TERM HUP
"$build/stages" "$log/stages.log" >"$build/times"
guess
own
NO_GUESS=$no_guess NO_OWN=$no_own awk -v copy="$copy" -v caches="$(caches)" \
    -f tests/stages/report.awk "$list" "$build/times" "$build/missing" "$build/guess" "$build/own"
