"""Write ``requirements.lock`` anew: ``make lock``.

The newest versions that ``pyproject.toml`` allows here, one to a line, each with the SHA-256 of the files that pip
installs for Linux on amd64 and arm64 and the Python versions of Debian 12 and 13 and between. What is passed on goes to
pip: ``--constraint FILE`` holds versions back.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
MACHINES = ("x86_64", "aarch64")
GLIBC = ("2_17", "2_28", "2_34", "2_36")
PYTHONS = ("3.11", "3.12", "3.13")


def _report(*wanted: str) -> list[dict[str, Any]]:
    """Ask pip which files it would install."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    command = [*pip, "--dry-run", "--ignore-installed", "--report", "-", *wanted]
    out = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: list[dict[str, Any]] = json.loads(out)["install"]
    return found


def _name_and_version(file: dict[str, Any]) -> tuple[str, str]:
    return file["metadata"]["name"].lower(), file["metadata"]["version"]


def main() -> None:
    """Resolve the versions, gather the digests, and write the lock."""
    resolved = sorted(
        _name_and_version(file)
        for file in _report(*sys.argv[1:], ".[dev,hall,heic,web]")
        if "dir_info" not in file["download_info"]
    )
    digests = defaultdict[tuple[str, str], set[str]](set)
    for machine in MACHINES:
        tags = [f"--platform=manylinux_{glibc}_{machine}" for glibc in GLIBC] + [f"--platform=manylinux2014_{machine}"]
        for python in PYTHONS:
            other = [
                "--target",
                str(ROOT / ".venv" / "lock"),
                "--only-binary=:all:",
                f"--python-version={python}",
                *tags,
            ]
            for file in _report("--no-deps", *other, *("==".join(one) for one in resolved)):
                digests[_name_and_version(file)].add(file["download_info"]["archive_info"]["hashes"]["sha256"])
    lines = (
        f"{name}=={version}" + "".join(f" --hash=sha256:{one}" for one in sorted(digests[name, version]))
        for name, version in resolved
    )
    LOCK.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
