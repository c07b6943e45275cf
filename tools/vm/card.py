"""A card that installs itself, tried: a Debian with cloud-init boots with ``systemd/card`` and the package on it.

python -m tools.vm.card [--screens FOLDER] PACKAGE

The image is made of Debian's own packages, as Debian's cloud image is, since Raspberry Pi OS boots on a Pi alone:
kernel, cloud-init, netplan and NetworkManager, with cloud-init told as on a Pi to look into /boot/firmware. Prints one
line for each thing looked at, and ends with 1 where one is not as it should be. It needs root and a network; emulated,
it takes some 10 minutes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image

from tools.deb.trying import Checks, print_checks
from tools.vm.image import ROOT, SUITE, WORK, explain_missing
from tools.vm.machine import Machine

CARD = ROOT / "systemd/card"
FOLDER = WORK / "card"
_PACKAGES = "systemd-sysv,udev,dbus,kmod,ca-certificates,procps,sudo,libpam-systemd,qemu-guest-agent,linux-image-amd64,"
_PACKAGES += "initramfs-tools,cloud-init,cloud-guest-utils,e2fsprogs,openssh-server,netplan.io,network-manager,iproute2"
_FILES = {
    "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\nLABEL=bootfs /boot/firmware vfat defaults 0 2\n",
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": (
        "datasource_list: [NoCloud, None]\ndatasource:\n  NoCloud:\n    seedfrom: file:///boot/firmware/\n"
    ),
    "etc/systemd/system/cloud-init-local.service.d/card.conf": "[Unit]\nRequiresMountsFor=/boot/firmware\n",
    "etc/systemd/system/cloud-init-main.service.d/card.conf": "[Unit]\nRequiresMountsFor=/boot/firmware\n",
    "usr/lib/netplan/00-network-manager-all.yaml": "network:\n  version: 2\n  renderer: NetworkManager\n",
    "etc/initramfs-tools/conf.d/small": "MODULES=list\n",
    "etc/initramfs-tools/modules": "virtio_pci\nvirtio_blk\next4\n",
    # Mesa's renderer without a GPU compiles while it runs, which the unit forbids; and an emulated start takes long.
    "etc/systemd/system/sevenmat.service.d/emulated.conf": (
        "[Service]\nEnvironment=GALLIUM_DRIVER=softpipe\nTimeoutStartSec=600\nWatchdogSec=180\n"
    ),
}
_META = "instance-id: rpios-image\ndsmode: local\n"
_PATIENCE_S = 3600.0
_SHOWN_S = 300.0
_NETWORK = ("-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net")


def main() -> int:
    """Try the card; 0 all is as it should be, 1 something is not, 2 it can't be tried here."""
    parser = argparse.ArgumentParser(prog="python -m tools.vm.card", description=__doc__)
    parser.add_argument("package", type=Path, help="of amd64")
    parser.add_argument("--screens", type=Path, help="a folder for what the display shows")
    options = parser.parse_args()
    if why := explain_missing(**{"mkfs.vfat": "dosfstools", "mcopy": "mtools"}):
        print(why, file=sys.stderr)
        return 2
    return print_checks(try_card(options.package, options.screens))


def try_card(package: Path, screens: Path | None) -> Checks:
    """Write the card, switch on, wait until the table is there, and switch on once more without a network."""
    build_image()
    write_bootfs(package)
    yield True, f"the card is written, with {package.name}"
    with _switch_on(fresh=True, network=True) as machine:
        machine.wait_until_up(900)
        yield True, "it boots"
        machine.ask_until("systemctl is-enabled sevenmat-first", "enabled", 600, 5)
        began = time.monotonic()
        machine.ask_until("systemctl is-enabled sevenmat-first", "disabled", _PATIENCE_S, 5)
        yield True, f"the package is installed {time.monotonic() - began:.0f} s after cloud-init has asked for it"
        yield from _look_at_system(machine)
        yield from _look_at_table(machine, screens)
        machine.run_script("sync")
    with _switch_on(fresh=False, network=False) as machine:
        machine.wait_until_up(900)
        yield True, "plug pulled and put back, without a network: it boots"
        yield from _look_at_table(machine, None)


def build_image() -> None:
    """Make the image where there is none yet.

    Raises:
        subprocess.CalledProcessError: a step failed.
    """
    image, root = FOLDER / "sevenmat.img", FOLDER / "root"
    if image.exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    mirror = [os.environ["MIRROR"]] if "MIRROR" in os.environ else []
    shutil.rmtree(root, ignore_errors=True)
    options = ["--variant=minbase", "--dpkgopt=force-unsafe-io", "--skip=check/empty", f"--include={_PACKAGES}"]
    hooks = [f"--customize-hook=sync-in {FOLDER / 'files'} /", '--customize-hook=chroot "$1" update-initramfs -u']
    for name, text in _FILES.items():
        path = FOLDER / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["mmdebstrap", *options, *hooks, SUITE, str(root), *mirror], check=True, stdout=sys.stderr)
    (root / "etc/machine-id").write_text("")
    (kernel,) = (root / "boot").glob("vmlinuz-*")
    (initrd,) = (root / "boot").glob("initrd.img-*")
    (FOLDER / "vmlinuz").write_bytes(kernel.read_bytes())
    (FOLDER / "initrd").write_bytes(initrd.read_bytes())
    (root / "boot/firmware").mkdir(exist_ok=True)
    part = image.with_suffix(".part")
    part.unlink(missing_ok=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", str(root), str(part), "6G"], check=True)
    shutil.rmtree(root)
    part.rename(image)


def write_bootfs(package: Path) -> None:
    """Make the card's partition, as whoever follows docs/INSTALL.md does.

    Raises:
        subprocess.CalledProcessError: a step failed.
    """
    disk, meta = FOLDER / "bootfs.img", FOLDER / "meta-data"
    meta.write_text(_META)
    disk.unlink(missing_ok=True)
    subprocess.run(["mkfs.vfat", "-C", "-n", "bootfs", str(disk), str(512 * 1024)], check=True, stdout=sys.stderr)
    files = [CARD / "user-data", CARD / "network-config", meta, package]
    subprocess.run(["mcopy", "-i", str(disk), *map(str, files), "::"], check=True)


def _switch_on(fresh: bool, network: bool) -> Machine:
    bootfs = ("-drive", f"file={FOLDER / 'bootfs.img'},if=virtio,format=raw")
    return Machine("card", fresh=fresh, boot=FOLDER, more=[*bootfs, *(_NETWORK if network else ())])


def _look_at_system(machine: Machine) -> Checks:
    status = machine.ask_until("cloud-init status --long", "status: done", 600, 5)
    yield "errors: []" in status, f"cloud-init is done: {' '.join(status.split())}"
    asked = "hostname; cat /etc/timezone 2>/dev/null || readlink /etc/localtime; passwd -S table | cut -d' ' -f2"
    said = machine.run_script(asked).split()
    yield said[0] == "sevenmat" and said[1].endswith("Asia/Tokyo") and said[2] == "L", f"name, zone, user: {said}"
    wifi = machine.run_script("netplan get", check=False)
    yield "NAME OF THE WI-FI" in wifi, "netplan has the Wi-Fi's name and password"
    settings = machine.run_script("cat /var/lib/sevenmat/settings.toml; stat -c %U:%a /var/lib/sevenmat")
    yield (
        'language = "ja"' in settings and "sevenmat:750" in settings,
        "the settings are the card's, the state folder's the user's",
    )
    version = machine.run_script("sevenmat --version").strip()
    yield version.startswith("sevenmat "), f"on the path is {version}"


def _look_at_table(machine: Machine, screens: Path | None) -> Checks:
    machine.ask_until("systemctl is-active sevenmat", "active", _SHOWN_S, 2)
    enabled = machine.run_script("systemctl is-enabled sevenmat", check=False).strip()
    yield enabled == "enabled", f"the table's service is active and {enabled}"
    end, colours = time.monotonic() + _SHOWN_S, 0
    while time.monotonic() < end and colours < 3:
        time.sleep(5)  # a look at the scan-out disturbs an emulated machine
        shown = machine.save_screen()
        with Image.open(shown) as picture:
            colours = len(picture.convert("RGB").resize((96, 64)).getcolors(96 * 64) or ())
    if screens is not None:
        screens.mkdir(parents=True, exist_ok=True)
        (screens / "first.png").write_bytes(shown.read_bytes())
    yield colours >= 3, f"the display shows a picture of {colours} colours"


if __name__ == "__main__":
    sys.exit(main())
