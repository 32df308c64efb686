# shellcheck shell=sh
# Functions about the journal of an exercise, for the scripts here to include.
#
# It belongs to the student: a row or a section is put above the last marker line, nothing else is
# changed. Where the marker has been removed a new table begins at the end.

marker='<!-- make step puts its rows above this line -->'

# Makes what it reads, any text, fit for a cell of a Markdown table: it will be shown as it is, and
# lines are kept apart. Nothing becomes a dash.
cell() {
    LC_ALL=C awk '
        {
            gsub(/[\001-\037\177]/, " ")
            gsub(/[\\|*]|<[A-Za-z\/!?]|&[#A-Za-z0-9]+;|__/, "\\\\&")
            gsub(/\]\(/, "]\\(")
            gsub(/^ +| +$/, "")
            if ($0 != "") {
                text = text (text == "" ? "" : "<br>") $0
            }
        }
        END { print text == "" ? "-" : text }
    '
}

# What a new journal of the exercise "$1" begins with.
journal_head() {
    cat <<END
# $1: $(sh tests/mk/manifest.sh "$1" TITLE)

My journal. \`make step\` adds rows to its tables; everything else is mine to write and to change.

Time is what an operation takes after the step, if it took 1 before, with the 99 % interval in
brackets: of the first benchmark, and of others that changed. Counts are per operation of the first.
Lines are those added and removed.

## Measured before the first change

(Nothing yet. My table of the time that each piece takes goes here, or into $1-table.txt.)
END
}

table_head() {
    cat <<'END'

| step | when | what | tests | time | counts | lines | decision | why |
|---|---|---|---|---|---|---|---|---|
END
}

# Prints the journal "$1" with the row "$2" above its last marker. Where there is none, the row goes
# to the end, in a new table.
journal_insert() {
    line=$(grep -nxF "$marker" "$1" | sed -n '$s/:.*//p')
    if [ -n "$line" ]; then
        head -n $((line - 1)) "$1"
        printf '%s\n' "$2"
        tail -n +"$line" "$1"
    else
        cat "$1"
        # A last line without newline gets one.
        [ -z "$(tail -c 1 "$1")" ] || echo
        table_head
        printf '%s\n' "$2"
        echo "$marker"
    fi
}

# Adds the row "$2" to the journal of the exercise "$1" unless it is there.
journal_row() {
    journal=${journals:?}/$1.md
    [ -e "$journal" ] || journal_head "$1" | put "$journal"
    ! grep -qxF -e "$2" "$journal" || return 0
    journal_insert "$journal" "$2" | put "$journal"
}

# Begins a section with the heading "$2" and the text "$3" in the journal of the exercise "$1",
# unless it is there. Its table comes to the end of the journal.
journal_section() {
    journal=${journals:?}/$1.md
    [ -e "$journal" ] || journal_head "$1" | put "$journal"
    ! grep -qxF -e "## $2" "$journal" || return 0
    {
        cat "$journal"
        [ -z "$(tail -c 1 "$journal")" ] || echo
        printf '\n## %s\n\n%s\n' "$2" "$3"
        table_head
        echo "$marker"
    } | put "$journal"
}
