"""The package tried in a bare Debian: installed without a network, played on through an update, removed and purged.

python -m tools.deb.trying [--suite trixie] [--arch arm64] [--pictures 1] PACKAGE

Prints one line for each thing that was looked at, and ends with 1 where one was not as it should be. It needs root,
debootstrap and systemd-nspawn; another architecture than this machine's runs in QEMU, and no service does there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tools.deb.contents import ROOT
from tools.deb.root import WORK, Root, explain_missing
from tools.deb.wheels import MACHINES, PackagingError
from tools.vm.machine import MachineError

STATE = "/var/lib/sevenmat"
SETTINGS = '[display]\nlanguage = "en"\n'
LEFT = "ls -d /opt/sevenmat /usr/bin/sevenmat /usr/lib/systemd/system/sevenmat* /usr/lib/udev/rules.d/70-sevenmat.rules"
UNITS = ("sevenmat.service", "sevenmat.socket", "sevenmat-hall.service", "sevenmat-hall.path")
DEVICES = "etc/systemd/system/sevenmat.service.d/simulated.conf"
SIMULATED = """[Service]
ExecStart=
ExecStart=/opt/sevenmat/program/bin/sevenmat run --service --simulated --headless --state ${STATE_DIRECTORY}
"""
Checks = Iterator[tuple[bool, str]]
_PATIENCE_S = 240.0
_SEEN = 0.2
"""What lies under others and shows less of itself than this is no reader's fault."""
_SETTLED = ("accepted", "refused", "fault", "question", "finished")
"""The screens of a demo that show what the referee says; how many others come between, the machine's speed decides."""
_ROUNDED, _ASIDE = 40, 0.001
"""Floating point rounds otherwise elsewhere: of 255, a colour of a card's picture may differ so far, or of a screen so
much, where a mark of the map lies a pixel aside."""
_DEMO = "/var/tmp/demo"
FAST_TESTS = "tests/ui/test_gallery.py tests/vision/detect tests/vision/identify"
Kept = dict[str, object]
"""What was read and judged, by what of: the same on every machine."""


def main() -> int:
    """Try the package; 0 all is as it should be, 1 something is not, 2 it can't be tried here."""
    parser = argparse.ArgumentParser(prog="python -m tools.deb.trying", description=__doc__)
    parser.add_argument("package", type=Path, help="of the architecture")
    parser.add_argument("--suite", default="bookworm", choices=("bookworm", "trixie"))
    parser.add_argument("--arch", default="amd64", choices=MACHINES)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the shared pictures")
    parser.add_argument("--pictures", type=int, default=6, help="read and score so many of each kind")
    options = parser.parse_args()
    if why := explain_missing(options.arch):
        print(why, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="sevenmat-try-") as name:
        given = Path(name)
        given.chmod(0o755)
        shutil.copy(options.package, given / "first.deb")
        root = Root(options.suite, options.arch, given, options.shared)
        return print_checks(try_package(root, given, options.shared, options.pictures))


def print_checks(checks: Checks) -> int:
    """Print one line for each thing that is looked at; 1 where one is not as it should be, or no more can be."""
    faults, began = 0, time.monotonic()
    try:
        for good, words in checks:
            faults += not good
            print(f"{'passed' if good else 'FAILED'} {time.monotonic() - began:5.0f} s  {words}", flush=True)
    except (PackagingError, MachineError, subprocess.CalledProcessError) as error:
        print(f"FAILED {time.monotonic() - began:5.0f} s  {error}", flush=True)
        faults += 1
    return 1 if faults else 0


def try_package(root: Root, given: Path, shared: Path, pictures: int) -> Checks:
    """Everything, in the order of a life."""
    root.build()
    depends = subprocess.run(
        ["dpkg-deb", "-f", given / "first.deb", "Depends"], check=True, capture_output=True, text=True
    ).stdout.strip()
    root.run_script(f"apt-get update -q && apt-get satisfy -q -y --no-install-recommends '{depends}'", 3600)
    kept: Kept = {}
    if not root.native:
        yield from look_at_installation(root, root.run_script("apt-get install -q -y /mnt/given/first.deb", 3600))
        yield from look_at_pictures(root, shared, pictures, kept)
        yield from compare(root, kept)
        yield from run_tests(root, given)
        played: Kept = {}
        yield from watch_demo(root, played)
        yield from compare(root, played)
        yield from compare_screens(root)
        return
    with root.boot():
        yield from look_at_installation(root, root.run_script("apt-get install -q -y /mnt/given/first.deb", 600))
        yield from look_at_service(root)
        yield from look_at_pictures(root, shared, pictures, kept)
        yield from watch_demo(root, kept)
        file_kept(root).write_text(json.dumps(kept, indent=1))
        shutil.rmtree(_screens(root), ignore_errors=True)
        shutil.copytree(root.folder / _DEMO[1:], _screens(root))
        (_screens(root) / "program").write_text(sum_program(root))
        yield from play_through_update(root, given)
        yield from take_away(root)


def look_at_installation(root: Root, said: str) -> Checks:
    """Check what the package has left behind, and what it has said."""
    doctor = {found[1]: found[0] for found in re.findall(r"^([✓!✗]) (\w+):", said, re.M)}
    known = ("program", "settings", "models", "decks", "fonts", "disk")
    wrong = [name for name in known if doctor.get(name) != "✓"]
    yield not wrong, f"it is installed, and doctor has looked: {' '.join(doctor)} {wrong or ''}"
    groups = set(root.run_script("id -nG sevenmat").split())
    yield groups >= {"video", "render", "input", "gpio", "audio"}, f"the user is of {' '.join(sorted(groups))}"
    owned = root.run_script(f"stat -c '%U:%G %a' {STATE}").strip()
    yield owned == "sevenmat:sevenmat 750", f"the state folder is {owned}"
    version = root.run_script("cd / && sevenmat --version").strip()
    yield version.startswith("sevenmat "), f"on the path is {version}"
    size = root.run_script("du -sm /opt/sevenmat").split()[0]
    yield True, f"it takes {size} MB in /opt/sevenmat"
    altered = root.run_script("dpkg --verify sevenmat", check=False).strip()
    yield not altered, f"dpkg finds every file as it was packed{altered}"
    own = root.run_script(
        f"systemd-analyze verify --man=no {' '.join(UNITS)} 2>&1 | grep -v Restart",
        check=False,
    )
    yield "sevenmat" not in own, f"systemd finds no fault with the units{own.strip()}"


def look_at_service(root: Root) -> Checks:
    """Check what systemd makes of it."""
    for unit in UNITS:
        enabled = root.run_script(f"systemctl is-enabled {unit}", check=False).strip()
        yield enabled == "enabled", f"{unit} is {enabled}"
    told = wait_until(
        lambda: "No display was found" in root.run_script("journalctl -u sevenmat --no-pager -o cat", check=False)
    )
    yield told and is_active(root) != "failed", f"without a display it says so and tries again: {is_active(root)}"
    listens = root.run_script("systemctl is-active sevenmat.socket", check=False).strip()
    yield listens == "active", f"its socket is {listens}"
    seen = wait_until(lambda: "No display was found" in root.run_script(_PHONE, check=False))
    yield seen, "and a phone that asks is told so"
    for unit in ("sevenmat.service", "sevenmat-hall.service"):
        said = root.run_script(f"systemd-analyze security --no-pager {unit}", check=False)
        exposure = re.search(r"exposure level for \S+: ([\d.]+)", said)
        yield exposure is not None and float(exposure[1]) <= 1.0, f"exposure of {unit}: {exposure and exposure[1]}"


def look_at_pictures(root: Root, shared: Path, pictures: int, kept: Kept) -> Checks:
    """Learn a deck, read and score tables as the service's user; what was read is kept."""
    tables = shared / "tables"
    if not (tables / "reads-a").is_dir():
        yield True, "the shared pictures are not here: nothing is read"
        return
    own = f"runuser -u sevenmat -- env HOME={STATE} sevenmat"
    state, limit_s = f"--deck a --state {STATE}", 300 if root.native else 3600
    pages = " ".join(
        f"--{page} /mnt/shared/tables/reads-a/enrol-{page}.jpg" for page in ("seven", "review", "complete")
    )
    began = time.monotonic()
    root.run_script(f"cd / && {own} enrol {pages} {state}", limit_s)
    yield True, f"a deck is learnt in {time.monotonic() - began:.0f} s"
    for truth in _truths(tables / "reads-a", pictures):
        said = root.run_script(
            f"cd / && {own} read /mnt/shared/tables/reads-a/{truth['frame']} --json {state} 2>/dev/null || true",
            limit_s,
        )
        found = Counter(card["card"] for line in said.splitlines() for card in json.loads(line)["cards"])
        kept[f"reads-a/{truth['frame']}"] = sorted(found.elements())
        lie = Counter(card["card"] for card in truth["cards"])
        seen = Counter(card["card"] for card in truth["cards"] if card["visible"] >= _SEEN)
        words = f"{found.total()} cards are read of {lie.total()} that lie there, {(found - lie).total()} wrongly"
        yield seen <= found <= lie, f"reads-a/{truth['frame']}: {words}"
    for truth in _truths(tables / "finals-a", pictures):
        words = f"--game {truth['game']} --seats {truth['seats']} --json {state} 2>/dev/null || true"
        scored = json.loads(
            root.run_script(f"cd / && {own} score /mnt/shared/tables/finals-a/{truth['frame']} {words}", limit_s)
        )
        kept[f"finals-a/{truth['frame']}"] = [scored["final"], scored["winners"]]
        good = scored["winners"] is None if truth["trap"] else scored["final"] == truth["final"]
        yield good, f"finals-a/{truth['frame']} is scored {scored['final']}, {truth['trap'] or truth['final']}"


def watch_demo(root: Root, kept: Kept) -> Checks:
    """Watch a whole game at the simulated table; what the referee said and showed is kept."""
    began = time.monotonic()
    demo = f"sevenmat demo --headless --language en --screens {_DEMO}"
    said = root.run_script(f"rm -rf {_DEMO}; {demo}", 600 if root.native else 7200)
    lines = [line.strip() for line in said.splitlines() if re.match(r" +(\d+  |\d\. |\?)", line)]
    tally = re.search(r"(?m)^\d+ moves accepted.*?(?=\. Reading)", said)
    kept["demo: verdicts"] = lines
    words = tally[0] if tally else said[-300:]
    yield "0 disagreements" in words, f"demo, in {time.monotonic() - began:.0f} s: {words}"


def sum_program(root: Root) -> str:
    """Return the sum of what draws the screens in the installed program: only the same draws the same."""
    (screen,) = root.folder.glob("opt/sevenmat/package/**/ui/screen.py")
    drawing = sorted(screen.parent.rglob("*.py"))
    return hashlib.sha256(b"".join(one.read_bytes() for one in drawing)).hexdigest()


def file_kept(root: Root, architecture: str = "amd64") -> Path:
    """Return the file of what was kept in this Debian on that architecture."""
    return WORK / f"{root.suite}-{architecture}.json"


def compare(root: Root, kept: Kept) -> Checks:
    """Hold what was kept against what the same Debian on this machine's own architecture has said."""
    there = file_kept(root)
    if not there.exists():
        yield False, f"nothing to compare with: try the package of amd64 in {root.suite} first"
        return
    known: Kept = json.loads(there.read_text())
    for name, mine in kept.items():
        if name in known:
            yield known[name] == mine, f"{name}: {'as' if known[name] == mine else 'not as'} on amd64 ({_count(mine)})"
            if known[name] != mine:
                print(f"  amd64: {known[name]}\n  here:  {mine}")


def compare_screens(root: Root) -> Checks:
    """Hold the demo's screens against those of this machine's own architecture; those that differ are told."""
    there = _screens(root)
    if not there.exists() or (there / "program").read_text() != sum_program(root):
        yield False, f"no screens to compare with: try this program's package of amd64 in {root.suite} first"
        return
    both = [_list_settled(folder) for folder in (there, root.folder / _DEMO[1:])]
    yield len(both[0]) == len(both[1]), f"demo: {len(both[1])} screens, {len(both[0])} on amd64"
    same = 0
    for theirs, mine in zip(*both, strict=False):
        shown = [np.asarray(Image.open(path).convert("RGB")).astype(int) for path in (theirs, mine)]
        by = np.abs(shown[0] - shown[1]).max(axis=2)
        same += not by.any()
        if by.any():
            words = f"demo: screen {mine.stem}: {np.count_nonzero(by)} pixels differ, by at most {by.max()} of 255"
            yield bool(by.max() <= _ROUNDED or np.mean(by > 0) <= _ASIDE), words
    yield True, f"demo: {same} of {len(both[1])} screens are equal to the pixel"


def _screens(root: Root) -> Path:
    return file_kept(root).with_suffix(".screens")


def _list_settled(folder: Path) -> list[Path]:
    """List the screens that show what the referee says."""
    return [path for path in sorted(folder.glob("*.png")) if path.stem.partition("-")[2] in _SETTLED]


def run_tests(root: Root, given: Path) -> Checks:
    """Run quick tests of this checkout against the program of the package, with Debian's pytest."""
    began = time.monotonic()
    for name in ("tests", "tools"):
        shutil.copytree(ROOT / name, given / "checkout" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", given / "checkout")
    root.run_script("apt-get install -q -y --no-install-recommends python3-pytest python3-hypothesis", 3600)
    python = "/opt/sevenmat/program/bin/python -B"
    said = root.run_script(
        f"cd /mnt/given/checkout && HOME=/tmp {python} -m pytest -q -p no:cacheprovider {FAST_TESTS}", 7200, check=False
    )
    last = (said.strip().splitlines() or [""])[-1]
    yield " passed" in last and " failed" not in last, f"tests, in {time.monotonic() - began:.0f} s: {last}"
    if " failed" in last or " passed" not in last:
        print(said[-4000:])


def play_through_update(root: Root, given: Path) -> Checks:
    """Check that a game played on while the package is updated loses no move, and no setting."""
    repack(given / "first.deb", given / "next.deb", given)
    (root.folder / DEVICES).parent.mkdir(parents=True, exist_ok=True)
    (root.folder / DEVICES).write_text(SIMULATED)
    settings = root.folder / STATE[1:] / "settings.toml"
    root.run_script(f"systemctl stop sevenmat; runuser -u sevenmat -- sevenmat settings --write --state {STATE}")
    before = settings.read_bytes()
    root.run_script("systemctl daemon-reload; systemctl start sevenmat")
    yield wait_until(lambda: count_lines(root) >= 6), f"a game is played: {count_lines(root)} lines in its journal"
    games = _journal(root)
    lost: list[str] = []
    root.run_script("apt-get install -q -y /mnt/given/next.deb", 600)
    ran = wait_until(lambda: root.run_script(_PROGRAM, check=False).strip() == "next")
    yield ran, "what runs then is the next program"
    played = wait_until(lambda: count_lines(root) > sum(map(len, map(bytes.splitlines, games.values()))) + 3)
    after = _journal(root)
    lost += [
        name for name, text in games.items() if not after.get(name, b"").startswith(text) and name != "00000.jsonl"
    ]
    yield (
        played and not lost,
        f"the game goes on: {count_lines(root)} lines, lost {lost or 'none'}; {len(after) - 1} games",
    )
    yield settings.read_bytes() == before, "the settings are as they were"
    programs = root.run_script("ls -d /opt/sevenmat/program-*").split()
    yield len(programs) == 2, f"{len(programs)} programs lie there: the one that runs and the one before"
    root.run_script("apt-get install -q -y --reinstall /mnt/given/next.deb", 600)
    active = wait_until(lambda: is_active(root) == "active")
    yield active, "installing the same again is no matter"


def take_away(root: Root) -> Checks:
    """Check that removing keeps the games, and purging keeps them unless it is told otherwise."""
    root.run_script("apt-get remove -q -y sevenmat")
    left = root.run_script(f"{LEFT} 2>/dev/null", check=False).split()
    yield not left and is_active(root) != "active", f"removed: left of it {left}, the service is {is_active(root)}"
    games = _journal(root)
    yield len(games) > 1, f"{len(games) - 1} games are still there"
    root.run_script("apt-get install -q -y /mnt/given/next.deb", 600)
    again = wait_until(lambda: count_lines(root) > sum(map(len, map(bytes.splitlines, games.values()))))
    yield again, f"installed again, the game goes on: {count_lines(root)} lines"
    said = root.run_script("apt-get purge -q -y sevenmat")
    yield len(_journal(root)) > 1 and STATE in said, "purged without an answer: games are still there, and it says so"
    root.run_script("apt-get install -q -y /mnt/given/next.deb", 600)
    root.run_script(
        "echo sevenmat sevenmat/delete_games boolean true | debconf-set-selections; apt-get purge -q -y sevenmat"
    )
    gone = root.run_script(
        f"ls -d {STATE} /var/cache/sevenmat 2>/dev/null; id sevenmat 2>/dev/null", check=False
    ).strip()
    yield not gone, f"purged with 'delete all': left of it {gone or 'nothing'}"


def repack(package: Path, made: Path, folder: Path) -> None:
    """Make the package of a later version, whose program has a file ``next`` more."""
    tree = folder / "tree"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1+next", control.read_text()))
    (tree / "opt/sevenmat/package/next").touch()
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", tree, made], check=True, stdout=subprocess.DEVNULL
    )
    shutil.rmtree(tree)


_PHONE = """python3 -c '
import http.client
line = http.client.HTTPConnection("127.0.0.1", 7777, timeout=60)
line.request("GET", "/")
print(line.getresponse().read().decode())'"""
_PROGRAM = """
program=$(tr '\\0' ' ' < /proc/$(systemctl show -p MainPID --value sevenmat)/cmdline | cut -d' ' -f1)
[ ! -e "${program%/bin/python}/next" ] || echo next
"""


def is_active(root: Root) -> str:
    return root.run_script("systemctl is-active sevenmat", check=False).strip()


def _journal(root: Root) -> dict[str, bytes]:
    """Each file of the journal, by its name."""
    return {path.name: path.read_bytes() for path in (root.folder / STATE[1:] / "journal").glob("*.jsonl")}


def count_lines(root: Root) -> int:
    return sum(len(text.splitlines()) for text in _journal(root).values())


def _truths(folder: Path, most: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()][:most]


def _count(found: object) -> int:
    return len(found) if isinstance(found, list) else 1


def wait_until(so: Callable[[], bool], patience_s: float = _PATIENCE_S) -> bool:
    """Tell whether it becomes so in time."""
    end = time.monotonic() + patience_s
    while not (good := so()) and time.monotonic() < end:
        time.sleep(2)
    return good


if __name__ == "__main__":
    sys.exit(main())
