"""The Debian package: what lies where, what is in it for which machine, and what its scripts keep."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.deb.__main__ import close_package
from tools.deb.contents import FROM_DEBIAN, PAYLOAD, PYTHONS, ROOT, SYSTEMD, lay_files, read_changes, read_project
from tools.deb.release import sum_release, write_notes
from tools.deb.wheels import (
    MACHINES,
    PackagingError,
    Pinned,
    Wheelhouse,
    describe_machine,
    find_closure,
    read_lock,
)

LOCK = read_lock(ROOT / "requirements.lock")
needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is Debian's")


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink()}


@needs_dpkg
def test_what_the_package_lays_down_without_python_is_this(tmp_path: Path) -> None:
    project = read_project()
    lay_files(tmp_path / "tree", project)
    made = close_package(tmp_path / "tree", project, "arm64", tmp_path, quick=True)
    assert made.name == f"sevenmat_{project.version}_arm64.deb"
    there = tmp_path / "there"
    subprocess.run(["dpkg-deb", "-x", made, there], check=True)
    assert files(there) == {
        "usr/bin/sevenmat",
        "usr/lib/systemd/system/sevenmat-hall.path",
        "usr/lib/systemd/system/sevenmat-hall.service",
        "usr/lib/systemd/system/sevenmat.service",
        "usr/lib/systemd/system/sevenmat.service.d/backoff.conf",
        "usr/lib/systemd/system/sevenmat.socket",
        "usr/lib/sysusers.d/sevenmat.conf",
        "usr/lib/udev/rules.d/70-sevenmat.rules",
        "usr/share/doc/sevenmat/changelog.gz",
        "usr/share/doc/sevenmat/copyright",
        "usr/share/lintian/overrides/sevenmat",
        "usr/share/polkit-1/rules.d/50-sevenmat.rules",
        f"{PAYLOAD}/bin/python",
        f"{PAYLOAD}/bin/sevenmat",
        f"{PAYLOAD}/pyvenv.cfg",
        *(f"{PAYLOAD}/lib/python{python}/site-packages/sevenmat.pth" for python in PYTHONS),
    }
    for unit in ("sevenmat.service", "sevenmat-hall.service", "sevenmat.socket"):
        assert (there / "usr/lib/systemd/system" / unit).read_bytes() == (SYSTEMD / unit).read_bytes()
    assert os.readlink(there / "usr/bin/sevenmat") == "/opt/sevenmat/program/bin/sevenmat"
    told = subprocess.run(["dpkg-deb", "-f", made], check=True, capture_output=True, text=True).stdout
    assert f"Version: {project.version}\nArchitecture: arm64\n" in told
    for package in FROM_DEBIAN.values():
        assert f" {package}" in told


def test_the_command_starts_what_the_project_says(tmp_path: Path) -> None:
    project = read_project()
    lay_files(tmp_path, project)
    assert f" -m {project.command} " in (tmp_path / PAYLOAD / "bin/sevenmat").read_text()
    assert (ROOT / project.command.replace(".", "/")).with_suffix(".py").is_file()


def test_debians_changelog_has_this_versions_changes_in_short_lines(tmp_path: Path) -> None:
    lay_files(tmp_path, read_project())
    lines = gzip.decompress((tmp_path / "usr/share/doc/sevenmat/changelog.gz").read_bytes()).decode().splitlines()
    assert lines[0] == f"sevenmat ({read_project().version}) stable; urgency=medium"
    assert max(map(len, lines[:-1])) <= 80
    day, points = read_changes()[read_project().version]
    assert day
    assert points


@pytest.mark.parametrize(
    "heading", ["## [Unreleased]", "## [1.2.4] – 2026-01-02", "## [1.2.3]"], ids=["unnamed", "another", "without a day"]
)
def test_what_has_no_number_and_day_in_the_changelog_is_not_released(heading: str, tmp_path: Path) -> None:
    changes, older = tmp_path / "CHANGELOG.md", "## [1.2.2] – 2025-12-31\n- An older one.\n"
    changes.write_text(f"# Changelog\n\n{heading}\n- It flies.\n\n{older}")
    with pytest.raises(PackagingError, match=r"pyproject\.toml has 1\.2\.3, CHANGELOG\.md begins with"):
        write_notes("1.2.3", tmp_path)
    changes.write_text(f"# Changelog\n\n## [1.2.3] – 2026-01-02\n- It flies.\n\n{older}")
    assert write_notes("1.2.3", tmp_path) == "# Sevenmat 1.2.3 – 2026-01-02\n\n- It flies.\n"


def test_the_sums_of_a_release_are_those_of_its_files(tmp_path: Path) -> None:
    for name in ("sevenmat_1_arm64.deb", "NOTES.md"):
        (tmp_path / name).write_text(name)
    (tmp_path / "SHA256SUMS").write_text(sum_release(tmp_path))
    assert len((tmp_path / "SHA256SUMS").read_text().splitlines()) == 2
    argv = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    assert subprocess.run(argv, cwd=tmp_path, capture_output=True).returncode == 0
    (tmp_path / "NOTES.md").write_text("others")
    assert subprocess.run(argv, cwd=tmp_path, capture_output=True).returncode == 1


@pytest.mark.parametrize("script", ["install.sh", "package/postinst", "package/prerm", "package/postrm"])
def test_its_scripts_are_sound(script: str) -> None:
    assert os.access(SYSTEMD / script, os.X_OK)
    subprocess.run(["sh", "-n", SYSTEMD / script], check=True)


def test_what_a_table_needs_is_in_the_lock_and_no_more_is_asked() -> None:
    """pygame and gpiozero are Debian's; of what a hall needs, paho-mqtt is the table's, all else the board's."""
    names = {Requirement(line).name for line in read_project().needs}
    assert names <= set(LOCK)
    assert {"onnxruntime", "starlette", "paho-mqtt", *FROM_DEBIAN} <= names
    assert not names & {"sqlalchemy", "psycopg", "pytest", "mypy"}


def test_needs_are_followed_for_the_machine_that_they_are_for() -> None:
    told = {
        "a": ['b; platform_machine == "aarch64"', 'c; python_version < "3.12"', "d[more]"],
        "b": [],
        "c": ["left"],
        "d": ['e; extra == "more"', 'f; extra == "other"'],
        "e": ["a"],
    }

    def found(architecture: str, python: str) -> list[str]:
        where = describe_machine(architecture, python)
        return [*find_closure(["a"], where, ["left"], lambda names: {name: told[name] for name in names})]

    assert found("arm64", "3.11") == ["a", "b", "c", "d", "e"]
    assert found("amd64", "3.13") == ["a", "d", "e"]


def test_the_wheel_that_suits_best_is_taken_and_one_that_does_not_run_or_is_not_the_locks_never(tmp_path: Path) -> None:
    name = canonicalize_name("numpy")
    pinned = Pinned("2.4.1", frozenset({hashlib.sha256(b"right").hexdigest()}))
    for tags, content in (
        ("cp311-cp311-manylinux_2_28_x86_64", b"right"),
        ("cp311-cp311-manylinux_2_36_x86_64", b"another"),
        ("cp313-cp313-manylinux_2_28_aarch64", b"right"),
        ("py3-none-win_amd64", b"right"),
    ):
        (tmp_path / f"numpy-2.4.1-{tags}.whl").write_bytes(content)
    best = {
        (architecture, python): Wheelhouse(tmp_path, {name: pinned}, architecture, python)._choose_best(name)
        for architecture in MACHINES
        for python in PYTHONS
    }
    assert {where: path.name.rpartition("-")[2] for where, path in best.items() if path} == {
        ("amd64", "3.11"): "manylinux_2_28_x86_64.whl",
        ("arm64", "3.13"): "manylinux_2_28_aarch64.whl",
    }


def test_the_lock_has_a_digest_of_every_package_that_is_packed() -> None:
    names = {canonicalize_name(Requirement(line).name) for line in read_project().needs}
    assert all(LOCK[name].digests for name in names)


def test_what_the_lock_does_not_know_is_not_packed(tmp_path: Path) -> None:
    with pytest.raises(PackagingError, match=r"requirements\.lock has no version of unheard-of"):
        Wheelhouse(tmp_path, LOCK, "arm64", "3.13").gather(["unheard-of"], ())


POSTINST = (SYSTEMD / "package/postinst").read_text(encoding="utf-8")


def turn(home: Path) -> None:
    """Run what postinst does to the program, in a folder of its own."""
    function = POSTINST[POSTINST.index("turn_to_program()") :].split("\n}\n")[0] + "\n}\n"
    script = f"set -e; home={home}; python=3.11\n{function}\nturn_to_program\n"
    subprocess.run(["sh", "-c", script], check=True, capture_output=True)


def test_an_update_turns_to_a_new_program_and_keeps_the_one_that_runs(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "bin").mkdir(parents=True)
    (package / "bin/python").symlink_to("/bin/true")
    (package / "which").write_text("one")
    seen = []
    for text in ("one", "two", "three"):
        # as dpkg does it: a new file in the place of the old one
        (package / "new").write_text(text)
        (package / "new").rename(package / "which")
        turn(tmp_path)
        seen.append((tmp_path / "program").resolve())
        assert (tmp_path / "program/which").read_text() == text
    assert sorted(path.is_dir() for path in seen) == [False, True, True]
    assert (seen[1] / "which").read_text() == "two", "what still runs is whole"
