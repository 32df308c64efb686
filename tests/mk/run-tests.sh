#!/bin/sh
# Runs cmocka programs, one after the other, and adds up.
#
#     run-tests.sh BUILD PROGRAM...
#
# BUILD holds the minikv and folders programs that the tests start, and a file `sources` that names
# the folder they were built from. A program whose tests all pass
# gets one line, any other is shown in full. The last line is "N passed, N failed": every test that
# was announced and did not pass has failed, also when a crash kept it from running.
#
# Exit code: 0 all passed; 1 assertions failed; 2 something else went wrong as well: a program
# crashed, hung, ran no test, ended before its tests did, or badly though no test failed.
#
# TEST_TIMEOUT: the seconds after which a program counts as hanging, where timeout(1) is there.
set -eu

limit=${TEST_TIMEOUT:-600}
build=$1
shift

MINIKV_PROGRAM=$(pwd)/$build/minikv
FOLDERS_PROGRAM=$(pwd)/$build/folders
MINIKV_SOURCES=
[ ! -f "$build/sources" ] || MINIKV_SOURCES=$(pwd)/$(cat "$build/sources")
# What a sanitizer finds has an exit code that minikv itself never has.
ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
UBSAN_OPTIONS=exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
CMOCKA_MESSAGE_OUTPUT=STDOUT
export MINIKV_PROGRAM FOLDERS_PROGRAM MINIKV_SOURCES ASAN_OPTIONS UBSAN_OPTIONS CMOCKA_MESSAGE_OUTPUT

# timeout(1) takes the program into a process group of its own, which Ctrl-C does not reach.
running=
trap 'test -z "$running" || kill "$running"; exit 130' INT TERM HUP

# Runs "$1" with all it says in the file "$2"; the result is its exit code.
run() {
    if command -v timeout >/dev/null; then
        timeout -k 5 "$limit" "$1" >"$2" 2>&1 &
        running=$!
        wait "$running" 2>/dev/null && code=0 || code=$?
        running=
    else
        "$1" >"$2" 2>&1 </dev/null && code=0 || code=$?
    fi
    return "$code"
}

# Prints "passed failed skipped" for the cmocka output in the file "$1".
count() {
    awk '
        /^\[==========\].*Running [0-9]+ test/ {
            match($0, /Running [0-9]+/)
            announced += substr($0, RSTART + 8, RLENGTH - 8)
        }
        /\[       OK \] / { passed++ }
        /^\[  SKIPPED \].* test\(s\), listed below/ {
            match($0, /[0-9]+ test/)
            skipped += substr($0, RSTART, RLENGTH - 5)
        }
        END { printf "%d %d %d\n", passed, announced - passed - skipped, skipped }
    ' "$1"
}

# What was wrong with a program beside failed tests, if anything. Takes its exit code, how many
# tests passed, failed and were skipped, and its output.
trouble() {
    if [ "$1" -eq 124 ] || [ "$1" -eq 137 ]; then
        echo "hung: ended after $limit seconds"
    elif [ "$1" -gt 128 ]; then
        echo "crashed: signal $(($1 - 128))"
    elif grep -q 'Test failed with exception' "$5"; then
        echo 'crashed within a test'
    elif [ "$1" -eq 99 ]; then
        echo 'a sanitizer found something'
    elif [ "$(grep -c '^\[==.* Running ' "$5")" -ne "$(grep -c '^\[==.*(s) run\.$' "$5")" ]; then
        echo "ended before its tests did, exit code $1"
    elif [ $(($2 + $3 + $4)) -eq 0 ]; then
        echo "ran no test, exit code $1"
    elif [ "$1" -ne 0 ] && [ "$3" -eq 0 ]; then
        echo "exit code $1 though no test failed"
    fi
}

all_passed=0
all_failed=0
result=0
for program; do
    name=${program#"$build"/tests/}
    output=$program.output
    rm -f "$output"
    : >"$output"
    run "$program" "$output" && code=0 || code=$?
    counts=$(count "$output")
    # shellcheck disable=SC2086 # three numbers
    set -- $counts
    passed=$1
    failed=$2
    skipped=$3
    trouble=$(trouble "$code" "$passed" "$failed" "$skipped" "$output")
    [ -z "$trouble" ] || [ "$failed" -gt 0 ] || failed=1

    summary="$passed passed, $failed failed"
    [ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
    if [ "$failed" -eq 0 ]; then
        printf 'ok      %-28s %s\n' "$name" "$summary"
    else
        [ "$result" -eq 2 ] || result=1
        [ -z "$trouble" ] || result=2
        printf 'FAILED  %-28s %s%s\n' "$name" "$summary" "${trouble:+; $trouble}"
        sed 's/^/        /' "$output"
    fi
    all_passed=$((all_passed + passed))
    all_failed=$((all_failed + failed))
done

if [ $((all_passed + all_failed)) -eq 0 ]; then
    echo 'There was no test to run.' >&2
    result=2
fi
echo "$all_passed passed, $all_failed failed"
exit "$result"
