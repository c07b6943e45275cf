"""A bare Debian in a folder, by debootstrap: a command runs in it, or its systemd does, as in a container."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.deb.wheels import MACHINES, PackagingError

WORK = Path(os.environ.get("DEB_WORK", "/var/tmp/sevenmat-deb"))
TOOLS = {"debootstrap": "debootstrap", "systemd-nspawn": "systemd-container", "nsenter": "util-linux"}
"""What is needed, and the Debian package that brings it."""
_BARE = "ca-certificates,systemd-sysv,udev,dbus,libpam-systemd"
_BOOT_S = 90
_MOUNTS = """
mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/run" && mount --rbind /dev "$1/dev" || exit 3
[ ! -e "$1/etc/cpuinfo" ] || mount --bind "$1/etc/cpuinfo" "$1/proc/cpuinfo"
mkdir -p "$1/mnt/given" "$1/mnt/shared"
mount --bind "$2" "$1/mnt/given" && mount --bind "$3" "$1/mnt/shared" || exit 3
exec chroot "$1" sh -c "$4"
"""
# ONNX Runtime asks what processor it is on, and a Pi 4 is what QEMU is told to be.
_CPU_OF_A_PI = "".join(
    f"processor\t: {core}\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd evtstrm crc32 cpuid\n"
    "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd08\nCPU revision\t: 3\n\n"
    for core in range(4)
)


def explain_missing(architecture: str) -> str:
    """Say how to get what is missing here, as one sentence; nothing where all is there."""
    packages = sorted({package for tool, package in TOOLS.items() if shutil.which(tool) is None})
    machine = MACHINES[architecture]
    if machine != os.uname().machine and not Path(f"/proc/sys/fs/binfmt_misc/qemu-{machine}").exists():
        packages += ["qemu-user-static", "binfmt-support"]
    if packages:
        return f"Trying the package needs 'sudo apt install {' '.join(packages)}'."
    return "" if os.geteuid() == 0 else "Trying the package needs root."


class Root:
    """One Debian, new each time; the folders ``given`` and ``shared`` are at /mnt in it."""

    def __init__(self, suite: str, architecture: str, given: Path, shared: Path) -> None:
        self.folder = WORK / f"{suite}-{architecture}"
        self.native = MACHINES[architecture] == os.uname().machine
        self.suite, self._architecture, self._given, self._shared = suite, architecture, given, shared
        self._leader = 0

    def build(self) -> None:
        """Make it anew, from a bare one that is kept.

        Raises:
            PackagingError: it can't be made.
        """
        bare = WORK / f"{self.folder.name}.bare"
        if not bare.exists():
            part = bare.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            argv = ["debootstrap", "--variant=minbase", f"--arch={self._architecture}", f"--include={_BARE}"]
            mirror = [os.environ["MIRROR"]] if "MIRROR" in os.environ else []
            self._do([*argv, self.suite, str(part), *mirror], 3600)
            part.rename(bare)
        shutil.rmtree(self.folder, ignore_errors=True)
        self._do(["cp", "-a", "--reflink=auto", str(bare), str(self.folder)], 600)
        (self.folder / "etc/hostname").write_text("sevenmat\n")
        if not self.native:
            (self.folder / "etc/cpuinfo").write_text(_CPU_OF_A_PI)

    def run_script(self, script: str, limit_s: float = 300, check: bool = True) -> str:
        """Run a shell script in it, and return all that it says.

        Raises:
            PackagingError: it fails, and that is looked at.
        """
        environment = f"export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 QEMU_CPU=cortex-a72; {script}"
        if self._leader:
            argv = ["nsenter", "-t", str(self._leader), "-a", "sh", "-c", environment]
        else:
            argv = ["unshare", "--mount", "--propagation=private", "sh", "-c", _MOUNTS, "sh"]
            argv += [str(self.folder), str(self._given), str(self._shared), environment]
        return self._do(argv, limit_s, check)

    @contextmanager
    def boot(self) -> Iterator[None]:
        """Run its systemd, without a network.

        Raises:
            PackagingError: it does not come up.
        """
        mount = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd && exec"
        nspawn = f"systemd-nspawn -D {self.folder} --boot --machine={self.folder.name} --register=no --keep-unit"
        binds = f"--private-network --bind={self._given}:/mnt/given --bind-ro={self._shared}:/mnt/shared"
        argv = ["unshare", "--mount", "--propagation=private", "sh", "-c", f"{mount} {nspawn} {binds}"]
        with (WORK / f"{self.folder.name}.log").open("w") as log:
            running = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._leader = self._wait_for_init(running)
            yield
            self.run_script("systemctl poweroff", check=False)
            running.wait(60)
        finally:
            self._leader = 0
            running.terminate()
            running.wait(60)

    def _wait_for_init(self, running: subprocess.Popen[bytes]) -> int:
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        end = time.monotonic() + _BOOT_S
        while time.monotonic() < end and running.poll() is None:
            time.sleep(1)
            for leader in children.read_text().split():
                self._leader = int(leader)
                if self.run_script("systemctl is-system-running", check=False).strip() in ("running", "degraded"):
                    return self._leader
        raise PackagingError(f"The container does not come up: see {WORK / self.folder.name}.log.")

    def _do(self, argv: list[str], limit_s: float, check: bool = True) -> str:
        try:
            done = subprocess.run(
                argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit_s
            )
        except subprocess.TimeoutExpired as error:
            raise PackagingError(f"{argv[-1]!r} takes longer than {limit_s:.0f} s.") from error
        said = done.stdout.decode(errors="replace")
        if check and done.returncode:
            raise PackagingError(f"{argv[-1]!r} ends with {done.returncode}: {said[-2000:]}")
        return said
