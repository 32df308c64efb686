# Reads the table of counts of two copies and prints, on one line, what is not the same in the first
# benchmark's: "allocations 12 -> 6, hash computations 2 -> 1".

/^[^ ].*: / { tables++ }

tables == 1 && /^ / && $(NF - 1) ~ /^[0-9.]+$/ && $NF ~ /^[0-9.]+$/ {
    before = $(NF - 1)
    after = $NF
    NF -= 2
    sub(/^ +/, "")
    kinds++
    if (before != after) {
        if (before >= 1000 && after >= 1000) {
            before = sprintf("%.0f", before)
            after = sprintf("%.0f", after)
        }
        sub(/\.00$/, "", before)
        sub(/\.00$/, "", after)
        text = text (text == "" ? "" : ", ") $0 " " before " -> " after
    }
}

END { print (text == "" && kinds > 0 ? "the same" : text) }
