# Makes stacks, "CALLER;CALLEE;... INSTRUCTIONS", of what callgrind writes with --separate-callers:
# there a function's name is followed by those of its callers, the innermost first, with ' between.
# Only what is below row_run_all() is kept.

function stack_of(name,    count, part, i, stack) {
    count = split(name, part, "'")
    for (i = 1; i <= count && part[i] != "row_run_all"; i++) {
        if (part[i] !~ /^0x/)
            stack = part[i] (stack == "" ? "" : ";") stack
    }
    return i > count ? "" : stack
}

/^fn=/ {
    id = $0
    sub(/^fn=/, "", id)
    sub(/\).*/, ")", id)
    name = $0
    sub(/^fn=\([0-9]+\) ?/, "", name)
    if (name != "")
        names[id] = name
    stack = stack_of(names[id])
    next
}

/^c?fn=|^cfi|^cob|^ob=|^f[lie]=/ {
    # A name may be given where a function is called, before it is seen itself.
    if (/^cfn=\([0-9]+\) /) {
        id = $0
        sub(/^cfn=/, "", id)
        sub(/\).*/, ")", id)
        name = $0
        sub(/^cfn=\([0-9]+\) /, "", name)
        names[id] = name
    }
    next
}

# The line behind calls= is what the callee took: it has lines of its own.
/^calls=/ { skip = 1; next }

/^[0-9+*-]/ {
    if (!skip && stack != "")
        cost[stack] += $2
    skip = 0
}

END {
    for (stack in cost)
        print stack, cost[stack]
}
