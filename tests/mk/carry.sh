#!/bin/sh
# Carries a change of the baseline into every solution: what is new in project/minikv against the
# baseline as it was, file by file, added and removed files included.
#
#     carry.sh [REVISION]    the baseline as it was: that of a git revision, or else solutions/m00
#
# Where the solution has changed the same lines, its file is left as it is; in a folder of this run
# under build/carry lie then the change (.rej) and an attempt at a merge, with conflict markers
# (.merge), to finish by hand. At the very end solutions/m00 becomes the new baseline. Every file is
# replaced at once by its finished successor, and what has been carried already is seen, so an
# interrupted run is simply repeated.
#
# Exit code: 0 all was carried; 1 some of it is left to be done by hand.
set -eu

. tests/mk/copies.sh

new=project/minikv
work=build/carry/$(date +%Y%m%d-%H%M%S)
old=$work/old
left=0

# Prints what became of one file of one solution.
say() {
    printf '%-16s %-24s %s\n' "$2" "$3" "$1"
}

# Puts the file "$1" in the place of "$2".
replace() {
    mkdir -p "$(dirname "$2")"
    cp "$1" "$2.new"
    mv -f "$2.new" "$2"
}

reject() {
    reject_at=$work/$2/$3
    mkdir -p "$(dirname "$reject_at")"
    diff -uN "$old/$3" "$new/$3" >"$reject_at.rej" || :
    say "DOES NOT APPLY: $1; the change is in $reject_at.rej" "$2" "$3"
    left=$((left + 1))
}

# Both the baseline and the solution have changed the file "$2" of the solution "$1".
merge() {
    merged=$work/$1/$2.merge
    mkdir -p "$(dirname "$merged")"
    if diff3 -m -E "$1/$2" "$old/$2" "$new/$2" >"$merged"; then
        if cmp -s "$merged" "$1/$2"; then
            say 'has it already' "$1" "$2"
        else
            replace "$merged" "$1/$2"
            say 'applied, beside the changes of the solution' "$1" "$2"
        fi
        rm -f "$merged"
    else
        reject "the solution has changed the same lines" "$1" "$2"
    fi
}

# Carries the change of the file "$2" into the solution "$1".
carry_file() {
    if [ -f "$new/$2" ] && cmp -s "$1/$2" "$new/$2"; then
        say 'has it already' "$1" "$2"
    elif [ ! -f "$new/$2" ] && [ ! -f "$1/$2" ]; then
        say 'has it already: removed' "$1" "$2"
    elif [ ! -f "$new/$2" ] && cmp -s "$1/$2" "$old/$2"; then
        rm -f "$1/$2"
        say 'removed' "$1" "$2"
    elif [ ! -f "$new/$2" ]; then
        reject 'the baseline has removed what the solution has changed' "$1" "$2"
    elif [ ! -f "$1/$2" ] && [ ! -f "$old/$2" ]; then
        replace "$new/$2" "$1/$2"
        say 'added' "$1" "$2"
    elif [ ! -f "$1/$2" ]; then
        reject 'the solution has removed it' "$1" "$2"
    elif [ ! -f "$old/$2" ]; then
        reject 'both have added it' "$1" "$2"
    elif cmp -s "$1/$2" "$old/$2"; then
        replace "$new/$2" "$1/$2"
        say 'applied' "$1" "$2"
    else
        merge "$1" "$2"
    fi
}

mkdir -p "$old"
if [ $# -gt 0 ]; then
    git archive "$1" "$new" >"$work/old.tar"
    tar -xf "$work/old.tar" -C "$work"
    rm -rf "$old" "$work/old.tar"
    mv "$work/$new" "$old"
else
    cp -R solutions/m00/. "$old"
fi

copy_changes "$old" "$new" >"$work/changes"
if [ ! -s "$work/changes" ]; then
    echo 'The baseline has not changed: there is nothing to carry.'
fi
for solution in solutions/m*; do
    [ "$solution" != solutions/m00 ] || continue
    while IFS= read -r file; do
        carry_file "$solution" "$file"
    done <"$work/changes"
done

copy_changes solutions/m00 "$new" >"$work/changes"
while IFS= read -r file; do
    if [ -f "$new/$file" ]; then
        replace "$new/$file" "solutions/m00/$file"
    else
        rm -f "solutions/m00/$file"
    fi
    say 'as in project/minikv' solutions/m00 "$file"
done <"$work/changes"

if [ "$left" -gt 0 ]; then
    echo "$left to be carried by hand; the baseline as it was is in $old" >&2
    exit 1
fi
