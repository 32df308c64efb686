#!/bin/sh
# Measures what the discussion of the exercise "$1" says: each line of its figures.list by the ruler.
# Prints a table for the discussion, and what it was measured with.
#
# Exit code: 0 every verdict is one that the list expects, 1 one is not or the ruler failed, 2 the
# list is missing or wrong.
set -eu

ex=$1
list=solutions/$ex/figures.list
work=build/figures/$ex

give_up() {
    echo "figures: $1" >&2
    exit 2
}

trim() {
    printf '%s\n' "$1" | sed 's/^ *//; s/ *$//'
}

# Prints the folder of the side "$1": a copy as it is, or one with a patch, made below build/.
side() {
    base=$(trim "${1%%+*}")
    case $base in
    baseline) folder=solutions/m00 ;;
    solution) folder=solutions/$ex ;;
    *) give_up "$list: a side is the baseline or the solution, not '$base'" ;;
    esac
    case $1 in
    *+*) patched "$folder" "$(trim "${1#*+}")" ;;
    *) echo "$folder" ;;
    esac
}

# The patches are against project/minikv; here they go to a copy with a name of its own.
patched() {
    patch=solutions/$ex/$2
    [ -f "$patch" ] || give_up "$list: there is no $patch"
    copy=$work/$(basename "$2" .patch)
    rm -rf "$copy"
    mkdir -p "$copy"
    cp -R "$1/src" "$copy/src"
    patch -s -p3 -d "$copy" --fuzz=0 <"$patch" >&2 || give_up "$patch does not apply to $1"
    echo "$copy"
}

# Measures one line of the list; its fields are split by '|'.
measure() {
    what=$(trim "$(printf '%s' "$1" | cut -d'|' -f1)")
    a=$(side "$(trim "$(printf '%s' "$1" | cut -d'|' -f2)")")
    b=$(side "$(trim "$(printf '%s' "$1" | cut -d'|' -f3)")")
    bench=$(trim "$(printf '%s' "$1" | cut -d'|' -f4)")
    expected=$(trim "$(printf '%s' "$1" | cut -d'|' -f5)")
    [ -n "$expected" ] || give_up "$list: five fields in each line, not: $1"
    rm -f "$work/compare.json" # of the line before
    "$MAKE" --no-print-directory compare A="$a" B="$b" BENCH="$bench" EX= OUT="$work/compare" \
        >"$work/said" 2>&1 </dev/null || {
        cat "$work/said" >&2
        return 1
    }
    tab=$(printf '\t')
    if [ -f "$work/compare.json" ]; then
        awk -f tests/loop/result.awk "$work/compare.json" >"$work/result"
    else
        # Nothing was timed, for there is nothing to time.
        printf '%s\tsame machine code\t1\t1\t1\n' "$bench" >"$work/result"
    fi
    while IFS=$tab read -r name verdict ratio low high; do
        printf '| %s | %s | %s | %s | %s to %s |\n' "$what" "$name" "$verdict" "$ratio" "$low" "$high"
        case ", $expected, " in
        *", $verdict, "*) ;;
        *)
            echo "figures: $what: the discussion goes with: $expected" >&2
            return 1
            ;;
        esac
    done <"$work/result"
}

[ -f "$list" ] || give_up "$list is missing"
mkdir -p "$work"
grep -v -e '^#' -e '^ *$' "$list" | grep -F -e "${ONLY-}" >"$work/lines" ||
    give_up "no line of $list contains '$ONLY'"

code=0
echo "| what | benchmark | verdict | B's time, A's being 1 | 99 % interval |"
echo '|---|---|---|---|---|'
while IFS= read -r line; do
    measure "$line" || code=1
done <"$work/lines"
echo
echo "Measured on $(date +%Y-%m-%d):"
[ ! -f "$work/compare.json" ] ||
    sed -n 's/^  "\(system\|processor\|compiler\|keys\)": *\(.*\),$/- \1: \2/p' "$work/compare.json"
exit "$code"
