"""Learn a deck from three pages: check each page, say what to mend, and only then make a deck of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from referee.layout import REFERENCE_MAT_MM
from referee.registry import grid_page
from rules.text import Text
from vision.arrays import Picture
from vision.assign.centre_crop import narrow_centre_crop
from vision.assign.hypotheses import corner_probabilities
from vision.config import CONFIG
from vision.crops import clipped_share, measure_sharpness, narrow_crop
from vision.detect.suppression import list_unsuppressed
from vision.enrol.grid_page import faces_of_pages, read_grid_page
from vision.enrol.on_page import find_cards, find_corners_by_outline, find_only_card
from vision.enrol.page_order import find_papers_out_of_order, find_seven_out_of_order
from vision.enrol.pages import EnrolError, Page, PageFault, name_card, name_page, place_cards, report_glare
from vision.enrol.parts import join_parts, place_part
from vision.errors import LightError, MatError
from vision.geometry import CROP_MARGIN_PX
from vision.identify.deck import BACK, Deck, DeckCard, kind_of
from vision.identify.embedder import Embeddings
from vision.identify.similarity import compare
from vision.mat import Mat, find_mat, round_to_usual
from vision.reader import Reader
from vision.scene import Scene

_PAIRING = CONFIG.detect.pairing
_QUALITY = CONFIG.reading.quality
_PAGE = CONFIG.enrol.page
_PAGE_OUTLINE = CONFIG.enrol.page_outline
_PAGE_QUALITY = CONFIG.enrol.page_quality


def read_page(
    reader: Reader,
    page: str,
    picture: Picture,
    mat_mm: tuple[float, float] | None = None,
    as_laid: bool = False,
    part: Sequence[str] | None = None,
) -> Page:
    """Check one page, or a part of one, and cut its cards out.

    Args:
        reader: detects the cards and embeds their crops.
        page: ``seven``, ``review``, ``complete`` or ``back``.
        picture: the still picture of the page, (h, w, 3) BGR uint8.
        mat_mm: the mat's size, measured from the markers where absent.
        as_laid: the players say that every card lies on its place, so doubts about that are dropped.
        part: the cards of it that are laid, where the mat has no room for all (``parts.divide_page``); then only what
            needs no other part is checked.

    Raises:
        EnrolError: the page is not as it should be; every fault is listed.
        MatError: the mat can't be measured.
        LightError: its light can't be measured.
    """
    mat = find_mat(picture, mat_mm)
    grid = grid_page(page)
    if grid is not None and mat_mm is None:
        mat = round_to_usual(mat)
    if mat.min_px_per_mm < _QUALITY.min_px_per_mm:
        raise EnrolError([_report_too_small(page, mat)])
    scene = Scene.from_picture(picture, mat)
    places = place_cards(page, mat.size_mm) if part is None else place_part(page, part, mat.size_mm)
    if grid is not None:
        return read_grid_page(grid, picture, mat, scene.light, places, as_laid)
    seen = list_unsuppressed(reader.detect(scene))
    found, faults = find_cards(picture, seen, page, places, mat)
    if faults:
        raise EnrolError(faults)
    names = tuple(places)
    corners = find_corners_by_outline(picture, mat, [found[name] for name in names], [places[name] for name in names])
    faults = _check_quality(page, names, [scene.raw_crop(corner) for corner in corners])
    if faults:
        raise EnrolError(faults)
    wide, embeddings = reader.embed(scene, corners)
    crops = [np.ascontiguousarray(narrow_crop(crop)) for crop in wide]
    centre_crops = tuple(narrow_centre_crop(centre_crop) for centre_crop in scene.centre_crops(corners[0::2]))
    learnt = Page(page, names, tuple(zip(crops[0::2], crops[1::2], strict=True)), embeddings, centre_crops)
    faults = find_odd_kinds(learnt, [found[name].kind for name in names])
    if page == "seven" and part is None and not faults:
        faults = find_seven_out_of_order(learnt)
    if faults and not as_laid:
        raise EnrolError(faults)
    return learnt


def page_of(page: str, parts: Sequence[Page], as_laid: bool = False) -> Page:
    """Make a page of its parts, once each was read by itself; its cards come in the page's order.

    Raises:
        EnrolError: cards lie in each other's place.
    """
    joined = join_parts(page, parts)
    faults = find_seven_out_of_order(joined) if page == "seven" and not as_laid else []
    if faults:
        raise EnrolError(faults)
    return joined


def deck_of(reader: Reader, name: str, pages: Mapping[str, Page], as_laid: bool = False) -> Deck:
    """Make a deck of its accepted pages, in their order: three, or without papers two.

    Raises:
        EnrolError: the two paper pages don't fit together.
    """
    if all(page.faces is not None for page in pages.values()):
        return Deck.of_faces(name, faces_of_pages(pages, as_laid))
    if "review" in pages and not as_laid:
        faults = find_papers_out_of_order(pages["review"], pages["complete"], reader.papers)
        if faults:
            raise EnrolError(faults)
    cards: list[DeckCard] = []
    rows: list[int] = []
    at = 0
    for page, learnt in pages.items():
        for k, card in enumerate(learnt.names):
            if not (card == BACK and page == "complete"):  # one back is enough
                cards.append(DeckCard(card, learnt.crops[k], learnt.centre_crops[k]))
                rows += [at + 2 * k, at + 2 * k + 1]
        at += 2 * len(learnt.names)
    embeddings = Embeddings(
        *(
            np.concatenate([getattr(page.embeddings, part) for page in pages.values()])[rows]
            for part in ("vectors", "rank", "suit")
        )
    )
    return Deck(name, tuple(cards), embeddings, reader.model)


def enrol(
    reader: Reader,
    name: str,
    seven: Picture,
    review: Picture,
    complete: Picture,
    mat_mm: tuple[float, float] | None = None,
    as_laid: bool = False,
) -> Deck:
    """Learn the deck from its three pages; see ``enrol_pages``."""
    pictures = {"seven": seven, "review": review, "complete": complete}
    return enrol_pages(reader, name, pictures, mat_mm, as_laid)


def enrol_pages(
    reader: Reader,
    name: str,
    pictures: Mapping[str, Picture],
    mat_mm: tuple[float, float] | None = None,
    as_laid: bool = False,
) -> Deck:
    """Learn the deck from pictures of its pages, by their names in their order; see ``read_page``.

    Raises:
        EnrolError: something on a page is to mend; the faults of all pages are listed.
    """
    return deck_of(reader, name, read_pages(reader, pictures, mat_mm, as_laid), as_laid)


def read_pages(
    reader: Reader, pictures: Mapping[str, Picture], mat_mm: tuple[float, float] | None = None, as_laid: bool = False
) -> dict[str, Page]:
    """Read what lies on pages, by their names, from a picture of each; see ``read_page``.

    Raises:
        EnrolError: something on a page is to mend, or its mat can't be measured; the faults of all pages are listed.
    """
    pages: dict[str, Page] = {}
    faults: list[PageFault] = []
    for page, picture in pictures.items():
        try:
            pages[page] = read_page(reader, page, picture, mat_mm, as_laid)
        except EnrolError as error:
            faults += error.faults
        except (MatError, LightError) as error:
            faults.append(report_unmeasured(page, error))
    if faults:
        raise EnrolError(faults)
    return pages


def is_learnt_alone(name: str) -> bool:
    """Tell whether a card of that name has a place of its own on a page that all such decks have."""
    return name in place_cards(_page_with(name), REFERENCE_MAT_MM)


def _page_with(name: str) -> str:
    return name.split("/")[1] if "/" in name else "review" if name == BACK else "seven"


def teach_card(
    reader: Reader,
    deck: Deck,
    name: str,
    picture: Picture,
    mat_mm: tuple[float, float] | None = None,
    as_laid: bool = False,
) -> Deck:
    """Return the deck with one card learnt anew, all others as they were.

    The card lies upright on its place of its page, or anywhere upright as the only card on the mat.

    Args:
        reader: detects the card and embeds its crops.
        deck: the deck that it belongs to.
        name: ``H7``, ``three/review``, ``back`` …
        picture: the still picture, (h, w, 3) BGR uint8.
        mat_mm: the mat's size, measured from the markers where absent.
        as_laid: the players say that it is this card, so doubts about that are dropped.

    Raises:
        EnrolError: the card is not found, not well seen, or seems to be another one.
        MatError: the mat can't be measured.
        LightError: its light can't be measured.
        ValueError: the deck has no card of that name, or none that is learnt alone.
    """
    if name not in deck.names or deck.faces is not None or not is_learnt_alone(name):
        raise ValueError(f"the deck has no card {name!r}")
    mat = find_mat(picture, mat_mm)
    page = _page_with(name)
    if mat.min_px_per_mm < _QUALITY.min_px_per_mm:
        raise EnrolError([_report_too_small(page, mat)])
    scene = Scene.from_picture(picture, mat)
    found = list_unsuppressed(reader.detect(scene))
    clearest = max((corner.score for corner in found), default=0.0)
    seen = [corner for corner in found if corner.score > max(_PAGE.min_score, _PAGE.score_share * clearest)]
    corners = find_corners_by_outline(
        picture, mat, [find_only_card(seen, name, page, place_cards(page, mat.size_mm)[name])]
    )
    faults = _check_quality(page, (name,), [scene.raw_crop(corner) for corner in corners])
    if faults:
        raise EnrolError(faults)
    wide, embeddings = reader.embed(scene, corners)
    deck = reader.up_to_date(deck)
    if not as_laid:
        other = _find_other_card(deck, name, wide, embeddings)
        if other:
            raise EnrolError([_looks_like(page, name, other)])
    upper, lower = (np.ascontiguousarray(narrow_crop(crop)) for crop in wide)
    (centre_crop,) = scene.centre_crops(corners[:1])
    return deck.with_card(DeckCard(name, (upper, lower), narrow_centre_crop(centre_crop)), embeddings)


def look_alikes(deck: Deck) -> list[tuple[str, str]]:
    """List pairs of faces of this deck that look too alike to be distinguished surely, the most alike first.

    None are reported of a deck that is read by its whole faces: such pairs are reported when its pages are looked at.
    """
    if deck.faces is not None:
        return []
    upper = Embeddings(deck.embeddings.vectors[0::2], deck.embeddings.rank[0::2], deck.embeddings.suit[0::2])
    m = CROP_MARGIN_PX
    wide = [
        np.asarray(cv2.copyMakeBorder(card.crops[0], m, m, m, m, cv2.BORDER_REPLICATE), np.uint8) for card in deck.cards
    ]
    odds = compare(wide, upper, deck).odds[:, 0::2]
    margin = (np.diag(odds)[:, None] - odds) * deck.distinctness[0::2, 0::2]
    margin = np.minimum(margin, margin.T)
    pairs = sorted((float(margin[i, j]), i, j) for i in range(len(margin)) for j in range(i + 1, len(margin)))
    return [(deck.names[i], deck.names[j]) for alike, i, j in pairs if alike < _PAGE_QUALITY.alike_odds]


def report_unmeasured(page: str, error: MatError | LightError) -> PageFault:
    """Return the fault of a page whose mat or light can't be measured."""
    return PageFault(page, (), Text("The {page_name} can't be read: {error}", page_name=name_page(page), error=error))


def _report_too_small(page: str, mat: Mat) -> PageFault:
    least = _QUALITY.min_px_per_mm
    text = Text(
        "The {page_name} has only {min_px_per_mm:.1f} pixels a millimetre, {least} are needed: bring the "
        "camera nearer or use a sharper one.",
        page_name=name_page(page),
        min_px_per_mm=mat.min_px_per_mm,
        least=least,
    )
    return PageFault(page, (), text)


# How well they are seen


def _check_quality(page: str, names: Sequence[str], raw: Sequence[Picture]) -> list[PageFault]:
    """Check for glare on cards, and pictures out of focus or smeared, from two raw crops a card."""
    shares = np.array([clipped_share(crop) for crop in raw]).reshape(-1, 2)
    most, usual = shares.max(axis=1), float(np.median(shares))
    uneven = most > 3 * np.minimum(shares.min(axis=1), usual) + 0.05
    clipped = [name for name, glare in zip(names, (most > _PAGE_QUALITY.glare_share) & uneven, strict=True) if glare]
    faults = [report_glare(page, clipped)] if clipped else []
    if float(np.median([measure_sharpness(crop) for crop in raw[0::2]])) < _PAGE_QUALITY.min_sharpness:
        text = Text("The {page_name} is blurred: focus the camera and keep it still.", page_name=name_page(page))
        faults.append(PageFault(page, (), text))
    elif _is_smeared(raw[0::2]):
        text = Text(
            "The {page_name} is smeared by movement: take the picture when camera and cards are at rest.",
            page_name=name_page(page),
        )
        faults.append(PageFault(page, (), text))
    return faults


def _is_smeared(raw: Sequence[Picture]) -> bool:
    """Tell whether edges in one direction are far less steep than in the other, as in a picture taken while moving."""
    steep = []
    for crop in raw:
        grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
        # Across, along, and over both diagonals.
        kernels = [np.zeros((3, 3), np.float32) for _ in range(4)]
        for kernel, (x, y) in zip(kernels, ((1, 0), (0, 1), (1, 1), (1, -1)), strict=True):
            kernel[1, 1], kernel[1 + y, 1 + x], kernel[1 - y, 1 - x] = -2, 1, 1
        steep.append([float(np.percentile(np.abs(cv2.filter2D(grey, -1, k)), 99)) for k in kernels])
    across, along, one, other = np.median(steep, axis=0)
    return bool(
        min(across, along) < _PAGE_QUALITY.smeared * max(across, along)
        or min(one, other) < _PAGE_QUALITY.smeared * max(one, other)
    )


# What they are


def find_odd_kinds(page: Page, kinds: Sequence[str]) -> list[PageFault]:
    """Find cards of another kind than belongs there (a paper, a SEVEN card, a back), as both networks see it."""
    rank = (page.embeddings.rank[0::2] + page.embeddings.rank[1::2]) / 2
    odds = {"seven": rank[:, :13].max(axis=1), "paper": rank[:, 13], "back": rank[:, 14]}
    words = {"seven": Text("a SEVEN card face up"), "paper": Text("a paper card"), "back": Text("a face-down card")}
    faults = []
    for k, (name, kind) in enumerate(zip(page.names, kinds, strict=True)):
        wanted = kind_of(name)
        towards = odds[kind] - odds[wanted]
        # A card alone on its page has no others to say what is usual there.
        others = towards if len(page.names) > 1 else np.zeros(1)
        usual = max(0.0, float(np.percentile(others, _PAGE_QUALITY.odd_kind_percentile)))
        if kind != wanted and float(towards[k]) > usual + _PAGE_QUALITY.odd_kind_odds:
            text = Text(
                "On the place of {card} on the {page} lies what looks like {seen}: lay {card} there.",
                card=name_card(name),
                page=name_page(page.page),
                seen=words[kind],
            )
            faults.append(PageFault(page.page, (name,), text, doubtful=True))
    return faults if len(faults) <= max(1, len(page.names) / 3) else []


def _find_other_card(deck: Deck, name: str, wide: Sequence[Picture], embeddings: Embeddings) -> str | None:
    """Name the other card of the deck that this surely is, if it is one."""
    for odds in compare(wide, embeddings, deck).odds:
        probabilities, p_nothing = corner_probabilities(odds, deck.distinctness)
        of_card = probabilities[0::2] + probabilities[1::2]
        best = int(of_card.argmax())
        if p_nothing < 0.5 and float(of_card[best]) > _PAGE_QUALITY.surely_another and deck.names[best] != name:
            return deck.names[best]
    return None


def _looks_like(page: str, name: str, other: str) -> PageFault:
    shown = name_card(other)
    if name.split("/")[0] == other.split("/")[0]:
        shown = Text("its complete side") if other.endswith("/complete") else Text("its under-review side")
    text = Text(
        "This looks like {shown}, not {card}: show {card}, or say that it is right as it lies.",
        shown=shown,
        card=name_card(name),
    )
    return PageFault(page, (name, other), text, doubtful=True)
