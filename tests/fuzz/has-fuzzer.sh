#!/bin/sh
# Succeeds when the compiler can link a fuzz target; otherwise says what is missing.
#
#     has-fuzzer.sh CLANG
set -eu

program=$(mktemp)
trap 'rm -f "$program"' EXIT
echo 'int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size);
int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size) {
    return data == 0 && size != 0;
}' | "$1" -fsanitize=fuzzer,address,undefined -x c -o "$program" - >/dev/null 2>&1 || {
    echo "Fuzzing needs clang and its libFuzzer, and '$1' cannot link with it." >&2
    echo 'On Debian: apt-get install clang libclang-rt-14-dev (the number is that of clang).' >&2
    echo 'CLANG=NAME names another clang.' >&2
    exit 1
}
