"""The wheel: what is in it, and that it runs where no checkout is. It takes its dependencies from this environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from models import checksums
from referee.placing import Placed
from simulator.camera import SimulatedCamera
from tools.deb.program import ROOMS, build_source, build_wheel

ROOT = Path(__file__).resolve().parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
RECORD = [
    '{"game":"laminate","version":1,"players":["Hilbert","Banach","Noether"],"first_seat":1}',
    '{"do":"setup","discard":"T8"}',
    '{"seat":1,"do":"research","source":"discard","keep":"T8"}',
    '{"seat":3,"do":"research","source":"deck","discard":"H7"}',
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the source as it is released: that is whole, and nothing left in the checkout gets in."""
    folder = tmp_path_factory.mktemp("wheel")
    return build_wheel(folder, build_source(folder))


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the ``sevenmat`` of an environment that knows this one's packages and not the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=True)
    pip("--python", str(folder / "bin" / "python"), "install", "--no-deps", "--no-compile", str(wheel))
    (site,) = folder.glob("lib/python*/site-packages")
    # What a .pth file names is searched, and no .pth file in it is read: so not the one that leads to the checkout.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin" / "sevenmat"


def pip(*words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", *words], check=True, env={**os.environ, "PIP_NO_INDEX": "1"}
    )


def test_the_wheel_has_what_runs_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    info, data = f"sevenmat-{VERSION}.dist-info", f"sevenmat-{VERSION}.data"
    assert {name.partition("/")[0] for name in names} == {*ROOMS, info, data}
    assert not [name for name in names if "/train/" in name or "EXPERIMENTS" in name]
    models = json.loads((checksums.FOLDER / checksums.LIST).read_text())
    assert {f"models/{name}" for name in models} <= names
    catalogues = [path.relative_to(ROOT).with_suffix(".mo") for path in ROOT.glob("ui/locale/*/*/*.po")]
    assert {str(path) for path in catalogues} <= names
    units = {
        path.name
        for path in (ROOT / "systemd").iterdir()
        if path.suffix in (".service", ".socket", ".path", ".conf", ".rules")
    }
    assert {name.rpartition("/")[2] for name in names if "/share/sevenmat/systemd/" in name} == units
    code = {str(path.relative_to(ROOT)) for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == {name for name in code if "/train/" not in name}


def test_the_version_is_told_in_one_place() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## \[?(\d+\.\d+\.\d+)", changes, re.MULTILINE)
    assert releases[0] == VERSION


@pytest.mark.slow  # test_the_wheel_has_what_runs_and_nothing_else
def test_what_is_installed_runs_without_the_checkout(command: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"HOME": str(tmp_path), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}

    def says(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [command, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert (done.returncode, done.stderr) == (code, ""), words
        return done.stdout

    assert says("--version").split() == ["sevenmat", VERSION]
    assert "commands:" in says("--help", "--language", "en")
    assert "コマンド" in says("--help", "--language", "ja")
    (tmp_path / "game.jsonl").write_text("\n".join(RECORD))
    judged = [json.loads(line) for line in says("check", "game.jsonl", "--json", code=1).splitlines()]
    assert [line.get("code", line.get("verdict")) for line in judged[:3]] == ["accepted", "accepted", "out_of_turn"]

    checks = says("doctor", "--no-buttons", "--camera", "simulated", "--json").splitlines()
    found = {line["check"]: line for line in map(json.loads, checks)}
    assert VERSION in found["program"]["text"]
    assert {found[name]["level"] for name in ("models", "fonts", "display", "camera")} == {"ok"}

    camera = SimulatedCamera((1189.0, 841.0), 1)
    camera.show([Placed("H7", 300, 300, 0), Placed("FK", 500, 300, 10), Placed("back", 900, 500, 0)])
    (tmp_path / "table.jpg").write_bytes(camera.jpeg().tobytes())
    (line,) = says("read", "table.jpg", "--deck", "Sevenmat printed deck", "--json").splitlines()
    assert sorted(card["card"] for card in json.loads(line)["cards"]) == ["FK", "H7", "back"]

    python = command.with_name("python")
    program = (
        "import rules, device.app.tones as t; print(rules.__file__);"
        " print(min(t.make_wave(c.notes).size for c in t.Cue))"
    )
    done = subprocess.run([python, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True)
    where, shortest = done.stdout.splitlines()[-2:]
    assert where.startswith(str(command.parents[1]))
    assert int(shortest) > 1000, "every sound is made"
