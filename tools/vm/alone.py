"""The program alone as process 1, on a disk that forgets what was not flushed, its plug pulled many times a minute.

The machine is started once, up to the moment before the program opens its state, and kept as a snapshot; each life goes
on from there with the disk as the last one left it: the kernel mounts it and mends its file system, the program opens
its journal. The disk is served by ``tools.vm.disk``. What a life said to be kept is held against what the next finds.
"""

from __future__ import annotations

import io
import json
import os
import random
import socket
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from device.hardware.buttons import Button
from device.storage.journal import Journal
from referee.history import Entry
from referee.laminate.simulated.game import SimulatedGame
from referee.simulation import is_right
from rules.text import Language
from tests.device.at_the_table import LAYOUT, PLAYERS, view_of
from tests.device.openings import begun, opening
from tools.deb.contents import read_project
from tools.vm.disk import ForgetfulDisk
from tools.vm.image import ROOT, WORK
from tools.vm.machine import KVM, NO_AVX, MachineError
from vision.identify.deck import Deck, DeckCard
from vision.identify.embedder import Embeddings

FOLDER = WORK / "alone"
DISK_MB, MEMORY_MB = 96, 512
LIVES_A_DISK = 12
"""Then a new disk, with some games on it, begins."""
MOST_LINES = 60
"""So many lines a life says at most before its plug is pulled; a thing done takes two."""
KINDS = ("game", "setting", "deck", "scored", "recording", "turn")
"""Half of the lives are cut in the moment in which such a thing, drawn by chance, was said to be done."""
_TESTS = ("__init__.py", "device/__init__.py", "device/openings.py", "vm/guest/keeper.py", "vm/guest/start.sh")
_START = "tar -xf /dev/vdc -C /run/alone; exec sh /run/alone/tools/vm/guest/start.sh"
_PATIENCE_S = 90.0

Held = dict[str, Any]
Mutation = Mapping[str, Callable[[str], str]]
"""Files of the program by their paths, and what each is changed to before it goes into the machine."""


@dataclass
class Figures:
    """What the cuts came to."""

    cuts: int = 0
    things: int = 0
    """Things said to be kept."""
    kinds: dict[str, int] = field(default_factory=dict)
    """In the middle of what it was cut, how often."""
    unflushed: int = 0
    """Cuts that found writes in the disk's cache."""
    dropped: int = 0
    """Writes that were lost or torn then."""
    ahead: int = 0
    """Cuts after which what was being done was there although nobody had said so."""
    unfinished: int = 0
    """The most files that were left unfinished at once."""
    faults: list[str] = field(default_factory=list)


def whole_game() -> list[Entry]:
    """Return the entries of a whole simulated game."""
    game = SimulatedGame(PLAYERS, LAYOUT, random.Random(7))
    session = begun(PLAYERS, 1, LAYOUT, Language.EN)
    for attempt in game.play_game():
        session.see(view_of(game.table, LAYOUT))
        if not attempt.unconfirmed:
            session.press(Button.CONFIRM)
            if (question := session.judge.question) is not None:
                right = next(n for n, choice in enumerate(question.choices) if is_right(game, choice.verdict, attempt))
                for _ in range(right):
                    session.press(Button.DOWN)
                session.press(Button.CONFIRM)
    return list(session.log.entries)


def _pack(path: Path, entries: list[Entry], deck: Path, mutation: Mutation) -> None:
    """Pack what the machine runs into an archive that is a drive of it."""
    with tarfile.open(path, "w") as archive:

        def put(name: str, data: bytes) -> None:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

        files = [file for room in read_project().rooms for file in sorted((ROOT / room).rglob("*")) if file.is_file()]
        left_out = {".pyc", ".onnx"}
        files = [file for file in files if file.suffix not in left_out and "train" not in file.parts]
        for file in (*files, *(ROOT / "tests" / name for name in _TESTS)):
            name = str(file.relative_to(ROOT))
            data = file.read_bytes()
            if name in mutation:
                text = mutation[name](data.decode())
                assert text != data.decode(), f"{name} has nothing to be changed"
                data = text.encode()
            put(name, data)
        put("entries.json", json.dumps([entry.to_json() for entry in entries]).encode())
        put("small.deck", deck.read_bytes())


def small_deck(path: Path) -> None:
    """Save a deck of three made-up cards, as large as needs be to be torn."""
    chance = np.random.default_rng(1)
    crops = [chance.integers(0, 255, (56, 160, 3), np.uint8) for _ in range(2)]
    cards = tuple(DeckCard(name, (crops[0], crops[1])) for name in ("HA", "S7", "T10"))
    widths = (128, 15, 32)
    Deck("small", cards, Embeddings(*(np.zeros((6, width), np.float32) for width in widths)), "model 0").save(path)


class Talk:
    """The machine's second serial line. What is about to be done there begins once this side has heard of it."""

    def __init__(self, link: socket.socket) -> None:
        self._link, self._data = link, b""

    def say(self, what: Any) -> None:
        """Say one line."""
        self._link.sendall(json.dumps(what).encode() + b"\n")

    def read_line(self, until_s: float) -> Any:
        """Read the next line; return ``None`` where none comes until then, or the machine is gone."""
        while b"\n" not in self._data:
            self._link.settimeout(max(until_s - time.monotonic(), 0.001))
            try:
                part = self._link.recv(1 << 16)
            except OSError:  # among them that the time is over
                return None
            if not part:
                return None
            self._data += part
        line, _, self._data = self._data.partition(b"\n")
        said = json.loads(line)
        if "doing" in said:
            with suppress(OSError):
                self._link.sendall(b".")
        return said

    def close(self) -> None:
        """Hang up."""
        self._link.close()


class Alone:
    """The snapshot, and the lives that begin from it."""

    def __init__(self, mutation: Mutation | None = None) -> None:
        """Start the machine once, and keep it as it is before the program opens its state.

        Raises:
            MachineError: it didn't come up.
        """
        FOLDER.mkdir(parents=True, exist_ok=True)
        self._entries = whole_game()
        small_deck(FOLDER / "small.deck")
        _pack(FOLDER / "code.tar", self._entries, FOLDER / "small.deck", mutation or {})
        self._blank = FOLDER / "state.img"
        self._format_disk({})
        self._disk: ForgetfulDisk | None = None
        # A hard link: the snapshot knows this image and no other, whatever is built meanwhile.
        (FOLDER / "root.img").unlink(missing_ok=True)
        os.link(WORK / "sevenmat.img", FOLDER / "root.img")
        self._snapshot = FOLDER / "snapshot"
        self._snapshot.unlink(missing_ok=True)
        disk = self.new_disk({})
        began = time.monotonic()
        process, talk = self._turn_on()
        try:
            if talk.read_line(time.monotonic() + 300) != "ready":
                raise MachineError("the program did not come up; see console.log")
            self._monitor("stop")
            self._monitor("migrate", uri=f"exec:cat > {self._snapshot}")
            while (state := self._monitor("query-migrate").get("status")) != "completed":
                if state == "failed":
                    raise MachineError("no snapshot could be taken")
                time.sleep(0.1)
        finally:
            process.kill()
            process.wait()
            talk.close()
        disk.pull(random.Random(0))
        self.start_s = time.monotonic() - began
        """What a start from nothing takes, seconds."""

    def new_disk(self, old: Mapping[int, int]) -> ForgetfulDisk:
        """Begin with a new disk that has games: so many entries by each game's number."""
        if self._disk is not None:
            self._disk.close()
        self._format_disk(old)
        self._disk = ForgetfulDisk(FOLDER / "disk.socket", self._blank)
        return self._disk

    def _format_disk(self, old: Mapping[int, int]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder) / "state"
            state.mkdir()
            with Journal.open(state) as journal:
                for number in sorted(old):
                    journal.begin(opening(PLAYERS, 2, "our deck"), Language.EN, self._entries[: old[number]])
            self._blank.unlink(missing_ok=True)
            made = ["mke2fs", "-q", "-t", "ext4", "-J", "size=4", "-d", folder, str(self._blank), f"{DISK_MB}M"]
            subprocess.run(made, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def live_once(self, chance: random.Random, sync: bool) -> tuple[list[Any], int, int]:
        """Live one life: its lines until its plug was pulled, the disk's unflushed writes, and how many got lost."""
        assert self._disk is not None
        process, talk = self._turn_on()
        lines: list[Any] = []
        # While it starts, or so many lines later, and a moment after.
        most = 0 if chance.random() < 0.15 else chance.randint(1, MOST_LINES)
        try:
            # What is said before the snapshot is loaded would be lost with it.
            while self._monitor("query-status")["status"] == "inmigrate":
                time.sleep(0.02)
            self._monitor("cont")
            talk.say({"seed": chance.randrange(1 << 30), "sync": sync})
            after_s = (0.0, chance.uniform(0, 0.05), chance.uniform(0, 0.4)) if most else (chance.uniform(0, 2.5),)
            end = time.monotonic() + (_PATIENCE_S if most else 0)
            while len(lines) < most and (line := talk.read_line(end)) is not None:
                lines.append(line)
                if "fault" in line:
                    break
            else:
                if len(lines) < most:
                    raise MachineError(f"nothing was said in {_PATIENCE_S:.0f} s; see {FOLDER}/console.log")
                kind = chance.choice(KINDS) if most and chance.random() < 0.5 else None
                end = time.monotonic() + (_PATIENCE_S if kind else chance.choice(after_s))
                more = MOST_LINES if kind else 1000
                while (line := talk.read_line(end)) is not None and more:
                    lines.append(line)
                    more -= 1
                    # Cut here, the next thing has not begun: no flush but this thing's own can have kept it.
                    if kind and any(name.startswith(kind) for name in line.get("done", ())):
                        break
        finally:
            process.kill()
            process.wait()
        while (line := talk.read_line(time.monotonic() + 1)) is not None:  # what it had said before the cut
            lines.append(line)
        talk.close()
        return lines, *self._disk.pull(chance)

    def check_files(self) -> str:
        """Report what e2fsck finds wrong on the disk as it lies there, after it has replayed its journal."""
        assert self._disk is not None
        image = FOLDER / "checked.img"
        self._disk.save(image)
        subprocess.run(["e2fsck", "-p", "-E", "journal_only", str(image)], capture_output=True, check=False)
        done = subprocess.run(["e2fsck", "-fn", str(image)], capture_output=True, text=True, check=False)
        image.unlink()
        return "" if done.returncode == 0 else (done.stdout + done.stderr)[-400:]

    def _turn_on(self) -> tuple[subprocess.Popen[bytes], Talk]:
        assert self._disk is not None
        for name in ("talk", "qmp"):
            (FOLDER / name).unlink(missing_ok=True)
        self._disk.serve()
        words = [
            *("qemu-system-x86_64", "-machine", "pc", "-nodefaults", "-no-reboot", "-display", "none"),
            *("-accel", "kvm" if KVM else "tcg,thread=multi", "-cpu", "host" if KVM else NO_AVX),
            *("-smp", "1", "-m", str(MEMORY_MB), "-kernel", str(WORK / "vmlinuz"), "-initrd", str(WORK / "initrd")),
            *("-append", f'root=/dev/vda ro console=ttyS0 loglevel=4 init=/bin/sh -- -c "mkdir /run/alone; {_START}"'),
            *("-drive", f"file={FOLDER}/root.img,if=virtio,format=raw,readonly=on"),
            *("-drive", f"file=nbd:unix:{FOLDER}/disk.socket,if=virtio,format=raw,cache=writeback"),
            *("-drive", f"file={FOLDER}/code.tar,if=virtio,format=raw,readonly=on"),
            *("-serial", f"file:{FOLDER}/console.log"),
            *("-chardev", f"socket,path={FOLDER}/talk,server=on,wait=off,id=talk", "-serial", "chardev:talk"),
            *("-qmp", f"unix:{FOLDER}/qmp,server=on,wait=off"),
            *(("-incoming", f"exec:cat {self._snapshot}") if self._snapshot.exists() else ()),
        ]
        with (FOLDER / "qemu.log").open("w") as log:
            process = subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        return process, Talk(self._connect("talk", process))

    def _connect(self, name: str, process: subprocess.Popen[bytes] | None = None) -> socket.socket:
        end = time.monotonic() + 20
        while True:
            link = socket.socket(socket.AF_UNIX)
            try:
                link.connect(str(FOLDER / name))
                return link
            except OSError:
                link.close()
                if time.monotonic() > end or (process is not None and process.poll() is not None):
                    raise MachineError((FOLDER / "qemu.log").read_text()) from None
                time.sleep(0.02)

    def _monitor(self, command: str, **arguments: object) -> Any:
        with self._connect("qmp") as link:
            lines = link.makefile("r")
            lines.readline()
            for ask in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                link.sendall(json.dumps(ask).encode() + b"\n")
                while "event" in (answer := json.loads(lines.readline())):
                    pass
        if "error" in answer:
            raise MachineError(answer["error"]["desc"])
        return answer["return"]


class Books:
    """What must be there, by what was said; a thing that was being done may be there or not."""

    def __init__(self, held: Held) -> None:
        self.held, self.doing = dict(held), Held()

    def hear(self, lines: list[Any]) -> tuple[Held | None, list[str], int]:
        """Enter what a life said; what it found at its start, and how many things it said to be kept."""
        found, unfinished, done = None, [], 0
        for line in lines:
            if "holds" in line:
                found, unfinished = line["holds"], line["unfinished"]
                self.held, self.doing = dict(found), {}
            elif "doing" in line:
                self.doing = line["doing"]
            elif "done" in line:
                self.held |= line["done"]
                self.doing, done = {}, done + 1
        return found, unfinished, done

    def list_faults(self, found: Held) -> list[str]:
        """List what is not as it must be."""
        wrong = []
        for name in {**self.held, **self.doing, **found}:
            old, new, now = self.held.get(name), self.doing.get(name, self.held.get(name)), found.get(name)
            if name.startswith("turn ") and name.split()[1].split("/")[0] != str(found.get("going on")):
                continue  # another game's are deleted
            if now not in (old, new) or str(now).startswith("half"):
                wrong.append(f"{name} is {now}, and was {old}" + (f", becoming {new}" if new != old else ""))
        return wrong


def cut(alone: Alone, times: int, seed: int, sync: bool, say: Callable[[str], None]) -> Figures:
    """Pull the plug so many times; without ``sync`` the program's flushes do nothing, and much must be lost."""
    figures, chance, log = Figures(), random.Random(seed), (FOLDER / "lives.jsonl").open("w")
    while figures.cuts < times:
        old = {n: chance.randint(0, 40) for n in range(1, chance.randint(1, 4))}
        alone.new_disk(old)
        games = {f"game {number}": [count, False] for number, count in old.items()}
        setting = 1000
        books = Books({"set aside": None, "going on": max(old, default=0), "setting": setting, **games})
        began = True
        for _ in range(LIVES_A_DISK):
            before = Books(books.held)
            before.doing = books.doing
            lines, writes, lost = alone.live_once(chance, sync)
            log.write(json.dumps(lines) + "\n")
            found, unfinished, done = books.hear(lines)
            if found is not None:
                if began:
                    before.held["setting"] = found["setting"]  # the usual one
                began = False
                figures.faults += [f"after cut {figures.cuts}: {fault}" for fault in before.list_faults(found)]
                figures.ahead += any(
                    found.get(name) == value for name, value in before.doing.items() if before.held.get(name) != value
                )
                figures.unfinished = max(figures.unfinished, len(unfinished))
            figures.faults += [f"life {figures.cuts + 1}: {line['fault']}" for line in lines if "fault" in line]
            figures.cuts += 1
            figures.things += done
            kind = next(iter(books.doing), "between" if found is not None else "start").split()[0]
            figures.kinds[kind] = figures.kinds.get(kind, 0) + 1
            figures.unflushed += writes > 0
            figures.dropped += lost
            say(
                f"cut {figures.cuts}: {len(lines)} lines, {done} done, in {kind}, {writes} unflushed, {lost} lost; "
                f"{len(figures.faults)} faults"
            )
            if figures.cuts >= times or any("fault" in line for line in lines):
                break
        if wrong := alone.check_files():
            figures.faults.append(f"the file system after cut {figures.cuts}: {wrong}")
    return figures
