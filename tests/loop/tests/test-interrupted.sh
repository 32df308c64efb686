#!/bin/sh
# Kills each command before each of the programs that it starts to change files, and checks that the
# next command finds nothing lost, nothing half done, and finishes or undoes it.
set -eu

. tests/loop/tests/prepare.sh

# Programs that kill the whole command instead of doing their work, when their turn comes.
mkdir "$work/bin"
for name in mv rm cp cat; do
    cat >"$work/bin/$name" <<END
#!/bin/sh
turn=\$((\$(head -n 1 '$work/turn') - 1))
echo \$turn >'$work/turn'
[ \$turn -ne 0 ] || kill -9 0
exec $(command -v "$name") "\$@"
END
    chmod +x "$work/bin/$name"
done

edit() {
    echo "$1" >>"$project/src/store.c"
}

# Runs the command "$1", which is killed at its turn number "$2".
run_killed() {
    echo "$2" >"$work/turn"
    PATH=$work/bin:$PATH setsid -w sh tests/loop/loop.sh "$1" >"$work/said" 2>&1 || :
}

run_command() {
    sh tests/loop/loop.sh "$1" >"$work/said" 2>&1 || :
}

# Lets another command, which has nothing to do, find what an interruption has left.
recover() {
    text=$LOOP_MSG
    LOOP_MSG=
    run_command step
    LOOP_MSG=$text
}

# What there is, whatever it is called.
contents() {
    find "$project" "$journals" -type f -exec cksum {} + | cut -d' ' -f1,2 | sort -u
}

# All that was there before is there; but "$2" may not be.
nothing_lost() {
    contents >"$work/now"
    comm -23 "$work/before" "$work/now" | grep -vx -e "${2:-none}" >"$work/said" || :
    [ ! -s "$work/said" ] || fail "lost, $1"
}

# The student's tree is the one before or the one after, nothing between.
whole() {
    diff -r "$project/src" "$work/was/src" >"$work/said" ||
        diff -r "$project/src" "$work/done/src" >>"$work/said" || fail "half of it, $1"
}

tidy() {
    find "$journals/unfinished" "$journals"/making/* -print >"$work/said" 2>/dev/null || :
    [ ! -s "$work/said" ] || fail "left over, $1"
}

# No step has two rows, and the step that was kept has its code.
journal_is_right() {
    for journal in "$journals"/*.md; do
        [ -f "$journal" ] || continue
        grep -o '^| [0-9]* |' "$journal" | sort | uniq -d >"$work/said"
        [ ! -s "$work/said" ] || fail "noted twice, $1"
    done
    for kept in "$journals"/*/kept; do
        [ ! -f "$kept" ] || there "${kept%/kept}/steps/$(cat "$kept")/src/main.c"
    done
}

# What is kept only until a command is done, or is rewritten by it.
own_files() {
    find "$project" "$journals" -type f ! -name '*.md' ! -name kept ! -name open ! -name lock \
        -exec cksum {} + | cut -d' ' -f1,2 | sort -u
}

# Interrupts the command "$1" everywhere. The tree as it is, is where it begins.
interrupt() {
    rm -rf "$work/start" "$work/was" "$work/done"
    mkdir -p "$journals"
    cp -R project "$work/start"
    cp -R "$project" "$work/was"
    own_files >"$work/before"
    store=$(cksum <"$project/src/store.c" | cut -d' ' -f1,2)
    run_command "$1"
    cp -R "$project" "$work/done"
    turn=0
    killed=yes
    while [ -n "$killed" ]; do
        turn=$((turn + 1))
        at="interrupted $1 at turn $turn"
        rm -rf project
        cp -R "$work/start" project
        run_killed "$1" "$turn"
        # Empty when it was killed while it wrote.
        left=$(cat "$work/turn")
        [ "${left:-0}" -le 0 ] || killed=
        nothing_lost "$at"
        # Every third time the student goes on before the next command.
        if [ $((turn % 3)) -eq 0 ]; then
            edit "after turn $turn"
            recover
            nothing_lost "$at, then gone on" "$store"
            grep -rqF "after turn $turn" project || fail "what was done after it is lost, $at"
        else
            recover
            nothing_lost "$at"
            whole "$at"
        fi
        tidy "$at"
        journal_is_right "$at"
    done
    [ "$turn" -gt 5 ] || fail "$1 was killed only $turn times"
}

LOOP_EX=
LOOP_MSG=
LOOP_WHY=why
LOOP_FROM=
LOOP_AGAIN=
export LOOP_EX LOOP_MSG LOOP_WHY LOOP_FROM LOOP_AGAIN

opened() {
    succeeds start EX=m99
    echo 'all kept' >>"$project/src/deep/er.c"
    succeeds step MSG=first
    succeeds keep
    echo 'mine' >"$project/src/mine.c"
    rm "$project/src/server.c"
    edit 'changed'
}

first_start() {
    edit 'changed'
    echo 'mine' >"$project/src/mine.c"
    LOOP_EX=m99
    interrupt start
}

start_while_undecided() {
    opened
    succeeds step MSG=undecided
    LOOP_EX=m98
    interrupt start
}

start_from_archive() {
    opened
    succeeds start EX=m98
    edit 'other exercise'
    LOOP_EX=m99
    LOOP_FROM=$(echo "$journals"/archive/m99-*)
    interrupt start
}

step_() {
    opened
    LOOP_MSG=one
    interrupt step
}

red_step() {
    opened
    LOOP_MSG=one
    stub TESTS red
    interrupt step
}

keep_() {
    opened
    succeeds step MSG=one
    interrupt keep
}

take_back() {
    opened
    succeeds step MSG=one
    interrupt take-back
}

take_back_of_more() {
    opened
    succeeds step MSG=one
    edit 'more'
    interrupt take-back
}

take_back_without_a_step() {
    opened
    interrupt take-back
}

run_tests first_start start_while_undecided start_from_archive step_ red_step keep_ take_back \
    take_back_of_more take_back_without_a_step
