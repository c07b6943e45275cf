"""A page of a game's own: its cards lie in a grid and are learnt by their whole faces.

Where a card lies its outline tells, to about 0.2 mm; its place names it, as no network knows such cards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from referee.game import CardSet, GridPage
from referee.registry import card_set_with
from rules.text import Text, plural
from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.crops import clipped_share, measure_sharpness
from vision.enrol.alignment import align_cards
from vision.enrol.design import blank_share, edges_of, find_design, find_upside_down, measure_likeness
from vision.enrol.pages import EnrolError, Page, PageFault, name_card, name_page, of_cards, report_glare, report_missing
from vision.identify.embedder import Embeddings
from vision.identify.faces import Faces
from vision.mat import Mat
from vision.mat.light import Light

_GRID = CONFIG.enrol.grid
_ROUND = CONFIG.enrol.surroundings
_ROUND = CONFIG.enrol.surroundings
_DESIGN = CONFIG.enrol.design
_QUALITY = CONFIG.enrol.page_quality
_PX_PER_MM = CONFIG.faces.fit.kept_px_per_mm
Place = tuple[float, float]


def read_grid_page(
    grid: GridPage, picture: Picture, mat: Mat, light: Light, places: Mapping[str, Place], as_laid: bool
) -> Page:
    """Cut the cards of a page, or of a part of one, out of a picture (h, w, 3) in which mat and light are known.

    Raises:
        EnrolError: the page is not as it should be; every fault is listed.
    """
    cards = card_set_with(grid.name)
    assert cards is not None, "the page is one of a card set"
    if len(places) == len(grid.cards) and not as_laid:
        _check_filled(grid, cards, picture, mat, light)
    names = tuple(places)
    gap = _measure_gap(grid, cards.size_mm)
    shown = {
        name: _measure_strangeness(picture, mat, light, place, cards.size_mm, gap) for name, place in places.items()
    }
    missing = [name for name, (strange, _) in shown.items() if strange <= 1.0]
    if missing:
        raise EnrolError([report_missing(grid.name, missing)])
    backs = [k for k, name in enumerate(names) if name in cards.backs]
    lies = align_cards(picture, mat, list(places.values()), cards.size_mm, backs)
    at = [((x + lie.right, y + lie.down), lie.turned) for (x, y), lie in zip(places.values(), lies, strict=True)]
    raw = mat.cut_patches(picture, at, cards.size_mm, _PX_PER_MM)
    _check_quality(grid.name, names, raw)
    faces = np.stack([light.correct_patch(face, place) for face, (place, _) in zip(raw, at, strict=True)])
    beside = _measure_strangeness_round(picture, mat, light, at, cards.size_mm) > _ROUND.strange
    not_free = [name for name, strange in zip(names, beside, strict=True) if strange]
    unlike = [] if as_laid else [name for name in _find_unlike(names, faces, cards) if name not in not_free]
    unsure = [name for name, lie in zip(names, lies, strict=True) if not lie.sure and name not in (*not_free, *unlike)]
    faults = [
        report(grid.name, some)
        for report, some in ((_report_not_free, not_free), (_report_odd, unlike), (_report_unsure, unsure))
        if some
    ]
    if faults:
        raise EnrolError(faults)
    return Page(grid.name, names, (), _no_embeddings(), (), faces)


def faces_of_pages(pages: Mapping[str, Page], as_laid: bool) -> Faces:
    """Build the faces of a deck from its accepted pages.

    Raises:
        EnrolError: a page is there twice, or is one of another deck, or two cards are alike that must not be.
    """
    cards = card_set_with(next(iter(pages)))
    assert cards is not None, "the pages are those of a card set"
    faults = [] if as_laid else _find_repeated(pages) or _of_another_deck(pages, cards) or _find_alike(pages, cards)
    if faults:
        raise EnrolError(faults)
    names = tuple(name for page in pages.values() for name in page.names)
    pictures = np.concatenate([page.faces for page in pages.values() if page.faces is not None])
    return Faces(names, pictures, cards.size_mm, frozenset(cards.backs), cards.alike)


def _no_embeddings() -> Embeddings:
    widths = (128, 15, 32)
    return Embeddings(*(np.zeros((0, width), np.float32) for width in widths))


# Where the cards are


def _measure_gap(grid: GridPage, size_mm: tuple[float, float]) -> tuple[float, float]:
    """Measure how far beside a place's middle the bare mat shows, in the middle between two cards, and how wide."""
    pitch = grid.pitch_mm[0]
    return pitch / 2, min(_GRID.bare_strip_mm, _GRID.bare_share * (pitch - size_mm[0]))


def _measure_strangeness(
    picture: Picture, mat: Mat, light: Light, place: Place, size_mm: tuple[float, float], gap_mm: tuple[float, float]
) -> tuple[float, float]:
    """Measure how unlike the mat beside it, where ``gap_mm`` says, a place looks; up to 1 it lies empty.

    And by how many grey levels the mat differs from one side of it to the other.
    """
    (x, y), (width, height), (aside, wide) = place, size_mm, gap_mm
    where = ((x, 0.6 * width), (x - aside, wide), (x + aside, wide))
    patches = [mat.cut_patch(picture, (at, y), 0.0, (across, 0.7 * height), 1.0) for at, across in where]
    shown, left, right = (light.correct_patch(patch, place).reshape(-1, 3).astype(np.float32) for patch in patches)
    ground = np.concatenate([left, right])
    (middle, spread), (usual, usual_spread) = _measure_colour(shown), _measure_colour(ground)
    apart = float(np.abs(middle - usual).max())
    uneven = float(np.abs(_measure_colour(left)[0] - _measure_colour(right)[0]).max())
    return max(apart / _GRID.other_ground, (spread - usual_spread) / _GRID.more_spread), uneven


def _measure_colour(pixels: Floats) -> tuple[Floats, float]:
    """Measure the median colour (3,) of pixels (n, 3), and how far they spread about it, in grey levels."""
    middle = np.median(pixels, axis=0)
    return middle, float(np.percentile(np.abs(pixels - middle), 90))


def _check_filled(grid: GridPage, cards: CardSet, picture: Picture, mat: Mat, light: Light) -> None:
    """Raise an error where more or far fewer places are filled than this page has, and say which page that is."""
    gap = _measure_gap(grid, cards.size_mm)
    looks = [
        _measure_strangeness(picture, mat, light, place, cards.size_mm, gap) for place in grid.list_cells(mat.size_mm)
    ]
    wanted = len(grid.cards)
    # A blotched mat differs from itself as well.
    least = 1.0 + float(np.mean([uneven for _, uneven in looks])) / _GRID.other_ground
    filled = [strange > (1.0 if k < wanted else least) for k, (strange, _) in enumerate(looks)]
    if all(filled[:wanted]) and not any(filled[wanted:]):
        return
    for other in cards.grids:
        count = len(other.cards)
        if other.name != grid.name and all(filled[:count]) and not any(filled[count:]):
            raise EnrolError([_find_other_page(grid.name, other.name)])
    found = sum(filled[:wanted])
    if found < _GRID.filled * wanted or any(filled[wanted:]):
        raise EnrolError([_report_other_page(grid.name, wanted, found, sum(filled[wanted:]))])


# How well they are seen


def _check_quality(page: str, names: Sequence[str], raw: Sequence[Picture]) -> None:
    """Raise an error where unprinted glare lies on cards, or the picture is blurred."""
    shares = np.array([clipped_share(face) for face in raw])
    glaring = [n for n, share in zip(names, shares, strict=True) if share > _QUALITY.glare_share + np.median(shares)]
    if glaring:
        raise EnrolError([report_glare(page, glaring)])
    if float(np.percentile([measure_sharpness(face) for face in raw], 75)) < _GRID.min_sharpness:
        text = Text("The {page} is blurred: focus the camera and keep it still.", page=name_page(page))
        raise EnrolError([PageFault(page, (), text)])


def _find_unlike(names: Sequence[str], faces: Picture, cards: CardSet) -> list[str]:
    """List the faces of a page that lie upside down or under something, as far as its design shows that."""
    shown = [k for k, name in enumerate(names) if name not in cards.backs]
    if len(shown) < _DESIGN.faces:
        return []
    edges = edges_of(faces[shown])
    odd = find_upside_down(edges) | (blank_share(edges) > _DESIGN.covered)
    return [names[k] for k, is_odd in zip(shown, odd, strict=True) if is_odd]


# Whether the pages belong together


def _shrink_faces(page: Page) -> Floats:
    """Reduce the faces of a page to means over some millimetres, (n, h, w, 3)."""
    assert page.faces is not None, "the page's cards were learnt by their faces"
    size = _DESIGN.small_px
    return np.stack([cv2.resize(face, size, interpolation=cv2.INTER_AREA) for face in page.faces]).astype(np.float32)


def _measure_difference(one: Floats, others: Floats) -> Floats:
    """Measure by how many grey levels faces (h, w, 3) and (n, h, w, 3) differ most, but for their light."""
    gain = (one * others).sum(axis=(1, 2, 3)) / np.maximum(np.square(others).sum(axis=(1, 2, 3)), 1.0)
    return np.asarray(np.abs(one - others * gain[:, None, None, None]).max(axis=(1, 2, 3)), np.float32)


def _find_repeated(pages: Mapping[str, Page]) -> list[PageFault]:
    """Find pages whose cards are those of another page."""
    small = {name: _shrink_faces(page) for name, page in pages.items()}
    faults = []
    for one, other in combinations(pages, 2):
        found = sum(float(_measure_difference(face, small[one]).min()) < _DESIGN.same_levels for face in small[other])
        if found > _DESIGN.mostly * len(small[other]):
            text = Text(
                "The pictures of the {one} and of the {other} show the same cards: one page is there twice.",
                one=name_page(one),
                other=name_page(other),
            )
            faults.append(PageFault(other, (), text))
    return faults


def _of_another_deck(pages: Mapping[str, Page], cards: CardSet) -> list[PageFault]:
    """Find pages whose cards are designed unlike those of all others; a page of few faces can't tell."""
    shown = {
        name: page.faces for name, page in pages.items() if len(set(page.names) & set(cards.faces)) >= _DESIGN.faces
    }
    designs = {name: find_design(edges_of(faces)) for name, faces in shown.items() if faces is not None}
    groups: list[set[str]] = []
    for name, (design, shown_of_it) in designs.items():
        like = {
            other
            for other, (another, shown_of_that) in designs.items()
            if measure_likeness(design, another) >= _DESIGN.same_design * math.sqrt(shown_of_it * shown_of_that)
        }
        joined = [group for group in groups if group & like]
        groups = [group for group in groups if not group & like] + [set[str]({name}).union(*joined)]
    most = max(groups, key=len, default=set[str]())
    faults = []
    for name in (name for name in shown if name not in most):
        said = name_page(name)
        text = Text(
            "The cards on the {said} look like those of another deck: all pages must be of one deck.", said=said
        )
        faults.append(PageFault(name, (), text, doubtful=True))
    return faults


def _find_alike(pages: Mapping[str, Page], cards: CardSet) -> list[PageFault]:
    """Find two cards that are one, but for those that may be alike."""
    named = [(page, name) for page, each in pages.items() for name in each.names]
    small = np.concatenate([_shrink_faces(page) for page in pages.values()])
    may_be = {frozenset(pair) for group in cards.alike for pair in combinations(group, 2)}
    faults = []
    for k, (_, one) in enumerate(named[:-1]):
        apart = _measure_difference(small[k], small[k + 1 :])
        for n in np.flatnonzero(apart < _DESIGN.same_levels).tolist():
            page, other = named[k + 1 + n]
            if frozenset((one, other)) in may_be:
                continue
            text = Text(
                "On the places of {one} and {other} lie two cards that look the same: check the {page}.",
                one=name_card(one),
                other=name_card(other),
                page=name_page(page),
            )
            faults.append(PageFault(page, (one, other), text, doubtful=True))
    return faults


# Words


def _report_unsure(page: str, names: Sequence[str]) -> PageFault:
    text = plural(
        "It can't be told exactly how {cards} on the {page} lies: lay it straight, on a cloth of another colour.",
        "It can't be told exactly how {cards} on the {page} lie: lay them straight, on a cloth of another colour.",
        count=len(names),
    )
    return of_cards(page, names, text)


def _report_not_free(page: str, names: Sequence[str]) -> PageFault:
    text = Text("Something lies beside or over {cards} on the {page}: take it away, and let each card lie free.")
    return of_cards(page, names, text)


def _report_odd(page: str, names: Sequence[str]) -> PageFault:
    text = plural(
        "{cards!c} on the {page} lies upside down, or something lies over it: lay it upright and free.",
        "{cards!c} on the {page} lie upside down, or under something: lay them upright and free.",
        count=len(names),
    )
    return of_cards(page, names, text, doubtful=True)


def _find_other_page(page: str, other: str) -> PageFault:
    text = Text(
        "The picture given as the {page} shows the {other}: check which picture is which.",
        page=name_page(page),
        other=name_page(other),
    )
    return PageFault(page, (), text)


def _report_other_page(page: str, wanted: int, found: int, more: int) -> PageFault:
    slots: dict[str, Any] = {"page": name_page(page), "found": found, "wanted": wanted}
    if more:
        text = Text(
            "The {page} is not laid out as it should be: {found} of {wanted} cards were found on their places, and "
            "{more} where none should lie. Check that this is the {page} of this game.",
            more=more,
            **slots,
        )
    else:
        text = Text(
            "The {page} is not laid out as it should be: {found} of {wanted} cards were found on their places. "
            "Check that this is the {page} of this game.",
            **slots,
        )
    return PageFault(page, (), text)


# What lies round the cards: the bare mat, or something beside or over them


def _measure_strangeness_round(
    picture: Picture,
    mat: Mat,
    light: Light,
    lies: Sequence[tuple[tuple[float, float], float]],
    size_mm: tuple[float, float],
) -> Doubles:
    """Measure how much what shows along a card's sides differs from the mat round most, (n,), in the mat's spreads.

    The side that differs most counts, by what is usual along it. What is darker may be the card's shadow.

    Args:
        picture: (h, w, 3) BGR uint8.
        mat: where the mat lies in it.
        light: how light falls on it.
        lies: where the cards lie (mm), and how they are turned (degrees clockwise).
        size_mm: their width and height.
    """
    wide, high = (side + 2 * _ROUND.to_mm for side in size_mm)
    patches = mat.cut_patches(picture, lies, (wide, high), _ROUND.px_per_mm)
    corrected = [light.correct_patch(patch, place) for patch, (place, _) in zip(patches, lies, strict=True)]
    cards = [_cut_sides(np.log(patch.astype(np.float32) + np.float32(_ROUND.dark_levels))) for patch in corrected]
    seen = np.concatenate([side.reshape(-1, 3) for sides in cards for side in sides])
    usual = np.median(seen, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(seen - usual), axis=0), _ROUND.least_spread)
    return np.array([max(_measure_side(side - usual, spread) for side in sides) for sides in cards])


def _cut_sides(patch: Floats) -> list[Floats]:
    """Return what shows outside a card's four sides, (rows, parts, 3) each, in a patch round it."""
    return [
        _cut_side(turned) for turned in (patch, patch[::-1], patch.transpose(1, 0, 2), patch.transpose(1, 0, 2)[::-1])
    ]


def _cut_side(patch: Floats) -> Floats:
    """Return what shows along the upper side, in rows of a millimetre and some parts, (rows, parts, 3)."""
    rows, wide = round(_ROUND.to_mm - _ROUND.from_mm), round(_ROUND.part_mm * _ROUND.px_per_mm)
    corner = round((_ROUND.to_mm + _ROUND.corner_mm) * _ROUND.px_per_mm)
    parts = (patch.shape[1] - 2 * corner) // wide
    cells = patch[: rows * _ROUND.px_per_mm, corner : corner + parts * wide].reshape(
        rows, _ROUND.px_per_mm, parts, wide, 3
    )
    return np.asarray(np.median(cells, axis=(1, 3)), np.float32)


def _measure_side(away: Floats, spread: Floats) -> float:
    """Measure how many spreads (3,) a side (rows, parts, 3) usually is away from the mat's colour, but for shade."""
    darker = np.clip(away.mean(axis=2, keepdims=True), -_ROUND.shade, 0.0)
    return float(np.median((np.abs(away - darker) / spread).max(axis=(0, 2))))
