# Prints the prototypes and function types of a header, one a line, without comments, structures,
# function bodies and white space that means nothing: what callers depend on.

/^#/ { next }

{ text = text " " $0 }

END {
    while ((start = index(text, "/*")) > 0) {
        rest = substr(text, start + 2)
        text = substr(text, 1, start - 1) " " substr(rest, index(rest, "*/") + 2)
    }
    while (match(text, /[{][^{}]*[}]/)) {
        text = substr(text, 1, RSTART - 1) ";" substr(text, RSTART + RLENGTH)
    }
    gsub(/[ \t]+/, " ", text)
    count = split(text, declarations, / ?; ?/)
    for (i = 1; i <= count; i++) {
        if (declarations[i] ~ /\(/) {
            sub(/^ ?(static inline )?/, "", declarations[i])
            print declarations[i]
        }
    }
}
