#!/bin/sh
# Whether the guess is complete: exit code 0 or 1, with what is wrong with it.
set -eu

said=$(sh tests/m01/guess.sh 2>&1) && exit 0
printf '%s\n' "$said"
exit 1
