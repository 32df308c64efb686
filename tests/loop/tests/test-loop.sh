#!/bin/sh
# What start, step, keep and take-back do when nothing goes wrong, and when they are used wrongly.
set -eu

. tests/loop/tests/prepare.sh

edit() {
    echo "$1" >>"$project/src/store.c"
}

# start

start_keeps_what_was_there() {
    echo 'mine' >"$project/src/mine.c"
    rm "$project/src/server.c"
    edit 'changed'
    echo 'note' >"$project/notes.txt"
    cp -R "$project" "$work/was"
    succeeds start EX=m99
    [ "$(archives)" -eq 1 ] || fail 'not one archive'
    archive=$(echo "$journals"/archive/*)
    says "$archive"
    same "$project/src" solutions/m00/src
    ends "$project/notes.txt" note
    rm "$archive/ARCHIVED"
    same "$archive" "$work/was"
    has "$journals/m99.md" 1 '# m99: An exercise'
}

start_leaves_files_that_are_no_code() {
    echo 'swap' >"$project/src/.store.c.swp"
    echo 'backup' >"$project/src/store.c~"
    ln -s nowhere "$project/src/.#store.c"
    : >"$project/minikv"
    edit 'changed'
    succeeds start EX=m99
    [ "$(archives)" -eq 1 ] || fail 'not archived'
    there "$project/src/.store.c.swp" "$project/src/store.c~" "$project/src/.#store.c" \
        "$project/minikv"
    refuses 'Nothing in project/minikv/src has changed' step MSG=x
}

start_of_an_unchanged_tree_archives_nothing() {
    succeeds start EX=m99
    [ "$(archives)" -eq 0 ] || fail 'archived'
    cp -R "$journals" "$work/was"
    succeeds start EX=m99
    says 'nothing to do'
    same "$journals" "$work/was"
    succeeds start EX=m98
    [ "$(archives)" -eq 0 ] || fail 'archived'
    ends "$journals/open" m98
}

start_restores_missing_folders() {
    rm -rf "$project"
    succeeds start EX=m99
    same "$project/src" solutions/m00/src
    [ -f "$project/Makefile" ] || fail 'no Makefile'
    rm -rf "$project/src"
    succeeds start EX=m99
    same "$project/src" solutions/m00/src
}

start_brings_back() {
    succeeds start EX=m99
    edit 'kept'
    succeeds step MSG=one
    succeeds keep
    edit 'not kept'
    cp -R "$project" "$work/was"
    succeeds start EX=m98
    same "$project/src" solutions/m00/src
    echo 'other exercise' >>"$project/src/main.c"
    succeeds start EX=m99 FROM="./$(echo "$journals"/archive/m99-*)/"
    same "$project" "$work/was"
    [ "$(archives)" -eq 2 ] || fail 'the other tree is not archived'
    # Compared with the step that was kept then, as if nothing had been between.
    [ "$(cat "$journals/m99/kept")" -eq 1 ] || fail 'not the step that was kept'
    succeeds take-back
    ends "$project/src/store.c" kept
}

start_archives_a_tree_once() {
    succeeds start EX=m99
    edit 'changed'
    succeeds start EX=m98
    succeeds start EX=m99 FROM="$(echo "$journals"/archive/m99-*)"
    succeeds start EX=m98
    [ "$(archives)" -eq 1 ] || fail 'archived again'
}

start_never_overwrites_an_archive() {
    stamp=$work/bin
    mkdir "$stamp"
    printf '#!/bin/sh\necho 20010101-000000\n' >"$stamp/date"
    chmod +x "$stamp/date"
    succeeds start EX=m99
    for text in one two three; do
        echo "$text" >"$project/src/store.c"
        (PATH=$stamp:$PATH && succeeds start EX=m99) || fail 'not started'
    done
    [ "$(cat "$journals"/archive/*/src/store.c | sort | tr '\n' ' ')" = 'one three two ' ] ||
        fail 'a tree is not archived'
}

start_from_elsewhere() {
    cp -R solutions/m00 "$work/a copy"
    echo 'elsewhere' >>"$work/a copy/src/store.c"
    succeeds start EX=m99 FROM="$work/a copy"
    same "$project/src" "$work/a copy/src"
    [ ! -e "$project/DISCUSSION.md" ] || fail 'not only code'
    refuses 'has changed since the tree that you began with' step MSG=x
}

start_says_what_is_wrong() {
    refuses 'Which exercise?' start
    refuses 'nowhere/src/main.c is missing' start EX=m99 FROM=nowhere
    edit 'changed'
    : >"$project/src/a
b.c"
    refuses 'newline' start EX=m99
}

start_closes_what_is_not_decided() {
    for other in m98 m99; do
        fresh
        succeeds start EX=m99
        edit 'changed'
        succeeds step MSG=one
        succeeds start EX=$other
        has "$journals/m99.md" 1 '| one | 42 passed |'
        has "$journals/m99.md" 1 'not decided: another start'
    done
}

guess_is_copied_once() {
    succeeds start EX=m99
    cmp -s exercises/m99/guess.txt "$journals/m99-guess.txt" || fail 'not copied'
    echo 'mine' >"$journals/m99-guess.txt"
    edit 'changed'
    succeeds start EX=m99
    succeeds start EX=m98
    succeeds start EX=m99
    ends "$journals/m99-guess.txt" mine
}

# step

step_notes_what_came_out() {
    succeeds start EX=m99
    edit 'one more'
    sed '2,4d' "$project/src/store.c" >"$work/file"
    cp "$work/file" "$project/src/store.c"
    echo '-- looks like a header' >"$project/src/new.c"
    succeeds step MSG='the first'
    says '42 passed, 0 failed'
    says 'what the ruler says'
    says 'get-hit takes 30.0 % less time'
    says 'get-miss takes 3.0 % more time: that is part of the price.'
    says '2 lines added, 3 removed'
    has "$journals/m99.md" 0 '| the first |'
    succeeds keep WHY='it is faster'
    times='get-hit 0.700 [0.686, 0.714] faster, get-miss 1.030 [1.010, 1.051] slower'
    counts='allocations 12 -> 6.50, instructions 12664 -> 4132'
    has "$journals/m99.md" 1 \
        "| the first | 42 passed | $times | $counts | +2 -3 | kept | it is faster |"
    same "$(kept_src)" "$project/src"
}

step_asks_by_verdict() {
    succeeds start EX=m99
    for verdict in 'faster=less' 'slower=more time' 'no change=became simpler' \
        'inconclusive=too noisy'; do
        edit "$verdict"
        stub VERDICT "${verdict%%=*}"
        succeeds step MSG=x
        says "${verdict#*=}"
        succeeds take-back
    done
    stub VERDICT same
    edit 'comment'
    succeeds step MSG=x
    says 'Only readers can gain'
    succeeds keep
    has "$journals/m99.md" 1 '| same machine code |'
}

# Where speed is not what is asked for, no advice is taken from it.
step_asks_by_kind() {
    succeeds start EX=m98
    for verdict in 'no change' inconclusive same; do
        stub VERDICT "$verdict"
        edit "$verdict"
        succeeds step MSG=x
        says 'make check EX=m98'
        ! grep -qi -e 'simpler' -e 'only readers' "$work/said" || fail 'advice from the speed'
        succeeds take-back
    done
    succeeds start EX=m99
    edit 'changed'
    succeeds step MSG=x
    ! grep -qF 'make check' "$work/said" || fail 'another exercise is told of it'
}

step_stops_when_red() {
    succeeds start EX=m99
    edit 'bad'
    for how in 'red=40 passed, 2 failed' 'broken=does not build'; do
        stub TESTS "${how%%=*}"
        refuses 'The tests are red' step MSG='a bug'
        has "$journals/m99.md" 1 \
            "| a bug | red: ${how#*=} | not measured | - | +1 -0 | not decided: red |"
    done
    stub TESTS green
    refuses 'no step to keep' keep
    edit 'repaired'
    succeeds step MSG='no bug'
    succeeds keep
    [ "$(cat "$journals/m99/kept")" -eq 3 ] || fail 'not kept'
}

step_notes_nothing_unmeasured() {
    succeeds start EX=m99
    cp "$journals/m99.md" "$work/was"
    edit 'changed'
    stub VERDICT refused
    refuses 'could not be measured' step MSG=x
    stub VERDICT faster
    cmp -s "$journals/m99.md" "$work/was" || fail 'noted'
    stub RUN "echo meanwhile >>$project/src/main.c"
    refuses 'while it was being tested' step MSG=x
    stub RUN :
    cmp -s "$journals/m99.md" "$work/was" || fail 'noted'
    # The code that was tested is no other than what was kept of it.
    diff -r "$journals"/m99/interrupted/*/src "$project/src" >"$work/said" || :
    says '> meanwhile'
    succeeds step MSG=x
    there "$journals/m99/steps/1/result"
}

step_says_what_is_wrong() {
    refuses 'No exercise is open' step MSG=x
    refuses 'No exercise is open' keep
    refuses 'No exercise is open' take-back
    succeeds start EX=m99
    refuses 'has changed since the tree that you began with' step MSG=x
    refuses 'no step to keep' keep
    refuses 'nothing to take back' take-back
    edit 'changed'
    refuses 'What have you changed?' step
    refuses 'What have you changed?' step MSG='  '
    refuses 'm99 is open, not m98' step EX=m98 MSG=x
    succeeds step EX=m99 MSG=x
    refuses 'What have you changed?' step AGAIN=1
    refuses 'Step 1 is not decided yet: x' step MSG=y
    says 'make keep WHY'
    says 'make take-back WHY'
    succeeds step AGAIN=1 MSG=y
    has "$journals/m99.md" 1 'not decided: measured again'
    succeeds keep
    refuses 'since step 2, the last one kept' step MSG=z
    refuses 'no step to keep' keep
}

only_one_command_at_a_time() {
    succeeds start EX=m99
    edit 'changed'
    stub RUN "make keep >'$work/second' 2>&1 || echo refused >>'$work/second'"
    succeeds step MSG=x
    ends "$work/second" refused
    cp "$work/second" "$work/said"
    says 'wait until it has ended'
    stub RUN :
    # The lock goes with the command, whatever that has started.
    succeeds keep
}

keep_keeps_what_was_measured() {
    succeeds start EX=m99
    edit 'measured'
    cp -R "$project/src" "$work/was"
    succeeds step MSG=x
    edit 'not measured'
    succeeds keep
    says 'belongs to the next step'
    same "$(kept_src)" "$work/was"
    grep -q 'not measured' "$project/src/store.c" || fail 'lost'
}

# take-back

take_back_restores_exactly() {
    succeeds start EX=m99
    edit 'kept'
    succeeds step MSG=x
    succeeds keep
    cp -R "$project/src" "$work/kept"
    touch -d '2001-01-01' "$project/src/main.c"
    rm "$project/src/server.c"
    mkdir "$project/src/more"
    echo 'added' >"$project/src/more/added.c"
    printf 'no newline' >>"$project/src/deep/er.c"
    printf 'bin\0ary' >"$project/src/with a blank"
    cp -R "$project/src" "$work/was"
    succeeds step MSG=y
    succeeds take-back WHY='no gain'
    rmdir "$project/src/more"
    same "$project/src" "$work/kept"
    [ -z "$(find "$project/src/main.c" -newermt 2001-01-02)" ] || fail 'main.c was touched'
    same "$journals/m99/steps/2/src" "$work/was"
    has "$journals/m99.md" 1 '[taken back](m99/taken-back-2.patch) | no gain |'
    patch -s -p1 <"$journals/m99/taken-back-2.patch"
    rm "$work/was/with a blank"
    same "$project/src" "$work/was"
}

take_back_saves_what_came_after() {
    succeeds start EX=m99
    edit 'measured'
    succeeds step MSG=x
    edit 'after'
    succeeds take-back
    same "$project/src" solutions/m00/src
    patch -s -p1 <"$journals/m99/taken-back-1.patch"
    [ "$(tail -n 2 "$project/src/store.c" | tr '\n' ' ')" = 'measured after ' ] || fail 'lost'
}

take_back_of_what_is_restored_already() {
    succeeds start EX=m99
    edit 'measured'
    succeeds step MSG=x
    cp solutions/m00/src/store.c "$project/src/store.c"
    succeeds take-back
    same "$project/src" solutions/m00/src
    patch -s -p1 <"$journals/m99/taken-back-1.patch"
    ends "$project/src/store.c" measured
}

take_back_works_without_a_step() {
    succeeds start EX=m99
    edit 'hopeless'
    stub TESTS red
    refuses 'red' step MSG=x
    succeeds take-back WHY='gave up'
    same "$project/src" solutions/m00/src
    has "$journals/m99.md" 1 \
        '| not run | not measured | - | +1 -0 | [taken back](m99/taken-back-2.patch) | gave up |'
    refuses 'nothing to take back' take-back
}

# The journal

texts_are_safe() {
    succeeds start EX=m99
    edit 'changed'
    # shellcheck disable=SC2016 # nothing in this is to be expanded
    text='a|b "c" $(touch ran) $(shell touch ran) `touch ran` ${HOME} $HOME $$ # %s \n \
'\''d'\'' äöü → 🙂 <b>x</b> a<b *p __q__ &amp; -e ; rm -rf x'
    succeeds step MSG="$text"
    succeeds keep WHY="$text"
    [ "$(cat "$journals/m99/steps/1/what")" = "$text" ] || fail 'not as typed'
    [ "$(cat "$journals/m99/steps/1/why")" = "$text" ] || fail 'not as typed'
    [ ! -e ran ] || fail 'was run'
    # shellcheck disable=SC2016
    cell='| a\|b "c" $(touch ran) $(shell touch ran) `touch ran` ${HOME} $HOME $$ # %s \\n \\<br>'
    cell="$cell'd' äöü → 🙂"' \<b>x\</b> a\<b \*p \__q\__ \&amp; -e ; rm -rf x |'
    has "$journals/m99.md" 1 "$cell"
    [ "$(grep '^| 1 ' "$journals/m99.md" | sed 's/\\|//g' | tr -cd '|' | wc -c)" -eq 10 ] ||
        fail 'not nine cells'
    edit 'again'
    succeeds step MSG="$(printf 'bell\007 tab\tend')"
    succeeds take-back
    has "$journals/m99.md" 1 '| bell  tab end |'
}

journal_belongs_to_the_student() {
    succeeds start EX=m99
    mine='my own | table | 1 |'
    { printf '\357\273\277%s\n' "$mine" && cat "$journals/m99.md" && printf 'after, no newline'; } \
        >"$work/file"
    cp "$work/file" "$journals/m99.md"
    edit 'changed'
    succeeds step MSG=one
    succeeds keep
    has "$journals/m99.md" 1 '| one |'
    # A row more, nothing else.
    diff "$work/file" "$journals/m99.md" >"$work/said" || :
    [ "$(grep -c '^[<>]' "$work/said")" -eq 1 ] || fail 'changed more than a row'
    # The marker is gone, even the file.
    grep -v '^<!--' "$work/file" >"$journals/m99.md"
    edit 'changed'
    succeeds step MSG=two
    succeeds keep
    has "$journals/m99.md" 1 "$mine"
    has "$journals/m99.md" 1 'after, no newline'
    has "$journals/m99.md" 2 '| step | when |'
    rm "$journals/m99.md"
    edit 'changed'
    succeeds step MSG=three
    succeeds keep
    has "$journals/m99.md" 1 '| three |'
}

# The guess

guess_is() {
    printf '%b' "$1" >"$journals/m99-guess.txt"
}

guess_is_read() {
    refuses 'exercises/m99/guess.txt:2: the number is missing' guess EX=m99
    succeeds start EX=m99
    guess_is '\0357\0273\0277# x\r\n\nthe other:12.5%\r\none  part, f():  87.5 %'
    sh tests/loop/guess.sh m99 >"$work/said"
    printf 'one part, f()\t87.5\nthe other\t12.5\n' | cmp -s - "$work/said" || fail 'not as wanted'
    succeeds guess EX=m99
    sh tests/loop/guess.sh m98 >"$work/said" 2>&1 && fail 'm98 has nothing to guess'
    says 'nothing to guess'
}

guess_says_what_is_wrong() {
    succeeds start EX=m99
    while IFS='=' read -r text fault; do
        guess_is "$text"
        sh tests/loop/guess.sh m99 >"$work/said" 2>&1 && fail "accepted: $text"
        says "$journals/m99-guess.txt:$fault"
    done <<'END'
= a part is missing: one part, f()
the other: 100= a part is missing: one part, f()
# x\nthe other: ___ %=2: the number is missing: the other
the other:=1: the number is missing: the other
the other: -1 %=1: -1 is less than nothing
the other: 12,5=1: 12,5: write the comma as a point
the other: many=1: "many" is no number
the other: 1.2.3=1: "1.2.3" is no number
nonsense=1: not of the form
yet another: 3=1: no such part: yet another
the other: 3\nthe other: 4=2: there is line 1 for that part already
the other: 60\none part, f(): 60= the parts add up to 120 %: 20 too much
the other: 60\none part, f(): 30.5= the parts add up to 90.5 %: 9.5 are missing
END
}

run_tests start_keeps_what_was_there start_leaves_files_that_are_no_code \
    start_of_an_unchanged_tree_archives_nothing start_restores_missing_folders start_brings_back \
    start_archives_a_tree_once start_never_overwrites_an_archive start_from_elsewhere \
    start_says_what_is_wrong start_closes_what_is_not_decided guess_is_copied_once \
    step_notes_what_came_out step_asks_by_verdict step_asks_by_kind step_stops_when_red \
    step_notes_nothing_unmeasured step_says_what_is_wrong only_one_command_at_a_time \
    keep_keeps_what_was_measured take_back_restores_exactly take_back_saves_what_came_after \
    take_back_of_what_is_restored_already take_back_works_without_a_step texts_are_safe \
    journal_belongs_to_the_student guess_is_read guess_says_what_is_wrong
