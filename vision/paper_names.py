"""Whether the papers on an enrolment page lie in order, by their likeness to papers as they may be printed.

Two things are compared: the whole faces with those of a printed set that is known, and what stands at their heads with
the kinds' names, in whatever size and width suits the deck best. A deck that looks like neither is not doubted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import PAPER_KINDS
from vision.networks import STRIP_PX_PER_MM, Floats, Picture
from vision.paper_print import outline

Doubles = NDArray[np.float64]
_N = len(PAPER_KINDS)

_FACE_SLACK_PX = 4
FACES_KNOWN, FACES_APART = 0.2, 0.15
"""How much more like its own kind's face (correlation, less what all have in common) a paper must be on average for
the set to be known, and how much better two must fit each other's place: papers printed by this program are 0.3 more
like their own, and no right pair fits better than −0.2; other decks are at most 0.08."""
NAMES_KNOWN, NAMES_APART = 0.18, 0.2
"""The same for names: decks with the game's own names are 0.19 to 0.4 more like theirs in any printed face, no right
pair fits better than 0.08; others are at most 0.12."""

_HEAD_PX = 64
_CAPITALS_MM = (3.0, 3.6, 4.4, 5.2, 6.2, 7.2)
_STRETCHES = (0.75, 1.0, 1.3)
_SMALLER, _NARROWER = (0.93, 1.0, 1.07), (0.9, 1.0, 1.1)
"""Once size and width are about right: what else to multiply them by."""
_ROOMS_MM = ((60.0, False), (46.0, False), (46.0, True), (38.0, False), (38.0, True))
"""The width that names have to fit in, and whether longer ones are made smaller for it or only narrower."""
_SHORT = 10
"""So many of the shortest names settle the size: longer ones may have been made to fit."""
_OTHER_PLACES = (1, 3)
_LEVEL_PX = 2
_RIM_PX = 5


@dataclass(frozen=True)
class Lettering:
    """The 16 kinds' names in one language and face: (h, w) uint8 each, white on black, and their capitals' height."""

    names: tuple[Picture, ...]
    capital_px: float


@dataclass(frozen=True)
class PrintedPapers:
    """Papers as they may be printed: a set's faces (225, 160, 3) by side, and the kinds' names, lettered variously."""

    faces: Mapping[str, tuple[Picture, ...]]
    letterings: tuple[Lettering, ...]


def mixed_up_by_faces(outlines: Floats, printed: Floats) -> tuple[tuple[int, ...], ...]:
    """The places (0 to 15, row by row) whose papers look like each other's faces of a printed set; else nothing.

    Args:
        outlines: what is printed on the 16 papers, (16, h, w), laid over each other.
        printed: the same of the printed set's faces on this side, in order.
    """
    return mixed_up(likeness_to_faces(outlines, printed), FACES_KNOWN, FACES_APART)


def mixed_up_by_names(outlines: Floats, letterings: Sequence[Lettering]) -> tuple[tuple[int, ...], ...]:
    """The places (0 to 15, row by row) at whose papers' heads stand each other's names; nothing where none is read.

    Args:
        outlines: what is printed on the 16 papers, (16, h, w), laid over each other.
        letterings: how the names may be printed.
    """
    return mixed_up(likeness_to_names(outlines, letterings), NAMES_KNOWN, NAMES_APART)


def mixed_up(likeness: Doubles, known: float, apart: float) -> tuple[tuple[int, ...], ...]:
    """The places that fit each other's kinds better than their own, from how alike each place is to each kind.

    Args:
        likeness: (16, 16), places by kinds.
        known: how much more alike papers and their kinds have to be on average for anything to be said.
        apart: by how much two places in each other's place have to fit better.
    """
    own = likeness - likeness.mean(axis=0) - likeness.mean(axis=1, keepdims=True) + likeness.mean()
    kinds = np.arange(len(own))
    while True:
        fit = own[:, kinds]
        right = np.diag(fit)
        gain = fit + fit.T - right - right[:, None]
        np.fill_diagonal(gain, -np.inf)
        i, j = np.unravel_index(int(gain.argmax()), gain.shape)
        if not gain[i, j] >= apart:  # nor where a blank paper is like nothing, which is no number
            break
        kinds[[i, j]] = kinds[[j, i]]
    if not float(right.mean()) >= known:
        return ()
    cycles = {_cycle(kinds, place) for place in range(len(kinds)) if kinds[place] != place}
    return tuple(sorted(cycles))


def _cycle(kinds: NDArray[np.intp], place: int) -> tuple[int, ...]:
    """The places that have each other's papers, this one among them, sorted."""
    cycle = [place]
    while (following := int(kinds[cycle[-1]])) != place:
        cycle.append(following)
    return tuple(sorted(cycle))


def likeness_to_faces(outlines: Floats, printed: Floats) -> Doubles:
    """How alike the papers (16, h, w) are to the faces of a printed set, (16, h, w) as well: (16, 16), −1 to 1."""
    rim = _FACE_SLACK_PX // 2 + 1
    wanted = [_halved(each)[rim:-rim, rim:-rim] for each in printed]
    return np.array([[_best(_halved(each), face) for face in wanted] for each in outlines])


def likeness_to_names(outlines: Floats, letterings: Sequence[Lettering]) -> Doubles:
    """How alike the heads of papers (16, h, w) are to the kinds' names, set as suits them best: (16, 16), −1 to 1."""
    heads = np.ascontiguousarray(outlines[:, :_HEAD_PX])
    _, level, lettering, capital, stretch = max(
        (
            (*_fit(heads, lettering, capital, stretch), lettering, capital, stretch)
            for lettering, capital, stretch in product(letterings, _CAPITALS_MM, _STRETCHES)
        ),
        key=lambda tried: tried[0],
    )
    finer = [
        [_set(name, lettering.capital_px, capital * smaller, stretch * narrower, *room) for name in lettering.names]
        for smaller, narrower, room in product(_SMALLER, _NARROWER, _ROOMS_MM)
    ]

    def own(names: Sequence[Floats]) -> float:
        return float(np.median([_seen(head, name, level)[0] for head, name in zip(heads, names, strict=True)]))

    names = max(finer, key=own)
    return np.array([[_seen(head, name, level)[0] for name in names] for head in heads])


def _fit(heads: Floats, lettering: Lettering, capital: float, stretch: float) -> tuple[float, float]:
    """How much better the shortest names fit their own places than others, and at what level (px) they stand."""
    short = sorted(sorted(range(_N), key=lambda kind: lettering.names[kind].shape[1])[:_SHORT])
    names = [_set(lettering.names[kind], lettering.capital_px, capital, stretch) for kind in short]
    own = [_seen(heads[kind], name) for kind, name in zip(short, names, strict=True)]
    others = [
        _seen(heads[kind], names[(k + away) % _SHORT])[0] for away in _OTHER_PLACES for k, kind in enumerate(short)
    ]
    return float(np.mean([fit for fit, _ in own]) - np.mean(others)), float(np.median([level for _, level in own]))


def _set(
    name: Picture, capital_px: float, capital_mm: float, stretch: float, room_mm: float = np.inf, smaller: bool = False
) -> Floats:
    """A name's outline at the strips' scale, made narrower or smaller where it has not enough room."""
    scale = capital_mm * STRIP_PX_PER_MM / capital_px
    width, height = name.shape[1] * scale * stretch, name.shape[0] * scale
    room = room_mm * STRIP_PX_PER_MM
    if width > room:
        width, height = room, height * (room / width if smaller else 1)
    small = cv2.resize(name, (max(4, round(width)), max(4, round(height))), interpolation=cv2.INTER_AREA)
    rim = _RIM_PX
    return outline(np.asarray(cv2.copyMakeBorder(small, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0), np.uint8))


def _seen(head: Floats, name: Floats, level: float | None = None) -> tuple[float, float]:
    """How alike a name and the most like part of a head are (−1 to 1), and the level (px) of that part's middle."""
    top = 0
    if level is not None:
        top = max(0, int(level - name.shape[0] / 2) - _LEVEL_PX)
        head = head[top : top + name.shape[0] + 2 * _LEVEL_PX + 1]
    if head.shape[0] < name.shape[0]:
        return -1.0, 0.0
    spare = max(0, name.shape[1] - head.shape[1])
    name = name[:, spare // 2 : name.shape[1] - (spare + 1) // 2]
    fits = cv2.matchTemplate(head, np.ascontiguousarray(name), cv2.TM_CCOEFF_NORMED)
    _, best, _, (_, y) = cv2.minMaxLoc(fits)
    return float(best), top + y + name.shape[0] / 2


def _best(picture: Floats, part: Floats) -> float:
    return float(cv2.matchTemplate(picture, part, cv2.TM_CCOEFF_NORMED).max())


def _halved(outline: Floats) -> Floats:
    return np.asarray(cv2.resize(outline, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
