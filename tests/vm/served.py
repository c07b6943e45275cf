"""The whole machine and the service, whose plug is pulled while games are confirmed, recorded and shown.

The disk with system, program and state is served by ``tests.vm.disk``: what was not flushed may be lost, everywhere.
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
from tests.vm.alone import Figures
from tests.vm.disk import ForgetfulDisk
from tests.vm.image import ROOT, WORK
from tests.vm.machine import GUEST, Machine, MachineError

FOLDER = WORK / "served"
_TESTS = ("__init__.py", "device/__init__.py", "device/at_the_table.py")
_PATIENCE_S = 300.0
_MOST_MOVES = 6
_DROP_IN = """[Unit]
RequiresMountsFor=/table
[Service]
ExecStart=
ExecStart=/opt/sevenmat/venv/bin/python -u /opt/evening/evening.py
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
        machine.up()
        machine.sh(f"systemctl stop sevenmat; sh /mnt/prepare.sh {watchdog_s}; mkdir -p /opt/evening /table")
        machine.sh("cp -r /mnt/tests /mnt/evening.py /opt/evening/; rm -rf /var/lib/sevenmat/*")
        machine.sh("echo 'table /table 9p trans=virtio,version=9p2000.L,rw 0 0' >> /etc/fstab")
        machine.sh("printf '9p\\n9pnet_virtio\\n' > /etc/modules-load.d/table.conf")
        machine.write("/etc/systemd/system/sevenmat.service.d/evening.conf", _DROP_IN)

    def said(self) -> list[Any]:
        """All lines that were said so far, of all lives."""
        return [json.loads(line) for line in (self.table / "said").read_bytes().split(b"\n")[:-1]]

    def hang(self, what: str) -> None:
        """Hang the ``screen`` or the ``camera``, or nothing any more."""
        (self.table / "hang").write_text(what)


class Served:
    """The machine and its disk, set up once."""

    def __init__(self) -> None:
        self.people = People(FOLDER)
        self.disk = ForgetfulDisk(FOLDER / "disk.socket", WORK / "sevenmat.img")
        machine = self.power()
        try:
            self.people.invite(machine)
            with suppress(MachineError):  # it doesn't come to answer
                machine.sh("sync; systemctl poweroff")
            machine.process.wait(60)
        finally:
            machine.cut()
            self.disk.pull(random.Random(0))

    def power(self) -> Machine:
        """The machine, its power just on."""
        self.disk.serve()
        drive = f"file=nbd:unix:{self.disk.path},if=virtio,format=raw,cache=writeback"
        return Machine("served", screen=(320, 240), share=self.people.share, drive=drive, table=self.people.table)


def cut_service(times: int, seed: int, say: Callable[[str], None]) -> Figures:
    """Pull the plug of the whole machine so many times.

    Raises:
        MachineError: it could not be set up.
    """
    figures, chance, served = Figures(), random.Random(seed), Served()
    wholes: dict[int, list[Any]] = {}
    shown, ended, before = 0, 0, len(served.people.said())
    for number in range(1, times + 2):
        last = number == times + 1  # the life that only looks what the last cut left
        moves = 1 if last else chance.choice((0, chance.randint(1, _MOST_MOVES), chance.randint(1, _MOST_MOVES)))
        began, machine = time.monotonic(), served.power()
        found = None
        try:
            booting_s = chance.uniform(3, 25) if moves == 0 else _PATIENCE_S
            while time.monotonic() - began < booting_s:
                lines = served.people.said()[before:]
                found = next((line for line in lines if "moves" in line), None)
                if sum("accepted" in line for line in lines) >= moves > 0 or any("fault" in line for line in lines):
                    break
                time.sleep(0.1)
            else:
                if moves:
                    figures.faults.append(f"life {number}: nothing was shown as accepted in {_PATIENCE_S:.0f} s")
            time.sleep(chance.choice((0.0, chance.uniform(0, 0.6))))
            if last:
                machine.screen("last.png")
        except MachineError as error:
            figures.faults.append(f"life {number}: {error}")
        finally:
            machine.cut()
        writes, lost = served.disk.pull(chance)
        lines = served.people.said()[before:]
        before += len(lines)
        found = next((line for line in lines if "moves" in line), None)
        figures.faults += [f"life {number}: {line['fault']}" for line in lines if "fault" in line]
        if found is not None:
            figures.faults += [f"life {number}: {fault}" for fault in _faults(found, ended, shown, wholes)]
            ended = found["ended"]
            shown = len(found["moves"])
        done = [line["accepted"] for line in lines if "accepted" in line]
        shown = max([shown, *done])
        if any("finished" in line for line in lines):
            ended, shown = ended + 1, 0
        if not last:
            figures.cuts += 1
            figures.things += len(done)
            kind = "playing" if done else "starting" if found else "booting"
            figures.kinds[kind] = figures.kinds.get(kind, 0) + 1
            figures.unflushed += writes > 0
            figures.dropped += lost
            say(
                f"cut {number}: {kind}, {len(done)} moves shown, {shown} in the game, {writes} unflushed, {lost} lost, "
                f"{time.monotonic() - began:.0f} s; {len(figures.faults)} faults"
            )
    return figures


def _faults(found: dict[str, Any], ended: int, shown: int, wholes: dict[int, list[Any]]) -> list[str]:
    """What a start found that it must not: moves gone, others in their place, a game that does not go on by itself."""
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
