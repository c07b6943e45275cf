"""Where the cards of a page lie: by the corners found, by their outline, or what is wrong where one is not found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest

import numpy as np

from referee.layout import CARD_MM
from rules.text import Text, plural
from vision.arrays import Picture
from vision.config import CONFIG
from vision.crops import clipped_share
from vision.detect.corners import Corner, corner_of_card
from vision.detect.pairing import pair_corners
from vision.enrol.outline import fit_outline
from vision.enrol.pages import (
    PAGES,
    EnrolError,
    PageFault,
    name_card,
    name_page,
    of_cards,
    place_cards,
    report_glare,
    report_missing,
)
from vision.identify.deck import kind_of
from vision.mat import Mat

_PAIRING = CONFIG.detect.pairing
_PAGE = CONFIG.enrol.page
_PAGE_OUTLINE = CONFIG.enrol.page_outline
_PAGE_QUALITY = CONFIG.enrol.page_quality


@dataclass(frozen=True, slots=True)
class _Found:
    """A card found on a page: its upper and its lower corner, and what kind of card the detector takes it for.

    ``sure`` where two corners agree on where it lies.
    """

    corners: tuple[Corner, Corner]
    kind: str
    sure: bool

    @classmethod
    def from_corners(cls, upright: Sequence[Corner], upside: Sequence[Corner]) -> _Found:
        """Make the card of which these corners were found, at least one of them."""
        surest = max((*upright, *upside), key=lambda e: e.score)
        sure = any(_agree(top, bottom) for top in upright for bottom in upside)
        return cls(_choose_corners(upright, upside), surest.kind, sure)


def _measure_tilt(angle: float) -> float:
    """Measure how far a corner's direction is from upright, -180 to 180 degrees."""
    return (angle + 180) % 360 - 180


def find_cards(
    picture: Picture, corners: Sequence[Corner], page: str, places: dict[str, tuple[float, float]], mat: Mat
) -> tuple[dict[str, _Found], list[PageFault]]:
    """Find the card on each place, or what is wrong there."""
    cards: dict[str, _Found] = {}
    lacking: dict[_Lacks, list[str]] = {_Lacks.ALL: [], _Lacks.PLACE: [], _Lacks.TURN: []}
    for name, place in places.items():
        found = _on_its_place(picture, corners, name, place, mat)
        if isinstance(found, _Found):
            cards[name] = found
        else:
            lacking[found].append(name)
    missing, off, turned = lacking.values()
    most_missing = len(missing) > len(places) / 2
    if most_missing or (page != "seven" and len(cards) < _PAGE.filled * len(places)):
        another = _find_other_page(corners, page, mat)
        if another or most_missing:
            return cards, [another or _report_other_page(page, len(places), len(missing))]
    glaring = _find_glaring(picture, mat, missing, places)
    return cards, _report_lacking(page, glaring, [name for name in missing if name not in glaring], off, turned)


class _Lacks(Enum):
    """What a card lacks to be found on its place: its place, its being upright, or all."""

    ALL = "all"
    PLACE = "place"
    TURN = "turn"


def _on_its_place(
    picture: Picture, corners: Sequence[Corner], name: str, place: tuple[float, float], mat: Mat
) -> _Found | _Lacks:
    """Find the card on a place (mm), by the corners found or by its outline, or what is wrong with it."""
    here = [e for e in corners if math.dist(e.centre, place) < _PAGE.reach_mm]
    pairs = {k for group in pair_corners(here) if len(group) == 2 for k in group}
    here = [e for k, e in enumerate(here) if e.score > _PAGE.min_score or k in pairs]
    upright, upside = _part_by_turn(here)
    if upright or upside:
        return _Found.from_corners(upright, upside)
    near = any(math.dist(e.centre, place) < _PAGE.near_share * _PAGE.reach_mm for e in corners)
    clear = _PAGE_OUTLINE.clear_outline if near else _PAGE_OUTLINE.very_clear_outline
    outlined = _by_outline(picture, mat, name, place, clear)
    return outlined or (_Lacks.TURN if here else _Lacks.PLACE if near else _Lacks.ALL)


def _part_by_turn(corners: Sequence[Corner]) -> tuple[list[Corner], list[Corner]]:
    """Part the corners into those that lie upright and those that lie upside down."""
    ways = ([e for e in corners if abs(_measure_tilt(e.angle + turn)) < _PAGE.max_tilt_deg] for turn in (0, 180))
    upright, upside = ways
    return upright, upside


def _report_lacking(
    page: str, glaring: Sequence[str], missing: Sequence[str], off: Sequence[str], turned: Sequence[str]
) -> list[PageFault]:
    """List the faults of cards that were not found on their places."""
    faults = [report_glare(page, glaring)] if glaring else []
    if missing:
        faults.append(report_missing(page, missing))
    if off:
        text = plural(
            "{cards!c} does not lie on its place on the {page}: move it there.",
            "{cards!c} do not lie on their places on the {page}: move them there.",
            count=len(off),
        )
        faults.append(of_cards(page, off, text))
    if turned:
        text = plural(
            "{cards!c} lies askew on the {page}: lay it upright.",
            "{cards!c} lie askew on the {page}: lay them upright.",
            count=len(turned),
        )
        faults.append(of_cards(page, turned, text))
    return faults


def _find_other_page(corners: Sequence[Corner], page: str, mat: Mat) -> PageFault | None:
    """Report that a picture shows another page than the one given; its cards may lie near this page's places."""
    for other in PAGES:
        there = place_cards(other, mat.size_mm)
        filled = [p for p in there.values() if any(math.dist(e.centre, p) < _PAGE.reach_mm for e in corners)]
        if ("seven" in (page, other)) and other != page and len(filled) > _PAGE.other_page * len(there):
            kind = Text("SEVEN cards") if other == "seven" else Text("papers")
            text = Text(
                "The picture given as the {page} shows a page of {kind}: check which picture is which.",
                page=name_page(page),
                kind=kind,
            )
            return PageFault(page, (), text)
    return None


def _report_other_page(page: str, wanted: int, missing: int) -> PageFault:
    """Report that a picture shows hardly a card where this page should have one."""
    text = Text(
        "The {page} is not laid out as it should be: only {found} of {wanted} cards were found on their places. "
        "Check that this is the {page} and that the picture shows the cards clearly.",
        page=name_page(page),
        found=wanted - missing,
        wanted=wanted,
    )
    return PageFault(page, (), text)


def _find_glaring(
    picture: Picture, mat: Mat, missing: Sequence[str], places: Mapping[str, tuple[float, float]]
) -> list[str]:
    """Find the cards not found whose place is washed out, unless the mat between the cards is as bright itself."""
    if not missing:
        return []

    def share_clipped(x: float, y: float, size: tuple[float, float]) -> float:
        return clipped_share(mat.cut_patch(picture, (x, y), 0.0, size, 1.5))

    if (
        float(np.median([share_clipped(x + _PAGE_QUALITY.between_mm, y, (16.0, 60.0)) for x, y in places.values()]))
        > _PAGE_QUALITY.washed_out
    ):
        return []
    return [name for name in missing if share_clipped(*places[name], CARD_MM) > _PAGE_QUALITY.washed_out]


def _choose_corners(upright: Sequence[Corner], upside: Sequence[Corner]) -> tuple[Corner, Corner]:
    """Pick the two corners of a card of which at least one was found: those that agree best on where it lies."""
    pairs = [
        (top, bottom) for top in upright for bottom in upside if _measure_gap(top, bottom) < _PAIRING.same_centre_mm
    ]
    if pairs:
        top, bottom = max(
            pairs, key=lambda pair: pair[0].score + pair[1].score - _measure_gap(*pair) / _PAIRING.same_centre_mm
        )
        (ax, ay), (bx, by) = top.centre, bottom.centre
        x, y = (ax + bx) / 2, (ay + by) / 2
        angle = math.degrees(math.atan2(bottom.y - top.y, bottom.x - top.x) - math.atan2(70.0, 45.0))
    else:
        surest = max((*upright, *upside), key=lambda e: e.score)
        (x, y), angle = surest.centre, surest.angle + (0 if surest in upright else 180)
    return corner_of_card(x, y, angle), corner_of_card(x, y, angle + 180)


def _by_outline(picture: Picture, mat: Mat, name: str, place: tuple[float, float], clear: float) -> _Found | None:
    """Find a card where the detector saw none upright, if an outline stands out clearly there."""
    outline = fit_outline(picture, mat, place, 0.0, _PAGE_OUTLINE.far_off_mm)
    if outline.clear < clear:
        return None
    x, y = place[0] + outline.right, place[1] + outline.down
    return _Found(
        (corner_of_card(x, y, outline.turned), corner_of_card(x, y, outline.turned + 180)), kind_of(name), True
    )


def find_corners_by_outline(
    picture: Picture, mat: Mat, cards: Sequence[_Found], places: Sequence[tuple[float, float]] = ()
) -> list[Corner]:
    """Find the cards' two corners each, by their outline where it is clear, else where the detected corners agree.

    The detector goes by what is printed near the corners and errs by a millimetre or more; a crop learnt so far off is
    not found again on the table. The outline is searched from where the detector puts the card and, where ``places``
    are given, from its place on the page too unless it is clear already: print that is alike at both corners may
    mislead the detector at both. The clearer one counts.
    """
    corners: list[Corner] = []
    for card, place in zip_longest(cards, places):
        upper = card.corners[0]
        usual = (
            (_PAGE_OUTLINE.off_mm, _PAGE_OUTLINE.off_mm)
            if card.sure
            else (_PAGE_OUTLINE.far_off_mm, _PAGE_OUTLINE.far_off_deg)
        )
        start, outline = upper, fit_outline(picture, mat, upper.centre, upper.angle, *usual)
        straight = card.sure and abs(outline.turned) < _PAGE_OUTLINE.askew_deg
        clear = straight and outline.clear > _PAGE_OUTLINE.clear_outline
        if place is not None and not clear:
            there = fit_outline(picture, mat, place, 0.0, _PAGE_OUTLINE.far_off_mm, _PAGE_OUTLINE.far_off_deg)
            if there.clear - _extra_clearness(there.turned) > outline.clear - _extra_clearness(
                start.angle + outline.turned
            ):
                start, outline = corner_of_card(place[0], place[1], 0.0), there
        x, y = start.to_mat(CARD_MM[0] / 2 + outline.right, CARD_MM[1] / 2 + outline.down)
        near = straight and math.dist((x, y), upper.centre) < _PAGE.agree_mm
        if card.sure and not clear and (near or outline.clear < _PAGE_OUTLINE.elsewhere_outline):
            corners += card.corners
            continue
        corners += [corner_of_card(x, y, start.angle + way + outline.turned) for way in (0, 180)]
    return corners


def _extra_clearness(angle: float) -> float:
    """Return how much clearer the outline of a card must be that lies at this angle than that of one laid upright."""
    return 0.5 * (_measure_tilt(angle) / _PAGE_OUTLINE.far_off_deg) ** 2


def _agree(one: Corner, other: Corner) -> bool:
    """Tell whether two corners surely tell where their card lies."""
    gap = _measure_gap(one, other)
    return gap < _PAGE.agree_mm or (gap < _PAGE.nearly_mm and min(one.score, other.score) > _PAGE.clear_score)


def _measure_gap(one: Corner, other: Corner) -> float:
    """Measure how far apart (mm) two corners put the centre of their card."""
    return math.dist(one.centre, other.centre)


def find_only_card(corners: Sequence[Corner], name: str, page: str, place: tuple[float, float]) -> _Found:
    """Find the card to be learnt: the only one on the mat, or the one on its place.

    Raises:
        EnrolError: there is no such card, or it does not lie upright.
    """
    groups = [[corners[k] for k in group] for group in pair_corners(corners)]
    if len(groups) > 1:
        groups = [
            group for group in groups if any(math.dist(corner.centre, place) < _PAGE.reach_mm for corner in group)
        ]
    if not groups:
        text = Text(
            "{card!c} is not found: lay it alone on the mat, or on its place of the {page}.",
            card=name_card(name),
            page=name_page(page),
        )
        raise EnrolError([PageFault(page, (name,), text)])
    upright, upside = _part_by_turn([e for group in groups for e in group])
    if not upright and not upside:
        raise EnrolError([PageFault(page, (name,), Text("{card!c} lies askew: lay it upright.", card=name_card(name)))])
    return _Found.from_corners(upright, upside)
