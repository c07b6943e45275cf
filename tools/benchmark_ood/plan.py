"""Which pictures the benchmark consists of: every deck's three pages, then tables in rounds, all choices seeded.

In each round the 24 decks meet every resolution, mat, glare and exposure equally often, so that a set broken off after
any round is still balanced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from tools.benchmark_ood import scene
from tools.benchmark_ood.art import DECKS, Deck
from tools.benchmark_ood.camera import Look
from tools.benchmark_ood.ground import MATS
from tools.benchmark_ood.lens import Lens

ROUNDS = 9
PAGES = ("seven", "review", "complete")
GLARES = ("none", "some", "strong")
STOPS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
SCALES = {2.0: (1189.0, 841.0), 2.5: (1189.0, 841.0), 3.0: (1000.0, 700.0), 4.0: (720.0, 600.0)}
"""Pixels per mm and the mats that are seen at them: about 5 to 9 megapixels each."""
PAGE_MAT = (900.0, 800.0)
MARGIN = 36.0
"""Millimetres of table round the mat that a picture has room for; how much shows varies a little."""


def taken_well(glare: str, px_per_mm: float, stops: float) -> bool:
    """Tell whether a table is taken as its owner would: no strong glare, pixels enough, the exposure about right."""
    return glare != "strong" and px_per_mm >= 2.4 and abs(stops) <= 0.6


@dataclass(frozen=True)
class Shot:
    """One picture to take: of a page, or of a table of one round."""

    deck: Deck
    page: str
    round: int
    mat_mm: tuple[float, float]
    px_per_mm: float
    mat: str
    glare: str
    stops: float

    @property
    def frame(self) -> str:
        """Its file's name."""
        return f"{self.deck.name}-{self.page or f't{self.round}'}.jpg"

    @property
    def size_px(self) -> tuple[int, int]:
        """Its width and height."""
        w, h = (2 * round((side + 2 * MARGIN) * self.px_per_mm / 2) for side in self.mat_mm)
        return w, h

    @property
    def seed(self) -> list[int]:
        return [self.deck.seed, self.round, PAGES.index(self.page) if self.page else 9]


def list_shots() -> Iterator[Shot]:
    """List all pictures, first what makes every deck usable early: its pages and two tables."""
    rounds = [list(list_tables(k)) for k in range(ROUNDS)]
    for k, deck in enumerate(DECKS):
        rng = np.random.default_rng([deck.seed, 77])
        mat, scale, stops = str(rng.choice(MATS)), float(rng.choice([2.4, 2.7])), float(rng.uniform(-0.4, 0.3))
        for page in PAGES:
            yield Shot(deck, page, 0, PAGE_MAT, scale, mat, "none", stops)
        yield rounds[0][k]
        yield rounds[1][k]
    for later in rounds[2:]:
        yield from later


def list_further() -> Iterator[Shot]:
    """List tables of sensible decks taken well, of the rounds after the last and without end.

    There are five or so in a round: in the benchmark too few for a share of whole tables.
    """
    for number in count(ROUNDS):
        for shot in list_tables(number):
            if not shot.deck.nasty and taken_well(shot.glare, shot.px_per_mm, shot.stops):
                yield shot


def list_tables(number: int) -> Iterator[Shot]:
    """List one table of each deck: a round."""
    rng = np.random.default_rng([number, 4])
    many = len(DECKS)
    scales = rng.permutation(np.resize(list(SCALES), many))
    mats = rng.permutation(np.resize(np.roll(MATS, number), many))
    glares = rng.permutation(np.resize(GLARES, many))
    stops = rng.permutation(np.resize(STOPS, many))
    for k, deck in enumerate(DECKS):
        scale = float(scales[k])
        yield Shot(deck, "", number, SCALES[scale], scale, str(mats[k]), str(glares[k]), float(stops[k]))


def laid_for(shot: Shot, rng: np.random.Generator) -> scene.Scene:
    """Lay out a page, or a table, as the shot wants it."""
    if shot.page:
        return scene.lay_page(shot.page, shot.mat_mm, rng)
    wide = shot.mat_mm[0] > 900
    seats = int(rng.integers(2, 6)) if wide else int(rng.integers(2, 4))
    return scene.lay_table(shot.mat_mm, seats, int(rng.integers(7, 15) if wide else rng.integers(4, 8)), rng)


def look_for(shot: Shot, rng: np.random.Generator) -> Look:
    """Choose how the camera hangs over a page or a table, and what light there is."""
    lean = 4.0 if shot.page else 8.0
    return Look(
        mat=shot.mat,
        glare=shot.glare,
        tilt=(float(rng.uniform(-lean, lean)), float(rng.uniform(-lean, lean))),
        roll=float(rng.normal(0, 1.5)),
        height=float(rng.uniform(1.05, 1.5) * max(shot.mat_mm)),
        margin=float(rng.uniform(MARGIN - 8, MARGIN + 8)),
        warm=float(rng.uniform(-0.7, 0.9)),
        clutter=0 if shot.page else int(rng.integers(0, 4)),
        samples=4,
    )


def lens_for(shot: Shot, rng: np.random.Generator) -> Lens:
    """Choose a camera for this picture; pages are taken with care, tables with whatever hangs there."""
    careful = bool(shot.page)
    return Lens(
        k1=float(rng.uniform(-0.05, 0.05)),
        vignette=float(rng.uniform(0.05, 0.35)),
        defocus=float(
            rng.uniform(0.3, 0.7) if careful else rng.choice([0.35, 0.6, 0.9, 1.2], p=[0.3, 0.35, 0.25, 0.1])
        ),
        stops=shot.stops,
        cast=(float(rng.uniform(0.92, 1.1)), float(rng.uniform(0.9, 1.12))),
        electrons=float(rng.choice([2500, 5000, 9000])),
        sharpen=float(rng.choice([0.0, 0.4, 0.8])),
        contrast=float(rng.uniform(0, 0.6)),
        quality=int(rng.choice([85, 90, 94])),
    )
