# shellcheck shell=sh
# Functions about copies of minikv, for the scripts here to include.

# The files of a copy in folder "$1", relative to it, one a line: what was built, logs, and what
# only solutions have are left out.
copy_files() {
    (cd "$1" && find . -type f ! -path ./minikv ! -path ./folders ! -name '*.log' \
        ! -path ./DISCUSSION.md ! -path './wrong-turns/*' ! -path './steps/*' \
        ! -path './forms/*' ! -path './new-command/*' ! -path ./figures.list) |
        sed 's|^\./||' | sort
}

# The files in which the copies "$1" and "$2" differ, those that only one of them has included.
copy_changes() {
    { copy_files "$1" && copy_files "$2"; } | sort -u | while IFS= read -r file; do
        cmp -s "$1/$file" "$2/$file" || printf '%s\n' "$file"
    done
}
