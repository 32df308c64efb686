#!/bin/sh
# Runs one fuzz target; what it says is shown only when it fails.
#
#     run.sh BUILD NAME RUNS SEED
set -eu

build=$1
name=$2
corpus=$build/corpus-$name
output=$build/output-$name
mkdir -p "$corpus"

"$build/fuzz_$name" -runs="$3" -seed="$4" -max_len=4096 -timeout=60 -print_final_stats=1 \
    -artifact_prefix="$build/failed-$name-" "$corpus" "tests/fuzz/corpus/$name" \
    >"$output" 2>&1 && code=0 || code=$?
if [ "$code" -ne 0 ]; then
    echo "FAILED  fuzz $name"
    grep -av '^#[0-9]' "$output" | sed 's/^/        /' >&2
    exit 1
fi
done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$output")
reached=$(sed -n 's/^#[0-9]*.* cov: \([0-9]*\).*/\1/p' "$output" | tail -n 1)
echo "ok      fuzz $name: $done inputs, $reached places of the code reached, nothing found"
