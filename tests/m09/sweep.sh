#!/bin/sh
# Misses of a GET over the bytes of code that is never called, as a table and a plot.
#
#     sweep.sh NAME IMAGES
#
# NAME is the copy, IMAGES where image.mk has built it. SITE, FROM, TO, STEP, I1 and OUT are
# explained in commands.mk.
set -eu

name=$1
images=$2
site=${SITE:-middle}
from=${FROM:-0}
to=${TO:-4032}
step=${STEP:-64}
out=${OUT:-build/sweep}

LC_ALL=C
export LC_ALL

case "$from$to$step" in
*[!0-9]*)
    echo 'FROM, TO and STEP are numbers of bytes.' >&2
    exit 2
    ;;
esac
if [ "$step" -eq 0 ] || [ "$from" -gt "$to" ]; then
    echo "FROM=$from TO=$to STEP=$step: there is nothing between." >&2
    exit 2
fi

set --
bytes=$from
while [ "$bytes" -le "$to" ]; do
    set -- "$@" "$site:$bytes"
    bytes=$((bytes + step))
done
mkdir -p "$(dirname "$out")"
sh tests/m09/points.sh "$images" "$@" >"$out.points"
{
    printf 'bytes\tmisses\tinstructions\n'
    awk -v OFS='\t' '{ print $2, $3, $4 }' "$out.points"
} >"$out.tsv"
rm -f "$out.points"

echo "$name: instruction cache misses per GET of an absent key, with so many bytes of code that is"
echo "never called (site: $site; cache: ${I1:-8192,1,64}; $("${CC:-cc}" --version | sed 1q))"
awk -F '\t' 'NR > 1 {
    bar = sprintf("%*s", int($2 + 0.5), "")
    gsub(/ /, "#", bar)
    printf "%6d %7.2f %s\n", $1, $2, bar
    sum += $2
    if (NR == 2 || $2 < least) { least = $2; least_at = $1 }
    if (NR == 2 || $2 > most) { most = $2; most_at = $1 }
}
END {
    printf "least %.2f (at %d), most %.2f (at %d), most - least %.2f, mean %.2f\n", least, \
        least_at, most, most_at, most - least, sum / (NR - 1)
}' "$out.tsv"

if command -v gnuplot >/dev/null && gnuplot >"$out.svg" <<END; then
set terminal svg size 800,400 background "white"
set title "$name" noenhanced
set xlabel "bytes of code that is never called ($site)"
set ylabel "instruction cache misses per GET"
set xrange [$from:$((to + step))]
set yrange [0:*]
set nokey
plot "$out.tsv" every ::1 using 1:2 with steps lw 2 lt 1, \\
    "" every ::1 using 1:2 with points lt 1 pt 7 ps 0.5
END
    echo "plot: $out.svg"
else
    rm -f "$out.svg"
fi
echo "table: $out.tsv"
