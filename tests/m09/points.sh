#!/bin/sh
# How many instruction cache misses a GET of an absent key has, when code that is never run has so
# many bytes and stands at that place: simulated, so it is the same each time.
#
#     points.sh IMAGES SITE:BYTES...
#
# IMAGES is a folder that image.mk has built. SITE says where the function that is never called is
# linked: front, before all objects of the copy; middle, between them; behind, after them; none:0 is
# the copy without that function. For each point there is a line "SITE BYTES MISSES INSTRUCTIONS",
# the last two for one GET, and in the misses the program's start, 0.3 or so.
#
#     I1=SIZE,WAYS,LINE   the cache that is simulated (8192,1,64: 8 KB, direct-mapped)
#     PROFILE=FILE        where valgrind leaves what it saw of the last point, by instruction
#
# The last image stays as IMAGES/image. Exit code: 0; 3 valgrind is missing; 1 anything else.
set -eu

images=$1
shift
gets=2000
cache=${I1:-8192,1,64}

LC_ALL=C
export LC_ALL

command -v valgrind >/dev/null || {
    echo 'The cache is simulated by valgrind, which is not installed: apt-get install valgrind' >&2
    exit 3
}

# shellcheck source=/dev/null # written by image.mk
. "$images/commands"

# A folder of its own, for there may be two of these at work.
run=$(mktemp -d "$images/run.XXXXXX")
trap 'rm -rf "$run"' EXIT
trap 'exit 130' INT TERM HUP

# All keys of one length, none of them there: the log is empty.
awk -v gets="$gets" 'BEGIN {
    for (i = 0; i < gets; i++)
        printf "GET not:%08d\n", i * 7919 % 100000
}' >"$run/gets"

# The objects with the pad at the site "$1".
in_order() {
    set -- "$1" "$(echo "${objects:?}" | wc -w)"
    [ "$1" != front ] || echo "$run/pad.o"
    place=0
    for object in $objects; do
        [ "$1" != middle ] || [ "$place" -ne $(($2 / 2)) ] || echo "$run/pad.o"
        echo "$object"
        place=$((place + 1))
    done
    [ "$1" != behind ] || echo "$run/pad.o"
}

# Links an image with "$2" bytes at the site "$1".
make_image() {
    # shellcheck disable=SC2154 # from `commands`
    keep_pad=
    [ "$1" = none ] || keep_pad=-Wl,-u,never_called
    # shellcheck disable=SC2154 # from `commands`
    $compile_pad -DBYTES="$2" -o "$run/pad.o" tests/m09/pad.c
    # shellcheck disable=SC2046,SC2086,SC2154 # lists of files and options
    $link $keep_pad -o "$run/image" $(in_order "$1") $plain $libraries
}

# Simulates it, always in the same place and without an environment, so that nothing that could
# make a difference is another one.
simulate() {
    set -- --dump-instr=no
    [ -z "${PROFILE-}" ] || set -- --dump-instr=yes --compress-strings=no --compress-pos=no
    rm -f "$run/sweep.log"
    (
        cd "$run"
        # So that the log is there: a new one gets a number out of the clock.
        ./image sweep.log </dev/null
        env -i PATH="$PATH" valgrind --tool=callgrind --cache-sim=yes --I1="$cache" \
            --collect-atstart=no --toggle-collect=main --callgrind-out-file=profile "$@" \
            ./image sweep.log <gets >replies 2>said
    ) || {
        echo "valgrind or an image of $images failed:" >&2
        cat "$run/said" >&2
        return 1
    }
    [ "$(grep -c '^(nil)$' "$run/replies")" -eq "$gets" ] || {
        echo "$images: wrong replies, the first of them:" >&2
        sed 3q "$run/replies" >&2
        return 1
    }
}

# "MISSES INSTRUCTIONS" for each of the GETs.
totals() {
    awk -v gets="$gets" '
        /^events:/ { for (i = 2; i <= NF; i++) column[$i] = i }
        /^(totals|summary):/ {
            printf "%.2f %.0f\n", $column["I1mr"] / gets, $column["Ir"] / gets
            exit
        }' "$run/profile"
}

progress() {
    [ ! -t 2 ] || printf '\r\033[K%s' "${1-}" >&2
}

count=0
for point; do
    count=$((count + 1))
    site=${point%:*}
    bytes=${point#*:}
    case $site in
    front | middle | behind | none) ;;
    *)
        echo "$point: a point is front, middle, behind or none, a colon, and bytes" >&2
        exit 1
        ;;
    esac
    progress "... $count of $#: $site, $bytes bytes"
    make_image "$site" "$bytes"
    simulate
    echo "$site $bytes $(totals)"
done
progress
[ $# -eq 0 ] || mv -f "$run/image" "$images/image"
[ -z "${PROFILE-}" ] || { mkdir -p "$(dirname "$PROFILE")" && mv -f "$run/profile" "$PROFILE"; }
