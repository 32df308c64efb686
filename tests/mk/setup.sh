#!/bin/sh
# Installs what the tests need and a bare compiler lacks: cmocka, and gcovr for `make coverage`. And
# coccinelle, which `make check` can do without.
#
#     setup.sh COMPILER...               installs what is missing, or prints the line that does
#     setup.sh --has-cmocka COMPILER...  succeeds when the compiler finds cmocka
set -eu

has_cmocka() {
    printf '#include <%s>\n' stdarg.h stddef.h setjmp.h stdint.h cmocka.h |
        "$@" -E -x c - >/dev/null 2>&1
}

has_all() {
    has_cmocka "$@" && command -v gcovr >/dev/null
}

# The line that installs both with this system's package manager.
install_line() {
    if command -v apt-get >/dev/null; then
        echo 'apt-get update && apt-get install -y libcmocka-dev gcovr'
    elif command -v dnf >/dev/null; then
        echo 'dnf install -y libcmocka-devel gcovr'
    elif command -v zypper >/dev/null; then
        echo 'zypper install -y libcmocka-devel gcovr'
    elif command -v pacman >/dev/null; then
        echo 'pacman -S --needed cmocka python-gcovr'
    elif command -v apk >/dev/null; then
        echo 'apk add cmocka-dev gcovr'
    elif command -v brew >/dev/null; then
        echo 'brew install cmocka gcovr'
    fi
}

# The line that installs coccinelle, where it is known to be packaged.
optional_line() {
    if command -v apt-get >/dev/null; then
        echo 'apt-get update && apt-get install -y coccinelle'
    elif command -v dnf >/dev/null; then
        echo 'dnf install -y coccinelle'
    fi
}

# Whether commands may be run as root without asking anybody; prints what to put in front of them.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        echo 'sh -c'
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        echo 'sudo -n sh -c'
    else
        return 1
    fi
}

# Runs the install line "$2", for "$3", by way of "$1".
run_install() {
    echo "Installing $3: $2"
    # shellcheck disable=SC2086 # several words
    $1 "export DEBIAN_FRONTEND=noninteractive; $2" >&2
}

# Says which line to type, and as whom. "$1": the line; "$2": what it is for.
tell() {
    line=$1
    by=
    case $line in
    brew*) ;; # refuses to be run by root
    *) if command -v sudo >/dev/null; then
        line="sudo $(echo "$line" | sed 's/&& /&sudo /')"
    else
        by=', typed by root,'
    fi ;;
    esac
    echo "$2 This line$by installs what is missing:"
    echo "    $line"
}

if [ "$1" = --has-cmocka ]; then
    shift
    has_cmocka "$@"
    exit
fi

# Only with apt-get has this been tried; elsewhere a person reads the line first.
root_shell=
if command -v apt-get >/dev/null; then
    root_shell=$(as_root) || :
fi

if has_all "$@"; then
    echo 'cmocka and gcovr are there.'
else
    line=$(install_line)
    if [ -z "$line" ]; then
        echo 'Please install cmocka (https://cmocka.org) and gcovr (https://gcovr.com).' >&2
        exit 1
    elif [ -z "$root_shell" ]; then
        tell "$line" 'The tests need cmocka, and the coverage needs gcovr.' >&2
        exit 1
    fi
    run_install "$root_shell" "$line" 'cmocka and gcovr'
    if ! has_all "$@"; then
        echo 'They are installed, but the compiler or the shell still does not find them.' >&2
        exit 1
    fi
fi

line=$(optional_line)
if command -v spatch >/dev/null; then
    echo 'coccinelle is there.'
elif [ -z "$line" ]; then
    echo 'make check can use coccinelle, and does without.'
elif [ -z "$root_shell" ]; then
    tell "$line" 'make check can use coccinelle, and does without.'
elif ! run_install "$root_shell" "$line" coccinelle; then
    echo 'coccinelle could not be installed; make check does without.'
fi
