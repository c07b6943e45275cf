"""The wheels of another machine: which ones the program needs there, by the lock, and how they are laid out.

Markers are judged for the machine and the Python that the wheels are for, not for those that build.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.parser import BytesParser
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.tags import compatible_tags, cpython_tags
from packaging.utils import NormalizedName, canonicalize_name, parse_wheel_filename

GLIBC = 36
"""The newest of the C library, 2.36, is that of Debian 12."""
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's name of an architecture, and the wheels'."""
Wheels = dict[NormalizedName, Path]


class PackagingError(Exception):
    """The package can't be made; why, in one sentence."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """A package as the lock has it: its version, and the SHA-256 of every file that is it."""

    version: str
    digests: frozenset[str]

    def is_file(self, path: Path) -> bool:
        """Return whether this is one of its files."""
        return hashlib.sha256(path.read_bytes()).hexdigest() in self.digests


def read_lock(path: Path) -> dict[NormalizedName, Pinned]:
    """Read what is pinned of each package."""
    pinned = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, is_one, rest = line.partition("==")
        if is_one:
            digests = frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})", rest))
            pinned[canonicalize_name(name)] = Pinned(rest.split()[0], digests)
    return pinned


def describe_machine(architecture: str, python: str) -> dict[str, str]:
    """Return what markers ask for, as it is on that machine."""
    here = {name: str(value) for name, value in default_environment().items()}
    return here | {
        "platform_machine": MACHINES[architecture],
        "platform_system": "Linux",
        "sys_platform": "linux",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "python_version": python,
        "python_full_version": f"{python}.0",
        "extra": "",
    }


def list_platforms(architecture: str) -> list[str]:
    """List the platforms whose wheels run there, the best first."""
    machine = MACHINES[architecture]
    return [f"manylinux_2_{minor}_{machine}" for minor in range(GLIBC, 16, -1)] + [
        f"manylinux2014_{machine}",
        f"linux_{machine}",
    ]


def find_closure(
    needs: Iterable[str],
    environment: Mapping[str, str],
    without: Iterable[str],
    find_needs: Callable[[list[NormalizedName]], Mapping[NormalizedName, list[str]]],
) -> list[NormalizedName]:
    """Find all that these needs lead to on that machine, without some and what only they lead to, sorted.

    ``find_needs`` gives what each of several packages needs itself.
    """
    left_out = {canonicalize_name(name) for name in without}
    extras: dict[NormalizedName, set[str]] = {}
    asked: dict[NormalizedName, set[str]] = {}
    waiting = [(Requirement(line), environment) for line in needs]
    while True:
        for requirement, where in waiting:
            name = canonicalize_name(requirement.name)
            if name not in left_out and (requirement.marker is None or requirement.marker.evaluate(dict(where))):
                extras.setdefault(name, set()).update(requirement.extras, {""})
        fresh = sorted(name for name, wanted in extras.items() if asked.get(name) != wanted)
        if not fresh:
            return sorted(extras)
        told = find_needs(fresh)
        waiting = []
        for name in fresh:
            asked[name] = set(extras[name])
            for extra in asked[name]:
                waiting += [(Requirement(line), {**environment, "extra": extra}) for line in told[name]]


class Wheelhouse:
    """A folder of wheels for one machine and Python; what is missing there is fetched in the lock's version."""

    def __init__(self, folder: Path, lock: Mapping[NormalizedName, Pinned], architecture: str, python: str) -> None:
        self._folder, self._lock = folder, lock
        self._architecture, self._python = architecture, python
        platforms = list_platforms(architecture)
        version = tuple(map(int, python.split(".")))
        tags = [*cpython_tags(version, platforms=platforms), *compatible_tags(version, platforms=platforms)]
        self._ranks = {tag: rank for rank, tag in enumerate(tags)}
        folder.mkdir(parents=True, exist_ok=True)

    def gather(self, needs: Iterable[str], without: Iterable[str]) -> Wheels:
        """Gather the wheels of all that these needs lead to.

        Raises:
            PackagingError: one can't be had, or the lock does not know it.
        """
        environment = describe_machine(self._architecture, self._python)
        found: Wheels = {}

        def find_needs(names: list[NormalizedName]) -> dict[NormalizedName, list[str]]:
            found.update(self._find_wheels(names))
            return {name: _read_needs(found[name]) for name in names}

        closure = find_closure(needs, environment, without, find_needs)
        return {name: found[name] for name in closure}

    def _find_wheels(self, names: list[NormalizedName]) -> Wheels:
        unknown = [name for name in names if name not in self._lock]
        if unknown:
            raise PackagingError(f"requirements.lock has no version of {', '.join(unknown)}.")
        missing = [name for name in names if self._choose_best(name) is None]
        if missing:
            self._fetch(missing)
        wheels = {name: self._choose_best(name) for name in names}
        absent = [name for name, wheel in wheels.items() if wheel is None]
        if absent:
            raise PackagingError(f"No wheel of {', '.join(absent)} runs on {self._architecture}, {self._python}.")
        return {name: wheel for name, wheel in wheels.items() if wheel is not None}

    def _choose_best(self, name: NormalizedName) -> Path | None:
        """Choose the wheel of this package that suits best, of those that are there and are the lock's."""
        ranked, pinned = [], self._lock[name]
        for path in sorted(self._folder.glob("*.whl")):
            called, version, _, tags = parse_wheel_filename(path.name)
            if called == name and str(version) == pinned.version and pinned.is_file(path):
                ranked += [(self._ranks[tag], path) for tag in tags if tag in self._ranks]
        return min(ranked)[1] if ranked else None

    def _fetch(self, names: Iterable[NormalizedName]) -> None:
        """Fetch what is missing; pip takes the lock's files alone, whatever else an index has by that name."""
        chosen = [word for name in list_platforms(self._architecture) for word in ("--platform", name)]
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
            for name in names:
                digests = " ".join(f"--hash=sha256:{digest}" for digest in sorted(self._lock[name].digests))
                wanted.write(f"{name}=={self._lock[name].version} {digests}\n")
            wanted.flush()
            run_pip("download", "--no-deps", "--only-binary=:all:", *chosen, "--python-version", self._python,
                "--dest", str(self._folder), "--requirement", wanted.name)  # fmt: skip


def run_pip(*words: str) -> None:
    """Have pip do this, quietly.

    Raises:
        PackagingError: it can't.
    """
    argv = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PackagingError(f"pip {words[0]} failed: {done.stderr.strip().splitlines()[-1:]}")


def unpack(wheel: Path, folder: Path) -> None:
    """Lay a wheel out below the folder as an import finds it, without scripts and other data."""
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            part = re.sub(r"^[^/]+\.data/(purelib|platlib)/", "", entry.filename)
            if entry.is_dir() or re.match(r"[^/]+\.data/", part):
                continue
            path = folder / part
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(entry))
            path.chmod(0o644)


def _read_needs(wheel: Path) -> list[str]:
    """Return what a wheel says that it needs."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        return BytesParser().parsebytes(archive.read(name)).get_all("Requires-Dist") or []
