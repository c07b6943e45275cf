"""The program itself as a wheel and as its source, built from a copy, so that nothing is left in the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tools.deb.contents import ROOT, read_project
from tools.deb.wheels import PackagingError, run_pip

ROOMS = read_project().rooms
SOURCES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "systemd", *ROOMS)
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


def build_source(folder: Path) -> Path:
    """Build the packed source below a folder of your own.

    Raises:
        PackagingError: it can't be built.
    """
    copy = copy_sources(folder)
    argv = [sys.executable, "-c", "from setuptools.build_meta import build_sdist; build_sdist('..')"]
    done = subprocess.run(argv, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PackagingError(f"The source can't be packed: {done.stderr.strip().splitlines()[-1:]}")
    (made,) = folder.glob("sevenmat-*.tar.gz")
    return made


def build_wheel(folder: Path, source: Path | None = None) -> Path:
    """Build the wheel below a folder of your own, from the packed source or else from a copy of the checkout.

    Raises:
        PackagingError: it can't be built.
    """
    source = source or copy_sources(folder)
    run_pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source))
    (made,) = folder.glob("sevenmat-*.whl")
    return made
