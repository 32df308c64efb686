# Says whether a copy's speed depends less on its layout than the baseline's: reads the .json that
# `make layouts` wrote of the baseline, then that of the copy. `bound`: how many times as small the
# copy's spread has to be. Where the baseline has next to none there is nothing to win.
#
# Exit code: 0 yes, or nothing to win; 1 no; 3 too noisy to say.

function number_of(line) {
    sub(/.*: */, "", line)
    sub(/,.*/, "", line)
    return line + 0
}

FNR == 1 { side++ }
/^  "real_spread":/ { real[side] = number_of($0) }
/^  "real_spread_low":/ { low[side] = number_of($0) }
/^  "real_spread_high":/ { high[side] = number_of($0) }

END {
    if (!(1 in high) || !(2 in high)) {
        print "make layouts left no spread to compare"
        exit 1
    }
    printf "spread over layouts: baseline %.2f %% [%.2f, %.2f], yours %.2f %% [%.2f, %.2f]\n", \
        100 * real[1], 100 * low[1], 100 * high[1], 100 * real[2], 100 * low[2], 100 * high[2]
    if (real[1] < 0.008) {
        print "below 0.8 % there is nothing that could become clearly less on this machine"
        exit 0
    }
    if (real[2] * bound <= real[1])
        exit 0
    print "asked for is " bound " times as small"
    exit low[2] * bound <= high[1] ? 3 : 1
}
