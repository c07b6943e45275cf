#!/bin/sh
# Installs Sevenmat on a Raspberry Pi as a service, or takes it away again; safe to run twice.
#
#   systemd/install.sh [--dry-run] install
#   systemd/install.sh [--dry-run] [--purge] uninstall
#
# --dry-run says what would be done; --purge deletes decks, games and settings too. With DESTDIR set, files are put
# under that folder and nothing else is done: no packages, no user, no virtual environment, no service is touched.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(dirname "$here")
root=${DESTDIR:-}
home=/opt/sevenmat
state=/var/lib/sevenmat
unit=/etc/systemd/system/sevenmat.service
socket=/etc/systemd/system/sevenmat.socket
hall_unit=/etc/systemd/system/sevenmat-hall.service
backoff=/etc/systemd/system/sevenmat.service.d/backoff.conf
sysusers=/etc/sysusers.d/sevenmat.conf
udev=/etc/udev/rules.d/70-sevenmat.rules
polkit=/etc/polkit-1/rules.d/50-sevenmat.rules
command=/usr/local/bin/sevenmat
pi_packages="python3-picamera2 python3-lgpio"
# The last three draw on a screen without a desktop; only a system with one has them already.
packages="python3 python3-venv python3-gpiozero python3-pygame polkitd libegl1 libgles2 libgl1-mesa-dri"
# With Debian's packages, the virtual environment and what pip unpacks meanwhile.
needed_mb=1500

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
# The same for commands that need the real system rather than DESTDIR.
on_system() { [ -n "$root" ] || do_it "$@"; }
# Whole, or as it was, whenever the plug is pulled.
put() {
    do_it install -D -m "$1" "$here/$2" "$root$3.new"
    do_it sync "$root$3.new"
    do_it mv -f "$root$3.new" "$root$3"
}
point() {
    do_it ln -sfn "$1" "$2.new"
    do_it mv -fT "$2.new" "$2"
}
drop() { do_it rm -f "$root$1" "$root$1.new"; }

check_system() {
    [ -n "$root" ] && return
    [ "$(uname -s)" = Linux ] || fail "this installs on Linux only; elsewhere 'make demo' shows the program."
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "installing needs root: run 'sudo make $action'."
    command -v apt-get >/dev/null || fail "this is no Debian or Raspberry Pi OS (apt-get is missing); see docs/INSTALL.md."
    command -v systemctl >/dev/null || fail "systemd is missing, which starts the service; see docs/INSTALL.md."
    [ "$action" = install ] || return 0
    case "$(uname -m)" in
    aarch64 | x86_64) ;;
    *) fail "the neural networks' runtime needs a 64 bit system, this one is $(uname -m): install the 64 bit image of Raspberry Pi OS." ;;
    esac
    # /opt may not be there yet; what it will lie on is asked.
    free=$(df -Pk /opt 2>/dev/null || df -Pk /)
    free=$(printf '%s\n' "$free" | awk 'END { print int($4 / 1024) }')
    [ "$free" -ge "$needed_mb" ] || fail "installing takes up to $needed_mb MB, only $free MB are free: make room first."
    . /etc/os-release
    case "${VERSION_CODENAME:-}" in
    bookworm | trixie) ;;
    *) say "note: made for Debian 12 (bookworm) and 13 (trixie), not tried on ${PRETTY_NAME:-this system}." ;;
    esac
}

systemd_version() { systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p'; }
has_package() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'; }
# Whether systemd runs here; in a chroot or a container it does not, and enabling must do.
is_running() { [ -d /run/systemd/system ]; }

install_packages() {
    [ -n "$root" ] && return
    apt="env DEBIAN_FRONTEND=noninteractive apt-get"
    do_it $apt update -q || fail "Debian's package lists can't be fetched: connect the network, and try again."
    wanted=$packages
    for package in $pi_packages; do
        if has_package "$package"; then
            wanted="$wanted $package"
        else
            say "note: $package is not in this system's package sources (Raspberry Pi OS has it); going on without."
        fi
    done
    # shellcheck disable=SC2086 # a list of words
    do_it $apt install -y -q --no-install-recommends $wanted ||
        fail "Debian's packages can't be installed; what apt-get says above has the reason. Mend it, and try again."
    [ -n "$dry" ] || /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Python 3.11 or later is needed, this system has $(/usr/bin/python3 -V): install Raspberry Pi OS Bookworm or Trixie."
}

install_program() {
    [ -n "$root" ] && return
    do_it install -d -m 755 "$home"
    packages_kept=$home/packages
    # Pip takes packages for whole that a pulled plug has torn: what isn't known to lie on the disk is made anew.
    # So is a venv that isn't there, or of the Python before the system's upgrade.
    if [ ! -e "$packages_kept" ] || ! "$home/venv/bin/python" -m pip --version >/dev/null 2>&1; then
        do_it rm -f "$packages_kept"
        do_it /usr/bin/python3 -m venv --clear --system-site-packages "$home/venv" ||
            fail "no virtual environment can be made in $home/venv; see above."
    fi
    wanted=$(cat "$here/requirements-pi.txt" "$source_dir/requirements.lock" | sha256sum)
    [ "$(cat "$packages_kept" 2>/dev/null)" = "$wanted" ] || do_it rm -f "$packages_kept"
    do_it sync
    pip="$home/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-cache-dir"
    # A wheel that must be built on the Pi would take hours and gigabytes: better no installation than that one.
    do_it $pip --only-binary=:all: -r "$here/requirements-pi.txt" \
        -c "$source_dir/requirements.lock" "babel>=2.14" "setuptools>=75" ||
        fail "the Python packages can't be installed: see above, check network and free disk, and try again."
    do_it sync
    [ -n "$dry" ] || printf '%s\n' "$wanted" > "$packages_kept"
    # Built from a copy, so that nothing of root's is left in the checkout.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    [ -n "$dry" ] || tar -C "$source_dir" --exclude=__pycache__ --exclude=models/train -cf - \
        pyproject.toml setup.py README.md LICENSE systemd rules referee vision ui device web hall printing simulator cli models | tar -C "$copy" -xf -
    # The new program lies beside the one that runs until it is whole on the disk; what was before that one goes.
    now=$(readlink "$home/program" || true)
    for old in "$home"/program-*; do
        [ "$old" = "$now" ] || [ ! -d "$old" ] || do_it rm -rf "$old"
    done
    new=$home/program-new
    [ -n "$dry" ] || { new=$(mktemp -d "$home/program-XXXXXX") && chmod 755 "$new"; }
    do_it $pip --no-deps --no-build-isolation --target "$new" "$copy" ||
        fail "the program itself can't be installed; see above. Is this checkout whole?"
    # Its real folder, so that a program that runs loads no module of the next one.
    for site in "$home"/venv/lib/python3*/site-packages; do
        [ -n "$dry" ] || printf 'import os, sys; sys.path.append(os.path.realpath("%s"))\n' "$home/program" > "$site/sevenmat.pth"
    done
    do_it sync
    point "$new" "$home/program"
    point "$home/program/bin/sevenmat" "$home/venv/bin/sevenmat"
    point "$home/venv/bin/sevenmat" "$command"
}

install_files() {
    put 644 sysusers.conf "$sysusers"
    put 644 udev.rules "$udev"
    put 644 polkit.rules "$polkit"
    put 644 sevenmat.service "$unit"
    put 644 sevenmat.socket "$socket"
    put 644 sevenmat-hall.service "$hall_unit"
    if [ -n "$root" ] || [ "$(systemd_version)" -ge 254 ]; then
        put 644 backoff.conf "$backoff"
    fi
    do_it sync
}

start_service() {
    on_system systemd-sysusers "$sysusers"
    on_system systemctl enable --quiet sevenmat.service sevenmat.socket
    if [ -z "$root" ] && ! is_running; then
        say "systemd does not run here: the service starts with the machine."
        return
    fi
    # A container has no udev of its own.
    if [ -S /run/udev/control ]; then
        on_system udevadm control --reload
        on_system udevadm trigger --subsystem-match=dma_heap --subsystem-match=gpio
    fi
    on_system systemctl daemon-reload
    on_system systemctl restart --no-block sevenmat.service
    # Only a table that is in a hall has this one enabled.
    on_system systemctl try-restart --no-block sevenmat-hall.service
}

install_all() {
    check_system
    install_packages
    install_program
    install_files
    start_service
    if [ -n "$root" ]; then
        say "files are in $root."
    elif [ -z "$dry" ]; then
        say "installed. 'systemctl status sevenmat' says how it is, 'sudo -u sevenmat sevenmat doctor --state $state' what to mend."
    fi
}

uninstall_all() {
    check_system
    if [ -e "$root$unit" ] && { [ -n "$root" ] || is_running; }; then
        on_system systemctl disable --now --quiet sevenmat.service sevenmat.socket
    elif [ -e "$root$unit" ]; then
        on_system systemctl disable --quiet sevenmat.service sevenmat.socket
    fi
    if [ -e "$root$hall_unit" ] && { [ -n "$root" ] || is_running; }; then
        on_system systemctl disable --now --quiet sevenmat-hall.service
    elif [ -e "$root$hall_unit" ]; then
        on_system systemctl disable --quiet sevenmat-hall.service
    fi
    for file in "$unit" "$socket" "$hall_unit" "$backoff" "$udev" "$polkit" "$sysusers" "$command"; do drop "$file"; done
    [ ! -d "$root$(dirname "$backoff")" ] || do_it rmdir --ignore-fail-on-non-empty "$root$(dirname "$backoff")"
    do_it rm -rf "$root$home"
    if is_running; then on_system systemctl daemon-reload; fi
    if [ -n "$purge" ]; then
        do_it rm -rf "$root$state" "$root$state-hall" "$root/var/cache/sevenmat"
        if [ -z "$root" ] && id sevenmat >/dev/null 2>&1; then do_it userdel sevenmat; fi
        say "uninstalled, with all decks and games."
    else
        say "uninstalled. Decks, games and settings are still in $root$state; Debian's packages stay."
    fi
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
