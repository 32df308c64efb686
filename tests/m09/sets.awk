# A callgrind profile by instruction: which cache lines a GET fetches, and which of them fall into
# one set. `cache` is SIZE,WAYS,LINE.

function number_of(hex,    i, n) {
    for (i = 3; i <= length(hex); i++)
        n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return n
}

BEGIN {
    gets = 2000
    split(cache, part, ",")
    ways = part[2]
    line_size = part[3]
    sets = part[1] / ways / line_size
}

/^fn=/ { function_name = substr($0, 4) }

# The line behind it has the costs of what was called.
/^calls=/ { called = 1; next }

/^0x/ {
    if (called) {
        called = 0
        next
    }
    if ($3 < gets)
        next
    line = int(number_of($1) / line_size)
    if (!(line in seen)) {
        seen[line] = 1
        lines++
        set = line % sets
        count[set]++
        in_set[set] = in_set[set] " " line
    }
    if (!((line, function_name) in named)) {
        named[line, function_name] = 1
        names[line] = names[line] (names[line] == "" ? "" : "+") function_name
    }
}

END {
    for (set = 0; set < sets; set++) {
        if (count[set] <= ways)
            continue
        crowded++
        crowding += count[set]
        split(in_set[set], member, " ")
        text = ""
        for (i = 1; i <= count[set]; i++)
            text = text sprintf("  %s (0x%x)", names[member[i]], member[i] * line_size)
        printf "set %3d:%s\n", set, text
    }
    printf "A GET fetches %d lines of %d bytes. The cache has %d sets of %d.\n", lines, line_size, \
        sets, ways
    printf "%d sets have more of them than they can hold: %d lines that push one another out.\n", \
        crowded, crowding
}
