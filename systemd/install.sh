#!/bin/sh
# Installs this checkout as a service, or takes it away again; safe to run twice.
#
#   systemd/install.sh [--dry-run] install
#   systemd/install.sh [--dry-run] [--purge] uninstall
#
# It makes the Debian package of `make deb` for this machine and installs that: what lies where, and what is done with
# it, is told in tools/deb/contents.py and systemd/package. --dry-run says what would be done; --purge deletes decks,
# games and settings too.
set -eu

source_dir=$(dirname "$(cd "$(dirname "$0")" && pwd)")
state=/var/lib/sevenmat
# What pip has fetched, and what makes the package; it may be deleted.
work=/var/cache/sevenmat-build
pi_packages="python3-picamera2 python3-lgpio"
# With Debian's packages, the wheels, and the program twice.
needed_mb=2000

say() { printf 'sevenmat: %s\n' "$*"; }
fail() {
    printf 'sevenmat: %s\n' "$*" >&2
    exit 2
}
# Runs a command, or only says which.
do_it() {
    if [ -n "$dry" ]; then
        printf '  %s\n' "$*"
    else
        "$@"
    fi
}
apt() { do_it env DEBIAN_FRONTEND=noninteractive apt-get "$@"; }

check_system() {
    [ "$(uname -s)" = Linux ] || fail "this installs on Linux only; elsewhere 'make demo' shows the program."
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "installing needs root: run 'sudo make $action'."
    command -v apt-get >/dev/null || fail "this is no Debian or Raspberry Pi OS (apt-get is missing); see docs/INSTALL.md."
    command -v systemctl >/dev/null || fail "systemd is missing, which starts the service; see docs/INSTALL.md."
    [ "$action" = install ] || return 0
    case "$(uname -m)" in
    aarch64) architecture=arm64 ;;
    x86_64) architecture=amd64 ;;
    *) fail "the neural networks' runtime needs a 64 bit system, this one is $(uname -m): install the 64 bit image of Raspberry Pi OS." ;;
    esac
    # /opt may not be there yet; what it will lie on is asked.
    free=$(df -Pk /opt 2>/dev/null || df -Pk /)
    free=$(printf '%s\n' "$free" | awk 'END { print int($4 / 1024) }')
    [ "$free" -ge "$needed_mb" ] || fail "installing takes up to $needed_mb MB, only $free MB are free: make room first."
}

# Torn by a pulled plug: apt does nothing at all until dpkg has unpacked it anew; what it needs is there already.
is_torn() { [ "$(dpkg-query -W -f '${db:Status-Eflag}' sevenmat 2>/dev/null)" = reinstreq ]; }

install_debians() {
    is_torn || fetch_debians
    python=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    case "$python" in
    3.11 | 3.13) ;;
    *) fail "Python 3.11 or 3.13 is needed, this system has $python: install Raspberry Pi OS Bookworm or Trixie." ;;
    esac
}

fetch_debians() {
    do_it dpkg --configure -a || true
    apt update -q || fail "Debian's package lists can't be fetched: connect the network, and try again."
    wanted="python3 python3-venv"
    for package in $pi_packages; do
        if apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [0-9]'; then
            wanted="$wanted $package"
        else
            say "note: $package is not in this system's package sources (Raspberry Pi OS has it); going on without."
        fi
    done
    # shellcheck disable=SC2086 # a list of words
    apt install -y -q --no-install-recommends $wanted ||
        fail "Debian's packages can't be installed; what apt-get says above has the reason. Mend it, and try again."
}

make_package() {
    tools=$work/tools-$python
    if ! "$tools/bin/python" -c 'import babel, packaging, setuptools' 2>/dev/null; then
        do_it /usr/bin/python3 -m venv --clear "$tools" || fail "no virtual environment can be made in $tools; see above."
        # shellcheck disable=SC2046 # a list of words: these packages as the lock has them, with no digests
        do_it "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
            $(grep -oE '^(babel|packaging|setuptools)==[^ ]+' "$source_dir/requirements.lock") ||
            fail "the Python packages can't be fetched: see above, check network and free disk, and try again."
    fi
    do_it rm -rf "$work/package"
    do_it env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source_dir" "$tools/bin/python" -m tools.deb --quick \
        --arch "$architecture" --python "$python" --wheels "$work/wheels" --out "$work/package" ||
        fail "the package can't be made; see above. Are network and disk there, and is this checkout whole?"
}

# dpkg unpacks over whatever a pulled plug has left of an installation, which apt alone refuses to touch; apt fetches what
# is needed, and would rather remove the package where that can't be had.
install_package() {
    do_it dpkg --unpack "$work"/package/sevenmat_*.deb
    apt -f install -y -q --no-remove --no-install-recommends ||
        fail "Debian's packages can't be installed; what apt-get says above has the reason. Mend it, and try again."
    do_it dpkg --configure -a
    do_it rm -rf "$work/package"
}

install_all() {
    check_system
    install_debians
    make_package
    install_package
    [ -n "$dry" ] ||
        say "installed. 'systemctl status sevenmat' says how it is, 'sudo -u sevenmat sevenmat doctor --state $state' what to mend."
}

uninstall_all() {
    check_system
    do_it rm -rf "$work"
    if [ -z "$purge" ]; then
        do_it dpkg --remove --force-remove-reinstreq sevenmat
        say "uninstalled. Decks, games and settings are still in $state; Debian's packages stay."
        return
    fi
    if [ -n "$dry" ]; then
        say "decks, games and settings would be deleted."
    elif dpkg-query --status sevenmat >/dev/null 2>&1; then
        echo "sevenmat sevenmat/delete_games boolean true" | debconf-set-selections
    fi
    do_it env DEBIAN_FRONTEND=noninteractive dpkg --purge --force-remove-reinstreq sevenmat
    say "uninstalled, with all decks and games."
}

dry=
purge=
action=
for word in "$@"; do
    case "$word" in
    --dry-run) dry=yes ;;
    --purge) purge=yes ;;
    install | uninstall) action=$word ;;
    *) fail "'$word' is unknown: say 'install' or 'uninstall', with --dry-run or --purge." ;;
    esac
done
[ -n "$action" ] || fail "say 'install' or 'uninstall', with --dry-run or --purge."
"${action}_all"
