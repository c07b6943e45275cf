"""``make release``: wheel, source, both packages, their sums and the notes, in one folder.

python -m tools.deb.release [--wheels FOLDER] [--out FOLDER] [--quick]

The version is that of ``pyproject.toml``, its notes and its day are those of ``CHANGELOG.md``. The wheel is built from
the packed source, so that is whole.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.deb.__main__ import build_package
from tools.deb.contents import PYTHONS, ROOT, read_changes, read_project
from tools.deb.program import build_source, build_wheel
from tools.deb.wheels import MACHINES, PackagingError

NOTES, SUMS = "NOTES.md", "SHA256SUMS"


def main(argv: Sequence[str] | None = None) -> int:
    """Release; 0 done, 2 what is in the way, in one sentence."""
    parser = argparse.ArgumentParser(prog="python -m tools.deb.release", description=__doc__)
    parser.add_argument("--wheels", type=Path, default=ROOT / "build/wheels", help="keeps what is fetched")
    parser.add_argument("--out", type=Path, default=ROOT / "build/release", help="where all goes; what lay there goes")
    parser.add_argument("--quick", action="store_true", help="pack in seconds, half as large again")
    options = parser.parse_args(argv)
    try:
        version = read_project().version
        notes = write_notes(version)
        shutil.rmtree(options.out, ignore_errors=True)
        options.out.mkdir(parents=True)
        (options.out / NOTES).write_text(notes, encoding="utf-8")
        build_python(options.out)
        for architecture in MACHINES:
            made = build_package(architecture, PYTHONS, options.wheels, options.out, options.quick)
            complain(made)
    except PackagingError as error:
        print(f"sevenmat: {error}", file=sys.stderr)
        return 2
    (options.out / SUMS).write_text(sum_release(options.out))
    for path in sorted(options.out.iterdir()):
        print(f"{path.stat().st_size / 1e6:7.1f} MB  {path.name}")
    print(f"Sevenmat {version}. Once it was tried: git tag --annotate --file {options.out / NOTES} v{version}")
    return 0


def write_notes(version: str, root: Path = ROOT) -> str:
    """Write what this version changes.

    Raises:
        PackagingError: the changelog does not know the version as the last one that is out.
    """
    changes = read_changes(root)
    first = next(iter(changes), "")
    day, lines = changes.get(version, ("", ""))
    if first != version or not day or not lines:
        raise PackagingError(
            f"pyproject.toml has {version}, CHANGELOG.md begins with [{first}]: give its changes this number and a day."
        )
    return f"# Sevenmat {version} – {day}\n\n{lines}\n"


def build_python(out: Path) -> None:
    """Build source and wheel, the wheel from the source.

    Raises:
        PackagingError: one can't be built.
    """
    with tempfile.TemporaryDirectory(prefix="sevenmat-release-") as name:
        source = build_source(Path(name))
        shutil.copy(source, out)
        shutil.copy(build_wheel(Path(name), source), out)


def complain(package: Path) -> None:
    """Have lintian look at a package, where it is installed.

    Raises:
        PackagingError: it finds an error.
    """
    if shutil.which("lintian") is None:
        print("lintian is not installed: it has not looked at the package.")
        return
    argv = ["lintian", "--fail-on=error", "--display-level=error", "--allow-root", str(package)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PackagingError(f"lintian finds fault with {package.name}: {done.stdout.strip() or done.stderr.strip()}")


def sum_release(out: Path) -> str:
    """Return the SHA-256 of every file, as ``sha256sum --check`` reads them."""
    files = sorted(path for path in out.iterdir() if path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


if __name__ == "__main__":
    sys.exit(main())
