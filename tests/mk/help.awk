# Prints the targets of makefiles with what their `## comment` says.

BEGIN {
    print "make TARGET [IMPL=project/minikv] [EX=mNN] [PROFILE=release|san|coverage]\n"
    print "Targets:"
}

/^[a-z][a-z-]*:.*## / {
    target = $0
    sub(/:.*/, "", target)
    sub(/.*## /, "")
    printf "  %-16s %s\n", target, $0
}
