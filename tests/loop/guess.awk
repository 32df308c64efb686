# Reads the form of a guess, then the guess: see guess.sh.

function fault(line, what) {
    printf "%s:%s%s\n", guess, line == "" ? "" : line ":", " " what >"/dev/stderr"
    failed = 1
}

# Cuts the line in two at its last colon: sets `item` and `number`.
function cut(    at) {
    at = match($0, /:[^:]*$/)
    item = at > 0 ? substr($0, 1, at - 1) : $0
    number = at > 0 ? substr($0, at + 1) : ""
    gsub(/[ \t]+/, " ", item)
    gsub(/^ | $/, "", item)
    gsub(/^[ \t]+|[ \t]*%?[ \t]*$/, "", number)
    return at > 0
}

function read_number() {
    if (number == "" || number ~ /^[_.]+$/) {
        fault(FNR, "the number is missing: " item)
    } else if (number ~ /^-[0-9.]+$/) {
        fault(FNR, number " is less than nothing")
    } else if (number ~ /^[0-9]+,[0-9]+$/) {
        fault(FNR, number ": write the comma as a point")
    } else if (number !~ /^([0-9]+\.?[0-9]*|\.[0-9]+)$/) {
        fault(FNR, "\"" number "\" is no number")
    } else {
        percent[item] = number + 0
        sum += number
    }
}

FNR == 1 {
    files++
    sub(/^\357\273\277/, "")
}

{ sub(/\r$/, "") }

/^[ \t]*(#|$)/ { next }

files == 1 {
    if (cut()) {
        form[++count] = item
        known[item] = 1
    }
    next
}

{ guess = FILENAME }

!cut() {
    fault(FNR, "not of the form \"part: number\"")
    next
}

!(item in known) {
    fault(FNR, "no such part: " item)
    next
}

item in line {
    fault(FNR, "there is line " line[item] " for that part already: " item)
    next
}

{
    line[item] = FNR
    read_number()
}

END {
    guess = ARGV[2]
    for (i = 1; i <= count; i++) {
        if (!(form[i] in line)) {
            fault("", "a part is missing: " form[i])
        }
    }
    if (!failed && sum > 100.05) {
        fault("", sprintf("the parts add up to %g %%: %g too much", sum, sum - 100))
    } else if (!failed && sum < 99.95) {
        fault("", sprintf("the parts add up to %g %%: %g are missing", sum, 100 - sum))
    }
    for (i = 1; i <= count && !failed; i++) {
        printf "%s\t%g\n", form[i], percent[form[i]]
    }
    exit failed
}
