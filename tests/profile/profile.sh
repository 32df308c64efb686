#!/bin/sh
# Profiles one benchmark on one copy of minikv, or on two for the difference: a table by function
# and a flame graph.
#
#     profile.sh ROW OUT COPY BUILD [COPY BUILD]
#
# ROW: the benchmark, of tests/bench/rows.c. OUT.svg is the flame graph. BUILD holds COPY's worker.
# TOOL: perf or callgrind; empty: perf where it is permitted. KEYS, VALUE: as for `make bench`.
set -eu

row=$1
out=$2
shift 2
here=tests/profile

LC_ALL=C
export LC_ALL

say() {
    [ ! -t 2 ] || echo "$*" >&2
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# Whether the system lets us sample. It may be forbidden (kernel.perf_event_paranoid, containers).
perf_works() {
    command -v perf >/dev/null &&
        perf record -q -e cpu-clock -o "$scratch/try" -- true >/dev/null 2>&1 &&
        [ -s "$scratch/try" ]
}

choose_tool() {
    case ${TOOL:-} in
    perf | callgrind) tool=$TOOL ;;
    '')
        if perf_works; then
            tool=perf
        else
            tool=callgrind
            reason=', because perf is missing or may not be used here'
        fi
        ;;
    *)
        echo "TOOL=$TOOL: there are perf and callgrind" >&2
        exit 2
        ;;
    esac
    if [ "$tool" = callgrind ] && ! command -v valgrind >/dev/null; then
        echo 'A profile needs perf, with the permission to sample, or valgrind. On Debian and' >&2
        echo 'Ubuntu: apt-get install linux-perf (linux-tools-generic on Ubuntu), or valgrind.' >&2
        exit 1
    fi
}

# Sends the requests in the file "$1" to the worker "$2", started by the tool "$3"...; what it
# answers is in the file `answers`.
ask() {
    requests=$1
    worker=$2
    shift 2
    mkdir -p "$scratch/folder"
    "$@" "$worker" --row "$row" --keys "$keys" --value "${VALUE:-100}" \
        --folder "$scratch/folder" --log "$scratch/log" \
        <"$requests" >"$scratch/answers" 2>"$scratch/said" && code=0 || code=$?
    if [ "$code" -ne 0 ] || ! grep -q '^time' "$scratch/answers"; then
        cat "$scratch/said" >&2
        echo "The profile of $row ended early: exit code $code." >&2
        exit 1
    fi
}

# What one operation of the worker "$1" takes, in nanoseconds: the best of five times "$2".
time_of_one() {
    for seed in 1 2 3 4 5; do
        echo "run $seed 100 $2"
    done >"$scratch/requests"
    ask "$scratch/requests" "$1" env
    awk -v count="$2" '
        $1 == "time" && (best == "" || $2 < best) { best = $2 }
        END { printf "%.2f\n", best / count }' "$scratch/answers"
}

# How many operations of $one nanoseconds take about "$1" seconds.
operations() {
    awk -v one="$one" -v seconds="$1" 'BEGIN {
        count = seconds * 1e9 / (one > 1 ? one : 1)
        count = count < 100 ? 100 : count
        printf("%d\n", count < 20000000 ? count : 20000000)
    }'
}

# Samples: the stacks of the worker in the folder "$1" into its file `stacks`, and what one
# operation takes into `one`. Only what the harness calls through row_run_all() is looked at, so
# that filling the store is left out.
sample() {
    keys=${KEYS:-100000}
    rm -f "$scratch/log"
    one=$(time_of_one "$1/worker" 1000)
    one=$(time_of_one "$1/worker" "$(operations 0.2)")
    echo "$one" >"$1/one"
    echo "run 2 1000 $(operations 4)" >"$scratch/requests"
    ask "$scratch/requests" "$1/worker" \
        perf record -q -e cpu-clock -F 1997 --call-graph dwarf,4096 -o "$scratch/perf.data" --
    perf script -i "$scratch/perf.data" --no-inline -F ip,sym,dso 2>/dev/null |
        awk -f $here/stacks-perf.awk >"$1/stacks"
}

# The same by counting instructions. Few keys do: their number hardly changes the instructions.
count() {
    keys=${KEYS:-10000}
    rm -f "$scratch/log"
    operations=10000
    echo "run 2 100 $operations" >"$scratch/requests"
    ask "$scratch/requests" "$1/worker" valgrind -q --tool=callgrind --collect-atstart=no \
        '--toggle-collect=row_run_all*' --separate-callers=60 --callgrind-out-file="$scratch/out"
    awk -f $here/stacks-callgrind.awk "$scratch/out" >"$1/stacks"
    awk -v count="$operations" '{ sum += $NF } END { printf "%.2f\n", sum / count }' \
        "$1/stacks" >"$1/one"
}

reason=
choose_tool
names=
for argument; do
    if [ -z "$names" ]; then
        names=$argument
        continue
    fi
    say "Profiling $names by $tool"
    if [ "$tool" = perf ]; then
        sample "$argument"
    else
        count "$argument"
    fi
    [ -s "$argument/stacks" ] || {
        echo "$tool saw nothing of $row on $names." >&2
        exit 1
    }
    names=
done

if [ "$tool" = perf ]; then
    unit=ns
    echo "$row, by perf: where the program was at 1997 moments a second"
else
    unit=instructions
    echo "$row, by callgrind: instructions, which are not time$reason"
fi
colour=0
[ ! -t 1 ] || colour=1
set -- -v unit="$unit" -v row="$row" -v colour="$colour" \
    -v name_a="$1" -v one_a="$(cat "$2/one")" -v stacks_a="$2/stacks" \
    -v name_b="${3-}" -v one_b="$(cat "${4-$2}/one")" -v stacks_b="${4:+$4/stacks}"
awk "$@" -f $here/stacks.awk -f $here/table.awk
mkdir -p "$(dirname "$out")"
awk "$@" -f $here/stacks.awk -f $here/flame.awk >"$out.svg"
echo
echo "Flame graph, for a browser: $out.svg"
