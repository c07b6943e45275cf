"""The whole machine and the service, whose plug is pulled while games are confirmed, recorded and shown.

The disk with system, program and state is served by ``tools.vm.disk``: what was not flushed may be lost, everywhere.
Each life boots from nothing; the service comes up by itself and goes on with the game; people at a sketched table
(``guest/evening.py``) play it, and what the screen showed as accepted is held against what the next life finds.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from rules.laminate.moves import move_from_json
from tests.device.killing import undisturbed
from tools.vm.alone import Books, Figures, small_deck
from tools.vm.disk import ForgetfulDisk
from tools.vm.image import ROOT, WORK
from tools.vm.machine import GUEST, Machine, MachineError

FOLDER = WORK / "served"
_TESTS = ("__init__.py", "device/__init__.py", "device/at_the_table.py")
_PATIENCE_S = 300.0
_MOST_MOVES = 6
_MOMENTS = ("booting", "accepted", "accepted", "setting", "deck")
"""While the machine starts; after so many moves; while a setting or a deck is being kept for so many times."""
_DROP_IN = """[Unit]
RequiresMountsFor=/table
[Service]
ExecStart=
ExecStart=/opt/sevenmat/program/bin/python -u /opt/evening/evening.py
Environment=PYTHONPATH=/opt/evening PYTHONDONTWRITEBYTECODE=1
ReadWritePaths=/table
"""


class People:
    """What lies on the table, and what the screen has shown there, in a folder that outlives the machine."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        self.share, self.table = folder / "share", folder / "table"
        shutil.copytree(GUEST, self.share)
        for name in _TESTS:
            (self.share / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "tests" / name, self.share / "tests" / name)
        self.table.mkdir()
        self.table.chmod(0o777)
        (self.table / "said").touch()
        (self.table / "said").chmod(0o666)

    def invite(self, machine: Machine, watchdog_s: int = 180) -> None:
        """Have the service's program played before by these people, from its next start on."""
        machine.wait_until_up()
        machine.run_script(f"systemctl stop sevenmat; sh /mnt/prepare.sh {watchdog_s}; mkdir -p /opt/evening /table")
        machine.run_script("cp -r /mnt/tests /mnt/evening.py /opt/evening/; rm -rf /var/lib/sevenmat/*")
        machine.run_script("echo 'table /table 9p trans=virtio,version=9p2000.L,rw 0 0' >> /etc/fstab")
        machine.run_script("printf '9p\\n9pnet_virtio\\n' > /etc/modules-load.d/table.conf")
        machine.write("/etc/systemd/system/sevenmat.service.d/evening.conf", _DROP_IN)

    def list_said(self) -> list[Any]:
        """List all lines that were said so far, of all lives."""
        return [json.loads(line) for line in (self.table / "said").read_bytes().split(b"\n")[:-1]]

    def hear(self, what: str, count: int, after: int, patience_s: float) -> bool:
        """Wait for so many ``accepted``, or things of that name being done, after so many lines; whether they came."""
        end, size = time.monotonic() + patience_s, -1
        while time.monotonic() < end:
            if size != (size := (self.table / "said").stat().st_size):
                lines = self.list_said()[after:]
                if any("fault" in line for line in lines):
                    return True
                heard = sum(
                    what in line or any(name.startswith(what) for name in line.get("doing", ())) for line in lines
                )
                if heard >= count:
                    return True
            time.sleep(0.005)
        return False

    def hang(self, what: str) -> None:
        """Hang the ``screen`` or the ``camera``, or nothing any more."""
        (self.table / "hang").write_text(what)


class Served:
    """The machine and its disk, set up once."""

    def __init__(self) -> None:
        self.people = People(FOLDER)
        self.disk = ForgetfulDisk(FOLDER / "disk.socket", WORK / "sevenmat.img")
        machine = self.turn_on()
        try:
            self.people.invite(machine)
            with suppress(MachineError):  # it doesn't come to answer
                machine.run_script("sync; systemctl poweroff")
            machine.process.wait(60)
        finally:
            machine.cut()
            self.disk.pull(random.Random(0))

    def turn_on(self) -> Machine:
        """Start a machine, its power just on."""
        self.disk.serve()
        drive = f"file=nbd:unix:{self.disk.path},if=virtio,format=raw,cache=writeback"
        return Machine("served", screen=(320, 240), share=self.people.share, drive=drive, table=self.people.table)


def cut_service(times: int, seed: int, say: Callable[[str], None], sync: bool = True) -> Figures:
    """Pull the plug of the whole machine so many times; without ``sync`` the program's flushes do nothing.

    Raises:
        MachineError: it could not be set up.
    """
    figures, chance, served = Figures(), random.Random(seed), Served()
    small_deck(served.people.table / "small.deck")
    if not sync:
        (served.people.table / "unflushed").touch()
    wholes: dict[int, list[Any]] = {}
    books: Books | None = None
    shown, ended, before = 0, 0, len(served.people.list_said())
    for number in range(1, times + 2):
        last = number == times + 1  # the life that only looks what the last cut left
        wanted = "accepted" if last else chance.choice(_MOMENTS)
        count = 1 if last else chance.randint(1, _MOST_MOVES)
        began, machine = time.monotonic(), served.turn_on()
        try:
            most_s = chance.uniform(3, 25) if wanted == "booting" else _PATIENCE_S
            if not served.people.hear(wanted, count, before, most_s) and wanted != "booting":
                figures.faults.append(f"life {number}: no {count} times {wanted} in {_PATIENCE_S:.0f} s")
            time.sleep(chance.choice((0.0, chance.uniform(0, 0.6 if wanted == "accepted" else 0.15))))
            if last:
                machine.save_screen("last.png")
        except MachineError as error:
            figures.faults.append(f"life {number}: {error}")
        finally:
            machine.cut()
        writes, lost = served.disk.pull(chance)
        lines = served.people.list_said()[before:]
        before += len(lines)
        found = next((line for line in lines if "moves" in line), None)
        figures.faults += [f"life {number}: {line['fault']}" for line in lines if "fault" in line]
        if found is not None:
            figures.faults += [f"life {number}: {fault}" for fault in _list_faults(found, ended, shown, wholes)]
            ended = found["ended"]
            shown = len(found["moves"])
        if any("holds" in line for line in lines):
            earlier, books = books, Books({})
            held, _, kept = books.hear(lines)
            figures.things += kept
            if earlier is not None and held is not None:
                figures.faults += [f"life {number}: {fault}" for fault in earlier.list_faults(held)]
        done = [line["accepted"] for line in lines if "accepted" in line]
        shown = max([shown, *done])
        if any("finished" in line for line in lines):
            ended, shown = ended + 1, 0
        if not last:
            figures.cuts += 1
            figures.things += len(done)
            doing = books.doing if books is not None and any("holds" in line for line in lines) else {}
            kind = next(iter(doing), "playing" if done else "starting").split()[0] if found else "booting"
            figures.kinds[kind] = figures.kinds.get(kind, 0) + 1
            figures.unflushed += writes > 0
            figures.dropped += lost
            say(
                f"cut {number}: {kind}, {len(done)} moves shown, {shown} in the game, {writes} unflushed, {lost} lost, "
                f"{time.monotonic() - began:.0f} s; {len(figures.faults)} faults {figures.faults[-1:]}"
            )
    return figures


def _list_faults(found: dict[str, Any], ended: int, shown: int, wholes: dict[int, list[Any]]) -> list[str]:
    """List what a start found that it must not: moves gone, others in their place, a game that does not go on."""
    wrong = [] if found["aside"] is None else [found["aside"]]
    seed = found["ended"] + 1
    whole = wholes.setdefault(seed, undisturbed(seed).moves)
    moves = [move_from_json(move) for move in found["moves"]]
    if found["ended"] < ended or (found["ended"] == ended and len(moves) < shown):
        wrong.append(f"{shown} moves of game {ended + 1} were shown, {len(moves)} of game {seed} are kept")
    if moves != whole[: len(moves)]:
        wrong.append("another move was kept than was played")
    if found["going on"] and moves and not found["marked"]:
        wrong.append("the game that was played does not go on by itself")
    return wrong


def find_lost(said: list[Any]) -> str:
    """Say what some start found that it must not; empty where all moves shown before it are there."""
    shown = 0
    for line in said:
        if "fault" in line:
            return str(line["fault"])
        if "moves" in line:
            moves = [move_from_json(move) for move in line["moves"]]
            if line["aside"]:
                return str(line["aside"])
            if len(moves) < shown or moves != undisturbed(line["ended"] + 1).moves[: len(moves)]:
                return f"{shown} moves were shown, {len(moves)} are kept"
        shown = 0 if "finished" in line else max(shown, line.get("accepted", 0))
    return ""
