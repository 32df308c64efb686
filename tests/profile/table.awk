# The table by function; see stacks.awk.

function print_one(    name, value, order, count, i) {
    printf "%s: %s %s per operation\n\n", name_a, amount(one_a), unit
    printf "%10s %7s %10s %7s  %s\n", "self", "%", "total", "%", "function"
    for (name in functions)
        value[name] = self["a", name]
    count = sort_by(functions, value, order)
    for (i = 1; i <= count; i++) {
        name = order[i]
        if (share("a", self["a", name]) >= 0.5 || share("a", total["a", name]) >= 2)
            printf "%10s %7.1f %10s %7.1f  %s\n", amount(self["a", name]), \
                share("a", self["a", name]), amount(total["a", name]), \
                share("a", total["a", name]), name
    }
}

function signed(change) {
    return (change > 0 ? "+" : "") amount(change)
}

function paint(change, text) {
    if (!colour || share("a", change) < 1 && share("a", change) > -1)
        return text
    return sprintf("\033[%dm%s\033[0m", change > 0 ? 31 : 34, text)
}

function print_difference(    name, value, order, count, i, change, text) {
    printf "A: %s: %s %s per operation\n", name_a, amount(one_a), unit
    printf "B: %s: %s %s per operation\n\n", name_b, amount(one_b), unit
    printf "%10s %10s %10s %10s %10s %10s  %s\n", "self A", "self B", "B - A", "total A", \
        "total B", "B - A", "function"
    for (name in functions) {
        change = self["b", name] - self["a", name]
        value[name] = change < 0 ? -change : change
    }
    count = sort_by(functions, value, order)
    for (i = 1; i <= count; i++) {
        name = order[i]
        change = self["b", name] - self["a", name]
        if (share("a", value[name]) < 0.5 && share("a", total["a", name]) < 2)
            continue
        text = sprintf("%10s %10s %10s %10s %10s %10s  %s", amount(self["a", name]), \
            amount(self["b", name]), signed(change), amount(total["a", name]), \
            amount(total["b", name]), signed(total["b", name] - total["a", name]), name)
        print paint(change, text)
    }
}

BEGIN {
    read_all()
    if (stacks_b == "")
        print_one()
    else
        print_difference()
    print ""
    print "self: in the function itself; total: with what it calls. What the compiler put into its"
    print "caller counts there. Small differences are chance: make compare judges speed."
}
