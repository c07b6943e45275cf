"""What is shown in the machine, stage by stage; each yields what it checked, and whether it was so."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pygame
from PIL import Image, ImageChops

from device.hardware.buttons import Button
from tests.device.house import House
from tools.vm.image import WORK
from tools.vm.machine import GUEST, Machine, MachineError, Mutation
from ui.screen import Panel, draw
from ui.screen_state import Mood, ScreenState
from web.table_end.page import TablePage

PINS = {"confirm": 5, "back": 6, "up": 16, "down": 24}
LAMP = 12
WIDTH_MM = 61.0
SETTINGS = f"""language = "en"
[display]
width_mm = {WIDTH_MM}
[signals]
lamp_pin = {LAMP}
"""
_GPIO = "sh /mnt/gpio.sh"
_PULL = "/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio{}/pull"
_STATUS = "systemctl show -p StatusText --value sevenmat"
_REST_S = 0.02
"""So long a contact must rest to count, by the program's own settings."""
_SEED = 577


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: whether it is as promised (``None``: it could not be tried), and what was seen."""

    good: bool | None
    words: str


Stage = Callable[[], Generator[Check]]


def start(machine: Machine, settings: str = SETTINGS) -> float:
    """Start the machine, with pins as a Pi has them, until the service is READY; return the seconds that took."""
    machine.wait_until_up()
    machine.run_script("sh /mnt/prepare.sh; sh /mnt/gpio.sh")
    machine.write("/var/lib/sevenmat/settings.toml", settings)
    machine.run_script("chown -R sevenmat: /var/lib/sevenmat")
    return _restart(machine)


_PLAIN: dict[Mutation | None, Machine] = {}


@contextlib.contextmanager
def run_plain() -> Iterator[Machine]:
    """Provide the machine of stages that need no other than the last had; where one failed the next has a new one."""
    machine = _PLAIN.pop(Mutation.put_in, None)
    end_plain()
    machine = machine or Machine("plain")
    try:
        yield machine
    except BaseException:
        machine.cut()
        raise
    _PLAIN[Mutation.put_in] = machine


def end_plain() -> None:
    """Let go of it."""
    while _PLAIN:
        _PLAIN.popitem()[1].cut()


def _restart(machine: Machine) -> float:
    began = time.monotonic()
    machine.run_script(
        "systemctl daemon-reload; systemctl reset-failed sevenmat; systemctl restart --no-block sevenmat"
    )
    machine.ask_until("echo is $(systemctl is-active sevenmat)", "is active\n", 300)
    return time.monotonic() - began


def _read_status(machine: Machine) -> str:
    return machine.run_script(_STATUS).strip()


def press(machine: Machine, button: str, hold_s: float = 0.15, wait_s: float = 1.5) -> None:
    """Press a button; nothing is started in between but the pause, or a slow machine would hold it for long."""
    pull = _PULL.format(PINS[button])
    machine.run_script(f"echo pull-down > {pull}; sleep {hold_s}; echo pull-up > {pull}; sleep {wait_s}")


def _time_edges(machine: Machine, pin: int, *steps: tuple[str, float]) -> float:
    """Time levels in the machine, how long each lasts (s); return how much longer than wanted the slowest took (s)."""
    pull = _PULL.format(pin)
    text = f"""import time
late = 0.0
for level, seconds in {list(steps)!r}:
    began = time.monotonic()
    open({pull!r}, "w").write("pull-" + level)
    time.sleep(seconds)
    late = max(late, time.monotonic() - began - seconds)
print(late)
"""
    machine.write("/tmp/edges.py", text)
    return float(machine.run_script("python3 /tmp/edges.py; sleep 1.5"))


def _find_chosen(machine: Machine) -> int:
    """Find which line of the first menu is chosen, from 0: that whose picture the scan-out equals; -1 for none."""
    for _ in range(10):  # it may be on its way
        shown = Image.open(machine.save_screen("menu.png")).convert("RGB")
        for number, own in enumerate(_own_menus(shown.size)):
            if ImageChops.difference(shown, own).getbbox() is None:
                return number
        time.sleep(0.3)
    return -1


def check_service() -> Generator[Check]:
    """Check the service under its own unit."""
    with run_plain() as machine:
        power = machine.wait_until_up()
        took = start(machine)
        yield Check(True, f"power to agent {power:.0f} s, start to READY {took:.0f} s")
        opened = machine.run_script("systemctl show -p MainPID --value sevenmat | xargs -I{} ls -l /proc/{}/fd")
        yield Check("/dev/gpiochip0" in opened, "with profile auto the running service has the gpiochip open")
        security = machine.run_script("systemd-analyze security --no-pager sevenmat | tail -1", check=False)
        words = security.split()
        exposure = float(next((word for word in words if word.replace(".", "").isdigit()), "9"))
        yield Check(exposure <= 1.0, f"exposure {exposure}")
        machine.run_script("systemctl stop sevenmat")
        as_service = "systemd-run --quiet --wait --pipe -p User=sevenmat -p Environment=GALLIUM_DRIVER=softpipe"
        doctor = "sevenmat doctor --state /var/lib/sevenmat --no-buttons --json"
        found: dict[str, Any] = {}
        for line in machine.run_script(f"{as_service} {doctor}", 240, check=False).splitlines():
            with contextlib.suppress(ValueError):
                finding = json.loads(line)
                found.setdefault(finding["check"], finding)
        shown = found.get("display", {"level": "none", "text": "nothing was said"})
        yield Check(shown["level"] == "ok", f"doctor opens the display: {shown['text']}")


def draw_state(state: ScreenState, size: tuple[int, int]) -> Image.Image:
    """Draw a screen as the program draws it here."""
    array = pygame.surfarray.array3d(draw(state, size, Panel(WIDTH_MM)).surface).transpose(1, 0, 2)
    return Image.fromarray(np.ascontiguousarray(array))


@cache
def _own_menus(size: tuple[int, int]) -> tuple[Image.Image, ...]:
    """Draw the first menu as the program draws it here for a screen of that size, with each of its lines chosen."""
    states = []
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        house.page = TablePage(Path(folder))
        house.start()
        try:
            states.append(house.mood(Mood.MENU))
            for chosen in range(1, len(states[0].choices)):
                house.press(Button.DOWN)
                states.append(house.until(lambda screen, chosen=chosen: screen.chosen == chosen))  # type: ignore[misc]
        finally:
            house.stop()
    return tuple(draw_state(state, size) for state in states)


def check_picamera() -> Generator[Check]:
    """Check picamera2 itself on libcamera's vimc."""
    with run_plain() as machine:
        machine.wait_until_up()
        machine.run_script("systemctl stop sevenmat; ln -sf system /dev/dma_heap/linux,cma")
        if "vimc" not in machine.run_script("modprobe vimc && lsmod | grep vimc", check=False):
            yield Check(None, "this kernel has no vimc")
            return
        python = "LIBCAMERA_LOG_LEVELS=*:ERROR PYTHONPATH=/mnt/stubs /opt/sevenmat/program/bin/python -u /mnt/picam.py"
        for size in ("", "640x480"):
            out = machine.run_script(f"cd /; {python} {size}", 240, check=False).strip().splitlines()
            given = [line for line in out if line.startswith("preview")]
            yield Check(len(given) == 2, f"at {size or 'its own size'}: {' / '.join(out[-3:])[-220:]}")


def check_display() -> Generator[Check]:
    """Check KMSDRM on virtio-gpu, at the sizes that screens are made for."""
    for size in ((480, 320), (320, 240), (800, 480)):
        with run_plain() if size == (480, 320) else Machine(f"display-{size[0]}", screen=size) as machine:
            start(machine)
            machine.ask_until(_STATUS, "What would you like to do?", 60)
            time.sleep(2)
            shown = Image.open(machine.save_screen()).convert("RGB")
            bright = max(high for _, high in shown.getextrema())  # type: ignore[misc]
            yield Check(shown.size == size and bright > 200, f"the scan-out shows something at {size[0]} × {size[1]}")
            own = _own_menus(size)[0]
            box = ImageChops.difference(shown, own).getbbox() if shown.size == own.size else (0, 0, *shown.size)
            own.save(machine.folder / "own.png")
            yield Check(box is None, "and equals the program's own picture" + (f" but for {box}" if box else ""))
        end_plain()  # it would take its share of the processor


def check_buttons() -> Generator[Check]:
    """Check gpio-sim's contacts through gpiozero and lgpio, heard by the running service."""
    with run_plain() as machine:
        start(machine)
        machine.ask_until(_STATUS, "What would you like to do?", 60)
        lines = [_find_chosen(machine)]
        for button in ("down", "down", "up"):
            press(machine, button)
            lines.append(_find_chosen(machine))
        yield Check(lines == [0, 1, 2, 1], f"down, down, up move the menu: lines {lines}")
        down = PINS["down"]
        for bounce_s in (0.005, 0.01, 0.015):
            before = _find_chosen(machine)
            shaky = [("down", bounce_s), ("up", bounce_s)] * 3
            late_s = _time_edges(machine, down, *shaky, ("down", 0.3), *reversed(shaky), ("up", 0.1))
            after = _find_chosen(machine)
            press(machine, "up")
            one = after == before + 1 and _find_chosen(machine) == before
            words = f"bounces of {bounce_s * 1000:.0f} ms, up to {late_s * 1000:.0f} ms late, make one press"
            # A bounce that the slow machine drew out beyond the time of rest is a press, and rightly so.
            yield Check(one if one or bounce_s + late_s < _REST_S else None, words)
        before = _find_chosen(machine)
        _time_edges(machine, down, ("down", 0.008), ("up", 0.1))
        yield Check(_find_chosen(machine) == before, "a spike of 8 ms presses nothing")
        before = _find_chosen(machine)
        both = " ".join(f"{_GPIO} WAY {PINS[button]};" for button in ("down", "up"))
        machine.run_script(f"{both.replace('WAY', 'down')} sleep 0.2; {both.replace('WAY', 'up')} sleep 2")
        yield Check(_find_chosen(machine) == before, "down and up pressed at once are one step each")
        press(machine, "down", hold_s=1.5)
        after = _find_chosen(machine)
        press(machine, "up")
        yield Check(after == before + 1 and _find_chosen(machine) == before, "one held for 1.5 s is one press")
        lamp = machine.run_script(f"{_GPIO} value {LAMP}").strip()
        yield Check(lamp in ("0", "1"), f"the lamp's line is driven (it reads {lamp})")
        machine.run_script(f"{_GPIO} down {PINS['back']}")
        _restart(machine)
        machine.ask_until(_STATUS, "What would you like to do?", 60)
        machine.run_script("sleep 13")
        yield Check(
            "stuck" not in _read_status(machine), "a usual pin that is low from the start is not said to be stuck"
        )
        press(machine, "down")
        yield Check(_find_chosen(machine) == 1, "and the others work")
        machine.run_script(f"{_GPIO} up {PINS['back']}; sleep 2")
        machine.run_script(f"{_GPIO} down {PINS['back']}; sleep 13")
        yield Check("stuck" in _read_status(machine), f"one that is held down later is: {_read_status(machine)!r}")


def _record_game() -> Path:
    """Record a game of the simulated table, with the pictures of its deck's pages."""
    game = WORK / f"game-{_SEED}"
    if not (game / "truth.jsonl").exists():
        sevenmat = Path(sys.executable).parent / "sevenmat"
        words = ["demo", "--headless", "--language", "en", "--seed", str(_SEED)]
        where = ["--record", str(game), "--screens", str(WORK / "screens")]
        subprocess.run([str(sevenmat), *words, *where], check=True, stdout=subprocess.DEVNULL)
    return game


def _list_moments(game: Path) -> list[tuple[str, dict[str, object]]]:
    """List the frame before each confirm that was accepted, and the move."""
    frame, found = "", []
    rows = [json.loads(line) for line in (game / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        frame = row.get("frame", frame)
        if row.get("expect") == "accepted":
            found.append((frame, row["move"]))
    return found


def _learn_deck(game: Path) -> Path:
    """Learn the recorded game's deck from the pictures of its pages; it is kept until the product changes."""
    state, stamp = WORK / "state", WORK / "state" / "learnt.hash"
    key = (WORK / "image.hash").read_text()
    if not stamp.exists() or stamp.read_text() != key:
        sevenmat = Path(sys.executable).parent / "sevenmat"
        pages = [
            word for page in ("seven", "review", "complete") for word in (f"--{page}", str(game / f"enrol-{page}.jpg"))
        ]
        learn = [str(sevenmat), "enrol", "--deck", "mine", "--state", str(state), *pages]
        subprocess.run(learn, check=True, stdout=subprocess.DEVNULL)
        stamp.write_text(key)
    return state / "decks" / "mine.deck"


def _count_kept(machine: Machine) -> list[int]:
    """Count how many moves each game of the journal has, by its lines."""
    count = 'cd /var/lib/sevenmat/journal && grep -c \'"kind":"move"\' 0000[1-9].jsonl /dev/null'
    lines = machine.run_script(count, check=False).splitlines()
    return [int(line.split(":")[1]) for line in lines if line.startswith("0000")]


def _confirm(machine: Machine, moves: int, patience_s: float = 180.0) -> float:
    """Press confirm once what was laid is seen, until the game has so many moves; return the seconds that took.

    Raises:
        MachineError: it never had them.
    """
    began = time.monotonic()
    with contextlib.suppress(MachineError):  # it may have been seen before
        machine.ask_until(_STATUS, "reading", 30, 0.0)
    while time.monotonic() - began < patience_s:
        lamp = machine.run_script(f"for n in 1 2 3 4 5 6; do {_GPIO} value {LAMP}; sleep 0.4; done").split()
        if set(lamp) != {"1"} or _read_status(machine) == "reading":  # one that blinks asks for something else
            continue
        press(machine, "confirm", hold_s=0.06, wait_s=0)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if _count_kept(machine) == [moves]:
                return time.monotonic() - began
    raise MachineError(
        f"move {moves} was not accepted in {patience_s:.0f} s: {_count_kept(machine)}, {_read_status(machine)!r}"
    )


_PI = {
    "pins": "[Unit]\nBefore=sevenmat.service\n[Service]\nType=oneshot\nRemainAfterExit=yes\n"
    "ExecStart=sh /opt/pi/gpio.sh\n[Install]\nWantedBy=multi-user.target\n",
    "webcam": "[Unit]\nBefore=sevenmat.service\n[Service]\n"
    "ExecStartPre=modprobe v4l2loopback video_nr=9 card_label=Webcam exclusive_caps=1\n"
    "ExecStart=python3 /opt/pi/feed.py /dev/video9 3 /opt/pi/feed\n[Install]\nWantedBy=multi-user.target\n",
}
"""Units of the machine's: as on a Pi, pins and webcam are there before the service."""


def check_camera() -> Generator[Check]:
    """Check a recorded game before a webcam (v4l2loopback) refereed by the service, its plug pulled after a confirm."""
    game = _record_game()
    deck, moments = _learn_deck(game), _list_moments(game)[:4]
    share = WORK / "webcam"
    shutil.rmtree(share, ignore_errors=True)
    shutil.copytree(GUEST, share)
    for path in (deck, *(game / frame for frame, _ in moments)):
        shutil.copy(path, share)

    def lay(frame: str) -> None:
        machine.run_script(f"echo /opt/pi/{Path(frame).name} > /opt/pi/feed; sync")

    cut = len(moments) - 1
    with Machine("camera", share=share) as machine:
        machine.wait_until_up()
        machine.write("/var/lib/sevenmat/settings.toml", SETTINGS)
        for name, unit in _PI.items():
            machine.write(f"/etc/systemd/system/{name}.service", unit)
        machine.run_script(
            "sh /mnt/prepare.sh; mkdir -p /var/lib/sevenmat/decks; cp /mnt/mine.deck /var/lib/sevenmat/decks/"
        )
        machine.run_script("cp -r /mnt /opt/pi; chown -R sevenmat: /var/lib/sevenmat")
        lay(moments[0][0])
        machine.run_script("systemctl daemon-reload; systemctl enable -q --now pins webcam; sleep 3")
        header = json.loads((game / "recording.json").read_text(encoding="utf-8"))
        run = f"sevenmat run --service --state ${{STATE_DIRECTORY}} --players {','.join(header['players'])} "
        run += f"--first {header['first_seat']} --deck mine"
        drop_in = "/etc/systemd/system/sevenmat.service.d/game.conf"
        machine.write(drop_in, f"[Service]\nExecStart=\nExecStart=/opt/sevenmat/program/bin/{run}\n")
        _restart(machine)
        machine.run_script(f"rm {drop_in}")  # or the next boot would begin another game
        for number, (frame, move) in enumerate(moments[:cut], 1):
            lay(frame)
            took = _confirm(machine, number)
            yield Check(True, f"{move['do']} refereed and confirmed in {took:.0f} s: {_read_status(machine)!r}")
        time.sleep(1)  # the screen has shown it by then
    with Machine("camera", fresh=False, share=share) as machine:
        machine.wait_until_up()
        yield Check(_count_kept(machine) == [cut], f"after the plug was pulled: {_count_kept(machine)} moves of {cut}")
        recovered = machine.run_script("dmesg | grep -c 'EXT4.*recover'", check=False).strip()
        yield Check(recovered not in ("", "0"), "the disk was not let go of in order, and came back")
        machine.ask_until("echo is $(systemctl is-active sevenmat)", "is active\n", 300)
        lay(moments[cut][0])
        took = _confirm(machine, cut + 1, 300)
        yield Check(True, f"the game goes on by itself: the next move is accepted after {took:.0f} s")
        machine.save_screen("goes-on.png")


STAGES: dict[str, Stage] = {
    "service": check_service,
    "buttons": check_buttons,
    "picamera": check_picamera,
    "display": check_display,
    "camera": check_camera,
}
