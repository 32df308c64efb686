#!/bin/sh
# The student's loop: one change at a time, tested, measured, kept or taken back, and noted down.
#
#     loop.sh start        opens the exercise LOOP_EX on the baseline, or on the tree LOOP_FROM
#     loop.sh step         tests and measures the change that LOOP_MSG describes
#     loop.sh keep         keeps it, for the reason LOOP_WHY
#     loop.sh take-back    restores the last kept step, for the reason LOOP_WHY
#
# Run from the top of the tree, with the lock on project/journal/lock. What is where:
#
#     project/journal/
#         mNN.md               the journal
#         mNN-guess.txt        the student's guess
#         mNN/taken-back-N.patch
#         archive/mNN-DATE/    trees that `make start` has put away; ARCHIVED says at which step
#         making/              what is being written
#         open                 the exercise that is open
#         unfinished           what is being done to the student's tree or to the journal, for as
#                              long as it is not whole; the next command then finishes it first
#         mNN/kept             the number of the last kept step
#         mNN/steps/N/         a copy of minikv: the code that was measured, or begun with
#             begun            for the latter: when
#             what, when       what was changed; when it was tested
#             result           what came out, as cells of the journal; missing while measuring
#             outcome          the same, where nothing was measured and it is decided at once
#             decision, why    missing while it is not decided
#             compare.*        what the ruler said; counts.txt
#         mNN/interrupted/     code whose measuring was interrupted and that has been changed since
#
# Exit code: 0 done; 1 not done, and stderr says why.
set -eu

journals=project/journal
making=$journals/making
project=project/minikv
baseline=solutions/m00

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

. tests/loop/files.sh
. tests/loop/journal.sh

# The state

exercise() {
    [ ! -f "$journals/open" ] || cat "$journals/open"
}

kept() {
    [ ! -f "$journals/$1/kept" ] || cat "$journals/$1/kept"
}

# The number of the newest step of the exercise "$1"; nothing when there is none.
newest() {
    [ ! -d "$journals/$1/steps" ] || (cd "$journals/$1/steps" && find . ! -name . -prune -print) |
        sed -n 's|^\./\([0-9][0-9]*\)$|\1|p' | sort -n | tail -n 1
}

next() {
    number=$(newest "$1")
    echo $((${number:--1} + 1))
}

# The number of the step of the exercise "$1" that is measured and not decided; nothing when there
# is none.
pending() {
    number=$(newest "$1")
    [ -z "$number" ] || {
        at=$journals/$1/steps/$number
        [ ! -f "$at/result" ] || [ -f "$at/decision" ] || echo "$number"
    }
}

# How people call the step "$2" of the exercise "$1".
name_step() {
    if [ -f "$journals/$1/steps/$2/begun" ]; then
        echo 'the tree that you began with'
    else
        echo "step $2, the last one kept"
    fi
}

# Sets `ex`, the exercise that is open, and `last`, its last kept step.
need_open() {
    ex=$(exercise)
    last=
    [ -z "$ex" ] || last=$(kept "$ex")
    [ -n "$last" ] || die 'No exercise is open. For example: make start EX=m08'
    [ "${LOOP_EX:-$ex}" = "$ex" ] ||
        die "$ex is open, not $LOOP_EX. To put your tree away and open that: make start EX=$LOOP_EX"
    steps=$journals/$ex/steps
}

need_names() {
    newline='
'
    [ -z "$(find "$project/src" -name "*$newline*" 2>/dev/null)" ] ||
        die "A file in $project/src has a newline in its name. Please give it another one."
}

# What is to be done to the student's tree, or to more than one file, is written down before it
# begins, and done by functions that can be repeated from their beginning: see `recover`.

begin() {
    printf '%s\n' "$*" | put "$journals/unfinished"
}

end() {
    rm -f "$journals/unfinished"
    flush "$journals"
}

# Archives the student's tree; sets `saved` to where.
archive() {
    open=$(exercise)
    name=$journals/archive/${open:-none}-$(date +%Y%m%d-%H%M%S)
    saved=$name
    number=1
    while [ -e "$saved" ]; do
        number=$((number + 1))
        saved=$name-$number
    done
    tree_copy "$project" "$making/tree"
    printf 'exercise %s\nkept %s\n' "${open:-none}" "$([ -z "$open" ] || kept "$open")" \
        >"$making/tree/ARCHIVED"
    settle "$saved"
    echo "Your tree is archived: $saved"
}

# Sets `saved` to where the student's code is safe: in a new archive only if it is nowhere yet.
save() {
    saved=$baseline
    ! code_same "$project" "$baseline" || return 0
    [ -n "$(tree_files "$project")" ] || return 0
    for saved in "$journals"/archive/*; do
        ! code_same "$project" "$saved" || return 0
    done
    archive
}

# Makes the student's code what it is in "$1". What goes is safe in "$2"; what turns out not to be,
# because the student went on after an interruption, is archived first.
restore_project() {
    ! restore "$project" "$1" "$2" || return 0
    archive
    restore "$project" "$1" "$saved" || die "$project could not be restored. It is safe in $saved"
}

# Closes the step "$2" of the exercise "$1", which was "$3": its row goes into the journal.
decide() {
    at=$journals/$1/steps/$2
    [ -f "$at/why" ] || put "$at/why" </dev/null
    [ -f "$at/result" ] || mv "$at/outcome" "$at/result"
    printf '%s\n' "$3" | put "$at/decision"
    journal_row "$1" "$(printf '| %s ' "$2" "$(cat "$at/when")" "$(cell <"$at/what")" \
        "$(cat "$at/result")" "$3" "$(cell <"$at/why")")|"
}

# start

# Copies the code of the tree "$1" to what will be a step's folder.
copy_code() {
    tree_copy "$1/src" "$making/tree/src"
    if [ -f "$1/Makefile" ]; then
        cp "$1/Makefile" "$making/tree/Makefile"
    else
        cp "$baseline/Makefile" "$making/tree/Makefile"
    fi
}

# The step of the exercise "$1" that was the last kept one when the tree "$3" was archived; the step
# "$2" when that is not known.
kept_then() {
    then=
    if [ -f "$3/ARCHIVED" ] && grep -qx "exercise $1" "$3/ARCHIVED"; then
        then=$(sed -n 's/^kept \([0-9][0-9]*\)$/\1/p' "$3/ARCHIVED")
    fi
    if [ -n "$then" ] && [ -d "$journals/$1/steps/$then/src" ]; then
        echo "$then"
    else
        echo "$2"
    fi
}

# A step that is waiting to be decided waits no longer when an exercise begins.
close_undecided() {
    undecided=$(exercise)
    [ -n "$undecided" ] || return 0
    number=$(pending "$undecided")
    [ -z "$number" ] || decide "$undecided" "$number" 'not decided: another start'
}

# The exercise "$1" begins as its step "$2", which is the tree "$4"; the student's is safe in "$3".
finish_start() {
    close_undecided
    base=$journals/$1/steps/$2
    if [ ! -d "$base" ]; then
        copy_code "$4"
        kept_then "$1" "$2" "$4" >"$making/tree/kept"
        date '+%Y-%m-%d %H:%M' >"$making/tree/begun"
        settle "$base"
    fi
    restore_project "$base" "$3"
    put "$journals/$1/kept" <"$base/kept"
    echo "$1" | put "$journals/open"
    begun="Begun $(cat "$base/begun"), as step $2"
    case $4 in
    "$baseline") journal_section "$1" "$begun" 'From the baseline.' ;;
    *) journal_section "$1" "$begun" "From $4, compared with step $(cat "$base/kept")." ;;
    esac
    guess=$journals/$1-guess.txt
    [ ! -f "exercises/$1/guess.txt" ] || [ -e "$guess" ] || put "$guess" <"exercises/$1/guess.txt"
    end
}

# Whether nothing would change by beginning the exercise "$1" with the tree "$2".
begun_already() {
    [ "$(exercise)" = "$1" ] && [ -n "$(kept "$1")" ] && [ -z "$(pending "$1")" ] &&
        code_same "$project" "$2" && code_same "$journals/$1/steps/$(kept "$1")" "$2"
}

start() {
    [ -n "$LOOP_EX" ] || die 'Which exercise? For example: make start EX=m08'
    from=${LOOP_FROM:-$baseline}
    from=${from#./}
    from=${from%/}
    case $from in
    *'
'*) die 'FROM: a name with a newline' ;;
    esac
    [ -f "$from/src/main.c" ] ||
        die "FROM=$from: no copy of minikv is there, $from/src/main.c is missing"
    need_names
    if begun_already "$LOOP_EX" "$from"; then
        printf '%s\n' "$LOOP_EX is open, and $project is as in $from: there is nothing to do."
        return
    fi
    save
    step=$(next "$LOOP_EX")
    begin start "$LOOP_EX" "$step" "$saved" "$from"
    finish_start "$LOOP_EX" "$step" "$saved" "$from"
    printf '%s\n' "$LOOP_EX is open, and $project is as in $from."
    echo "  Read         exercises/$LOOP_EX/README.md"
    [ ! -f "$journals/$LOOP_EX-guess.txt" ] || echo "  Your guess   $journals/$LOOP_EX-guess.txt"
    echo "  Your journal $journals/$LOOP_EX.md"
}

# step

# Runs the command "$2"..., shows what it prints and keeps that in the file "$1".
run() {
    output=$1
    shift
    rm -f "$output.failed"
    { "$@" || : >"$output.failed"; } | tee "$output"
    [ ! -e "$output.failed" ] || {
        rm -f "$output.failed"
        return 1
    }
}

# A step that came to nothing: the code is still the student's tree, or else it is kept.
discard() {
    [ -d "$1" ] || return 0
    if tree_same "$1/src" "$project/src"; then
        remove "$1"
    else
        kept_in=$journals/$ex/interrupted/${1##*/}-$(date +%Y%m%d-%H%M%S)
        mkdir -p "${kept_in%/*}"
        mv "$1" "$kept_in"
        echo "The code as it was then is kept: $kept_in"
    fi
}

# Makes the folder of a new step: sets `step` and `folder`.
new_step() {
    step=$(next "$ex")
    folder=$steps/$step
    copy_code "$project"
    printf '%s\n' "$1" >"$making/tree/what"
    date '+%Y-%m-%d %H:%M' >"$making/tree/when"
    settle "$folder"
}

# Calls "$3" for each file that is not the same in the steps "$1" and "$2", with its name and the
# two files to compare.
each_change() {
    tree_changes "$1/src" "$2/src" | while IFS= read -r file; do
        from=$1/src/$file
        to=$2/src/$file
        [ -f "$from" ] || from=/dev/null
        [ -f "$to" ] || to=/dev/null
        "$3" "$file" "$from" "$to" || exit
    done
}

# One file's part of a patch for `patch -p1`, or for git.
patch_file() {
    before=a/$project/src/$1
    after=b/$project/src/$1
    [ "$2" != /dev/null ] || before=$2
    [ "$3" != /dev/null ] || after=$3
    diff -u -L "$before" -L "$after" "$2" "$3" || [ $? -eq 1 ]
}

diff_file() {
    diff "$2" "$3" || [ $? -eq 1 ]
}

# Sets `added` and `removed`, in lines, from the step "$1" to the step "$2".
count_lines() {
    each_change "$1" "$2" diff_file >"$2/lines"
    added=$(grep -c '^>' "$2/lines" || :)
    removed=$(grep -c '^<' "$2/lines" || :)
    rm -f "$2/lines"
}

# Tests the student's tree; sets `tests` to what came out.
test_step() {
    printf '\n== The tests\n'
    if ! "$LOOP_MAKE" -j"$(getconf _NPROCESSORS_ONLN)" IMPL=$project EX= test-programs; then
        tests='red: does not build'
    elif run "$folder/tests.txt" "$LOOP_MAKE" IMPL=$project EX= test; then
        tests=$(sed '$!d; s/, 0 failed$//' "$folder/tests.txt")
    else
        tests="red: $(tail -n 1 "$folder/tests.txt")"
    fi
}

# Measures the step in `folder` against the last kept one. The ruler's results stay in the step. It
# is not told the exercise, only its benchmarks: no single step has to reach the exercise's bound.
measure() {
    BENCH=${BENCH:-$(sh tests/mk/manifest.sh "$ex" BENCH)}
    export BENCH
    printf '\n== Measured: this step (B) against %s (A)\n' "$(name_step "$ex" "$last")"
    run "$folder/compare.txt" "$LOOP_MAKE" A="$steps/$last" B="$folder" EX= \
        OUT="$folder/compare" compare || return 1
    : >"$folder/compare.tsv"
    if [ -f "$folder/compare.json" ]; then
        awk -f tests/loop/result.awk "$folder/compare.json" >"$folder/compare.tsv"
        [ -s "$folder/compare.tsv" ] || die "$folder/compare.json: no result in it"
    fi
    run "$folder/counts.txt" "$LOOP_MAKE" A="$steps/$last" B="$folder" EX= SHOW= counts || {
        echo 'There are no counts.'
        : >"$folder/counts.txt"
    }
}

# What was measured, as a cell of the journal: the first benchmark, and others where they changed.
time_cell() {
    if [ -s "$folder/compare.tsv" ]; then
        awk -F '\t' 'NR == 1 || $2 != "no change" {
            printf "%s%s %.3f [%.3f, %.3f] %s", (NR > 1 ? ", " : ""), $1, $3, $4, $5, $2
        }' "$folder/compare.tsv"
    else
        printf 'same machine code'
    fi
}

# The question that the figures do not answer.
ask_worth() {
    printf '\n== Worth it?\n'
    printf '%s lines added, %s removed, comments included.\n' "$added" "$removed"
    kind=$(sh tests/mk/manifest.sh "$ex" KIND)
    if [ -s "$folder/compare.tsv" ]; then
        awk -F '\t' -v lines=$((added - removed)) -v kind="$kind" -f tests/loop/worth.awk \
            "$folder/compare.tsv"
    elif [ "$kind" = steadier ]; then
        echo 'The compiler makes the same machine code of both.'
    else
        cat <<'END'
The compiler makes the same program of both. Only readers can gain: is it easier to understand?
END
    fi
    [ "$kind" != steadier ] || cat <<END
But $ex is not about speed. It asks for a speed that depends less on where code comes to lie: its
page says how to see that, and make check EX=$ex judges it. If that is better now, keep the step.
END
    cat <<END

Keep it:      make keep WHY="..."
Take it back: make take-back WHY="..."
END
}

finish_undecided() {
    decide "$1" "$2" "$3"
    end
}

# A step has to be decided before the next one, unless the student says that it is the same again.
need_decided() {
    undecided=$(pending "$ex")
    [ -n "$undecided" ] && [ -z "$LOOP_AGAIN" ] || return 0
    cat >&2 <<END
Step $undecided is not decided yet: $(head -n 1 "$steps/$undecided/what")
  make keep WHY="..."           keeps it
  make take-back WHY="..."      restores $(name_step "$ex" "$last")
  make step AGAIN=1 MSG="..."   leaves it undecided and measures again, with what you changed since
END
    exit 1
}

step() {
    need_open
    need_names
    [ -n "$(printf '%s' "$LOOP_MSG" | tr -d '[:space:]')" ] ||
        die 'What have you changed? For example: make step MSG="one look-up for each GET"'
    need_decided
    if tree_same "$steps/$last/src" "$project/src"; then
        die "Nothing in $project/src has changed since $(name_step "$ex" "$last")."
    fi
    if [ -n "$undecided" ]; then
        begin step "$ex" "$undecided" 'not decided: measured again'
        finish_undecided "$ex" "$undecided" 'not decided: measured again'
    fi
    new_step "$LOOP_MSG"
    printf '%s\n' "Step $step of $ex: $(head -n 1 "$folder/what")"
    test_step
    tree_same "$folder/src" "$project/src" || {
        discard "$folder"
        die 'The code was changed while it was being tested. Nothing was noted: make step again.'
    }
    count_lines "$steps/$last" "$folder"
    case $tests in
    red*) red ;;
    esac
    measure || {
        discard "$folder"
        die 'It could not be measured, see above. Nothing was noted.'
    }
    times=$(time_cell)
    counts=$(awk -f tests/loop/counts.awk "$folder/counts.txt")
    printf '%s\n' "$tests | $times | ${counts:--} | +$added -$removed" | put "$folder/result"
    ask_worth
}

# Closes a step whose tests are red.
red() {
    printf '%s\n' "$tests | not measured | - | +$added -$removed" | put "$folder/outcome"
    begin step "$ex" "$step" 'not decided: red'
    finish_undecided "$ex" "$step" 'not decided: red'
    die 'The tests are red, so nothing was measured. Repair it and make step again, or take it back:
make take-back'
}

# keep, take-back

# Notes why a step was decided as it was.
note_why() {
    printf '%s\n' "$LOOP_WHY" | put "$steps/$step/why"
}

finish_keep() {
    decide "$1" "$2" 'kept'
    echo "$2" | put "$journals/$1/kept"
    end
}

keep() {
    need_open
    step=$(pending "$ex")
    [ -n "$step" ] || die 'There is no step to keep. After a change: make step MSG="..."'
    note_why
    begin keep "$ex" "$step"
    finish_keep "$ex" "$step"
    echo "Step $step is kept."
    [ -n "$LOOP_WHY" ] ||
        echo "You gave no WHY=\"...\": the reason can still be written into $journals/$ex.md"
    tree_same "$steps/$step/src" "$project/src" ||
        echo 'What was changed after it was measured is still there. It belongs to the next step.'
}

# Sets `saved` to where the step that is taken back has the student's code as it is now. Code that
# is as in the last kept step again needs no saving: taken back is then what was measured.
save_step() {
    saved=$steps/$step
    ! code_same "$project" "$saved" || return 0
    ! code_same "$project" "$steps/$last" || return 0
    saved=$steps/$step/taken-back
    number=1
    while [ -e "$saved" ]; do
        code_same "$project" "$saved" && return
        number=$((number + 1))
        saved=$steps/$step/taken-back-$number
    done
    copy_code "$project"
    settle "$saved"
}

finish_take_back() {
    restore_project "$journals/$1/steps/$(kept "$1")" "$3"
    decide "$1" "$2" "[taken back]($1/taken-back-$2.patch)"
    end
}

# A step that was never measured can be taken back as well, by way of a row that says so.
step_to_take_back() {
    step=$(pending "$ex")
    [ -z "$step" ] || return 0
    if code_same "$steps/$last" "$project"; then
        die "There is nothing to take back: your code is as in $(name_step "$ex" "$last")."
    fi
    new_step "$LOOP_MSG"
    count_lines "$steps/$last" "$folder"
    printf '%s\n' "not run | not measured | - | +$added -$removed" | put "$folder/outcome"
}

take_back() {
    need_open
    need_names
    step_to_take_back
    save_step
    note_why
    patch=$journals/$ex/taken-back-$step.patch
    each_change "$steps/$last" "$saved" patch_file | put "$patch"
    begin take-back "$ex" "$step" "$saved"
    finish_take_back "$ex" "$step" "$saved"
    echo "Your code is as in $(name_step "$ex" "$last"). What was taken back: $patch"
    echo "It comes back with: patch -p1 <$patch"
}

# After an interruption

recover_unfinished() {
    read -r kind in number rest <"$journals/unfinished"
    echo "An interrupted make $kind of $in has to be finished first."
    case $kind in
    start) finish_start "$in" "$number" "${rest%% *}" "${rest#* }" ;;
    step) finish_undecided "$in" "$number" "$rest" ;;
    keep) finish_keep "$in" "$number" ;;
    take-back) finish_take_back "$in" "$number" "$rest" ;;
    *) die "$journals/unfinished: not understood" ;;
    esac
    echo 'That is done.'
}

# A step that was being tested or measured when it was interrupted.
recover_measuring() {
    ex=$(exercise)
    number=$(newest "$ex")
    at=$journals/$ex/steps/$number
    [ -n "$ex" ] && [ -n "$number" ] && [ ! -f "$at/result" ] && [ ! -f "$at/begun" ] || return 0
    printf '%s\n' "Step $number was interrupted before it was measured, so nothing was noted:" \
        "  $(head -n 1 "$at/what")"
    discard "$at"
}

recover() {
    rm -rf "$making"
    mkdir "$making"
    [ ! -f "$journals/unfinished" ] || recover_unfinished
    recover_measuring
}

# What an interruption by Ctrl-C leaves is tidied up at once.
interrupted() {
    trap '' INT TERM HUP
    printf '\nInterrupted.\n' >&2
    recover >&2
    exit 130
}

# The commands that are run get neither the options of this make nor its jobs.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

mkdir -p "$journals"
recover
trap interrupted INT TERM HUP
case $1 in
start) start ;;
step) step ;;
keep) keep ;;
take-back) take_back ;;
esac
