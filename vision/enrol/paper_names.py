"""Whether the papers on an enrolment page lie in order, by their similarity to papers as they may be printed.

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

from referee.papers import PaperCard
from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.enrol.paper_print import extract_print
from vision.geometry import CROP_PX_PER_MM
from vision.identify.deck import PAPER_KINDS

_NAMES = CONFIG.enrol.paper_names
_KINDS = len(PAPER_KINDS)


@dataclass(frozen=True)
class Lettering:
    """The 16 kinds' names in one language and face: (h, w) uint8 each, white on black, and their capitals' height."""

    names: tuple[Picture, ...]
    capital_px: float


@dataclass(frozen=True)
class PrintedPapers:
    """Papers as they may be printed.

    ``papers`` are their kinds by name, ``faces`` a set's faces (225, 160, 3) by side, ``letterings`` the kinds' names.
    """

    papers: Mapping[str, PaperCard]
    faces: Mapping[str, tuple[Picture, ...]]
    letterings: tuple[Lettering, ...]


def find_mixed_up_by_faces(outlines: Floats, printed: Floats) -> tuple[tuple[int, ...], ...]:
    """Find places (0 to 15, row by row) whose papers look like each other's faces of a printed set.

    Args:
        outlines: what is printed on the 16 papers, (16, h, w), laid over each other.
        printed: the same of the printed set's faces on this side, in order.
    """
    return find_mixed_up(similarity_to_faces(outlines, printed), _NAMES.faces_known, _NAMES.faces_apart)


def find_mixed_up_by_names(outlines: Floats, letterings: Sequence[Lettering]) -> tuple[tuple[int, ...], ...]:
    """Find places (0 to 15, row by row) whose papers bear each other's names at their heads; none if none is read.

    Args:
        outlines: what is printed on the 16 papers, (16, h, w), laid over each other.
        letterings: how the names may be printed.
    """
    return find_mixed_up(similarity_to_names(outlines, letterings), _NAMES.names_known, _NAMES.names_apart)


def find_mixed_up(similarity: Doubles, known: float, apart: float) -> tuple[tuple[int, ...], ...]:
    """Find the places that fit each other's kinds better than their own, from how alike each place is to each kind.

    Args:
        similarity: (16, 16), places by kinds.
        known: how much more alike papers and their kinds have to be on average for anything to be said.
        apart: by how much two places in each other's place have to fit better.
    """
    own = similarity - similarity.mean(axis=0) - similarity.mean(axis=1, keepdims=True) + similarity.mean()
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
    cycles = {_follow_cycle(kinds, place) for place in range(len(kinds)) if kinds[place] != place}
    return tuple(sorted(cycles))


def _follow_cycle(kinds: NDArray[np.intp], place: int) -> tuple[int, ...]:
    """List the places that have each other's papers, this one among them, sorted."""
    cycle = [place]
    while (following := int(kinds[cycle[-1]])) != place:
        cycle.append(following)
    return tuple(sorted(cycle))


def similarity_to_faces(outlines: Floats, printed: Floats) -> Doubles:
    """Measure how alike the papers (16, h, w) and the faces of a printed set (16, h, w) are: (16, 16), −1 to 1."""
    rim = _NAMES.face_slack_px // 2 + 1
    wanted = [_halve(each)[rim:-rim, rim:-rim] for each in printed]
    return np.array([[_best_correlation(_halve(each), face) for face in wanted] for each in outlines])


def similarity_to_names(outlines: Floats, letterings: Sequence[Lettering]) -> Doubles:
    """Measure how alike papers' heads (16, h, w) and the kinds' names, set as fits best, are: (16, 16), −1 to 1."""
    heads = np.ascontiguousarray(outlines[:, : _NAMES.head_px])
    _, level, lettering, capital, stretch = max(
        (
            (*_fit(heads, lettering, capital, stretch), lettering, capital, stretch)
            for lettering, capital, stretch in product(letterings, _NAMES.capitals_mm, _NAMES.stretches)
        ),
        key=lambda tried: tried[0],
    )
    finer = [
        [_set(name, lettering.capital_px, capital * smaller, stretch * narrower, *room) for name in lettering.names]
        for smaller, narrower, room in product(_NAMES.smaller, _NAMES.narrower, _NAMES.rooms_mm)
    ]

    def match_names(names: Sequence[Floats]) -> float:
        return float(np.median([_match_name(head, name, level)[0] for head, name in zip(heads, names, strict=True)]))

    names = max(finer, key=match_names)
    return np.array([[_match_name(head, name, level)[0] for name in names] for head in heads])


def _fit(heads: Floats, lettering: Lettering, capital: float, stretch: float) -> tuple[float, float]:
    """Measure how much better the shortest names fit their own places than others, and the level (px) they stand at."""
    short = sorted(sorted(range(_KINDS), key=lambda kind: lettering.names[kind].shape[1])[: _NAMES.short_names])
    names = [_set(lettering.names[kind], lettering.capital_px, capital, stretch) for kind in short]
    own = [_match_name(heads[kind], name) for kind, name in zip(short, names, strict=True)]
    others = [
        _match_name(heads[kind], names[(k + away) % _NAMES.short_names])[0]
        for away in _NAMES.other_places
        for k, kind in enumerate(short)
    ]
    return float(np.mean([fit for fit, _ in own]) - np.mean(others)), float(np.median([level for _, level in own]))


def _set(
    name: Picture, capital_px: float, capital_mm: float, stretch: float, room_mm: float = np.inf, smaller: bool = False
) -> Floats:
    """Draw a name's outline at the crops' scale, narrower or smaller where it has not enough room."""
    scale = capital_mm * CROP_PX_PER_MM / capital_px
    width, height = name.shape[1] * scale * stretch, name.shape[0] * scale
    room = room_mm * CROP_PX_PER_MM
    if width > room:
        width, height = room, height * (room / width if smaller else 1)
    small = cv2.resize(name, (max(4, round(width)), max(4, round(height))), interpolation=cv2.INTER_AREA)
    rim = _NAMES.rim_px
    return extract_print(
        np.asarray(cv2.copyMakeBorder(small, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0), np.uint8)
    )


def _match_name(head: Floats, name: Floats, level: float | None = None) -> tuple[float, float]:
    """Measure how alike a name and the most like part of a head are (−1 to 1), and the level (px) of its middle."""
    top = 0
    if level is not None:
        top = max(0, int(level - name.shape[0] / 2) - _NAMES.level_px)
        head = head[top : top + name.shape[0] + 2 * _NAMES.level_px + 1]
    if head.shape[0] < name.shape[0]:
        return -1.0, 0.0
    spare = max(0, name.shape[1] - head.shape[1])
    name = name[:, spare // 2 : name.shape[1] - (spare + 1) // 2]
    fits = cv2.matchTemplate(head, np.ascontiguousarray(name), cv2.TM_CCOEFF_NORMED)
    _, best, _, (_, y) = cv2.minMaxLoc(fits)
    return float(best), top + y + name.shape[0] / 2


def _best_correlation(picture: Floats, part: Floats) -> float:
    return float(cv2.matchTemplate(picture, part, cv2.TM_CCOEFF_NORMED).max())


def _halve(outline: Floats) -> Floats:
    return np.asarray(cv2.resize(outline, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
