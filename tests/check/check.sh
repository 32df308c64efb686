#!/bin/sh
# Goes through the checklist of an exercise: what a machine can judge, a line for each; then what
# only a person can, as questions, with what the journal says about them. tests/EX/check.list is the
# checklist; docs/adding-an-exercise.md says what may stand in it.
#
#     check.sh EX COPY BUILD
#
# BUILD: where COPY is built. SPEED=0 leaves the ruler out. The last line is "score: N/M": of M
# items that could be judged N are ok.
#
# Exit code: 0 no item failed; 1 some did; 2 there is no checklist.
set -eu

ex=$1
copy=$2
build=$3
list=tests/$ex/check.list
journal=project/journal/$ex.md
table=project/journal/$ex-table.txt
work=build/check
jobs=$(getconf _NPROCESSORS_ONLN)

LC_ALL=C
export LC_ALL

[ -f "$list" ] || {
    echo "$ex has no checklist for machines: $list is missing." >&2
    exit 2
}
rm -rf "$work"
mkdir -p "$work"

ok=0
failed=0
skipped=0

# What takes long, on a terminal, on a line that the next one covers.
progress() {
    [ ! -t 1 ] || printf '\r\033[K%s' "${1:+... $1}"
}

# Every judge below says why in this file, if there is anything to say, and returns 0 ok, 1 failed
# or 3 skipped.
said=$work/said

run_make() {
    ${MAKE:-make} --no-print-directory IMPL="$copy" "$@"
}

# The first of what the compiler and the linker complain about in the file "$1".
complaints() {
    grep -E ': (fatal )?error: |: warning: |undefined reference' "$1" | sed 3q
}

# Builds all that tests, once.
build_tests() {
    if [ ! -e "$work/built" ]; then
        progress 'building the tests'
        run_make -j"$jobs" EX="$ex" test-programs >"$work/build.txt" 2>&1 && code=0 || code=$?
        echo "$code" >"$work/built"
    fi
    [ "$(cat "$work/built")" -eq 0 ] || {
        echo "It does not build: $work/build.txt" >"$said"
        # Why is said once.
        [ -e "$work/complaints" ] || complaints "$work/build.txt" | tee "$work/complaints" >>"$said"
        return 1
    }
}

# Runs the exercise's own tests, once. Each leaves what it says in a file .output.
run_checklist() {
    build_tests || return
    if [ ! -e "$work/checklist.txt" ]; then
        progress "running tests/$ex"
        set --
        for source in "tests/$ex"/test_*.c; do
            program=${source%.c}
            set -- "$@" "$build/$program"
        done
        sh tests/mk/run-tests.sh "$build" "$@" >"$work/checklist.txt" 2>&1 || :
        for program; do
            cat "$program.output"
        done >"$work/outputs.txt"
    fi
}

# Judges "test NAME...": each of those tests has passed.
judge_test() {
    run_checklist || return
    for name; do
        grep -q "^\[       OK \] $name\$" "$work/outputs.txt" || {
            awk -v name="$name" -f tests/check/failure.awk "$work/outputs.txt"
        } >>"$said"
    done
    [ ! -s "$said" ] || {
        echo "All of it: make test EX=$ex${copy_option}" >>"$said"
        return 1
    }
}

# Judges "absent RULE": coccinelle finds nothing in the sources. It cannot read all of gcc's
# attributes; those are blanked out. What else it cannot read, it passes over in silence.
judge_absent() {
    command -v spatch >/dev/null || {
        echo 'spatch is missing: make setup installs coccinelle' >"$said"
        return 3
    }
    progress 'reading the sources'
    mkdir -p "$work/src"
    for source in "$copy"/src/*.[ch]; do
        sed -e 's/__attribute__((.*))//' -e 's/_Noreturn//' "$source" >"$work/src/${source##*/}"
    done
    spatch --very-quiet --sp-file "tests/$ex/$1" -U 0 --dir "$work/src" >"$work/matches" \
        2>"$work/spatch.txt" || {
        echo "spatch does not work: $work/spatch.txt" >"$said"
        return 3
    }
    awk -v from="$work/" -v to="$copy/" '
        /^--- / { file = to substr($2, length(from) + 1) }
        /^@@ / { line = -$2 }
        /^-[^-]/ { sub(/^-[ \t]*/, ""); print file ":" line++ ": " $0 }' "$work/matches" >"$said"
    [ ! -s "$said" ] || return 1
    for source in "$work"/src/*.c; do
        spatch --very-quiet --parse-c "$source" 2>&1 | grep -q 'perfect = 1;' ||
            echo "spatch cannot read all of $copy/src/${source##*/}" >>"$said"
    done
    [ ! -s "$said" ] || return 3
}

judge_untouched() {
    sh tests/check/untouched.sh >"$said" && return
    code=$?
    [ "$code" -ne 3 ] || echo 'there is neither git nor a record to compare with' >"$said"
    return "$code"
}

judge_no_warnings() {
    progress 'building with warnings as errors'
    run_make -j"$jobs" BUILD="$work/warnings" WERROR=1 "$work/warnings/minikv" \
        "$work/warnings/folders" >"$work/warnings.txt" 2>&1 || {
        complaints "$work/warnings.txt" >"$said"
        return 1
    }
}

# Judges "tests": all tests that are shared by all copies pass.
judge_tests() {
    build_tests || return
    progress 'running the tests'
    run_make EX= test >"$work/tests.txt" 2>&1 || {
        grep '^FAILED' "$work/tests.txt" >"$said" || :
        echo "All of it: $work/tests.txt" >>"$said"
        return 1
    }
}

# Compares with the baseline, once. Afterwards there is a line for each benchmark in `verdicts`, or
# none where both are the same machine code.
compare() {
    [ "${SPEED:-1}" != 0 ] || {
        echo 'left out: SPEED=0' >"$said"
        return 3
    }
    if [ ! -e "$work/compared" ]; then
        progress 'measuring, which takes a few minutes'
        ${MAKE:-make} --no-print-directory compare EX="$ex" A=solutions/m00 B="$copy" \
            OUT="$work/compare" >"$work/compare.txt" 2>&1 && code=0 || code=$?
        echo "$code" >"$work/compared"
        : >"$work/verdicts"
        [ ! -f "$work/compare.json" ] ||
            awk -f tests/check/verdict.awk "$work/compare.json" >"$work/verdicts"
    fi
    [ "$(cat "$work/compared")" -eq 0 ] && return
    tail -n 2 "$work/compare.txt" >"$said"
    # The machine's fault, not the tree's.
    ! grep -q 'no verdict\|finds differences where there are none' "$work/compare.txt" || return 3
    return 1
}

# Says what was measured of the benchmarks whose verdict is in "$1".
say_verdicts() {
    awk -v which="$1" 'index(" " which " ", " " $2 " ") {
        gsub(/-/, " ", $2)
        printf "%s: %s; %s times as fast [%s, %s]\n", $1, $2, $3, $4, $5
    }' "$work/verdicts" >>"$said"
}

# Judges "faster": the primary benchmark has improved by the bound of the manifest.
judge_faster() {
    compare || return
    bound=$(sh tests/mk/manifest.sh "$ex" BOUND)
    if [ ! -s "$work/verdicts" ]; then
        echo 'the same machine code as the baseline' >"$said"
        return 1
    fi
    sed 1q "$work/verdicts" | {
        read -r name verdict ratio low high
        echo "$name: $ratio times as fast [$low, $high]; asked for is $bound" >"$said"
        case $verdict in
        faster) awk -v ratio="$ratio" -v bound="$bound" 'BEGIN { exit ratio + 0 < bound + 0 }' ;;
        inconclusive) return 3 ;;
        *) return 1 ;;
        esac
    }
}

# Judges "not-slower": no other benchmark of the manifest became slower.
judge_not_slower() {
    compare || return
    # The primary benchmark is judged by `faster`, unless the exercise is about something else.
    case $(sh tests/mk/manifest.sh "$ex" KIND) in
    faster) sed 1d "$work/verdicts" >"$work/others" ;;
    *) cp "$work/verdicts" "$work/others" ;;
    esac
    ! grep -q ' slower ' "$work/others" || {
        grep ' slower ' "$work/others" >"$work/verdicts.slower"
        say_verdicts slower
        return 1
    }
    ! grep -q ' inconclusive ' "$work/others" || {
        say_verdicts inconclusive
        return 3
    }
}

# Judges "no-change": nothing that can be measured has changed.
judge_no_change() {
    compare || return
    ! grep -q ' \(faster\|slower\) ' "$work/verdicts" || {
        say_verdicts 'faster slower'
        return 1
    }
    ! grep -q ' inconclusive ' "$work/verdicts" || {
        say_verdicts inconclusive
        return 3
    }
}

# Times the layouts of the copy "$1"; "$2.json" then says how far they lie apart.
spread() {
    progress "timing the layouts of $1, which takes a minute"
    ${MAKE:-make} --no-print-directory layouts EX="$ex" IMPL="$1" OUT="$2" >"$2.txt" 2>&1 || {
        tail -n 2 "$2.txt" >"$said"
        return 1
    }
}

# Judges "steadier": the primary benchmark depends less on the layout, by the bound of the manifest.
judge_steadier() {
    [ "${SPEED:-1}" != 0 ] || {
        echo 'left out: SPEED=0' >"$said"
        return 3
    }
    spread solutions/m00 "$work/layouts-baseline" && spread "$copy" "$work/layouts" || return 1
    awk -v bound="$(sh tests/mk/manifest.sh "$ex" BOUND)" -f tests/check/steadier.awk \
        "$work/layouts-baseline.json" "$work/layouts.json" >"$said"
}

# Judges "script FILE": what a script of the exercise says, by the same exit codes.
judge_script() {
    COPY=$copy BUILD=$build sh "tests/$ex/$1" >"$said" 2>&1
}

# Judges as "$@" says, in a subshell of its own.
judge() {
    kind=$1
    shift
    case $kind in
    test) judge_test "$@" ;;
    absent) judge_absent "$@" ;;
    untouched) judge_untouched ;;
    no-warnings) judge_no_warnings ;;
    tests) judge_tests ;;
    faster) judge_faster ;;
    not-slower) judge_not_slower ;;
    no-change) judge_no_change ;;
    steadier) judge_steadier ;;
    script) judge_script "$@" ;;
    *)
        echo "$list: there is no such way of judging: $kind" >"$said"
        return 1
        ;;
    esac
}

# Judges one item: $item, $by and $hint.
do_item() {
    : >"$said"
    # shellcheck disable=SC2086 # several words
    (judge $by) && code=0 || code=$?
    progress ''
    case $code in
    0)
        ok=$((ok + 1))
        printf 'ok       %s\n' "$item"
        ;;
    3)
        skipped=$((skipped + 1))
        printf 'skipped  %s\n' "$item"
        ;;
    *)
        failed=$((failed + 1))
        printf 'FAILED   %s\n' "$item"
        ;;
    esac
    [ ! -s "$said" ] || sed 's/^/         /' "$said"
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || [ -z "$hint" ] ||
        printf '         Look at: %s\n' "$hint"
}

# What the journal says, "$1" says how to find it and "$2" what to look for.
look_up() {
    case $1 in
    table)
        [ ! -f "$table" ] || grep '^[^#]*: *[0-9]' "$table" >"$work/table" || return 0
        [ ! -s "$work/table" ] || {
            echo "${table##*/}, last changed $(date -r "$table" '+%F %R'):"
            cat "$work/table"
        }
        ;;
    *) [ ! -f "$journal" ] || awk -v how="$1" -v what="$2" -f tests/check/journal.awk "$journal" ;;
    esac
}

# Asks one question: $question, and $sources, lines of "HOW WHAT".
do_question() {
    printf '?  %s\n' "$question"
    printf '%s\n' "$sources" | while IFS= read -r source; do
        look_up "${source%% *}" "${source#* }"
    done | sed 16q >"$said"
    if [ -s "$said" ]; then
        echo "   Your journal says:"
        sed 's/^/       /' "$said"
    elif [ -f "$journal" ]; then
        echo "   $journal says nothing about it."
    else
        echo "   There is no journal: make start EX=$ex begins one."
    fi
}

# Reads the list: paragraphs of "name: value". "$1" says which are done, item or question.
go_through() {
    item=
    question=
    by=
    hint=
    sources=
    while IFS= read -r line || [ -n "$line" ]; do
        value=${line#*: }
        case $line in
        '#'*) ;;
        item:*) item=$value ;;
        by:*) by=$value ;;
        hint:*) hint=$value ;;
        question:*) question=$value ;;
        journal:*) sources="${sources:+$sources
}$value" ;;
        '')
            [ "$1" != item ] || [ -z "$item" ] || do_item </dev/null
            [ "$1" != question ] || [ -z "$question" ] || do_question </dev/null
            item=
            question=
            by=
            hint=
            sources=
            ;;
        *)
            echo "$list: neither name: value nor # comment: $line" >&2
            exit 2
            ;;
        esac
    done
}

copy_option=
[ "$copy" = project/minikv ] || copy_option=" IMPL=$copy"

# A blank line behind the last paragraph, so that it has an end.
{
    cat "$list"
    echo
} >"$work/list"
echo "$ex, $copy"
echo
go_through item <"$work/list"
if grep -q '^question:' "$work/list"; then
    echo
    echo 'For you to answer; not scored:'
    go_through question <"$work/list"
fi
echo
echo "skipped: $skipped"
echo "score: $ok/$((ok + failed))"
[ "$failed" -eq 0 ]
