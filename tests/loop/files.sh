# shellcheck shell=sh
# Functions about files that must not get lost, for the scripts here to include.
#
# Whatever is written is made in the folder $making, brought to the disk and then renamed, so that
# at any moment there is either the old or the new. Nobody needs what an interruption leaves there.

# What a step or an archive holds of the folder "$1": the files' names relative to it, one a line.
# Built programs, logs, hidden files and editors' backups are left out; they are never touched
# either.
tree_files() {
    [ -d "$1" ] || return 0
    (
        cd "$1" || exit
        find . \( -name '.?*' -o -name '*~' -o -name '#*#' -o -name '*.log' \
            -o -path ./minikv -o -path ./folders \) -prune -o \( -type f -o -type l \) -print |
            sed 's|^\./||' | while IFS= read -r file; do
            [ ! -f "$file" ] || printf '%s\n' "$file"
        done
    )
}

# The files in which the folders "$1" and "$2" differ, those that only one of them has included.
tree_changes() {
    { tree_files "$1" && tree_files "$2"; } | LC_ALL=C sort -u | while IFS= read -r file; do
        cmp -s "$1/$file" "$2/$file" || printf '%s\n' "$file"
    done
}

tree_same() {
    [ -z "$(tree_changes "$1" "$2")" ]
}

flush() {
    build/loop/flush "$@"
}

# Copies what tree_files finds in "$1" into the folder "$2".
tree_copy() {
    mkdir -p "$2"
    tree_files "$1" | while IFS= read -r file; do
        copy=$2/$file
        mkdir -p "${copy%/*}" && cp -p "$1/$file" "$copy" || exit
    done
}

# Gives the folder $making/tree its name "$1". There must be nothing of that name yet.
settle() {
    [ ! -e "$1" ] || die "$1 is there already."
    mkdir -p "${1%/*}"
    flush -r "${making:?}/tree"
    mv "$making/tree" "$1"
    flush "${1%/*}"
}

# Removes a folder at once: half of it never passes for the whole.
remove() {
    mv "$1" "$making/removed"
    rm -rf "$making/removed"
}

# Makes what it reads the content of the file "$1".
put() {
    cat >"$making/file"
    flush "$making/file"
    mv -f "$making/file" "$1"
    flush "${1%/*}"
}

# Makes the file "$1/$3" what "$2/$3" is, there or not. Fails if it is neither that nor what
# "$4/$3" is: then it would be lost.
restore_file() {
    ! cmp -s "$1/$3" "$2/$3" || return 0
    [ ! -e "$1/$3" ] || cmp -s "$1/$3" "$4/$3" || return 1
    if [ ! -f "$2/$3" ]; then
        rm -f "$1/$3"
        return
    fi
    restored=$1/$3
    mkdir -p "${restored%/*}" && cp "$2/$3" "$making/file" && flush "$making/file" &&
        mv -f "$making/file" "$restored"
}

# Makes the code in folder "$1" what it is in "$2", file by file: files that are the same keep their
# times. Replaces and removes only what is safe in "$3", and fails when it meets anything else.
restore() {
    mkdir -p "$1"
    code_changes "$1" "$2" | while IFS= read -r file; do
        restore_file "$1" "$2" "$file" "$3" || exit
    done || return
    flush -r "$1/src"
}

# As tree_changes, for what counts as code in a copy of minikv.
code_changes() {
    tree_changes "$1/src" "$2/src" | sed 's|^|src/|'
    cmp -s "$1/Makefile" "$2/Makefile" || printf 'Makefile\n'
}

code_same() {
    [ -z "$(code_changes "$1" "$2")" ]
}
