# shellcheck shell=sh
# What the tests of the loop have in common, for them to include.
#
# Each works in a throw-away tree of its own, in a folder with blanks in its name, whose copies of
# minikv are a few short files. Only what the loop needs is in it, and no git.

top=$(pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/minikv loop XXXXXX")
trap 'cd "$top"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

tree="$work/a tree"
mkdir -p "$tree/tests" "$tree/exercises/m98" "$tree/exercises/m99" "$tree/project" \
    "$tree/solutions/m00/src/deep" "$tree/build"
cp -R tests/loop tests/mk "$tree/tests/"
cp -R build/loop "$tree/build/"
printf '%s\n' 'TITLE := Something else' 'KIND := steadier' >"$tree/exercises/m98/exercise.mk"
printf '%s\n' 'TITLE := An exercise' 'KIND := faster' >"$tree/exercises/m99/exercise.mk"
printf '# Guess\none part, f(): ___ %%\nthe other:     ___ %%\n' >"$tree/exercises/m99/guess.txt"
(
    cd "$tree/solutions/m00" || exit
    echo 'include ../../tests/mk/impl.mk' >Makefile
    echo 'a discussion' >DISCUSSION.md
    echo 'int main(void) { return 0; }' >src/main.c
    for file in store.c server.c deep/er.c; do
        seq 1 40 | sed "s|^|$file |" >"src/$file"
    done
)
# A real makefile, to see what make does to texts; its commands run the stub instead of make.
cat >"$tree/Makefile" <<'END'
include tests/loop/loop.mk
NEEDS_EX = test -n "$(EX)"
END
cd "$tree" || exit

LOOP_MAKE="$tree/tests/loop/tests/stub-make.sh"
chmod +x "$LOOP_MAKE"
export LOOP_MAKE
project=project/minikv
journals=project/journal

# The code of the last kept step of m99.
kept_src() {
    echo "$journals/m99/steps/$(cat "$journals/m99/kept")/src"
}

# Begins anew: the tree as it is when it has just been unpacked.
fresh() {
    rm -rf "$project" "$journals"
    unset STUB_TESTS STUB_VERDICT STUB_RUN
    mkdir -p "$project"
    cp -R solutions/m00/Makefile solutions/m00/src "$project/"
}

# Runs make with what it says in $work/said; sets `code`.
loop() {
    make --no-print-directory "$@" >"$work/said" 2>&1 && code=0 || code=$?
}

fail() {
    echo "        $*"
    sed 's/^/        | /' "$work/said"
    exit 1
}

succeeds() {
    loop "$@"
    [ "$code" -eq 0 ] || fail "make $* failed"
}

# make fails and says "$1".
refuses() {
    wanted=$1
    shift
    loop "$@"
    [ "$code" -ne 0 ] || fail "make $* did not fail"
    says "$wanted"
}

says() {
    grep -qF -e "$1" "$work/said" || fail "not said: $1"
}

# Sets a variable of stub-make.sh.
stub() {
    export "STUB_$1=$2"
}

there() {
    for file; do
        [ -e "$file" ] || [ -L "$file" ] || fail "missing: $file"
    done
}

same() {
    diff -r "$1" "$2" >"$work/said" 2>&1 || fail "$1 and $2 are not the same"
}

# The last line of the file "$1" is "$2".
ends() {
    [ "$(tail -n 1 "$1")" = "$2" ] || fail "the last line of $1 is not: $2"
}

# The file "$1" has exactly "$2" lines with the text "$3".
has() {
    found=$(grep -cF -e "$3" "$1" || :)
    [ "$found" -eq "$2" ] || {
        cp "$1" "$work/said"
        fail "$1: $found lines with: $3"
    }
}

archives() {
    find "$journals" -path '*/archive/*' -prune -print | wc -l
}

# Runs the functions named, each in a tree of its own.
run_tests() {
    failed=0
    for test; do
        fresh
        rm -rf "$work/was" "$work/kept" "$work/ran"
        ("$test") &
        if wait $!; then
            echo "ok      $test"
        else
            echo "FAILED  $test"
            failed=$((failed + 1))
        fi
    done
    [ "$failed" -eq 0 ]
}
