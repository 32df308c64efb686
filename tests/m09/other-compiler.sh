#!/bin/sh
# The checklist of m09 once more, with clang where the copy is built with something else, and with
# gcc where it is built with clang.
#
# COPY, BUILD from the environment: the copy's folder, and where it and its tests are built. Exit
# code: 0 ok; 1 failed; 3 there is no second compiler, or no valgrind.
set -eu

test=$BUILD/tests/m09/test_checklist
case ${CC:-cc} in
*clang*) other=gcc ;;
*) other=clang ;;
esac

for tool in "$other" valgrind; do
    command -v "$tool" >/dev/null || {
        echo "$tool is not installed: apt-get install $tool"
        exit 3
    }
done
[ -x "$test" ] || {
    echo "it does not build: make test EX=m09 IMPL=$COPY"
    exit 1
}

said=$(mktemp)
trap 'rm -f "$said"' EXIT
trap 'exit 130' INT TERM HUP
if ! CC=$other MINIKV_SOURCES=$(pwd)/$COPY/src "$test" >"$said" 2>&1; then
    grep 'misses per GET' "$said" || cat "$said"
    exit 1
fi
