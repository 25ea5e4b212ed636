# Sourced by the scripts beside it: makes .venv and installs exactly what constraints.txt pins.
# POSIX sh. Needs Python 3.11 or later with venv; everything else comes from the package index.
#
# .venv/unfinished is there from before the first change of .venv until after the last: whoever
# finds it was preceded by one that was interrupted, and makes .venv anew.

say() { printf 'p2pjong: %s\n' "$*" >&2; }
die() { say "error: $1"; shift; for line in "$@"; do say "hint: $line"; done; exit 1; }

is_usable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for python in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if is_usable "$python"; then printf '%s\n' "$python"; return; fi
    done
    die "Python 3.11 or later is needed, and none was found" \
        "install it (Debian, Ubuntu: apt-get install python3 python3-venv), or set PYTHON to yours"
}

has_module() { "$1" -c "import $2" >/dev/null 2>&1; }

# Only what fails is told, and of what Ctrl-C ended nothing: Python would show a traceback.
quietly() { "$@" 2>.venv/errors; }

make_venv() {
    python=$(find_python) || exit 1
    if has_module "$python" ensurepip; then pip_from=venv
    elif has_module "$python" venv && has_module "$python" pip; then pip_from=python
    else
        die "this Python has no venv module, or no ensurepip" \
            "Debian, Ubuntu: apt-get install python3-venv; then run this again"
    fi
    say "making .venv with $("$python" --version)"
    rm -rf .venv && mkdir .venv && : >.venv/unfinished ||
        die ".venv cannot be made here" "may you write to this folder: $(pwd)?"
    case $pip_from in
        venv) quietly "$python" -m venv .venv ;;
        python) quietly "$python" -m venv --without-pip .venv &&
            quietly "$python" -m pip --quiet --python .venv/bin/python install pip ;;
    esac || { cat .venv/errors >&2; die "Python could not make .venv" "$(likely_why)"; }
}

# What .venv/errors points to: the hint must fit the cause.
likely_why() {
    errors_name() { grep -qiE "$1" .venv/errors; }
    if errors_name 'no space left|quota'; then
        echo "the disk is full: make room, then run this again"
    elif errors_name 'permission denied|read-only'; then
        echo "may you write to this folder: $(pwd)?"
    elif errors_name 'connect|name resolution|retries|timed out|no matching distribution|ssl|proxy'; then
        echo "is there a connection to a package index?"
    else
        echo "what it says stands above; remove .venv, and run this again"
    fi
}

# One start at a time. Whatever ends the holder, the system gives its lock away; where it has no
# such locks, everybody goes on.
lock() {
    python=$(find_python) || exit 1
    exec 9<constraints.txt
    take_it() { "$python" -c "import fcntl; fcntl.flock(9, $1)" 9<&9 2>/dev/null; }
    take_it 'fcntl.LOCK_EX | fcntl.LOCK_NB' && return
    say "another start may be setting up this folder: waiting for it to end"
    take_it fcntl.LOCK_EX || :
}

interrupted() {
    echo >&2
    say "interrupted: nothing is lost, the next start sets up the rest"
    exit 130
}

is_whole() { is_usable .venv/bin/python && [ ! -e .venv/unfinished ]; }
is_installed() { is_whole && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; }

# install WHAT: "play" for what a player needs, "dev" for the tests as well. Quick when done before.
install() {
    stamp=".venv/installed-$1"
    wanted="$(pwd) $(cksum <constraints.txt) $(cksum <pyproject.toml)"
    is_installed && return
    trap interrupted INT
    lock
    is_installed || install_all "$1"
    exec 9<&-
    trap - INT
}

install_all() {
    # One without pip was left half made by a version that had no mark for it.
    is_whole && .venv/bin/python -m pip --version >/dev/null 2>&1 || make_venv
    : >.venv/unfinished
    say "installing what is pinned in constraints.txt (once)"
    pip="env PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip -qq install -c constraints.txt"
    [ "$1" = dev ] && groups="--group dev" || groups=""
    # Dependency groups need a recent pip; without build isolation setuptools is the pinned one too.
    quietly $pip pip setuptools && quietly $pip --no-build-isolation $groups -e . || {
        cat .venv/errors >&2
        rm -f .venv/unfinished # pip has taken back what it began: what was there before still is
        die "the packages could not be installed" "$(likely_why)"
    }
    printf '%s' "$wanted" >"$stamp"
    rm -f .venv/unfinished .venv/errors
}
