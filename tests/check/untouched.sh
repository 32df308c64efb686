#!/bin/sh
# Whether anybody has edited the tests.
#
#     untouched.sh               prints each file below tests/ that was edited or removed
#     untouched.sh --recorded    prints each that is not as recorded, new ones too
#     untouched.sh --record      records them all
#
# Compared is with the commit where there is git, else with tests/check/sums, which every archive
# brings along. New files are the student's own business. Exit code: 0 nothing to print; 1 there was
# something; 3 there is nothing to compare with.
set -eu

sums=tests/check/sums

sum_all() {
    find tests -type f ! -path "$sums" ! -name '*~' ! -name '.*' | LC_ALL=C sort |
        while IFS= read -r file; do
            cksum "$file"
        done
}

# Whether the tree is a git repository of its own, not a folder in somebody else's.
has_git() {
    [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] &&
        git cat-file -e HEAD:tests 2>/dev/null
}

# The files of the lines that only the second of two lists has.
only_in_second() {
    grep -vxFf "$1" "$2" | sed 's/^[0-9]* [0-9]* //' || :
}

sum_now() {
    [ -f "$sums" ] || exit 3
    sum_all >"$now"
}

now=$(mktemp)
trap 'rm -f "$now"' EXIT
case ${1:-} in
--record)
    sum_all >"$now"
    cp "$now" "$sums"
    exit
    ;;
--recorded)
    sum_now
    changed=$({ only_in_second "$now" "$sums" && only_in_second "$sums" "$now"; } | sort -u)
    ;;
*)
    if has_git; then
        changed=$(git diff --name-only HEAD -- tests)
    else
        sum_now
        changed=$(only_in_second "$now" "$sums")
    fi
    ;;
esac
[ -z "$changed" ] || {
    printf '%s\n' "$changed"
    exit 1
}
