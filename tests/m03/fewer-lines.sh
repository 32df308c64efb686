#!/bin/sh
# Whether the copy COPY has fewer lines of code than the baseline: blank lines are not counted.
set -eu

lines() {
    cat "$1"/src/*.[ch] | grep -c '[^[:space:]]'
}

before=$(lines solutions/m00)
after=$(lines "$COPY")
echo "$before lines before, $after now"
[ "$after" -lt "$before" ]
