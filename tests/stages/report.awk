# Shows the stages of an exercise: times beside the guess and the student's own table.
#
#     awk -v copy=COPY -v caches="L1 48K, ..." -f report.awk LIST TIMES MISSING GUESS OWN
#
# LIST says what there is (stages.list), TIMES how long each took ("NAME NANOSECONDS"), MISSING what
# a copy lacks for a stage ("NAME WHAT..."), GUESS what was guessed ("NAME PERCENT"), OWN what the
# student measured ("NAME NANOSECONDS"). The last three may be empty. NO_GUESS and NO_OWN, in the
# environment, are what is said then.

FILENAME == ARGV[1] && !/^#/ && NF > 1 {
    name = $2
    order[++count] = name
    kind[name] = $1
    sub(/^[^ ]+ +[^ ]+ +/, "")
    label[name] = $0
}
FILENAME == ARGV[2] { time[$1] = $2 }
FILENAME == ARGV[3] { name = $1; sub(/^[^ ]+ */, ""); missing[name] = $0 }
FILENAME == ARGV[4] { guess[$1] = $2; guessed++ }
FILENAME == ARGV[5] { own[$1] = $2; owned++ }

function cell(values, name, format) {
    return name in values ? sprintf(format, values[name]) : "-"
}

# Of all pairs of parts that both hold, those ordered alike less those ordered the other way.
function tau(a, b,    i, j, x, y, product, pairs, sum) {
    for (i = 1; i <= count; i++) {
        for (j = i + 1; j <= count; j++) {
            x = order[i]
            y = order[j]
            if (kind[x] != "part" || kind[y] != "part" || !(x in a && y in a && x in b && y in b))
                continue
            product = (a[x] - a[y]) * (b[x] - b[y])
            sum += product > 0 ? 1 : product < 0 ? -1 : 0
            pairs++
        }
    }
    return pairs ? sprintf("%+.2f", sum / pairs) : "none: too little to compare"
}

function print_part(name) {
    printf("%-63s %8s %6s", label[name], cell(time, name, "%.1f"),
        name in time && !lacking ? sprintf("%.0f", 100 * time[name] / sum) : "-")
    if (guessed)
        printf " %8s", cell(guess, name, "%.0f")
    if (owned)
        printf " %8s", cell(own, name, "%.1f")
    print ""
}

function print_row(name) {
    printf "%-63s %8s", label[name], cell(time, name, "%.1f")
    if (owned)
        printf " %6s%s %8s", "", guessed ? sprintf(" %8s", "") : "", cell(own, name, "%.1f")
    print ""
}

function print_kind(wanted,    i) {
    for (i = 1; i <= count; i++) {
        if (kind[order[i]] != wanted)
            continue
        if (wanted == "part")
            print_part(order[i])
        else
            print_row(order[i])
    }
}

function print_sum(    i, whole) {
    for (i = 1; i <= count; i++)
        whole = kind[order[i]] == "whole" ? order[i] : whole
    printf "%-63s %8.1f %6s\n\n", "in sum" (lacking ? ", as far as they could be timed" : ""), \
        sum, lacking ? "-" : "100"
    print_kind("whole")
    if (whole in time && time[whole] > 0 && !lacking)
        printf "%-63s %7.0f%%\n", "the sum is of that", 100 * sum / time[whole]
}

function print_ranking() {
    if (!guessed && !owned)
        return
    print "\nSame order? Kendall's tau counts the pairs of parts that both put in the same"
    print "order, less those they put in the opposite order, per pair: +1 is the same order,"
    print "-1 the reverse, and around 0 one says nothing about the other."
    if (guessed)
        printf "  your guess and these times      %s\n", tau(guess, time)
    if (owned)
        printf "  your table and these times      %s\n", tau(own, time)
    if (guessed && owned)
        printf "  your guess and your own table   %s\n", tau(guess, own)
}

function size(bytes) {
    return bytes < 0 ? "unknown" : sprintf("%.1f MiB", bytes / 1048576)
}

END {
    for (i = 1; i <= count; i++) {
        if (kind[order[i]] != "part")
            continue
        parts++
        if (order[i] in time)
            sum += time[order[i]] > 0 ? time[order[i]] : 0
        else
            lacking++
    }

    printf "%s, nanoseconds per call, best of %d rounds of %d calls\n\n", copy, time["rounds"], \
        time["calls"]
    printf "%-63s %8s %6s%s%s\n", parts " parts that do not overlap", "ns", "%", \
        guessed ? sprintf(" %8s", "guess %") : "", owned ? sprintf(" %8s", "own ns") : ""
    print_kind("part")
    print_sum()
    print "\nFiner rows, which overlap with the parts"
    print_kind("row")

    for (i = 1; i <= count; i++) {
        if (order[i] in missing) {
            if (!said++)
                print "\nNot timed, because this tree does not have what they call:"
            printf "  %-12s %s\n", order[i], missing[order[i]]
        }
    }
    print_ranking()

    print "\nWhy parts and whole need not add up: in a tight loop the processor begins the next"
    print "call while the last one still waits for memory, so that their cache misses overlap;"
    print "within a whole GET it cannot look that far ahead, and each piece finds the caches as"
    print "the other pieces left them. And a GET does more than these parts: it is handed over,"
    print "and it keeps its reply. How much that can matter depends on these sizes:"
    printf "  all keys and values   %s\n", size(time["data"])
    printf "  with what holds them  %s (by which the process grew)\n", size(time["memory"])
    printf "  caches                %s\n", \
        caches == "" ? "unknown: this system does not tell" : caches
    if (!guessed)
        print "\n" ENVIRON["NO_GUESS"]
    if (!owned)
        print "\n" ENVIRON["NO_OWN"]
}
