# Reads what compare wrote for programs. Prints for each benchmark, separated by tabs: its name, the
# verdict, and how long an operation took if it took 1 before, with both ends of the interval.

function value() {
    sub(/^[^:]*: */, "")
    gsub(/[",]/, "")
    return $0
}

/^ *"name": /          { name = value() }
/^ *"verdict": /       { verdict = value() }
/^ *"log_ratio": /     { ratio = value() }
/^ *"half_width_99": / {
    width = value()
    printf "%s\t%s\t%.4f\t%.4f\t%.4f\n", name, verdict, exp(ratio), exp(ratio - width), \
        exp(ratio + width)
}
