"""Speed and memory of the reader on the simulated table: stillness, mat, full read, enrolment of a page, start-up."""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import cv2
import numpy as np

from device.chain import card_reader
from device.simulated.camera import SimulatedCamera
from device.simulated.pages import lay_page
from device.simulated.table import SimulatedTable
from referee.layouts import REFERENCE_MAT_MM, layout_for
from rules.cards import Card
from vision.enrol import PAGES, enrol, read_page
from vision.mat import find_mat
from vision.stillness import Stillness


def _ms(work: Callable[[], object], times: int = 7) -> float:
    work()
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        spent.append(1000 * (time.perf_counter() - start))
    return round(statistics.median(spent), 1)


def bench() -> dict[str, float]:
    """Figures by name; milliseconds are medians of seven."""
    rng = random.Random(4)
    camera = SimulatedCamera(REFERENCE_MAT_MM, seed=4)
    pages = []
    for page in PAGES:
        camera.show(lay_page(page, REFERENCE_MAT_MM, rng))
        pages.append(camera.picture())
    reader = card_reader()
    deck = enrol(reader, "bench", pages[0], pages[1], pages[2], REFERENCE_MAT_MM)
    table = SimulatedTable(layout_for(3), rng)
    table.stack_draw(20)
    for name in ("T8", "C10", "O2"):
        table.lay_discard(Card.parse(name))
    papers = ("straight5 H3 O4 B5 C6 S7", "three H6 S6 T6", "sum49 FK F12 F11 S9 C4", "three_pairs H7 O7 B9 C9 T10 S10")
    for seat, paper in ((1, papers[0]), (1, papers[1]), (2, papers[2]), (3, papers[3])):
        kind, *cards = paper.split()
        table.lay_paper(seat, kind, [Card.parse(c) for c in cards], False)
    camera.show(table)
    picture = cv2.resize(camera.picture(), (3280, 2460), interpolation=cv2.INTER_CUBIC)
    mat = find_mat(picture, REFERENCE_MAT_MM)
    luma = np.random.default_rng(1).integers(90, 110, (480, 640), np.uint8)
    still = Stillness()
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "device.cli", "--version"], check=True, capture_output=True)
    began = round(1000 * (time.perf_counter() - start), 1)
    return {
        "stillness of a 640 x 480 frame, ms": _ms(lambda: still.update(luma, time.monotonic())),
        "find the mat in 3280 x 2460, ms": _ms(lambda: find_mat(picture, REFERENCE_MAT_MM)),
        "full read of 3280 x 2460 with 26 cards, ms": _ms(lambda: reader.read(picture, mat, deck)),
        "enrolment of the seven page, ms": _ms(lambda: read_page(reader, "seven", pages[0], REFERENCE_MAT_MM), 3),
        "start of the command, ms": began,
        "peak memory of this process, MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 0),
    }


def main() -> None:
    """Print the figures."""
    for name, value in bench().items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
