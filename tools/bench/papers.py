"""How often papers laid in each other's place are asked about, and papers laid right, deck by deck.

``python -m tools.bench.papers`` lays the pages of many decks before the simulated camera: the program's own papers, the
invented decks of the training where its fonts are installed, the out-of-distribution ones where theirs are. It takes
the pictures of the shared tables where they lie beside the checkout. Every page is asked about as it lies, and with
each of its 120 pairs swapped. Decks may print no points and no names of the game; then nothing can be asked, rightly.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
from PIL import Image

from device.artwork.paper_print import printed_papers
from device.capture.eye import card_reader
from models.train import decks as invented
from referee.layout import CARD_MM
from referee.layout import REFERENCE_MAT_MM as MAT
from referee.registry import load_papers
from simulator.camera import CardSprites, Lens, SimulatedCamera
from simulator.pages import lay_page
from tools.benchmark_ood import art
from tools.benchmark_ood.ink import FONT_PACKAGES, FONTS, font_path
from vision.arrays import Picture
from vision.config import CONFIG
from vision.enrol import read_page
from vision.enrol.paper_names import find_mixed_up, similarity_to_faces, similarity_to_names
from vision.enrol.paper_points import Groups, find_mixed_up_in, group_papers
from vision.enrol.paper_print import faces_of, outlines_of
from vision.identify.deck import PAPER_KINDS
from vision.picture import load_picture
from vision.reader import Reader

SHARED = Path(__file__).resolve().parents[3] / "shared" / "tables"
_NAMES = CONFIG.enrol.paper_names
POINTS = [load_papers()[kind].points for kind in PAPER_KINDS]
PAGES = ("review", "complete")
PAIRS = list(combinations(range(len(PAPER_KINDS)), 2))
Face = Callable[[str], np.ndarray]
MixedUp = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Told:
    """What the papers of one page tell, from which follows what they would tell if some were swapped."""

    points: dict[Groups, float]
    faces: np.ndarray
    names: np.ndarray

    def find_swapped(self, a: int, b: int) -> MixedUp:
        """Find what seems mixed up with these two swapped; as they lie, where it is the same place twice."""
        other = {a: b, b: a}
        points = {
            frozenset(frozenset(other.get(place, place) for place in some) for some in groups): stands_out
            for groups, stands_out in self.points.items()
        }
        order = [other.get(place, place) for place in range(len(PAPER_KINDS))]
        return (
            find_mixed_up(self.faces[order], _NAMES.faces_known, _NAMES.faces_apart)
            or find_mixed_up(self.names[order], _NAMES.names_known, _NAMES.names_apart)
            or find_mixed_up_in(points, POINTS)
        )


def told_by(page: str, faces: list[Picture]) -> Told:
    """Look at the 16 papers' faces on one page."""
    outlines = outlines_of(faces)
    known = outlines_of(printed_papers().faces[page])
    names = similarity_to_names(outlines, printed_papers().letterings)
    return Told(group_papers(outlines, POINTS), similarity_to_faces(outlines, known), names)


class _Printed(CardSprites):
    """The cards of another deck."""

    def __init__(self, px_per_mm: float, drawn: Face) -> None:
        super().__init__(px_per_mm)
        self._drawn = drawn

    def draw_face(self, name: str) -> Image.Image:
        size = (round(CARD_MM[0] * self.px_per_mm), round(CARD_MM[1] * self.px_per_mm))
        return Image.fromarray(self._drawn(name)).resize(size, Image.Resampling.LANCZOS)


def photograph_faces(reader: Reader, drawn: Face | None, seed: int) -> dict[str, list[Picture]]:
    """Photograph a deck's paper faces as the reader cuts them out of both pages."""
    rng = random.Random(seed)
    lens = Lens(blur=rng.uniform(0.5, 0.9), noise=rng.uniform(2, 6), exposure=rng.uniform(0.8, 1.0))
    deck = CardSprites if drawn is None else partial(_Printed, drawn=drawn)
    camera = SimulatedCamera(MAT, seed, lens, deck)
    faces = {}
    for page in PAGES:
        camera.show(lay_page(page, MAT, rng))
        faces[page] = faces_of(read_page(reader, page, camera.take_picture(), MAT, as_laid=True))
    return faces


def _draw_invented(faces: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    return faces[name][..., ::-1]


def list_decks(reader: Reader, count: int) -> Iterator[tuple[str, str, dict[str, list[Picture]]]]:
    """Yield at most ``count`` decks of each sort: the sort, the deck's name and its faces on both pages."""
    for seed in range(min(count, 8)):
        yield "this program's own", f"seed {seed}", photograph_faces(reader, None, seed)
    try:
        for seed in range(count):
            faces = invented.invent(seed).faces
            yield "invented", f"seed {seed}", photograph_faces(reader, partial(_draw_invented, faces), seed)
    except FileNotFoundError:
        print("invented decks left out: install what models/train/requirements.txt names as fonts")
    if all(font_path(font) is not None for font in FONTS):
        for number, deck in enumerate(art.DECKS[:count]):
            yield "strangers", deck.name, photograph_faces(reader, partial(art.draw_face, deck), number)
    else:
        print(f"strangers left out: apt-get install {FONT_PACKAGES}")
    for folder in sorted(SHARED.glob("*/enrol-review.jpg")):
        pictures = {page: load_picture(folder.with_name(f"enrol-{page}.jpg")) for page in PAGES}
        read = {page: read_page(reader, page, picture, as_laid=True) for page, picture in pictures.items()}
        yield "shared tables", folder.parent.name, {page: faces_of(learnt) for page, learnt in read.items()}


def main() -> None:
    """Measure, and print a line a deck and a table of the sums."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.papers", description=__doc__)
    parser.add_argument("--decks", type=int, default=60, help="so many of each sort, at most (default: 60)")
    sums: dict[str, list[tuple[int, int, int, int]]] = {}
    for sort, name, faces in list_decks(card_reader(), parser.parse_args().decks):
        cues = [told_by(page, faces[page]) for page in PAGES]
        needless = sum(bool(page.find_swapped(0, 0)) for page in cues)
        asked = named = wrong = 0
        for a, b in PAIRS:
            answers = [page.find_swapped(a, b) for page in cues]
            asked += any(answers)
            named += ((a, b),) in answers
            wrong += any(not any({a, b} <= set(some) for some in mixed) for mixed in answers if mixed)
        sums.setdefault(sort, []).append((needless, asked, named, wrong))
        print(f"{sort}, {name}: {asked} of {len(PAIRS)} asked, {named} named, {wrong} others; {needless} needless")
    print("\n| decks | right pages asked | pairs swapped on both, asked | just these named | only others named |")
    print("|---|---:|---:|---:|---:|")
    for sort, each in sums.items():
        needless, *rest = (sum(column) for column in zip(*each, strict=True))
        shares = " | ".join(f"{part / len(PAIRS) / len(each):.1%}" for part in rest)
        print(f"| {len(each)} {sort} | {needless} of {2 * len(each)} | {shares} |")


if __name__ == "__main__":
    main()
