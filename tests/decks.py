"""Decks for tests, learnt once on this machine and kept as long as nothing changes that they come from."""

from __future__ import annotations

import fcntl
import hashlib
import pickle
import random
import shutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from device.capture.eye import card_reader
from device.enrol.printed_deck import printed_deck
from device.enrol.ready_decks import PRINTED_DECK
from referee.layout import REFERENCE_MAT_MM
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page
from tools.deb.contents import read_project
from vision.arrays import Picture
from vision.enrol import PAGES, enrol_pages
from vision.identify.deck import Deck

T = TypeVar("T")
ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".pytest_cache" / "decks"
PACKAGES = ("numpy", "onnxruntime", "opencv-python-headless", "pillow", "reportlab")


@cache
def origin() -> str:
    """Return a digest of the program, its models and the packages that draw and read pictures."""
    digest = hashlib.sha256(repr([version(package) for package in PACKAGES]).encode())
    for path in sorted(
        path for room in read_project().rooms for kind in ("py", "onnx") for path in (ROOT / room).rglob(f"*.{kind}")
    ):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def kept(name: str, make: Callable[[], T]) -> T:
    """Return what ``make`` gives, from its file where this program made it before; throw away what others made."""
    path = FOLDER / origin() / name
    if not path.parent.is_dir():
        shutil.rmtree(FOLDER, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one worker makes it, and those that want it meanwhile wait
        if path.is_file():
            return pickle.loads(path.read_bytes())  # type: ignore[no-any-return]
        made = make()
        part = path.with_suffix(".part")
        part.write_bytes(pickle.dumps(made))
        part.replace(path)
        return made


def page_pictured(page: str) -> Picture:
    """Picture an enrolment page under the simulated camera, (h, w, 3) BGR uint8."""
    camera = SimulatedCamera(REFERENCE_MAT_MM, seed=0)
    camera.show(lay_page(page, REFERENCE_MAT_MM, random.Random(page)))
    return camera.take_picture()


@cache
def page(name: str) -> Picture:
    """``page_pictured``, kept."""
    return kept(f"page {name}", lambda: page_pictured(name))


@cache
def reference_deck() -> Deck:
    """Return the reference deck, learnt from its three pages under the simulated camera."""
    return kept(
        "reference", lambda: enrol_pages(card_reader(), "reference", {n: page(n) for n in PAGES}, REFERENCE_MAT_MM)
    )


@cache
def the_printed_deck() -> Deck:
    """Return the deck of the program's own faces, which is known without learning."""
    return kept("printed", lambda: printed_deck(PRINTED_DECK))
