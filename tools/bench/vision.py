"""Speed and memory of the reader at the simulated table, each figure beside its target and the reference load.

Other work on the machine slows everything alike, so each time is also given in passes of the reference load run beside
it (``tools.bench.reference_load``), and as what that would be on a machine of known speed, on which one pass of
YOLOv8n takes
50 ms.
Where the shared tables lie beside the checkout, what is photographed there is read as well.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np

from device.capture.eye import card_reader
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.layout import REFERENCE_MAT_MM
from rules.cards import Card
from simulator.camera import Lens, SimulatedCamera
from simulator.pages import lay_page
from tools.bench.reading_stages import by_stage
from tools.bench.reference_load import ReferenceLoad
from vision.arrays import Picture
from vision.enrol import PAGES, enrol, read_page
from vision.identify.deck import Deck
from vision.incremental import IncrementalReader
from vision.mat import find_mat
from vision.reader import Reader
from vision.stillness import Stillness

SIZE = (3280, 2464)
PHOTOGRAPHED = Path(__file__).resolve().parents[3] / "shared" / "tables"
UNIT_PASS_MS = 50.0
"""One pass of the reference load on the machine for which targets are given, with two threads."""


@dataclass(frozen=True)
class Figure:
    """One measured figure; ``target`` is the most it may be, ``passes`` its time in passes of the reference load."""

    name: str
    value: float
    unit: str
    target: float | None = None
    passes: float | None = None

    def __str__(self) -> str:
        words = [f"{self.name:52}", f"{self.value:8.1f} {self.unit:3}"]
        if self.passes is not None:
            words.append(f"{self.passes:6.2f} passes, {self.passes * UNIT_PASS_MS:7.1f} ms reckoned")
        if self.target is not None:
            reckoned = self.value if self.passes is None else self.passes * UNIT_PASS_MS
            words.append(f"target {self.target:g} {'kept' if reckoned <= self.target else 'MISSED'}")
        return "  ".join(words)


def _time_run(
    name: str, work: Callable[[], object], reference: ReferenceLoad, target: float | None = None, times: int = 9
) -> Figure:
    work()
    spent, passes = [], []
    for _ in range(times):
        before = reference.pass_ms()
        start = time.perf_counter()
        work()
        spent.append(1000 * (time.perf_counter() - start))
        passes.append(spent[-1] / statistics.mean((before, reference.pass_ms())))
    return Figure(name, statistics.median(spent), "ms", target, statistics.median(passes))


_COMMAND = """
import sys
from pathlib import Path
from cli.main import main
code = main(sys.argv[1:])
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(peak.split()[1], file=sys.stderr)
sys.exit(code)
"""


def _peak_mb(*arguments: str) -> float:
    """Measure the most memory that a run of the command held."""
    done = subprocess.run([sys.executable, "-c", _COMMAND, *arguments], check=True, capture_output=True, text=True)
    return int(done.stderr.split()[-1]) / 1024


def lay_table(rng: random.Random) -> SimulatedTable:
    """Lay four papers, two piles: 28 cards that can be seen."""
    table = SimulatedTable(layout_for(3), rng)
    table.stack_draw(20)
    for name in ("T8", "C10", "O2"):
        table.lay_discard(Card.parse(name))
    papers = ("straight5 H3 O4 B5 C6 S7", "three H6 S6 T6", "sum49 FK F12 F11 S9 C4", "three_pairs H7 O7 B9 C9 T10 S10")
    for seat, paper in ((1, papers[0]), (1, papers[1]), (2, papers[2]), (3, papers[3])):
        kind, *cards = paper.split()
        table.lay_paper(seat, kind, [Card.parse(c) for c in cards], False)
    return table


_READY = """
import numpy
from device.capture.eye import card_reader
card_reader().embedder.embed([numpy.zeros((56, 160, 3), numpy.uint8)])
"""


def _measure_memory(pages: list[Picture], pictures: list[Picture]) -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for page, picture in zip(PAGES, pages, strict=True):
            cv2.imwrite(str(folder / f"{page}.jpg"), picture)
        images = [str(folder / f"{k}.jpg") for k in range(2 * len(pictures))]
        for image, picture in zip(images, pictures * 2, strict=True):
            cv2.imwrite(image, picture)
        deck = ("--deck", "bench", "--state", str(folder / "state"))
        shown = [word for page in PAGES for word in (f"--{page}", str(folder / f"{page}.jpg"))]
        learning = _peak_mb("enrol", *deck, *shown)
        reading = _peak_mb("read", *images, *deck, "--mat", "1189x841", "--json")
    return [
        Figure(f"peak memory, enrolling a deck, {SIZE[0]} x {SIZE[1]}", learning, "MB", 400),
        Figure(f"peak memory, reading {len(images)} such pictures", reading, "MB", 400),
    ]


def _measure_photographed(reader: Reader, reference: ReferenceLoad) -> list[Figure]:
    """Measure the photographed tables, which are more crowded than the simulated one; none where they are absent."""
    tables, game = PHOTOGRAPHED / "reads-a", PHOTOGRAPHED / "opening-a"
    if not tables.is_dir() or not game.is_dir():
        return []
    still = [picture for picture in _load_pictures(tables, "[0-9]*.jpg") if picture.shape[:2] == SIZE[::-1]]
    deck = _learn_deck(reader, tables)
    mats = [(picture, find_mat(picture, REFERENCE_MAT_MM)) for picture in still]
    full = _read_in_turn(still, lambda picture: reader.read(picture, find_mat(picture, REFERENCE_MAT_MM), deck))
    frames = _load_pictures(game / "frames", "*.jpg")
    mat, played = find_mat(frames[0], REFERENCE_MAT_MM), IncrementalReader(reader, _learn_deck(reader, game))
    again = _read_in_turn(frames, lambda picture: played.read(picture, find_mat(picture, REFERENCE_MAT_MM, mat)))
    stages = by_stage(lambda: [reader.read(picture, mat, deck) for picture, mat in mats])
    return [
        *(Figure(f"  of a full read: {stage}", spent / len(still), "ms") for stage, spent in stages.items()),
        _time_run(f"full read of {len(still)} photographed tables", full, reference, 250, 6 * len(still)),
        _time_run(f"re-read of {len(frames)} moments of a game", again, reference, 50, 2 * len(frames)),
    ]


def _learn_deck(reader: Reader, folder: Path) -> Deck:
    seven, review, complete = (_load_pictures(folder, f"enrol-{page}.jpg")[0] for page in PAGES)
    return enrol(reader, "bench", seven, review, complete, REFERENCE_MAT_MM)


def _load_pictures(folder: Path, pattern: str) -> list[Picture]:
    return [np.asarray(cv2.imread(str(path)), np.uint8) for path in sorted(folder.glob(pattern))]


def _read_in_turn(pictures: Sequence[Picture], read: Callable[[Picture], object]) -> Callable[[], object]:
    """Make a reader of the next of the pictures at each call, and after the last one the first."""
    turn = cycle(pictures)
    return lambda: read(next(turn))


def measure_all() -> list[Figure]:
    """Measure all figures; times are medians of nine."""
    rng = random.Random(4)
    reference = ReferenceLoad()
    camera = SimulatedCamera(REFERENCE_MAT_MM, seed=4, lens=Lens(size=SIZE))
    pages = []
    for page in PAGES:
        camera.show(lay_page(page, REFERENCE_MAT_MM, rng))
        pages.append(camera.take_picture())
    reader = card_reader()
    deck = enrol(reader, "bench", pages[0], pages[1], pages[2], REFERENCE_MAT_MM)
    cards = list(lay_table(rng))
    taken = next(card for card in cards if card.name == "C4")
    pictures = []
    for lying in (cards, [card for card in cards if card is not taken]):
        camera.show(lying)
        pictures.append(camera.take_picture())
    mat = find_mat(pictures[0], REFERENCE_MAT_MM)
    luma = np.random.default_rng(1).integers(90, 110, (480, 640), np.uint8)
    still, incremental = Stillness(), IncrementalReader(reader, deck)
    seen = len(incremental.read(pictures[0], mat).sightings)
    turn = iter(range(1000))

    def read_anew() -> None:
        reader.read(pictures[0], find_mat(pictures[0], REFERENCE_MAT_MM), deck)

    def read_again() -> None:
        picture = pictures[(next(turn) + 1) % 2]
        incremental.read(picture, find_mat(picture, REFERENCE_MAT_MM, mat))

    def start(*arguments: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)

    size = sum(path.stat().st_size for path in reader.folder.glob("*.onnx")) / 1e6
    return [
        Figure("one pass of the reference load", statistics.median(reference.pass_ms() for _ in range(9)), "ms"),
        _time_run("stillness of a 640 x 480 frame", lambda: still.update(luma, time.monotonic()), reference, 2, 29),
        _time_run(f"full read of {SIZE[0]} x {SIZE[1]}, {seen} cards, mat and all", read_anew, reference, 250),
        _time_run("re-read after one paper changed, mat and all", read_again, reference, 50),
        *_measure_photographed(reader, reference),
        _time_run("find the mat anew", lambda: find_mat(pictures[0], REFERENCE_MAT_MM), reference),
        _time_run(
            "enrolment: check the seven page",
            lambda: read_page(reader, "seven", pages[0], REFERENCE_MAT_MM),
            reference,
            times=3,
        ),
        _time_run("start of the command", start("-m", "cli.main", "--version"), reference, times=5),
        _time_run("start of the reader, until a crop is embedded", start("-c", _READY), reference, times=5),
        Figure("all models", size, "MB", 8),
        *_measure_memory(pages, pictures),
    ]


def main() -> None:
    """Print the figures."""
    for figure in measure_all():
        print(figure)


if __name__ == "__main__":
    main()
