# The flame graph, SVG; see stacks.awk. Of a difference there are two, A above B, to one scale.

function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

# From white to red (1) or to blue (-1).
function shade(strength,    less) {
    less = strength < 0 ? -strength : strength
    less = less > 1 ? 1 : sqrt(less)
    if (strength < 0)
        return sprintf("rgb(%d,%d,250)", 240 - 150 * less, 240 - 90 * less)
    return sprintf("rgb(250,%d,%d)", 235 - 125 * less, 225 - 165 * less)
}

# One frame: by what it takes itself, or by what it takes more or less in B than in A.
function colour_of(side, path) {
    if (stacks_b == "")
        return shade(own[side, path] / all[side] * 2)
    return shade((node["b", path] - node["a", path]) / scale * 2)
}

function describe(side, path,    text, name) {
    name = path
    sub(/.*;/, "", name)
    text = sprintf("%s: %s %s (%.1f %%), itself %s", name, amount(node[side, path]), unit, \
        share(side, node[side, path]), amount(own[side, path]))
    if (stacks_b != "")
        text = text sprintf("; A %s, B %s", amount(node["a", path]), amount(node["b", path]))
    return escape(text)
}

function draw(side, path, x, y,    width, name, letters) {
    width = node[side, path] / scale * (WIDTH - 2 * MARGIN)
    if (width < 0.3)
        return
    name = path
    sub(/.*;/, "", name)
    letters = int((width - 6) / 7)
    name = length(name) <= letters ? name : letters < 4 ? "" : substr(name, 1, letters - 2) ".."
    printf "<g><title>%s</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" " \
        "fill=\"%s\" stroke=\"#fff\" stroke-width=\"0.5\"/>", describe(side, path), x, y, width, \
        HEIGHT - 1, colour_of(side, path)
    if (name != "")
        printf "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 3, y + HEIGHT - 5, escape(name)
    print "</g>"
}

# Draws what `path` calls, side by side by their names, and what those call on top of them.
function draw_callees(side, path, x, y,    i, callee) {
    for (i = 1; i <= callees[path]; i++) {
        callee = callee_of[path, i]
        if (node[side, callee] > 0) {
            draw(side, callee, x, y)
            draw_callees(side, callee, x, y - HEIGHT)
            x += node[side, callee] / scale * (WIDTH - 2 * MARGIN)
        }
    }
}

function find_callees(    path, parent, none, order, count, i) {
    count = sort_by(paths, none, order)
    for (i = 1; i <= count; i++) {
        path = order[i]
        parent = path
        sub(/;[^;]*$/, "", parent)
        callee_of[parent, ++callees[parent]] = path
        deepest = paths[path] > deepest ? paths[path] : deepest
    }
}

function draw_side(side, title, top,    bottom, path) {
    printf "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", MARGIN, top + 14, \
        escape(title)
    bottom = top + 24 + deepest * HEIGHT
    printf "<g><title>%s: all, %s %s</title><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" " \
        "fill=\"#ddd\"/><text x=\"%d\" y=\"%d\">%s</text></g>\n", row, amount(all[side]), unit, \
        MARGIN, bottom, all[side] / scale * (WIDTH - 2 * MARGIN), HEIGHT - 1, MARGIN + 3, \
        bottom + HEIGHT - 5, row
    draw_callees(side, "", MARGIN, bottom - HEIGHT)
    return bottom + HEIGHT + 12
}

BEGIN {
    WIDTH = 1200
    MARGIN = 10
    HEIGHT = 18
    read_all()
    find_callees()
    scale = all["a"] > all["b"] ? all["a"] : all["b"]
    panel = 24 + (deepest + 1) * HEIGHT + 12
    full = (stacks_b == "" ? 1 : 2) * panel + 30
    print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" " \
        "viewBox=\"0 0 %d %d\" " \
        "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"11.5\">\n", \
        WIDTH, full, WIDTH, full
    print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    next_top = draw_side("a", (stacks_b == "" ? "" : "A: ") name_a ", " row ": " amount(one_a) " " \
        unit " per operation", 4)
    if (stacks_b != "")
        next_top = draw_side("b", "B: " name_b ", " row ": " amount(one_b) " " unit \
            " per operation", next_top)
    printf "<text x=\"%d\" y=\"%d\" fill=\"#555\">%s</text>\n", MARGIN, next_top + 12, \
        stacks_b == "" ? \
        "Width: what a function takes with all it calls. Red: much of that in itself." : \
        "Width: with all it calls, both to one scale. Blue: B takes less there than A; red: more."
    print "</svg>"
}
