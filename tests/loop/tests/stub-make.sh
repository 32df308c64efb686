#!/bin/sh
# Stands for make in the tests of the loop: what tests and ruler would say, at once.
#
# STUB_TESTS       red: a test fails; broken: nothing compiles
# STUB_VERDICT     what compare finds (faster); same: the same machine code; refused: no comparison
# STUB_RUN         a command that runs while the tests are running
set -eu

command=
for argument; do
    case $argument in
    A=*) a=${argument#A=} ;;
    B=*) b=${argument#B=} ;;
    OUT=*) out=${argument#OUT=} ;;
    *=* | -*) ;;
    *) command=$argument ;;
    esac
done

row() {
    printf '      "name": "%s",\n      "verdict": "%s",\n' "$1" "$2"
    printf '      "log_ratio": %s,\n      "half_width_99": %s,\n' "$3" "$4"
}

case $command in
test-programs) [ "${STUB_TESTS:-}" != broken ] ;;
test)
    sh -c "${STUB_RUN:-:}"
    if [ "${STUB_TESTS:-}" = red ]; then
        echo '40 passed, 2 failed'
        exit 1
    fi
    echo '42 passed, 0 failed'
    ;;
compare)
    [ -f "$a/src/main.c" ] && [ -f "$b/src/main.c" ]
    case ${STUB_VERDICT:-faster} in
    refused) exit 1 ;;
    same) echo 'same machine code' ;;
    *)
        echo 'what the ruler says'
        {
            row get-hit "${STUB_VERDICT:-faster}" -0.356675 0.02
            row get-miss slower 0.03 0.02
            row set 'no change' 0.001 0.004
        } >"$out.json"
        ;;
    esac
    ;;
counts)
    cat <<'END'

get-hit: GET, key is there
  per operation                     A                 B
  allocations                   12.00              6.50
  bytes allocated              627.00            627.00
  system calls                      -                 -
  instructions               12664.31           4132.15

set: SET of a key
  per operation                     A                 B
  allocations                    1.00              2.00
END
    ;;
*)
    echo "stub-make: $*" >&2
    exit 1
    ;;
esac
