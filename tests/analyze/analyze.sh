#!/bin/sh
# Looks at a copy's sources with gcc's analyzer, clang-tidy and cppcheck. What they find is told,
# but for what tests/analyze/exceptions explains; so is an exception that the baseline, the copy
# solutions/m00, does not need any more.
#
#     analyze.sh IMPL GCC CLANG_TIDY CPPCHECK
set -eu

impl=$1
gcc=$2
tidy=$3
cppcheck=$4
here=tests/analyze
language='-std=c17 -D_DEFAULT_SOURCE'

# Everything but matters of taste, and these:
# - which arguments could be swapped, and what names are like, is for people to judge;
# - the functions that Annex K would replace are in no libc that minikv is built with;
# - what printing returns (err33) is asked once, at the end, of the stream.
checks='-*,bugprone-*,cert-*,clang-analyzer-*,misc-*,performance-*,portability-*'
checks="$checks,-bugprone-easily-swappable-parameters,-bugprone-reserved-identifier"
checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling"
checks="$checks,-cert-err33-c,-cert-dcl37-c"

for tool in "$gcc" "$tidy" "$cppcheck"; do
    command -v "$tool" >/dev/null || {
        echo "$tool is missing. On Debian: apt-get install gcc clang-tidy cppcheck" >&2
        exit 1
    }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each tool prints "TOOL FILE CHECK the whole message".
with_gcc() {
    for source in "$impl"/src/*.c; do
        # shellcheck disable=SC2086 # several words
        "$gcc" $language -Wall -Wextra -O2 -fanalyzer -c -o "$work/object" "$source" 2>&1 ||
            echo "$source:1:1: warning: cannot be compiled [compile]"
    done | sed -n 's|^.*/\([^/:]*\):\([0-9]*\):.*warning: \(.*\) \[\([^]]*\)\]$|gcc \1 \4 line \2: \3|p'
}

# One at a time: over several files, clang-tidy 14 takes va_start() for an unknown function.
with_tidy() {
    for source in "$impl"/src/*.c; do
        # shellcheck disable=SC2086
        "$tidy" --quiet --checks="$checks" "$source" -- $language 2>/dev/null
    done | sed -n 's|^.*/\([^/:]*\):\([0-9]*\):[0-9]*: [a-z]*: \(.*\) \[\(.*\)\]$|clang-tidy \1 \4 line \2: \3|p'
}

with_cppcheck() {
    "$cppcheck" --std=c11 --enable=warning,style,performance,portability --quiet \
        --template='cppcheck {file} {id} line {line}: {message}' "$impl/src" 2>&1 |
        sed -n 's|^cppcheck [^ ]*/|cppcheck |p'
}

{ with_gcc && with_tidy && with_cppcheck; } | sort -u >"$work/findings"
awk '!/^#/ && NF { print $1, $2, $3 }' "$here/exceptions" >"$work/exceptions"

awk -v copy="$impl" '
    NR == FNR { expected[$1 " " $2 " " $3] = 1; next }
    ($1 " " $2 " " $3) in expected { met[$1 " " $2 " " $3] = 1; next }
    { print; found++ }
    END {
        for (exception in expected) {
            if (copy == "solutions/m00" && !(exception in met)) {
                print "not found any more, so no exception is needed: " exception
                found++
            }
        }
        exit found > 0
    }
' "$work/exceptions" "$work/findings" || exit 1
echo "ok      gcc -fanalyzer, clang-tidy and cppcheck find nothing in $impl"
