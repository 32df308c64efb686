# Prints what a journal says about a question; see docs/adding-an-exercise.md.
#
#     awk -v how=HOW -v what=WHAT -f journal.awk JOURNAL
#
# HOW: "section": the text below the heading that begins with WHAT; "kept": the steps that were
# kept, with their reasons; "lines": the lines that match WHAT, in lower case.

function cell(number) {
    return column[number]
}

# The cells of a Markdown row; \| is no end of one.
function cut_row(line,    count, i) {
    gsub(/\\\|/, "\001", line)
    count = split(line, column, "|")
    for (i = 1; i <= count; i++) {
        gsub(/^ +| +$/, "", column[i])
        gsub(/\001/, "|", column[i])
    }
    return count
}

how == "section" && /^#/ {
    within = index($0, what) > 0 && match($0, /[^# ]/) && substr($0, RSTART, length(what)) == what
    next
}
how == "section" && within && NF > 0 { print }

how == "kept" && /^\| *step *\|/ {
    count = cut_row($0)
    for (i = 1; i <= count; i++)
        at[column[i]] = i
    next
}
how == "kept" && /^\|/ && "decision" in at {
    cut_row($0)
    if (cell(at["decision"]) ~ /^kept/)
        printf "step %s, %s: %s\n", cell(at["step"]), cell(at["what"]), \
            cell(at["why"]) ~ /^-?$/ ? "NO REASON" : cell(at["why"])
}

how == "lines" && tolower($0) ~ what { print }
