#!/bin/sh
# Makes the two releases of the exercise and the history between them:
#
#     build/m09/1.4, build/m09/1.5    the sources of each, a copy of minikv
#     build/m09/history               a git repository, with the tags v1.4 and v1.5
#
# 1.4 is the baseline with one function more, log_salvage(), which nothing calls. 1.5 is ten commits
# later; one of them lets that function grow by 408 bytes, the others change no instruction. How
# long the function is in 1.4 is searched for: so that the growth costs as many instruction cache
# misses as it can with this compiler. What is found is kept until something changes.
#
#     releases.sh            makes them
#     releases.sh --check    only sees whether the patches apply, and leaves nothing
#
# CC, MAKE and I1 from the environment. Exit code: 0; 3 valgrind is missing; 1 anything else.
set -eu

from=exercises/m09/releases
to=build/m09
growth=408
make=${MAKE:-make}

LC_ALL=C
export LC_ALL

command -v patch >/dev/null || {
    echo 'The releases are made with patch, which is not installed: apt-get install patch' >&2
    exit 1
}

# Applies the patch "$2" to the copy "$1".
apply() {
    patch -s -p0 -d "$1" --no-backup-if-mismatch <"$2" || {
        echo "$2 does not apply: has the baseline been changed?" >&2
        return 1
    }
}

# The copy "$1" as release 1.4, with the length of log_salvage() left open.
make_open() {
    rm -rf "$1"
    mkdir -p "$1"
    cp -R solutions/m00/src "$1/src"
    apply "$1" "$from/1.4.patch"
}

# Gives log_salvage() in the copy "$1" the length "$2".
set_length() {
    sed "s/@BYTES@/$2/" "$1/src/log.c" >"$1/log.c"
    mv "$1/log.c" "$1/src/log.c"
}

build_images() {
    "$make" --no-print-directory -f tests/m09/image.mk COPY="$1" CC="$CC" >"$to/build.log" 2>&1 || {
        cat "$to/build.log" >&2
        return 1
    }
}

images_of() {
    echo "build/$(echo "$1" | tr / -)/images-$(basename "${CC%% *}")"
}

# The misses of the copy "$1" as it is.
misses_of() {
    build_images "$1" || return
    sh tests/m09/points.sh "$(images_of "$1")" none:0 >"$to/point" || return
    awk '{ print $3 }' "$to/point"
}

progress() {
    [ ! -t 2 ] || printf '\r\033[K%s' "${1-}" >&2
}

# The misses with lengths of 1024 to 3008 bytes, and with 408 more: into search.tsv.
search() {
    copy=$to/search
    make_open "$copy"
    cp "$copy/src/log.c" "$to/log.c.open"
    : >"$to/search.partial"
    bytes=1024
    while [ "$bytes" -le 3008 ]; do
        for length in "$bytes" $((bytes + growth)); do
            progress "... searching: log_salvage() of $length bytes"
            cp "$to/log.c.open" "$copy/src/log.c"
            set_length "$copy" "$length"
            misses=$(misses_of "$copy") || return
            printf '%d\t%s\t' "$length" "$misses"
        done >>"$to/search.partial"
        echo >>"$to/search.partial"
        bytes=$((bytes + 128))
    done
    progress
    mv "$to/search.partial" "$to/search.tsv"
}

# What the search depends on.
inputs() {
    echo "$CC ${I1-} $("${CC%% *}" --version | sed 1q)"
    cat solutions/m00/src/*.[ch] "$from/1.4.patch" tests/m09/*.[cs]* tests/m09/image.mk | cksum
}

commit() {
    git -C "$to/history" add -A
    GIT_AUTHOR_DATE="$2" GIT_COMMITTER_DATE="$2" git -C "$to/history" -c user.name=minikv \
        -c user.email=minikv@example.org -c commit.gpgsign=false commit -q -m "$1"
}

# A repository with 1.4 and the commits up to 1.5.
make_history() {
    rm -rf "$to/history"
    mkdir -p "$to/history"
    cp -R "$to/1.4/src" "$to/history/src"
    git -C "$to/history" init -q
    commit 'minikv 1.4' '2026-03-02T09:00:00Z'
    git -C "$to/history" tag v1.4
    day=3
    for patch in "$from/1.5"/*.patch; do
        apply "$to/history" "$to/patches/${patch##*/}"
        commit "$(sed 1q "$patch")" "$(printf '2026-03-%02dT09:00:00Z' $day)"
        day=$((day + 1))
    done
    git -C "$to/history" tag v1.5
}

# The sources of both, with log_salvage() of "$1" bytes in 1.4.
make_sources() {
    # Patches that show the line with the length have to show the right one.
    rm -rf "$to/patches"
    mkdir -p "$to/patches"
    make_open "$to/1.4"
    set_length "$to/1.4" "$1"
    rm -rf "$to/1.5"
    cp -R "$to/1.4" "$to/1.5"
    for patch in "$from/1.5"/*.patch; do
        sed "s/@BYTES@/$1/" "$patch" >"$to/patches/${patch##*/}"
        apply "$to/1.5" "$to/patches/${patch##*/}"
    done
}

if [ "${1-}" = --check ]; then
    to=$(mktemp -d)
    trap 'rm -rf "$to"' EXIT
    trap 'exit 130' INT TERM HUP
    make_sources 2048
    exit
fi

mkdir -p "$to"
CC=${CC:-cc}
inputs >"$to/inputs.new"
if ! cmp -s "$to/inputs.new" "$to/inputs" || [ ! -f "$to/search.tsv" ]; then
    search
    mv "$to/inputs.new" "$to/inputs"
fi
rm -f "$to/inputs.new"
# LENGTH MISSES LENGTH MISSES of the pair that is furthest apart.
awk '{ d = $4 - $2 } NR == 1 || d > most { most = d; pair = $0 } END { print pair }' \
    "$to/search.tsv" >"$to/pair"
read -r length fast _ slow <"$to/pair"

make_sources "$length"
if command -v git >/dev/null; then
    make_history
else
    echo 'Without git there is no history to bisect: apt-get install git' >&2
fi

echo "$fast $slow" >"$to/limits"
cat <<END
With $("${CC%% *}" --version | sed 1q)
    $to/1.4: $fast instruction cache misses per GET of an absent key
    $to/1.5: $slow
    $to/history: the commits from v1.4 to v1.5
The pair with the largest difference of 16 that were tried: $to/search.tsv
END
