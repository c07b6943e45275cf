#!/bin/sh
# Builds VM_WORK/SUITE/sevenmat.img: Debian with systemd, its stock kernel, the simulated devices of modules.sh, and the
# product put in by its own `make install`, over the one that was there before if there was one. Root, after modules.sh.
set -eu
. "$(dirname "$0")/settings.sh"
root=$tree/root
base=$tree/debian.tar
kernel=$(cat "$tree/out/kernel")
if [ ! -e "$base" ]; then
    apt_sources > "$tree/apt.sources"
    libcamera=
    [ "$SUITE" = bookworm ] || libcamera=,python3-libcamera,libcamera-ipa
    mmdebstrap --variant=minbase --dpkgopt=force-unsafe-io --include="systemd-sysv,udev,dbus,kmod,ca-certificates,make,procps,qemu-guest-agent" \
        --include="linux-image-$kernel,initramfs-tools,python3-pip,v4l-utils$libcamera" \
        --include="network-manager,wpasupplicant,dnsmasq-base,iproute2,iw" --format=tar "$SUITE" - "$tree/apt.sources" > "$base.part"
    mv "$base.part" "$base"
    take_away "$root"
fi
if [ ! -d "$root" ]; then
    mkdir -p "$root"
    tar -C "$root" -xf "$base"
    echo sevenmat > "$root/etc/hostname"
    echo '/dev/vda / ext4 defaults,noatime 0 1' > "$root/etc/fstab"
    mkdir -p "$root/lib/modules/$kernel/extra" "$root/root/wheels"
    cp "$tree"/out/modules/*.ko* "$root/lib/modules/$kernel/extra/"
    cp "$tree"/out/wheels/* "$root/root/wheels/"
    mkdir -p "$root/etc/systemd/system/qemu-guest-agent.service.d" "$root/var/log/journal"
    printf '[Service]\nStandardError=null\n' > "$root/etc/systemd/system/qemu-guest-agent.service.d/quiet.conf"
    # a small initramfs: the disk is all it has to find
    echo 'MODULES=list' > "$root/etc/initramfs-tools/conf.d/small"
    printf 'virtio_pci\nvirtio_blk\next4\n' >> "$root/etc/initramfs-tools/modules"
    inside "$root" sh -eu -c "
        depmod $kernel
        update-initramfs -u -k $kernel >/dev/null
        systemctl disable --quiet apt-daily.timer apt-daily-upgrade.timer 2>/dev/null || true
        # there is no network but in the stage of phones, which starts them
        systemctl disable --quiet NetworkManager NetworkManager-wait-online NetworkManager-dispatcher wpa_supplicant
    "
fi
rm -rf "$root/root/sevenmat"
mkdir -p "$root/root/sevenmat"
tar -C "$PRODUCT" --exclude=.git --exclude=./build --exclude='.venv*' --exclude='.*_cache' --exclude=__pycache__ -cf - . |
    tar -C "$root/root/sevenmat" --no-same-owner -xf -
inside "$root" sh -eu -c "
    cd /root/sevenmat && make install
    # what Raspberry Pi OS has by apt, and Debian has not (or too old)
    python3 -m pip install --quiet --break-system-packages --root-user-action=ignore --no-deps /root/wheels/*.whl \
        \$(grep -ihE '^(gpiozero|colorzero)==' requirements.lock)
    [ '$SUITE' = bookworm ] || python3 -m pip install --quiet --break-system-packages --root-user-action=ignore \
        --only-binary=:all: --find-links /root/wheels picamera2==0.3.38
    apt-get clean
"
rm -f "$tree/sevenmat.img"
mke2fs -q -t ext4 -L sevenmat -d "$root" "$tree/sevenmat.img" "$SIZE"
cp "$root/boot/vmlinuz-$kernel" "$tree/vmlinuz"
cp "$root/boot/initrd.img-$kernel" "$tree/initrd"
