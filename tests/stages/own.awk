# Reads a student's own table, or prints the form for one.
#
#     awk -v form=1 -f own.awk LIST    the form: "WHAT IT IS: ___ ns" for each stage in LIST
#     awk -f own.awk LIST TABLE        "NAME NANOSECONDS" for each line of TABLE with a number;
#                                      every other that is no comment and not open goes to stderr

function tidy(text) {
    gsub(/[ \t\r]+/, " ", text)
    gsub(/^ | $/, "", text)
    return text
}

function complain(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
}

BEGIN {
    if (form) {
        print "# My own table, in nanoseconds: for `make stages` to show beside its own."
        print "# What I have not measured stays open."
        print ""
    }
}

/^[ \t]*(#|$)/ { next }

NR == FNR {
    name = $2
    sub(/^[^ ]+ +[^ ]+ +/, "")
    names[$0] = name
    if (form)
        printf "%-63s ___ ns\n", $0 ":"
    next
}

{
    at = match($0, /:[^:]*$/)
    item = tidy(at ? substr($0, 1, at - 1) : $0)
    number = tidy(at ? substr($0, at + 1) : "")
    sub(/ ?ns$/, "", number)
    if (!(item in names))
        complain("no such stage: " item)
    else if (number ~ /^([0-9]+\.?[0-9]*|\.[0-9]+)$/)
        print names[item], number
    else if (number !~ /^[_.]*$/)
        complain("\"" number "\" is no number")
}
