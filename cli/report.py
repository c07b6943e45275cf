"""``sevenmat doctor --report FILE``: one file about this machine, for whoever asks how Sevenmat does on it.

JSON: versions, what the machine is made of, every finding in both languages, how long flushes take, and what people
answered to a checklist. No name of a player, deck, user or host is in it, no picture and no serial number.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from device.files import replace_file
from rules.text import Text

FORMAT = 1
_PACKAGES = (
    *("sevenmat", "numpy", "opencv-python-headless", "onnxruntime", "pygame", "pillow"),
    *("picamera2", "simplejpeg", "gpiozero", "lgpio"),
)
_GROUPS = ("video", "render", "input", "gpio", "audio")
_FLUSHES = 20
_HOME = re.compile(r"/home/[^/\s:]+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|「[^」]*」")
CHECKLIST: Mapping[str, Text] = {
    "starts": Text("After the power came, did the first menu appear by itself?"),
    "display": Text("Is the display upright, sharp and in its right colours?"),
    "buttons": Text("Does each of the four buttons do what the display says, one step for one press?"),
    "signals": Text("Do lamp, buzzer or speaker do as set (skip what isn't there)?"),
    "learning": Text("Was a deck learnt from its pages?"),
    "moves": Text("Were the first moves of a game understood as they were made?"),
    "camera": Text("With the lens covered, did the display say so, and go on once it was free again?"),
    "power_cut": Text("After the plug was pulled right after a move, did the game go on with that move?"),
}
"""What only people at the table can tell, as docs/HARDWARE.md has it in its checklist."""


def write_report(
    path: Path,
    state: Path,
    deck_names: Iterable[str],
    examine: Callable[[], Iterable[dict[str, Any]]],
    ask: Callable[[Text], str],
) -> None:
    """Examine, ask, and write the report.

    Args:
        path: the file, which is replaced where it is there already.
        state: the state folder.
        deck_names: what decks are called here, which is nobody else's affair.
        examine: gives the findings as JSON-able data, one after the other.
        ask: puts a question of the checklist; "yes", "no", or "" for no answer.

    Raises:
        DeviceError: it can't be written; that is said before anything is examined.
    """
    with replace_file(path) as unfinished:
        hide = _make_hider(state, deck_names)
        findings, began = [], time.monotonic()
        for finding in examine():
            taken, began = time.monotonic() - began, time.monotonic()
            findings.append({**hide(finding), "seconds": round(taken, 2)})
        report = {
            "report": FORMAT,
            "written": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": _list_versions(),
            "machine": _describe_machine(),
            "devices": _list_devices(),
            "measured": {"flush_ms": measure_flush_ms(state)},
            "findings": findings,
            "checklist": {name: ask(words) for name, words in CHECKLIST.items()},
        }
        text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
        unfinished.write_text(text, encoding="utf-8", errors="replace")


def _make_hider(state: Path, deck_names: Iterable[str]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what takes names and the user's own paths out of a finding."""
    named = {name: f"deck {number}" for number, name in enumerate(sorted(deck_names, key=len, reverse=True), 1)}

    def hide(finding: dict[str, Any]) -> dict[str, Any]:
        return {
            key: said(finding["check"], key, text) if isinstance(text, str) else text for key, text in finding.items()
        }

    def said(check: str, key: str, text: str) -> str:
        if check in ("settings", "decks") and key.startswith("text"):
            text = _QUOTED.sub("'…'", text)  # what people wrote into the settings, the name of a deck
            for name, number in named.items() if check == "decks" else ():
                text = text.replace(name, number)
        for place in (str(state.absolute()), str(state)):
            text = text.replace(place, "STATE") if len(place) > 1 else text
        return _HOME.sub("~", text.replace(str(Path.home()), "~") if Path.home() != Path("/") else text)

    return hide


def _list_versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {"python": platform.python_version(), "kernel": platform.release()}
    with suppress(OSError):
        found["system"] = platform.freedesktop_os_release().get("PRETTY_NAME")
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    import pygame

    found["SDL"] = ".".join(map(str, pygame.get_sdl_version()))
    return found


def _describe_machine() -> dict[str, Any]:
    groups = read_output("id", "-nG").split()
    return {
        "model": _read_text("/proc/device-tree/model"),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "memory_mb": int((re.search(r"MemTotal:\s*(\d+)", _read_text("/proc/meminfo")) or [0, 0])[1]) // 1000,
        "temperature_c": int(_read_text("/sys/class/thermal/thermal_zone0/temp") or 0) / 1000 or None,
        "throttled": read_output("vcgencmd", "get_throttled").partition("=")[2] or None,
        "system_disk": _read_text("/sys/block/mmcblk0/device/name") or None,
        "groups": [name for name in _GROUPS if name in groups],
    }


def _list_devices() -> dict[str, list[str]]:
    """Return what the kernel has found, by the names its drivers give."""
    dev = Path("/dev")
    return {
        "cameras": _read_names("/sys/class/video4linux/*/name"),
        "framebuffers": _read_names("/sys/class/graphics/fb*/name"),
        "screens": [f"{Path(at).parent.name}: {_read_text(at)}" for at in _find_paths("/sys/class/drm/*/status")],
        "gpiochips": sorted(path.name for path in dev.glob("gpiochip*")),
        "dma_heaps": sorted(path.name for path in dev.glob("dma_heap/*")),
        "sounds": _read_names("/proc/asound/card*/id"),
        "inputs": _read_names("/sys/class/input/input*/name"),
    }


def measure_flush_ms(state: Path) -> dict[str, float] | None:
    """Measure how long a line of a move's length takes to be on the disk: the median and the longest of some, ms."""
    there = next(path for path in (state, *state.absolute().parents) if path.exists())
    taken = []
    try:
        with tempfile.TemporaryFile(dir=there, buffering=0) as file:
            for _ in range(_FLUSHES):
                began = time.monotonic()
                file.write(b"x" * 300)
                os.fsync(file.fileno())
                taken.append(1000 * (time.monotonic() - began))
    except OSError:
        return None
    return {"median": round(statistics.median(taken), 2), "longest": round(max(taken), 2)}


def _find_paths(pattern: str) -> list[str]:
    return sorted(str(path) for path in Path("/").glob(pattern[1:]))


def _read_names(pattern: str) -> list[str]:
    return [_read_text(path) for path in _find_paths(pattern)]


def _read_text(path: str) -> str:
    """Read the first line of a file of the system; nothing where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").split("\n")[0].strip("\0 ")
    except OSError:
        return ""


def read_output(*command: str) -> str:
    """Return what a system's command says; nothing where it isn't there or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
