"""A page that is larger than the mat is learnt in parts: some rows or columns at a time, in the middle of the mat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from referee.layout import CARD_MM
from rules.text import Text
from vision.config import CONFIG
from vision.enrol.pages import Page, place_cards
from vision.errors import MatError
from vision.identify.deck import BACK
from vision.identify.embedder import Embeddings

_PAGE = CONFIG.enrol.page
_MOST = 3
"""A page is cut into at most this many parts each way."""

Places = Mapping[str, tuple[float, float]]


def divide_page(page: str, mat_mm: tuple[float, float]) -> tuple[tuple[str, ...], ...]:
    """Divide the cards of a page into as few parts as find room on a mat of that size (mm).

    Raises:
        MatError: the mat is too small.
    """
    places = place_cards(page, mat_mm)
    cuts = sorted(((across, down) for across in range(1, _MOST + 1) for down in range(1, _MOST + 1)), key=_rate_effort)
    for across, down in cuts:
        parts = tuple(_cut(places, across, down))
        if all(_has_room(place_part(page, part, mat_mm), mat_mm) for part in parts):
            return parts
    width, height = (f"{side:.0f}" for side in mat_mm)
    raise MatError(
        Text(
            "A mat of {width} × {height} mm is too small to learn a deck on: use a larger one for that.",
            width=width,
            height=height,
        )
    )


def place_part(page: str, part: Sequence[str], mat_mm: tuple[float, float]) -> dict[str, tuple[float, float]]:
    """Place the cards of a part: as on the page, and the part as a whole in the mat's middle; mm by name.

    The whole page as one part lies as the page does.
    """
    whole = place_cards(page, mat_mm)
    if len(part) == len(whole):
        return whole
    xs, ys = ([whole[name][axis] for name in part] for axis in (0, 1))
    right, down = (side / 2 - (min(at) + max(at)) / 2 for side, at in zip(mat_mm, (xs, ys), strict=True))
    return {name: (whole[name][0] + right, whole[name][1] + down) for name in part}


def join_parts(page: str, parts: Sequence[Page]) -> Page:
    """Join the parts in which a page was read to one page, its cards in the page's order.

    Raises:
        ValueError: a card is in none of them, or in two.
    """
    names = tuple(place_cards(page, (1.0, 1.0)))
    found = [name for part in parts for name in part.names]
    if sorted(found) != sorted(names):
        raise ValueError(f"these are not the parts of {page!r}")
    order = [found.index(name) for name in names]
    faces = [part.faces for part in parts if part.faces is not None]
    if faces:
        return Page(page, names, (), parts[0].embeddings, (), np.concatenate(faces)[order])
    rows = [row for at in order for row in (2 * at, 2 * at + 1)]
    crops = [pair for part in parts for pair in part.crops]
    centre_crops = [crop for part in parts for crop in part.centre_crops]
    embeddings = Embeddings(
        *(np.concatenate([getattr(part.embeddings, of) for part in parts])[rows] for of in ("vectors", "rank", "suit"))
    )
    return Page(page, names, tuple(crops[at] for at in order), embeddings, tuple(centre_crops[at] for at in order))


def _rate_effort(cut: tuple[int, int]) -> tuple[int, int]:
    """Rate the effort: few parts are better, and rows are easier to lay than columns."""
    across, down = cut
    return across * down, across


def _cut(places: Places, across: int, down: int) -> Iterator[tuple[str, ...]]:
    """Cut the page into parts, row by row; the card beside the others goes with the last one."""
    grid = {name: place for name, place in places.items() if name != BACK or len(places) == 1}
    columns, rows = (sorted({place[axis] for place in grid.values()}) for axis in (0, 1))
    for some_rows in _divide_lines(rows, down):
        for some_columns in _divide_lines(columns, across):
            part = tuple(name for name, (x, y) in grid.items() if x in some_columns and y in some_rows)
            last = some_rows[-1] == rows[-1] and some_columns[-1] == columns[-1]
            yield (*part, *(name for name in places if name not in grid)) if last else part


def _divide_lines(lines: Sequence[float], count: int) -> list[Sequence[float]]:
    """Divide lines into ``count`` groups, the first ones larger where they can't be equal."""
    size, more = divmod(len(lines), count)
    ends = np.cumsum([size + (number < more) for number in range(count)])
    return [lines[end - size - (number < more) : end] for number, end in enumerate(ends) if size or number < more]


def _has_room(places: Places, mat_mm: tuple[float, float]) -> bool:
    """Tell whether all cards lie on the mat and clear of its markers."""
    width, height = mat_mm
    for x, y in places.values():
        # How far a card's rim is from the nearer sides of the mat.
        aside = min(x, width - x) - CARD_MM[0] / 2
        above = min(y, height - y) - CARD_MM[1] / 2
        if min(aside, above) < _PAGE.rim_mm or max(aside, above) < _PAGE.marker_free_mm:
            return False
    return True
