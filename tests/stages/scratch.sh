#!/bin/sh
# Makes a throw-away copy of minikv, for measuring in, with what the exercise hands out for that:
# the files of exercises/EX/scratch, of which README.txt says what to do next. A copy that is there
# already is never touched: each has a number of its own.
#
#     scratch.sh EX COPY
#
# Where the exercise has stages there is then also project/journal/EX-table.txt, for the student's
# own figures.
set -eu

. tests/mk/copies.sh

ex=$1
copy=$2
handout=exercises/$ex/scratch

[ -d "$handout" ] || {
    echo "$ex hands out nothing to measure with: $handout is missing." >&2
    exit 1
}

mkdir -p build/scratch
number=1
until mkdir "build/scratch/$ex-$number" 2>/dev/null; do
    [ -d "build/scratch/$ex-$number" ] || {
        echo "build/scratch/$ex-$number cannot be made." >&2
        exit 1
    }
    number=$((number + 1))
done
folder=build/scratch/$ex-$number
# Until all is there, it is of no use to anybody.
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP

copy_files "$copy" | while IFS= read -r file; do
    mkdir -p "$(dirname "$folder/$file")"
    cp "$copy/$file" "$folder/$file"
done
for file in "$handout"/*; do
    cp "$file" "$folder/${file##*/}"
done
sed "s|@FOLDER@|$folder|" "$handout/README.txt" >"$folder/README.txt"
trap - EXIT

list=tests/$ex/stages/stages.list
table=project/journal/$ex-table.txt
if [ -f "$list" ] && [ ! -e "$table" ]; then
    mkdir -p project/journal
    awk -v form=1 -f tests/stages/own.awk "$list" >"$table.$$"
    # A link is made or fails, so what another command has put there stays.
    ln "$table.$$" "$table" 2>/dev/null || :
    rm -f "$table.$$"
fi

echo "$folder is a throw-away copy of $copy."
echo
cat "$folder/README.txt"
