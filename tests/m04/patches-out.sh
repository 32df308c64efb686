#!/bin/sh
# Whether the patches that do not pay are out of the copy COPY: one that is in can be taken out.
set -eu

code=0
for name in reply-length hex-digits; do
    if patch -R -p3 -d "$COPY" --dry-run --force --silent \
        <"exercises/m04/patches/$name.patch" >/dev/null 2>&1; then
        echo "$name is in $COPY"
        code=1
    fi
done
exit "$code"
