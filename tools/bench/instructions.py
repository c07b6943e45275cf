"""How many instructions a full read and a look at one changed paper take, whatever else the machine does: by valgrind.

Valgrind knows no AVX-512, and a Raspberry Pi's vectors are four numbers wide: OpenCV and NumPy are held to such ones.
The networks' runtime can't be held, and has those of AVX2, eight wide.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM
from simulator.camera import Lens, SimulatedCamera
from simulator.pages import lay_page
from tools.bench.vision import SIZE, lay_table
from vision.arrays import Picture
from vision.enrol import PAGES, enrol
from vision.identify.deck import Deck
from vision.incremental import IncrementalReader
from vision.mat import find_mat

_COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")
_BEFORE, _AFTER, _DECK = "before.png", "after.png", "bench.deck"
_NARROW = {
    "OPENCV_IPP": "disabled",
    "OPENCV_CPU_DISABLE": "AVX512-SKX,AVX512-CNL,AVX512-CLX,AVX512-ICL,AVX2,FMA3,AVX,FP16",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Nehalem",
    "OPENBLAS_NUM_THREADS": "1",
}
KINDS = {"a full read, 28 cards, mat and all": "read", "a look after one paper changed": "look"}


def main() -> None:
    """Print the figures."""
    if shutil.which("valgrind") is None:
        print("valgrind is not installed: no instructions are counted")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder)
        one = count(folder, "read")
        figures = {"read": count(folder, "read", "read") - one, "look": count(folder, "read", "look") - one}
    for words, what in KINDS.items():
        print(f"{words:52} {figures[what] / 1e9:8.2f} G instructions")


def lay_out(folder: Path) -> None:
    """Put a deck there, and two pictures of a table with one card less on the second."""
    rng = random.Random(4)
    camera = SimulatedCamera(REFERENCE_MAT_MM, seed=4, lens=Lens(size=SIZE))
    pages = []
    for page in PAGES:
        camera.show(lay_page(page, REFERENCE_MAT_MM, rng))
        pages.append(camera.take_picture())
    enrol(card_reader(), "bench", pages[0], pages[1], pages[2], REFERENCE_MAT_MM).save(folder / _DECK)
    cards = list(lay_table(rng))
    for picture, lying in ((_BEFORE, cards), (_AFTER, [card for card in cards if card.name != "C4"])):
        camera.show(lying)
        cv2.imwrite(str(folder / picture), camera.take_picture())


def count(folder: Path, *work: str) -> int:
    """Count the instructions of a process that does this work, one thing after the other."""
    argv = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", sys.executable]
    argv += ["-m", __name__, str(folder), *work]
    done = subprocess.run(argv, capture_output=True, text=True, env=os.environ | _NARROW, check=False)
    found = _COUNTED.search(done.stderr)
    assert found is not None, done.stderr[-2000:]
    return int(found[1].replace(",", ""))


def do_work(folder: Path, work: list[str]) -> None:
    """Read the first picture anew, or look at the other one."""
    cv2.setNumThreads(1)
    reader, deck = card_reader(), Deck.load(folder / _DECK)
    pictures: list[Picture] = [np.asarray(cv2.imread(str(folder / name)), np.uint8) for name in (_BEFORE, _AFTER)]
    mat, incremental = find_mat(pictures[0], REFERENCE_MAT_MM), IncrementalReader(reader, deck)
    incremental.read(pictures[0], mat)
    for what in work:
        if what == "read":
            reader.read(pictures[0], find_mat(pictures[0], REFERENCE_MAT_MM), deck)
        else:
            incremental.read(pictures[1], find_mat(pictures[1], REFERENCE_MAT_MM, mat))


if __name__ == "__main__":
    do_work(Path(sys.argv[1]), sys.argv[2:])
