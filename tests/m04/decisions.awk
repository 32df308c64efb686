# Prints what is missing in the journal of exercise m04: each patch, found by its name in the column
# "what", has to have been measured, then kept or taken back, for a reason.
#
#     awk -v names="A B C" -f decisions.awk JOURNAL
#
# What happened last to a patch counts, except that what was measured once is measured.

{ gsub(/\\\|/, "\001") }

/^\| *[0-9]+ *\|/ {
    split($0, cell, "|")
    for (i in cell)
        gsub(/^ +| +$/, "", cell[i])
    what = cell[4]
    for (n = split(names, name, " "); n > 0; n--) {
        if (!index(what, name[n]))
            continue
        decided[name[n]] = cell[9] ~ /^kept|^\[taken back\]/
        why[name[n]] = cell[10]
        if (cell[6] != "not measured")
            measured[name[n]] = 1
    }
}

END {
    for (n = 1; n <= split(names, name, " "); n++) {
        if (!(name[n] in decided))
            print name[n] ": no step has this name in its MSG"
        else if (!(name[n] in measured))
            print name[n] ": it was never measured"
        else if (!decided[name[n]])
            print name[n] ": neither kept nor taken back"
        else if (why[name[n]] == "-")
            print name[n] ": no reason is given"
    }
}
