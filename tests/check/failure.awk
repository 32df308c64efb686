# Says in one line why a cmocka test did not pass.
#
#     awk -v name=TEST -f failure.awk OUTPUT

$0 == "[ RUN      ] " name { within = 1; next }
within && /^\[ RUN |^\[  FAILED|^\[       OK/ { within = 0 }
!within { next }

/error: Failure!/ {
    place = $0
    sub(/: error: Failure!.*/, "", place)
    sub(/.*--- /, "", place)
    next
}

why == "" && NF > 0 {
    why = $0
    sub(/^(\[  ERROR   \] ---|ERROR:) */, "", why)
}

END { print name ": " (why == "" ? "did not pass" : why) (place == "" ? "" : ", " place) }
