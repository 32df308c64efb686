#!/bin/sh
# Checks what keeps the course honest, one line for each check, with what was wrong below it.
#
# The exercises are those that have a folder in exercises/, the copies those in solutions/: adding
# one changes nothing here. Everything is built under build/verify, with GCC for release and with
# CLANG for the sanitizers, warnings being errors. Exit code: 0 all is well, 1 something is not.
set -eu

. tests/mk/copies.sh

baseline=solutions/m00
work=build/verify
failures=0
running=

# The tests of two builds run side by side; see `trouble` in run-tests.sh for what stops them.
trap 'test -z "$running" || kill $running; exit 130' INT TERM HUP

# Reports on a check: $1 says what, $2 is its exit code, $3 the file with what it said.
report() {
    if [ "$2" -eq 0 ]; then
        printf 'ok      %s\n' "$1"
        return
    fi
    failures=$((failures + 1))
    printf 'FAILED  %s\n' "$1"
    # Of tests, those that passed are not shown.
    grep -ve '^ok ' -e '\[ RUN  ' -e '\[       OK' "$3" | head -n 40 | sed 's/^/        /'
    if [ "$(wc -l <"$3")" -gt 40 ]; then
        cp "$3" "$work/failure-$failures"
        echo "        All of it: $work/failure-$failures"
    fi
}

# Checks: $1 says what, the rest is the command, which is silent when all is well. It runs in a
# subshell of its own.
check() {
    what=$1
    shift
    ("$@") >"$work/said" 2>&1 && code=0 || code=$?
    [ ! -s "$work/said" ] || [ "$code" -ne 0 ] || code=1
    report "$what" "$code" "$work/said"
}

manifest() {
    sh tests/mk/manifest.sh "$1" "$2"
}

exercises() {
    for folder in exercises/*/; do
        basename "$folder"
    done
}

# Whether there is enough of an exercise to look at its solution.
has_solution() {
    [ -f "exercises/$1/exercise.mk" ] && [ -f "solutions/$1/src/main.c" ]
}

# What the sources must be like

identical() {
    copy_changes "$1" "$2" | sed 's/$/ differs/'
}

# Interfaces that no exercise changes. What is behind the prototypes of buffer.h may change.
frozen() {
    for file in Makefile src/minikv.h src/template.h src/rate.h src/dirs.h src/hash.h src/hash.c; do
        cmp "$baseline/$file" "$1/$file" || :
    done
    awk -f tests/mk/prototypes.awk "$1/src/buffer.h" >"$work/prototypes"
    awk -f tests/mk/prototypes.awk "$baseline/src/buffer.h" |
        grep -vxFf "$work/prototypes" | sed 's/^/missing in buffer.h: /'
}

only_named_files() {
    files=" $(manifest "$1" FILES) "
    copy_changes "$baseline" "solutions/$1" | while IFS= read -r file; do
        case $files in
        *" $file "*) ;;
        *) echo "$file differs, but FILES in exercises/$1/exercise.mk does not name it" ;;
        esac
    done
}

# What an exercise must have

manifest_lines() {
    grep -nvE '^(#.*|[A-Z_]+ :=( [^#]*)?|)$' "$1" | sed 's/$/: neither NAME := value nor # comment/'
    for name in TITLE CHAPTERS MINUTES KIND FILES BENCH BOUND TEST_LDFLAGS; do
        [ "$(grep -c "^$name :=" "$1")" -eq 1 ] || echo "$name: must be there, once"
    done
}

manifest_values() {
    needed='TITLE CHAPTERS MINUTES KIND'
    kind=$(manifest "$1" KIND)
    case $kind in
    faster | steadier) needed="$needed FILES BENCH BOUND" ;;
    equivalent) needed="$needed FILES BENCH" ;;
    decision | measuring) ;;
    *) echo "KIND := $kind: there are faster, equivalent, steadier, decision and measuring" ;;
    esac
    for name in $needed; do
        [ -n "$(manifest "$1" "$name")" ] || echo "$name: must not be empty"
    done
    for file in $(manifest "$1" FILES); do
        [ -f "$baseline/$file" ] || [ -f "solutions/$1/$file" ] || echo "FILES: there is no $file"
    done
}

complete() {
    for file in "exercises/$1/README.md" "exercises/$1/exercise.mk" \
        "solutions/$1/src/main.c" "solutions/$1/DISCUSSION.md"; do
        [ -f "$file" ] || echo "$file is missing"
    done
    [ -f "exercises/$1/exercise.mk" ] || return 0
    manifest_lines "exercises/$1/exercise.mk"
    manifest_values "$1"
    has_checklist "$1" || case $(manifest "$1" KIND) in
    decision | measuring) ;;
    *) echo "tests/$1 has no test_*.c" ;;
    esac
}

# Patches of an exercise, and of its discussion: forms, and what adds a command to the solution, are
# against the solution, the others against the baseline. All are there to be tried.
patches_apply() {
    for patch in "exercises/$1/patches/"*.patch "solutions/$1/wrong-turns/"*.patch \
        "solutions/$1/steps/"*.patch "solutions/$1/forms/"*.patch \
        "solutions/$1/new-command/"*.patch; do
        [ -f "$patch" ] || continue
        case $patch in
        */forms/* | */new-command/solution.patch) copy=solutions/$1 ;;
        *) copy=$baseline ;;
        esac
        patch -p3 -d "$copy" --dry-run --force --fuzz=0 <"$patch" >"$work/patched" 2>&1 || {
            echo "$patch does not apply to $copy:"
            cat "$work/patched"
        }
    done
}

# Takes minutes, and the machine for itself: only when asked for.
measures_as_told() {
    make --no-print-directory figures EX="$1" >"$work/figures" 2>&1 || cat "$work/figures"
}

known() {
    [ "$1" = m00 ] || [ -d "exercises/$1" ] || echo "exercises/$1 is missing"
}

# Style

sources() {
    find . -type d \( -name build -o -name .git -o -path ./project/journal \) -prune \
        -o -type f "$@" -print
}

shell_scripts() {
    sources -name '*.sh' | xargs shellcheck && shellcheck .ci/run
}

formatted() {
    sources -name '*.[ch]' | xargs clang-format --dry-run --Werror
}

# Building and testing

has_checklist() {
    for source in "tests/$1"/test_*.c; do
        [ -f "$source" ] && return 0
    done
    return 1
}

# Where the copy "$1" is built with "$2", gcc or clang.
build_folder() {
    echo "$work/${1##*/}-$2"
}

# Makes "$4" of the copy "$1" with "$2", for the exercise "$3" unless that is empty.
make_copy() {
    goal=$4
    case $2 in
    gcc) set -- "$1" "$2" "$3" "CC=$GCC" PROFILE=release ;;
    clang) set -- "$1" "$2" "$3" "CC=$CLANG" PROFILE=san ;;
    esac
    make -j"$(getconf _NPROCESSORS_ONLN)" IMPL="$1" EX="$3" "$4" "$5" WERROR=1 \
        BUILD="$(build_folder "$1" "$2")" "$goal" >"$work/built" 2>&1 || {
        grep -v '^  \(CC\|LINK\) ' "$work/built"
        return 1
    }
}

# Whether what the compiler noted in "$1", of the baseline, is the same in the copy "$2".
includes_same() {
    for header in $(tr ' ' '\n' <"$1" | sed -n "s|^$baseline/\(.*\.h\):*\$|\1|p"); do
        cmp -s "$baseline/$header" "$2/$header" || return
    done
}

# Gives the copy "$1" the baseline's objects, made with "$2", of those tests that include nothing
# in which the two differ: the compiler would make the same again, and most of the time goes there.
# The stamp is older, so make takes them as up to date.
take_objects() {
    from=$(build_folder "$baseline" "$2")
    to=$(build_folder "$1" "$2")
    for object in "$from"/tests/facade/*.o "$from"/tests/unit/*.o "$from"/tests/support/*.o; do
        name=${object#"$from"/}
        if [ -f "$object" ] && includes_same "${object%.o}.d" "$1"; then
            mkdir -p "$to/${name%/*}"
            cp "$object" "$to/$name"
            sed "s|$from/|$to/|g; s|$baseline/|$1/|g" "${object%.o}.d" >"$to/${name%.o}.d"
        fi
    done
}

# Builds the copy "$1" with "$2" and its tests, with the checklist of the exercise "$3" unless that
# is empty.
build() {
    if [ "$1" != "$baseline" ]; then
        make_copy "$1" "$2" "$3" "$(build_folder "$1" "$2")/stamp" || return
        take_objects "$1" "$2"
    fi
    make_copy "$1" "$2" "$3" test-programs
}

# Runs the tests in the folders "$3"... of tests/, as built from the copy "$1" with "$2".
run_tests() {
    folder=$(build_folder "$1" "$2")
    left_out=$(sh tests/mk/left-out.sh "$1/src")
    shift 2
    programs=
    for tests; do
        for source in "tests/$tests"/test_*.c; do
            [ -f "$source" ] || continue
            case " $left_out " in
            *"$source"*) ;;
            *) programs="$programs $folder/${source%.c}" ;;
            esac
        done
    done
    # shellcheck disable=SC2086 # a list of programs
    sh tests/mk/run-tests.sh "$folder" $programs
}

# Its checklist fails on the baseline, and by its assertions.
baseline_fails() {
    build "$baseline" gcc "$1" || return
    run_tests "$baseline" gcc "$1" >"$work/run" 2>&1 && code=0 || code=$?
    case $code in
    0) echo 'all tests passed' ;;
    1) ;;
    *) cat "$work/run" ;;
    esac
}

# Waits for the tests that are running, if any, and reports on them.
finish_tests() {
    [ -n "$running" ] || return 0
    wait "$tests_run" && code=0 || code=$?
    report "$tested: passes the tests$checklist" "$code" "$work/tests"
    wait "$sanitizers_run" && code=0 || code=$?
    report "$tested: the sanitizers find nothing" "$code" "$work/sanitizers"
    running=
}

# Builds the copy "$1", with the checklist of the exercise "$2" unless that is empty, and starts its
# tests. They run while the next copy is being built: finish_tests reports on them.
verify_copy() {
    before=$failures
    check "$1: builds with gcc, without a warning" build "$1" gcc "$2"
    check "$1: builds with clang, without a warning" build "$1" clang "$2"
    built=$((failures == before))
    finish_tests
    [ "$built" -eq 1 ] || return 0
    has_checklist "$2" || set -- "$1"

    tested=$1
    checklist=${2+ and its checklist}
    # shellcheck disable=SC2086 # the exercise may be missing
    run_tests "$1" gcc facade unit ${2-} >"$work/tests" 2>&1 &
    tests_run=$!
    # shellcheck disable=SC2086
    run_tests "$1" clang facade unit ${2-} >"$work/sanitizers" 2>&1 &
    sanitizers_run=$!
    running="$tests_run $sanitizers_run"
}

rm -rf "$work"
mkdir -p "$work"
unset MAKEFLAGS MFLAGS MAKELEVEL

check "project/minikv and $baseline are identical" identical project/minikv "$baseline"
for solution in solutions/*/; do
    id=$(basename "$solution")
    check "solutions/$id: has an exercise" known "$id"
    check "solutions/$id: the frozen interfaces are unchanged" frozen "solutions/$id"
done
for ex in $(exercises); do
    check "$ex: complete" complete "$ex"
    has_solution "$ex" || continue
    check "$ex: the solution differs only where the manifest says so" only_named_files "$ex"
    check "$ex: its patches apply" patches_apply "$ex"
done
check "tests/ is as recorded: make record-tests" sh tests/check/untouched.sh --recorded
check 'shellcheck finds nothing' shell_scripts
check 'clang-format has nothing to change' formatted

verify_copy "$baseline" ''
for ex in $(exercises); do
    has_solution "$ex" || continue
    if has_checklist "$ex"; then
        check "$ex: the baseline fails the checklist" baseline_fails "$ex"
    fi
    verify_copy "solutions/$ex" "$ex"
done
finish_tests
for ex in $(exercises); do
    if [ "${MEASURE-}" = 1 ] && [ -f "solutions/$ex/figures.list" ]; then
        check "$ex: measures as its discussion says" measures_as_told "$ex"
    fi
done

if [ "$failures" -gt 0 ]; then
    echo "$failures checks failed"
    exit 1
fi
echo 'All checks are ok.'
