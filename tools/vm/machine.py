"""One virtual machine: it boots the image, runs commands, shows what is on its screen, and has its plug pulled.

Debian's QEMU, driven over sockets: its guest agent runs commands (no network, no ssh), QMP takes the scan-out and moves
devices, killing the process is the power cut. KVM is used where the processor has it, else everything is emulated.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar

from tools.vm.image import WORK

GUEST = Path(__file__).parent / "guest"
"""What runs in the machine; it is at /mnt there."""
KVM = os.access("/dev/kvm", os.W_OK) and bool({"vmx", "svm"} & set(Path("/proc/cpuinfo").read_text().split()))
"""/dev/kvm alone says little: without these the kernel's instructions are emulated, and a stock kernel gets nowhere."""
NO_AVX = "max,avx=off,avx2=off,fma=off,f16c=off"
"""With AVX, QEMU 7.2's emulation crashes NumPy's argsort as soon as another process uses it too."""


_PROGRAM = "/opt/sevenmat/program/lib/python3/"


class MachineError(Exception):
    """The machine did not answer in time, or a command failed in it."""


@dataclass(frozen=True)
class Mutation:
    """A fault put into the installed program, and the ``stage`` that must find it."""

    stage: str
    file: str
    old: str
    new: str

    put_in: ClassVar[Mutation | None] = None
    """The one that every machine gets before its service is started."""

    def make_script(self) -> str:
        """Return what puts it into a machine."""
        change = f"path = {_PROGRAM + self.file!r}; text = open(path).read(); assert {self.old!r} in text; "
        change += f"open(path, 'w').write(text.replace({self.old!r}, {self.new!r}))"
        code = base64.b64encode(change.encode()).decode()
        return f"echo {code} | base64 -d | python3 - && systemctl try-restart --no-block sevenmat"


class Machine:
    """A machine on an overlay of the image; the same ``name`` keeps its disk unless ``fresh``."""

    def __init__(
        self,
        name: str = "run",
        *,
        fresh: bool = True,
        screen: tuple[int, int] = (480, 320),
        share: Path = GUEST,
        memory_mb: int = 2048,
        drive: str | None = None,
        table: Path | None = None,
        boot: Path = WORK,
        more: Sequence[str] = (),
    ) -> None:
        """``drive`` is another disk than the overlay, in QEMU's words; ``table`` a folder the machine may write.

        ``boot`` is the folder of image, kernel and initrd, ``more`` are further words of QEMU's.
        """
        self.folder = WORK / "runs" / (name if Mutation.put_in is None else f"{name}-mutant")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._fresh = fresh
        self._took_s: float | None = None
        disk = self.folder / "disk.qcow2"
        if drive is None and (fresh or not disk.exists()):
            disk.unlink(missing_ok=True)
            made = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(boot / "sevenmat.img"), str(disk)]
            subprocess.run(made, check=True)
        for link in ("agent", "qmp"):
            (self.folder / link).unlink(missing_ok=True)
        devices = [
            "virtio-serial",
            "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
            "virtio-rng-pci",
            "qemu-xhci",
            "usb-kbd",
            f"virtio-gpu-pci,xres={screen[0]},yres={screen[1]}",
        ]
        words = [
            *("qemu-system-x86_64", "-machine", "q35", "-nodefaults", "-no-reboot", "-display", "none"),
            *("-accel", "kvm" if KVM else "tcg,thread=multi", "-cpu", "host" if KVM else NO_AVX),
            *("-smp", "2", "-m", str(memory_mb), "-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initrd")),
            *("-append", "root=/dev/vda rw console=ttyS0 loglevel=4 net.ifnames=0"),
            *("-drive", drive or f"file={disk},if=virtio,format=qcow2,cache=writeback"),
            *("-serial", f"file:{self.folder}/console.log"),
            *("-chardev", f"socket,path={self.folder}/agent,server=on,wait=off,id=agent"),
            *("-qmp", f"unix:{self.folder}/qmp,server=on,wait=off"),
            *("-virtfs", f"local,path={share},mount_tag=shared,security_model=none,readonly=on"),
            *(("-virtfs", f"local,path={table},mount_tag=table,security_model=none") if table else ()),
            *(word for device in devices for word in ("-device", device)),
            *more,
        ]
        self.since = time.monotonic()
        with (self.folder / "qemu.log").open("w") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def __enter__(self) -> Machine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    def cut(self) -> None:
        """Pull the plug: the process is killed, nothing is flushed by the guest."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def wait_until_up(self, patience_s: float = 300.0) -> float:
        """Wait until the agent answers and the shared folder is there; the seconds since the power came.

        At once where that was so before.
        """
        if self._took_s is not None:
            return self._took_s
        end = self.since + patience_s
        while time.monotonic() < end:
            try:
                self._ask_agent("guest-ping", 1.0)
                break
            except MachineError:
                if self.process.poll() is not None:
                    raise
        else:
            raise MachineError("the agent never answered; see console.log")
        seconds = time.monotonic() - self.since
        mounted = "mountpoint -q /mnt"
        mount = "mount -t 9p -o ro,trans=virtio,version=9p2000.L shared /mnt"
        if Mutation.put_in is not None and self._fresh:
            self.run_script(Mutation.put_in.make_script())
        self.run_script(f"{mounted} || modprobe 9pnet_virtio && udevadm settle; {mounted} || {mount}")
        self._took_s = seconds
        return seconds

    def run_script(self, script: str, patience_s: float = 120.0, check: bool = True) -> str:
        """Run it as root; what it printed.

        Raises:
            MachineError: it did not end in time, or with an error where that counts.
        """
        words: dict[str, Any] = {"path": "/bin/sh", "arg": ["-c", f"{{ {script}\n}} 2>&1"], "capture-output": True}
        pid = self._ask_agent("guest-exec", **words)["pid"]
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            said = self._ask_agent("guest-exec-status", pid=pid)
            if said["exited"]:
                out = base64.b64decode(said.get("out-data", "")).decode(errors="replace")
                if check and said.get("exitcode"):
                    raise MachineError(f"{script}: {said.get('exitcode')}: {out.strip()[-1500:]}")
                return out
            time.sleep(0.1)
        raise MachineError(f"not done in {patience_s:.0f} s: {script}")

    def ask_until(self, script: str, wanted: str, patience_s: float = 90.0, every_s: float = 0.5) -> str:
        """Ask until ``wanted`` is in the answer, which is returned."""
        end, out = time.monotonic() + patience_s, ""
        while time.monotonic() < end:
            out = self.run_script(script, check=False)
            if wanted in out:
                return out
            time.sleep(every_s)
        raise MachineError(f"{script} never said {wanted!r} in {patience_s:.0f} s, but {out.strip()[-300:]!r}")

    def write(self, path: str, text: str) -> None:
        """Write a file in the machine."""
        coded = base64.b64encode(text.encode()).decode()
        self.run_script(f"mkdir -p $(dirname {path}); echo {coded} | base64 -d > {path}")

    def read(self, path: str) -> bytes:
        """Read a file of the machine."""
        return base64.b64decode(self.run_script(f"base64 -w0 {path}"))

    def save_screen(self, name: str = "screen.png") -> Path:
        """Save what the display's scan-out shows now as a PNG file."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        self.monitor("screendump", filename=str(path), format="png")
        size = -1
        for _ in range(100):
            time.sleep(0.05)
            before, size = size, path.stat().st_size if path.exists() else -1
            if size > 0 and size == before:
                return path
        raise MachineError("no screen")

    def monitor(self, command: str, **arguments: object) -> Any:
        """Send a QMP command: screendump, send-key, device_del …"""
        with self._connect("qmp") as link:
            link.settimeout(10)
            lines = link.makefile("r")
            lines.readline()
            answer: dict[str, Any] = {}
            for ask in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                link.sendall(json.dumps(ask).encode() + b"\n")
                while "event" in (answer := json.loads(lines.readline())):
                    pass
        if "error" in answer:
            raise MachineError(answer["error"]["desc"])
        return answer["return"]

    def _connect(self, name: str) -> socket.socket:
        end = time.monotonic() + 10
        while True:
            link = socket.socket(socket.AF_UNIX)
            try:
                link.connect(str(self.folder / name))
                return link
            except OSError:
                link.close()
                if self.process.poll() is not None or time.monotonic() > end:
                    raise MachineError((self.folder / "qemu.log").read_text()) from None
                time.sleep(0.05)

    def _ask_agent(self, command: str, patience_s: float = 30.0, **arguments: object) -> Any:
        """Ask the guest's agent one question, on a connection of its own."""
        mark = time.monotonic_ns()
        asks: Sequence[dict[str, object]] = (
            {"execute": "guest-sync", "arguments": {"id": mark}},
            {"execute": command, "arguments": arguments},
        )
        with contextlib.closing(self._connect("agent")) as link:
            link.settimeout(patience_s)
            try:
                link.sendall(json.dumps(asks[0]).encode() + b"\n")
                lines = link.makefile("r")
                while json.loads(lines.readline()).get("return") != mark:  # no line at all is a ValueError
                    pass
                link.sendall(json.dumps(asks[1]).encode() + b"\n")
                answer = json.loads(lines.readline())
            except (OSError, ValueError) as error:
                raise MachineError(f"{command}: {error}") from error
        if "error" in answer:
            raise MachineError(answer["error"]["desc"])
        return answer["return"]
