# Sourced by the scripts beside it: makes .venv and installs exactly what constraints.txt pins.
# POSIX sh. Needs Python 3.11 or later with venv; everything else comes from the package index.

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

make_venv() {
    python=$(find_python) || exit 1
    say "making .venv with $("$python" --version)"
    if has_module "$python" ensurepip; then
        "$python" -m venv .venv
    elif has_module "$python" venv && has_module "$python" pip; then
        "$python" -m venv --without-pip .venv
        "$python" -m pip --quiet --python .venv/bin/python install pip
    else
        die "this Python has no venv module, or no ensurepip" \
            "Debian, Ubuntu: apt-get install python3-venv; then run this again"
    fi
}

# install WHAT: "play" for what a player needs, "dev" for the tests as well. Quick when done before.
install() {
    stamp=".venv/installed-$1"
    wanted="$(pwd) $(cksum <constraints.txt) $(cksum <pyproject.toml)"
    is_usable .venv/bin/python || { rm -f .venv/installed-*; make_venv; }
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return
    say "installing what is pinned in constraints.txt (once)"
    pip="env PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip -qq install -c constraints.txt"
    [ "$1" = dev ] && groups="--group dev" || groups=""
    # Dependency groups need a recent pip; without build isolation setuptools is the pinned one too.
    $pip pip setuptools && $pip --no-build-isolation $groups -e . ||
        die "the packages could not be installed" "is there a connection to a package index?"
    printf '%s' "$wanted" >"$stamp"
}
