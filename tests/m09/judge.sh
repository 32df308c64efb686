#!/bin/sh
# For `git bisect run` within build/m09/history: is the commit that is checked out as good as 1.4?
# Exit code: 0 yes; 1 no, it misses the cache as 1.5 does; 125 cannot be said of this one.
#
#     CC    the compiler that `make releases` was told, gcc or clang
set -eu

cd "$(dirname "$0")/../.."
read -r fast slow <build/m09/limits
CC=${CC:-cc}
make --no-print-directory -f tests/m09/image.mk COPY=build/m09/history CC="$CC" \
    >build/m09/judge.log 2>&1 || exit 125
images=build/build-m09-history/images-$(basename "${CC%% *}")
misses=$(sh tests/m09/points.sh "$images" none:0) || exit 125
echo "$misses" | awk -v fast="$fast" -v slow="$slow" '{
    print "misses: " $3
    exit $3 > (fast + slow) / 2
}'
