# What the scripts here share; each can be set from outside. Sourced, not run.
here=$(cd "$(dirname "$0")" && pwd)
SUITE=${SUITE:-trixie}                          # trixie or bookworm
VM_WORK=${VM_WORK:-/var/tmp/sevenmat-vm}        # trees, images, logs: 5 GB a suite
SIZE=${SIZE:-4G}                                # of the image
PRODUCT=$(cd "$here/../../.." && pwd)
tree=$VM_WORK/$SUITE
mkdir -p "$tree"

# Takes a tree away. A build that was broken off leaves the machine's own /proc and /dev mounted in it: those are let go of
# first, and where one stays, nothing is deleted.
take_away() {
    awk -v tree="$1/" 'index($2 "/", tree) == 1 { print $2 }' /proc/mounts | sort -r | while read -r place; do umount "$place"; done
    if awk -v tree="$1/" 'index($2 "/", tree) == 1 { found = 1 } END { exit !found }' /proc/mounts; then
        echo "something is still mounted below $1: unmount it, and try again." >&2
        exit 2
    fi
    rm -rf --one-file-system "$1"
}

# This machine's own apt sources, for the other suite: no mirror is written down here.
apt_sources() {
    . /etc/os-release
    cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
        grep -v '^ *#' | sed "s/$VERSION_CODENAME/$SUITE/g"
}

# A command in a tree, with this machine's name server, certificates and pip settings, which are taken away again.
inside() {
    root=$1
    shift
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    mkdir -p "$root/run/build" "$root/proc"
    cp /etc/ssl/certs/ca-certificates.crt "$root/run/build/ca.crt"
    cp /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true   # local settings, where there are any
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    code=0
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PIP_CERT=/run/build/ca.crt ${PIP_INDEX_URL:+PIP_INDEX_URL=$PIP_INDEX_URL} ${https_proxy:+https_proxy=$https_proxy} \
        chroot "$root" "$@" || code=$?
    umount "$root/proc"
    rm -rf "$root/run/build" "$root/etc/resolv.conf"
    for file in /etc/apt/apt.conf.d/99*; do rm -f "$root/etc/apt/apt.conf.d/$(basename "$file")"; done
    return $code
}
