"""The program itself as a wheel and as its source, built from a copy, so that nothing is left in the checkout."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.deb.contents import ROOT, read_project
from tools.deb.wheels import run_pip

ROOMS = read_project().rooms
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "systemd", *ROOMS)
"""What the program is built from."""


def copy_sources(folder: Path) -> Path:
    """Copy what the program is built from; nothing left in the checkout gets in."""
    copy = folder / "source"
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "cache", "*.mo"))
        else:
            copy.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    return copy


def build_wheel(folder: Path) -> Path:
    """Build the wheel below a folder of your own.

    Raises:
        PackagingError: it can't be built.
    """
    copy = copy_sources(folder)
    run_pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(copy))
    (made,) = folder.glob("sevenmat-*.whl")
    return made
