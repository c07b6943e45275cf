#!/bin/sh
# Builds the simulated devices that Debian's kernels leave out (gpio-sim, vimc), v4l2loopback, and the wheels that the index
# lacks, in a tree of their own: VM_WORK/SUITE/out. Root; 1 to 3 minutes and 1 GB.
set -eu
. "$(dirname "$0")/settings.sh"
build=$tree/build
if [ ! -e "$build/.made" ]; then
    take_away "$build"
    apt_sources > "$tree/apt.sources"
    mmdebstrap --variant=apt --dpkgopt=force-unsafe-io \
        --include=build-essential,linux-headers-amd64,linux-source,xz-utils,v4l2loopback-dkms \
        --include=swig,python3-dev,python3-venv,python3-pip,libcap-dev "$SUITE" "$build" "$tree/apt.sources"
    touch "$build/.made"
fi
cp "$here/in_build.sh" "$build/root/"
inside "$build" sh /root/in_build.sh
rm -rf "$tree/out"
cp -a "$build/root/out" "$tree/out"
# The image holds the modules of before.
take_away "$tree/root"
