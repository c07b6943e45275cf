"""What the package holds, in data: the files and where they go, what Debian must bring, and the control file."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import textwrap
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
PYTHONS = ("3.11", "3.13")
"""Those of Debian 12 and 13: the package serves both, and outlives the upgrade from one to the other."""
PAYLOAD = "opt/sevenmat/package"
"""Where the program and its packages lie; postinst makes of it the folder that runs."""
MAINTAINER = "The Sevenmat authors <maintainers@sevenmat.invalid>"

FROM_DEBIAN = {"gpiozero": "python3-gpiozero", "pygame": "python3-pygame"}
"""What Debian's own package is better at: its pygame draws on a bare console, its gpiozero finds its lgpio."""
EXTRAS = ("web",)
OF_THE_HALL = "paho-mqtt"
"""A table in a hall sends by it; what else the hall needs is its board's, which runs on another machine."""
DEPENDS = (
    f"python3 (>= {PYTHONS[0]})",
    f"python3 (<< 3.{int(PYTHONS[-1].partition('.')[2]) + 1})",
    *FROM_DEBIAN.values(),
    "libc6 (>= 2.28)",
    "libegl1",  # this and the next two draw on a screen without a desktop
    "libgles2",
    "libgl1-mesa-dri",
    "polkitd",
    "systemd",
    "debconf (>= 0.5) | debconf-2.0",
)
RECOMMENDS = ("python3-picamera2", "python3-lgpio")
"""Only in Raspberry Pi's own archive: a Pi gets them, plain Debian goes on without."""
SUGGESTS = ("network-manager",)

FILES = {
    "sevenmat.service": "usr/lib/systemd/system/sevenmat.service",
    "sevenmat.socket": "usr/lib/systemd/system/sevenmat.socket",
    "sevenmat-hall.service": "usr/lib/systemd/system/sevenmat-hall.service",
    "sevenmat-hall.path": "usr/lib/systemd/system/sevenmat-hall.path",
    "backoff.conf": "usr/lib/systemd/system/sevenmat.service.d/backoff.conf",
    "sysusers.conf": "usr/lib/sysusers.d/sevenmat.conf",
    "udev.rules": "usr/lib/udev/rules.d/70-sevenmat.rules",
    "polkit.rules": "usr/share/polkit-1/rules.d/50-sevenmat.rules",
    "package/copyright": "usr/share/doc/sevenmat/copyright",
    "package/lintian-overrides": "usr/share/lintian/overrides/sevenmat",
}
"""Where each file of ``systemd`` goes."""
COMMAND = """#!/bin/sh
# The program from the real folder in which it lies, so that one that runs loads no module of the next one.
here=$(dirname "$(readlink -f "$0")")
exec "$here/python" -P -m {module} "$@"
"""
LINKS = {
    "usr/bin/sevenmat": "/opt/sevenmat/program/bin/sevenmat",
    f"{PAYLOAD}/bin/python": "/usr/bin/python3",
}
SCRIPTS = ("postinst", "prerm", "postrm")
_CHANGES = re.compile(r"^## \[(?P<version>[^]]+)\](?: – (?P<day>\S+))?\n(?P<lines>.*?)(?=^## |\Z)", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Project:
    """What ``pyproject.toml`` says: its version, where the command begins, what it needs to run, and its rooms."""

    version: str
    description: str
    command: str
    needs: tuple[str, ...]
    rooms: tuple[str, ...]


def read_project(root: Path = ROOT) -> Project:
    """Read the project, with the extras that the package brings."""
    told = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project, extras = told["project"], told["project"]["optional-dependencies"]
    needs = [*project["dependencies"], *(line for extra in EXTRAS for line in extras[extra])]
    needs += [line for line in extras["hall"] if line.startswith(OF_THE_HALL)]
    rooms = (name.removesuffix("*") for name in told["tool"]["setuptools"]["packages"]["find"]["include"])
    command = project["scripts"]["sevenmat"].partition(":")[0]
    return Project(project["version"], project["description"], command, tuple(needs), tuple(rooms))


def read_changes(root: Path = ROOT) -> dict[str, tuple[str, str]]:
    """Read the day and the lines of each version, and of what is not released yet."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    return {found["version"]: (found["day"] or "", found["lines"].strip()) for found in _CHANGES.finditer(text)}


def lay_files(tree: Path, project: Project) -> None:
    """Put all that is not Python's below the folder, as the package has it."""
    for name, where in FILES.items():
        copy_file(SYSTEMD / name, tree / where)
    for where, target in LINKS.items():
        (tree / where).parent.mkdir(parents=True, exist_ok=True)
        (tree / where).symlink_to(target)
    payload = tree / PAYLOAD
    command = payload / "bin/sevenmat"
    command.write_text(COMMAND.format(module=project.command))
    command.chmod(0o755)
    (payload / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n")
    for python in PYTHONS:
        site = payload / f"lib/python{python}/site-packages"
        site.mkdir(parents=True)
        (site / "sevenmat.pth").write_text("../../python3\n")
    write_changelog(tree / "usr/share/doc/sevenmat/changelog.gz", project.version)


def copy_file(source: Path, target: Path) -> None:
    """Copy with everybody's rights to read, and to run what is run."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)


def write_changelog(path: Path, version: str) -> None:
    """Write this version's changes in Debian's form."""
    day, lines = read_changes()[version]
    when = format_datetime(datetime.fromisoformat(day).replace(tzinfo=UTC))
    paragraphs = re.split(r"\n\s*\n|\n(?=[-#])", lines)
    points = "\n".join(
        textwrap.fill(
            re.sub(r"^(?:- |#+ )?", "", " ".join(paragraph.split())),
            78,
            initial_indent="  * ",
            subsequent_indent="    ",
        )
        for paragraph in paragraphs
        if paragraph.strip()
    )
    entry = f"sevenmat ({version}) stable; urgency=medium\n\n{points}\n\n -- {MAINTAINER}  {when}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(entry.encode(), mtime=0))


def write_control(project: Project, architecture: str, installed_kb: int) -> str:
    """Write the package's control file."""
    return "\n".join(
        (
            "Package: sevenmat",
            f"Version: {project.version}",
            f"Architecture: {architecture}",
            f"Maintainer: {MAINTAINER}",
            f"Installed-Size: {installed_kb}",
            f"Depends: {', '.join(DEPENDS)}",
            f"Recommends: {', '.join(RECOMMENDS)}",
            f"Suggests: {', '.join(SUGGESTS)}",
            "Section: misc",
            "Priority: optional",
            "Description: referee of card games, by a camera above the table",
            f" {project.description}.",
            " .",
            " A Raspberry Pi above the table follows Laminate Rummy, Wild Seven, Seven",
            " Minutes, Seven Euchre and Seven Wonders, shows on a small display and on",
            " phones what it has understood, and keeps every game.",
            "",
        )
    )


def sum_files(tree: Path) -> str:
    """Return the sums of all files below the folder, by which dpkg checks them."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    lines = (
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n"
        for path in files
        if path.relative_to(tree).parts[0] != "DEBIAN"
    )
    return "".join(lines)
