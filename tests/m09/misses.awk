# Two callgrind profiles by instruction, with an instruction cache: what a GET costs in each, by
# function. The names of both are in `a` and `b`.

BEGIN { gets = 2000 }

FNR == 1 { side = side == "" ? "a" : "b" }

# "positions: instr", then the columns of "events: Ir Dr Dw I1mr ...".
/^events:/ {
    for (i = 2; i <= NF; i++)
        if ($i == "I1mr")
            column = i + 1
}

/^fn=/ { function_name = substr($0, 4) }

# The line behind it has the costs of what was called.
/^calls=/ { called = 1; next }

/^0x/ {
    if (called) {
        called = 0
        next
    }
    if ($3 >= gets)
        used[function_name] = 1
    instructions[side, function_name] += $3
    misses[side, function_name] += NF >= column ? $column : 0
}

END {
    printf "%-28s %12s %12s\n", "A: " a, "instructions", "misses"
    printf "%-28s %6s %6s %6s %6s %7s\n", "B: " b, "A", "B", "A", "B", "B - A"
    for (name in used) {
        for (s = 1; s <= 2; s++) {
            key = substr("ab", s, 1)
            n[key] = instructions[key, name] / gets
            m[key] = misses[key, name] / gets
            all_n[key] += n[key]
            all_m[key] += m[key]
        }
        moved += m["a"] - m["b"] > 0.5 || m["b"] - m["a"] > 0.5
        printf "%-28s %6.0f %6.0f %6.2f %6.2f %7.2f\n", name, n["a"], n["b"], m["a"], m["b"], \
            m["b"] - m["a"] | "sort -k6nr"
        functions++
    }
    close("sort -k6nr")
    printf "%-28s %6.0f %6.0f %6.2f %6.2f %7.2f\n", "in all", all_n["a"], all_n["b"], all_m["a"], \
        all_m["b"], all_m["b"] - all_m["a"]
    printf "%d functions; in %d of them the misses differ by more than half a miss\n", functions, \
        moved
}
