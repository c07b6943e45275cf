"""What is shown in the machine, stage by stage; each yields what it checked, and whether it was so."""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pygame
from PIL import Image, ImageChops

from device.hardware.buttons import Button
from tests.device.house import House
from tests.vm.image import WORK
from tests.vm.machine import GUEST, Machine, MachineError
from ui.screen import Panel, draw
from ui.screen_state import Mood

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
_REST_S = 0.02
"""So long a contact must rest to count, by the program's own settings."""
_SEED = 577


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: whether it is as promised (``None``: it could not be tried), and what was seen."""

    good: bool | None
    words: str


Stage = Callable[[], Iterator[Check]]


def start(machine: Machine, settings: str = SETTINGS) -> float:
    """The machine up, with pins as a Pi has them, and the service READY; the seconds that its start took."""
    machine.up()
    machine.sh("sh /mnt/prepare.sh; sh /mnt/gpio.sh")
    machine.write("/var/lib/sevenmat/settings.toml", settings)
    machine.sh("chown -R sevenmat: /var/lib/sevenmat")
    return _restart(machine)


def _restart(machine: Machine) -> float:
    began = time.monotonic()
    machine.sh("systemctl daemon-reload; systemctl reset-failed sevenmat; systemctl restart --no-block sevenmat")
    machine.until("echo is $(systemctl is-active sevenmat)", "is active\n", 300)
    return time.monotonic() - began


def _status(machine: Machine) -> str:
    return machine.sh("systemctl show -p StatusText --value sevenmat").strip()


def press(machine: Machine, button: str, hold_s: float = 0.15, wait_s: float = 1.5) -> None:
    pin = PINS[button]
    machine.sh(f"{_GPIO} down {pin}; sleep {hold_s}; {_GPIO} up {pin}; sleep {wait_s}")


def _edges(machine: Machine, pin: int, *steps: tuple[str, float]) -> float:
    """Levels and how long each lasts (s), timed in the machine; how much longer than wanted the slowest took (s)."""
    pull = f"/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio{pin}/pull"
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
    return float(machine.sh("python3 /tmp/edges.py; sleep 1.5"))


def _chosen(machine: Machine) -> int:
    """Which line of the first menu is chosen, from 0: that whose picture the scan-out equals; -1 for none of them."""
    shown = Image.open(machine.screen("menu.png")).convert("RGB")
    for number, own in enumerate(_own_menus(shown.size)):
        if ImageChops.difference(shown, own).getbbox() is None:
            return number
    return -1


def service() -> Iterator[Check]:
    """The service under its own unit."""
    with Machine("service") as machine:
        power = machine.up()
        took = start(machine)
        yield Check(True, f"power to agent {power:.0f} s, start to READY {took:.0f} s")
        opened = machine.sh("systemctl show -p MainPID --value sevenmat | xargs -I{} ls -l /proc/{}/fd")
        yield Check("/dev/gpiochip0" in opened, "with profile auto the running service has the gpiochip open")
        security = machine.sh("systemd-analyze security --no-pager sevenmat | tail -1", check=False)
        words = security.split()
        exposure = float(next((word for word in words if word.replace(".", "").isdigit()), "9"))
        yield Check(exposure <= 1.0, f"exposure {exposure}")
        machine.sh("systemctl stop sevenmat")
        as_service = "systemd-run --quiet --wait --pipe -p User=sevenmat -p Environment=GALLIUM_DRIVER=softpipe"
        doctor = "sevenmat doctor --state /var/lib/sevenmat --no-buttons --json"
        found = {}
        for line in machine.sh(f"{as_service} {doctor}", 240, check=False).splitlines():
            with contextlib.suppress(ValueError):
                finding = json.loads(line)
                found.setdefault(finding["check"], finding)
        shown = found.get("display", {"level": "none", "text": "nothing was said"})
        yield Check(shown["level"] == "ok", f"doctor opens the display: {shown['text']}")


@cache
def _own_menus(size: tuple[int, int]) -> tuple[Image.Image, ...]:
    """The first menu as the program draws it here for a screen of that size, with each of its lines chosen."""
    states = []
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        house.start()
        try:
            states.append(house.mood(Mood.MENU))
            for chosen in range(1, len(states[0].choices)):
                house.press(Button.DOWN)
                states.append(house.until(lambda screen, chosen=chosen: screen.chosen == chosen))  # type: ignore[misc]
        finally:
            house.stop()
    surfaces = [draw(state, size, Panel(WIDTH_MM)).surface for state in states]
    arrays = [pygame.surfarray.array3d(surface).transpose(1, 0, 2) for surface in surfaces]
    return tuple(Image.fromarray(np.ascontiguousarray(array)) for array in arrays)


def display() -> Iterator[Check]:
    """KMSDRM on virtio-gpu, at the sizes that screens are made for."""
    for size in ((320, 240), (480, 320), (800, 480)):
        with Machine(f"display-{size[0]}", screen=size) as machine:
            start(machine)
            machine.until("systemctl show -p StatusText --value sevenmat", "What shall it be?", 60)
            time.sleep(2)
            shown = Image.open(machine.screen()).convert("RGB")
            bright = max(high for _, high in shown.getextrema())  # type: ignore[misc]
            yield Check(shown.size == size and bright > 200, f"the scan-out shows something at {size[0]} × {size[1]}")
            own = _own_menus(size)[0]
            box = ImageChops.difference(shown, own).getbbox() if shown.size == own.size else (0, 0, *shown.size)
            own.save(machine.folder / "own.png")
            yield Check(box is None, "and equals the program's own picture" + (f" but for {box}" if box else ""))


def buttons() -> Iterator[Check]:
    """gpio-sim's contacts through gpiozero and lgpio, heard by the running service."""
    with Machine("buttons") as machine:
        start(machine)
        machine.until("systemctl show -p StatusText --value sevenmat", "What shall it be?", 60)
        lines = [_chosen(machine)]
        for button in ("down", "down", "up"):
            press(machine, button)
            lines.append(_chosen(machine))
        yield Check(lines == [0, 1, 2, 1], f"down, down, up move the menu: lines {lines}")
        down = PINS["down"]
        for bounce_s in (0.005, 0.01, 0.015):
            before = _chosen(machine)
            shaky = [("down", bounce_s), ("up", bounce_s)] * 3
            late_s = _edges(machine, down, *shaky, ("down", 0.3), *reversed(shaky), ("up", 0.1))
            after = _chosen(machine)
            press(machine, "up")
            one = after == before + 1 and _chosen(machine) == before
            words = f"bounces of {bounce_s * 1000:.0f} ms, up to {late_s * 1000:.0f} ms late, make one press"
            # A bounce that the slow machine drew out beyond the time of rest is a press, and rightly so.
            yield Check(one if one or bounce_s + late_s < _REST_S else None, words)
        before = _chosen(machine)
        _edges(machine, down, ("down", 0.008), ("up", 0.1))
        yield Check(_chosen(machine) == before, "a spike of 8 ms presses nothing")
        before = _chosen(machine)
        both = " ".join(f"{_GPIO} WAY {PINS[button]};" for button in ("down", "up"))
        machine.sh(f"{both.replace('WAY', 'down')} sleep 0.2; {both.replace('WAY', 'up')} sleep 2")
        yield Check(_chosen(machine) == before, "down and up pressed at once are one step each")
        press(machine, "down", hold_s=1.5)
        after = _chosen(machine)
        press(machine, "up")
        yield Check(after == before + 1 and _chosen(machine) == before, "one held for 1.5 s is one press")
        lamp = machine.sh(f"{_GPIO} value {LAMP}").strip()
        yield Check(lamp in ("0", "1"), f"the lamp's line is driven (it reads {lamp})")
        machine.sh(f"{_GPIO} down {PINS['back']}")
        _restart(machine)
        machine.until("systemctl show -p StatusText --value sevenmat", "What shall it be?", 60)
        machine.sh("sleep 13")
        yield Check("stuck" not in _status(machine), "a usual pin that is low from the start is not said to be stuck")
        press(machine, "down")
        yield Check(_chosen(machine) == 1, "and the others work")
        machine.sh(f"{_GPIO} up {PINS['back']}; sleep 2")
        machine.sh(f"{_GPIO} down {PINS['back']}; sleep 13")
        yield Check("stuck" in _status(machine), f"one that is held down later is: {_status(machine)!r}")


def _recorded() -> Path:
    """A recorded game of the simulated table, with the pictures of its deck's pages."""
    game = WORK / f"game-{_SEED}"
    if not (game / "truth.jsonl").exists():
        sevenmat = Path(sys.executable).parent / "sevenmat"
        words = ["demo", "--headless", "--language", "en", "--seed", str(_SEED)]
        where = ["--record", str(game), "--screens", str(WORK / "screens")]
        subprocess.run([str(sevenmat), *words, *where], check=True, stdout=subprocess.DEVNULL)
    return game


def _moments(game: Path) -> list[tuple[str, dict[str, object]]]:
    """The frame before each confirm that was accepted, and the move."""
    frame, found = "", []
    rows = [json.loads(line) for line in (game / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        frame = row.get("frame", frame)
        if row.get("expect") == "accepted":
            found.append((frame, row["move"]))
    return found


def _learn(machine: Machine, game: Path) -> None:
    """The recorded game's deck, learnt here from the pictures of its pages, put on the machine's shelf."""
    state = WORK / "state"
    deck = state / "decks" / "mine.deck"
    sevenmat = Path(sys.executable).parent / "sevenmat"
    pages = [
        word for page in ("seven", "review", "complete") for word in (f"--{page}", str(game / f"enrol-{page}.jpg"))
    ]
    learn = [str(sevenmat), "enrol", "--deck", "mine", "--state", str(state), *pages]
    subprocess.run(learn, check=True, stdout=subprocess.DEVNULL)
    machine.sh("mkdir -p /var/lib/sevenmat/decks")
    data = base64.b64encode(deck.read_bytes()).decode()
    machine.sh("rm -f /tmp/deck.b64")
    for at in range(0, len(data), 60_000):
        machine.sh(f"echo {data[at : at + 60_000]} >> /tmp/deck.b64")
    machine.sh("base64 -d /tmp/deck.b64 > /var/lib/sevenmat/decks/mine.deck; chown -R sevenmat: /var/lib/sevenmat")


def _entries(machine: Machine) -> list[int]:
    """How many entries each game of the journal has."""
    lines = machine.sh("runuser -u sevenmat -- sevenmat games list --json --state /var/lib/sevenmat 2>/dev/null", 200)
    return [json.loads(line)["entries"] for line in lines.splitlines() if line.startswith("{")]


def camera() -> Iterator[Check]:
    """A recorded game before a webcam (v4l2loopback), refereed by the service, and its plug pulled after a confirm."""
    game = _recorded()
    moments = _moments(game)[:3]
    with Machine("camera", share=game) as machine:
        machine.up()
        for name in ("prepare.sh", "gpio.sh", "feed.py"):
            machine.write(f"/tmp/guest/{name}", (GUEST / name).read_text(encoding="utf-8"))
        machine.sh("umount /mnt; mkdir -p /game; mount -t 9p -o ro,trans=virtio,version=9p2000.L shared /game")
        machine.sh("cp -r /tmp/guest/. /mnt/ 2>/dev/null || mount --bind /tmp/guest /mnt")
        machine.write("/var/lib/sevenmat/settings.toml", SETTINGS)
        machine.sh("sh /mnt/prepare.sh; sh /mnt/gpio.sh; chown -R sevenmat: /var/lib/sevenmat")
        _learn(machine, game)
        machine.sh("modprobe v4l2loopback video_nr=9 card_label=Webcam exclusive_caps=1")
        machine.sh(f"echo /game/{moments[0][0]} > /run/feed")
        machine.sh("systemd-run --quiet --unit=feed python3 /mnt/feed.py /dev/video9 3 /run/feed; sleep 3")
        players = ",".join(json.loads((game / "recording.json").read_text(encoding="utf-8"))["players"])
        first = json.loads((game / "recording.json").read_text(encoding="utf-8"))["first_seat"]
        run = f"sevenmat run --service --state ${{STATE_DIRECTORY}} --players {players} --first {first} --deck mine"
        drop_in = f"[Service]\nExecStart=\nExecStart=/opt/sevenmat/venv/bin/{run}\n"
        machine.write("/etc/systemd/system/sevenmat.service.d/game.conf", drop_in)
        _restart(machine)
        for number, (frame, move) in enumerate(moments):
            machine.sh(f"echo /game/{frame} > /run/feed")
            began = time.monotonic()
            last = number == len(moments) - 1
            with contextlib.suppress(MachineError):
                machine.until(f"{_GPIO} value {LAMP}; sleep 3; {_GPIO} value {LAMP}", "1\n1\n", 120)
            time.sleep(8)
            machine.screen(f"frame-{number}.png")
            if last:  # or the next boot would begin another game
                machine.sh("rm /etc/systemd/system/sevenmat.service.d/game.conf; sync")
            press(machine, "confirm", wait_s=0.5 if last else 5)
            if not last:
                kept = _entries(machine)
                good = kept == [number + 1]
                yield Check(
                    good, f"{move['do']} refereed in {time.monotonic() - began:.0f} s: {_status(machine)!r} {kept}"
                )
    with Machine("camera", fresh=False, share=GUEST) as machine:
        machine.up()
        # killed, not stopped: a game stopped in order waits in the menu for its players
        machine.sh("systemctl kill --signal=KILL sevenmat; sh /mnt/gpio.sh", check=False)
        _restart(machine)
        kept = _entries(machine)
        yield Check(
            len(kept) == 1 and kept[0] >= len(moments) - 1,
            f"after the plug was pulled: {kept} entries of {len(moments)}",
        )
        recovered = machine.sh("dmesg | grep -c 'EXT4.*recover'", check=False).strip()
        yield Check(recovered not in ("", "0"), "the disk was not let go of in order, and came back")
        said = machine.until("systemctl show -p StatusText --value sevenmat", "", 60).strip()
        yield Check(said not in ("", "What shall it be?"), f"the game goes on by itself: {said!r}")


def picamera() -> Iterator[Check]:
    """picamera2 itself on libcamera's vimc."""
    with Machine("picamera") as machine:
        machine.up()
        machine.sh("systemctl stop sevenmat; ln -sf system /dev/dma_heap/linux,cma")
        if "vimc" not in machine.sh("modprobe vimc && lsmod | grep vimc", check=False):
            yield Check(None, "this kernel has no vimc")
            return
        python = "LIBCAMERA_LOG_LEVELS=*:ERROR PYTHONPATH=/mnt/stubs /opt/sevenmat/venv/bin/python -u /mnt/picam.py"
        for size in ("", "640x480"):
            out = machine.sh(f"cd /; {python} {size}", 240, check=False).strip().splitlines()
            given = [line for line in out if line.startswith("preview")]
            yield Check(len(given) == 2, f"at {size or 'its own size'}: {' / '.join(out[-3:])[-220:]}")


STAGES: dict[str, Stage] = {
    "service": service,
    "display": display,
    "buttons": buttons,
    "camera": camera,
    "picamera": picamera,
}
