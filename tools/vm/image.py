"""The disk image that the machines boot: Debian, the simulated devices, and the product by its own ``make install``.

The parts that take long are kept by a hash of what they are made from; the product is put in anew when it has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from tools.deb.contents import read_project

ROOT = Path(__file__).resolve().parents[2]
BUILDING = Path(__file__).parent / "building"
SUITE = os.environ.get("SUITE", "trixie")
WORK = Path(os.environ.get("VM_WORK", "/var/tmp/sevenmat-vm")) / SUITE
TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "depmod": "kmod",
}
"""What is needed, and the Debian package that brings it."""
_OF_THE_PRODUCT = (
    *("pyproject.toml", "setup.py", "README.md", "CHANGELOG.md", "requirements.lock", "Makefile"),
    *("systemd", "models", "tools/deb"),
)


def explain_missing(**more: str) -> str:
    """Explain how to get what is missing here, ``more`` included, as one sentence; nothing where all is there."""
    packages = sorted({package for tool, package in {**TOOLS, **more}.items() if shutil.which(tool) is None})
    if packages:
        return f"The virtual machine needs 'sudo apt install {' '.join(packages)}'."
    return "" if os.geteuid() == 0 else "Building the image needs root: run 'sudo make vm-test'."


def build() -> str:
    """Build what is not there yet or has changed; what was done, in words.

    Raises:
        subprocess.CalledProcessError: a step failed; its log is in ``WORK``.
    """
    WORK.mkdir(parents=True, exist_ok=True)
    done = []
    of_modules = [BUILDING / name for name in ("modules.sh", "in_build.sh", "settings.sh")]
    for name, files in (("modules", of_modules), ("image", [*sorted(BUILDING.iterdir()), *_list_product()])):
        key, stamp = _hash_files(files), WORK / f"{name}.hash"
        if stamp.exists() and stamp.read_text() == key:
            continue
        began = time.monotonic()
        log = WORK / f"{name}.log"
        print(f"building {name} (log: {log}) …", file=sys.stderr, flush=True)
        with log.open("w") as file:
            subprocess.run(["sh", str(BUILDING / f"{name}.sh")], check=True, stdout=file, stderr=file)
        stamp.write_text(key)
        done.append(f"{name} in {time.monotonic() - began:.0f} s")
    return ", ".join(done) or "as it was"


def _list_product() -> list[Path]:
    """List the files that ``make install`` puts in."""
    folders = [ROOT / name for name in (*_OF_THE_PRODUCT, *read_project().rooms)]
    inside = [path for folder in folders if folder.is_dir() for path in folder.rglob("*")]
    files = [path for path in (*folders, *inside) if path.is_file() and path.suffix != ".pyc"]
    return sorted(path for path in files if "train" not in path.parts)


def _hash_files(files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in files:
        total.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return total.hexdigest()
