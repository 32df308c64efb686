# Reads one or two files of stacks: for the table and for the flame graph, which come behind it.
#
# After read_all(): sides are "a" and, with a difference, "b"; of each side self[side, function] and
# total[side, function], and of each path of frames node[side, path], all in units per operation;
# functions[] and paths[] hold the names; all[side] is the sum.

# A function by the name that its author knows: what compilers and libraries put around it is gone.
function plain(name) {
    sub(/@.*/, "", name)
    sub(/\.(part|isra|constprop|cold|lto_priv)\..*/, "", name)
    sub(/\.cold$/, "", name)
    sub(/^__GI_+(libc_)?/, "", name)
    if (name ~ /^_*(mem|str)[a-z]+_(avx|sse|ssse|evex|erms|generic)/) {
        sub(/^_+/, "", name)
        sub(/_.*/, "", name)
    }
    return name == "cfree" ? "free" : name
}

function add_stack(side, stack, value,    count, frame, i, path, seen) {
    count = split(stack, frame, ";")
    for (i = 1; i <= count; i++) {
        frame[i] = plain(frame[i])
        path = path ";" frame[i]
        node[side, path] += value
        paths[path] = i
        if (!(frame[i] in seen))
            total[side, frame[i]] += value
        seen[frame[i]]
        functions[frame[i]]
    }
    self[side, frame[count]] += value
    own[side, path] += value
    all[side] += value
}

function read_stacks(side, file, one,    line, value, sum, count, stack, i, values) {
    while ((getline line < file) > 0) {
        value = line
        sub(/.* /, "", value)
        sub(/ [0-9]+$/, "", line)
        stack[++count] = line
        values[count] = value
        sum += value
    }
    close(file)
    for (i = 1; i <= count; i++)
        add_stack(side, stack[i], one * values[i] / sum)
    weight[side] = sum
}

function read_all() {
    read_stacks("a", stacks_a, one_a)
    if (stacks_b != "")
        read_stacks("b", stacks_b, one_b)
}

function share(side, value) {
    return all[side] > 0 ? 100 * value / all[side] : 0
}

function amount(value) {
    return sprintf(unit == "ns" ? "%.1f" : "%.0f", value)
}

# Puts the keys of `names` into order[1...], the greatest of `value` first, equal ones by name.
function sort_by(names, value, order,    name, count, i) {
    for (name in names) {
        for (i = ++count; i > 1 && (value[order[i - 1]] < value[name] || \
                value[order[i - 1]] == value[name] && order[i - 1] > name); i--)
            order[i] = order[i - 1]
        order[i] = name
    }
    return count
}
