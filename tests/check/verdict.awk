# Prints what a comparison said of its benchmarks, out of the .json of `make compare`. A line for
# each: "NAME VERDICT RATIO LOW HIGH". VERDICT has - for blanks; RATIO is how many times as fast B
# is, LOW to HIGH its interval.

function number_of(line) {
    sub(/.*: */, "", line)
    gsub(/[",]/, "", line)
    return line
}

/"name":/ { name = number_of($0) }
/"verdict":/ { verdict = number_of($0); gsub(/ /, "-", verdict) }
/"log_ratio":/ { ratio = number_of($0) }
/"half_width_99":/ {
    width = number_of($0)
    printf "%s %s %.2f %.2f %.2f\n", name, verdict, exp(-ratio), exp(-ratio - width), \
        exp(-ratio + width)
}
