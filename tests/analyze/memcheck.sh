#!/bin/sh
# Runs cmocka programs, and whatever they start, under valgrind's memcheck: no bytes are read that
# were never written, none beyond their bounds, and none are lost.
#
#     memcheck.sh BUILD PROGRAM...
set -eu

build=$1
shift

command -v valgrind >/dev/null || {
    echo 'valgrind is missing. On Debian: apt-get install valgrind' >&2
    exit 1
}

MINIKV_PROGRAM=$(pwd)/$build/minikv
FOLDERS_PROGRAM=$(pwd)/$build/folders
CMOCKA_MESSAGE_OUTPUT=STDOUT
export MINIKV_PROGRAM FOLDERS_PROGRAM CMOCKA_MESSAGE_OUTPUT

failed=0
for program; do
    name=${program#"$build"/tests/}
    # The tests have a malloc() of their own (tests/support/alloc.c), which is to be watched.
    if valgrind -q --trace-children=yes --soname-synonyms=somalloc=NONE --error-exitcode=98 \
        --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        "$program" >"$program.memcheck" 2>&1; then
        echo "ok      memcheck $name"
    else
        echo "FAILED  memcheck $name"
        sed 's/^/        /' "$program.memcheck"
        failed=1
    fi
done
exit "$failed"
