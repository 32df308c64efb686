# Makes stacks, "CALLER;CALLEE;... SAMPLES", of what `perf script -F ip,sym,dso` prints: a line for
# each frame, the innermost first, and a blank line behind each sample. Only what is below
# row_run_all() is kept; all of the system's own is one frame.

function flush(    i, stack, above) {
    for (i = depth; i > 0; i--) {
        if (above)
            stack = stack (stack == "" ? "" : ";") frame[i]
        else
            above = frame[i] == "row_run_all"
    }
    if (stack != "")
        samples[stack]++
    depth = 0
}

/^[ \t]*$/ { flush(); next }

{
    name = $2
    if ($NF ~ /^\(\[/ && $NF !~ /^\(\[(unknown|vdso)/)
        name = "[system]"
    if (name != "[system]" || depth == 0 || frame[depth] != name)
        frame[++depth] = name
}

END {
    flush()
    for (stack in samples)
        print stack, samples[stack]
}
