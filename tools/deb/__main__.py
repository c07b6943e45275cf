"""``make deb``: the Debian packages, from this checkout and the wheels of the lock.

python -m tools.deb [--arch arm64] [--python 3.13] [--wheels FOLDER] [--out FOLDER] [--quick]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.deb.contents import (
    FROM_DEBIAN,
    PAYLOAD,
    PYTHONS,
    ROOT,
    SCRIPTS,
    SYSTEMD,
    Project,
    copy_file,
    lay_files,
    read_project,
    sum_files,
    write_control,
)
from tools.deb.program import build_wheel
from tools.deb.wheels import MACHINES, PackagingError, Wheelhouse, read_lock, unpack


def main(argv: Sequence[str] | None = None) -> int:
    """Build; 0 done, 2 what is in the way, in one sentence."""
    parser = argparse.ArgumentParser(prog="python -m tools.deb", description=__doc__)
    parser.add_argument("--arch", action="append", choices=MACHINES, help="architecture (default: all)")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="Python to serve (default: all)")
    parser.add_argument("--wheels", type=Path, default=ROOT / "build/wheels", help="keeps what is fetched")
    parser.add_argument("--out", type=Path, default=ROOT / "build/release", help="where packages go")
    parser.add_argument("--quick", action="store_true", help="pack in seconds, half as large again: for this machine")
    options = parser.parse_args(argv)
    if shutil.which("dpkg-deb") is None:
        print("The package is made with dpkg-deb, which is Debian's: run this there.", file=sys.stderr)
        return 2
    try:
        for architecture in options.arch or MACHINES:
            began = time.monotonic()
            made = build_package(architecture, options.python or PYTHONS, options.wheels, options.out, options.quick)
            print(f"{made}: {made.stat().st_size / 1e6:.1f} MB, in {time.monotonic() - began:.0f} s")
    except PackagingError as error:
        print(f"sevenmat: {error}", file=sys.stderr)
        return 2
    return 0


def build_package(architecture: str, pythons: Sequence[str], wheels: Path, out: Path, quick: bool = False) -> Path:
    """Build the package of one architecture; its file.

    Raises:
        PackagingError: it can't be made.
    """
    project = read_project()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sevenmat-deb-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        tree = folder / "tree"
        lay_files(tree, project)
        lay_packages(tree / PAYLOAD / "lib", project, architecture, pythons, wheels)
        unpack(build_wheel(folder), tree / PAYLOAD / "lib/python3")
        return close_package(tree, project, architecture, out, quick)


def lay_packages(lib: Path, project: Project, architecture: str, pythons: Sequence[str], wheels: Path) -> None:
    """Lay the wheels out: what is the same for every Python in ``python3``, all else in the Python's own folder."""
    lock = read_lock(ROOT / "requirements.lock")
    gathered = {
        python: set(Wheelhouse(wheels, lock, architecture, python).gather(project.needs, FROM_DEBIAN).values())
        for python in pythons
    }
    common = set.intersection(*gathered.values())
    for wheel in common:
        unpack(wheel, lib / "python3")
    for python, own in gathered.items():
        for wheel in own - common:
            unpack(wheel, lib / f"python{python}/site-packages")
    for python in PYTHONS:
        if python not in pythons:
            shutil.rmtree(lib / f"python{python}")


def close_package(tree: Path, project: Project, architecture: str, out: Path, quick: bool) -> Path:
    """Write what dpkg wants to know, and close the package; its file."""
    installed_kb = sum(path.stat().st_size // 1024 + 1 for path in tree.rglob("*") if not path.is_symlink())
    info = tree / "DEBIAN"
    info.mkdir()
    (info / "control").write_text(write_control(project, architecture, installed_kb))
    (info / "md5sums").write_text(sum_files(tree))
    for script in SCRIPTS:
        copy_file(SYSTEMD / "package" / script, info / script)
    copy_file(SYSTEMD / "package/templates", info / "templates")
    for path in tree.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    made = out / f"sevenmat_{project.version}_{architecture}.deb"
    how = ("-Zgzip", "-z1") if quick else ("-Zxz",)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", *how, "--build", tree, made], check=True, stdout=subprocess.DEVNULL
    )
    return made


if __name__ == "__main__":
    sys.exit(main())
