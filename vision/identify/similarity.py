"""How like a corner seen on the table is to each corner of the enrolled deck.

Four cues that err differently are added: the embedding, which stands light, blur and a neighbour's edge; the template,
compared point by point, which tells apart what a network takes for the same; the ink colour, which counts little, since
light falsifies colour most; and the ground's colour, which tells a paper's two sides apart where they are of different
stock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.detect.occlusion import count_visible_rows
from vision.geometry import CROP_MARGIN_PX
from vision.identify.correlation import correlate
from vision.identify.deck import (
    Deck,
    ground_of,
    ink_colour_of,
    measure_degrees_between,
    measure_ground_colour,
    normalise,
    soften,
    upper_points,
)
from vision.identify.embedder import Embeddings

_INK = CONFIG.identify.ink
_CANDIDATES = CONFIG.identify.candidates
_SIMILARITY = CONFIG.identify.similarity
_DOUBT = CONFIG.reading.search


class Similarity(NamedTuple):
    """How like n corners are to the deck's m, as log odds (n, m), and their inks' directions (n, 3), 0 without ink.

    An ink is measured where the best fitting template has its own.
    """

    odds: Floats
    ink_colours: Floats


def compare(
    wide: Sequence[Picture],
    embeddings: Embeddings,
    deck: Deck,
    candidates: int = _CANDIDATES.candidates,
    occluded: Sequence[Picture | None] = (),
    unlikely: Sequence[bool] = (),
) -> Similarity:
    """Compare n corners with the deck's m (upper, lower, upper, …), and return the similarity and the inks seen.

    Args:
        wide: the corners' crops with a margin of 5 px all round, (66, 170, 3) BGR uint8.
        embeddings: the crops' embeddings.
        deck: the enrolled deck.
        candidates: so many of the deck's likeliest embeddings have their template compared.
        occluded: for each crop (66, 170) where other cards lie on it; only what they leave free is compared.
        unlikely: for each crop whether likely no corner is there; such a one is compared only where it looks like one.
    """
    cosine = embeddings.vectors @ deck.embeddings.vectors.T
    symmetric = deck.symmetric
    masks = occluded or [None] * len(wide)
    strange = cosine.max(axis=1, initial=-1.0) < _CANDIDATES.unlike_cosine
    some = [n for n in range(len(wide)) if not (strange[n] and unlikely and unlikely[n])]
    templates, ink_odds, ink_colours = _template_similarity(wide, cosine, masks, deck, candidates, some)
    # a corner may be either of two that look the same: what one of them was found like, the other is too
    for left, right in ((0, 1), (1, 0)):
        only = symmetric & np.isnan(templates[:, left::2])
        templates[:, left::2][only], ink_odds[:, left::2][only] = (
            templates[:, right::2][only],
            ink_odds[:, right::2][only],
        )
    _suppose(templates, ink_odds)
    templates[:, deck.blank], ink_odds[:, deck.blank] = _SIMILARITY.min_correlation, -_SIMILARITY.max_ink_odds
    ground = np.zeros(cosine.shape, np.float32)
    if len(wide):
        own = np.stack([_measure_ground(crop, mask) for crop, mask in zip(wide, masks, strict=True)])
        apart = own[:, None] - deck.grounds[None]
        shade = apart.mean(axis=2)
        tint = np.square(apart - shade[..., None]).sum(axis=2)
        ground = tint / (2 * _SIMILARITY.tint_sigma**2) + np.square(shade) / (2 * _SIMILARITY.shade_sigma**2)
    odds = (
        _SIMILARITY.embedding_weight * cosine
        + _SIMILARITY.template_weight * templates
        + ink_odds
        - np.minimum(ground, _SIMILARITY.max_ground_odds)
    )
    return Similarity(np.asarray(odds, np.float32), ink_colours)


def _measure_ground(crop: Picture, mask: Picture | None) -> Floats:
    """Measure the ground's colour in a wide crop (66, 170, 3) as far down as no other card lies on it."""
    narrow_centre_crop = crop[CROP_MARGIN_PX:-CROP_MARGIN_PX, CROP_MARGIN_PX:-CROP_MARGIN_PX]
    rows = count_visible_rows(mask, CROP_MARGIN_PX, CROP_MARGIN_PX, narrow_centre_crop.shape[1], _INK.ground_rows)
    return measure_ground_colour(narrow_centre_crop, rows if rows >= _SIMILARITY.min_ground_rows else _INK.ground_rows)


def _suppose(templates: Floats, ink_odds: Floats) -> None:
    """Fill in, for n corners, template and ink of those rows of the deck (n, m) that are not compared.

    They count as the worst compared one does: nothing may be held against a card for being one of many whose embeddings
    are alike.
    """
    for fits, hues in zip(templates, ink_odds, strict=True):
        unknown = np.isnan(fits)
        worst = (
            (_SIMILARITY.min_correlation, -_SIMILARITY.max_ink_odds)
            if unknown.all()
            else (fits[~unknown].min(), hues[~unknown].min())
        )
        fits[unknown], hues[unknown] = worst


def _list_candidates(crop: Floats, cosine: Floats, mask: Picture | None, deck: Deck, candidates: int) -> list[int]:
    """List the rows of the deck whose templates are worth comparing with a softened crop (66, 170, 3)."""
    least = cosine.max() - _CANDIDATES.near_cosine
    order = np.argsort(-cosine)
    near = [int(m) for m in order[:candidates] if cosine[m] >= least]
    paper = deck.kinds[near[0]] == "paper"
    if not paper and not (cosine[order[candidates:]] > cosine.max() - _CANDIDATES.crowd_cosine).any():
        return near
    fitting: list[tuple[float, int]] = []
    for group in deck.small_templates:
        some = np.array([paper]) | (cosine[group.rows] >= least)
        if group.kind != deck.kinds[near[0]] or not some.any():
            continue
        h, w = (2 * side for side in group.parts.shape[1:3])
        h = (
            max(
                _CANDIDATES.min_rows, count_visible_rows(mask, group.x + CROP_MARGIN_PX, group.y + CROP_MARGIN_PX, w, h)
            )
            // 2
            * 2
        )
        around = crop[group.y : group.y + h + 2 * CROP_MARGIN_PX, group.x : group.x + w + 2 * CROP_MARGIN_PX]
        small = (w // 2 + CROP_MARGIN_PX, h // 2 + CROP_MARGIN_PX)
        half = np.asarray(cv2.resize(around, small, interpolation=cv2.INTER_AREA), np.float32)
        fits = correlate([half], [group.compute_spectra(h // 2)[some]], CROP_MARGIN_PX)[0].max(axis=(1, 2))
        fitting += zip(fits.tolist(), group.rows[some].tolist(), strict=True)
    return near + [m for _, m in sorted(fitting, reverse=True)[: _CANDIDATES.by_template] if m not in near]


def _template_similarity(
    wide: Sequence[Picture],
    cosine: Floats,
    masks: Sequence[Picture | None],
    deck: Deck,
    candidates: int,
    some: Sequence[int],
) -> tuple[Floats, Floats, Floats]:
    """Correlate templates, and compute odds of inks, (n, m) each, for n crops (66, 170, 3) with these cosines.

    Only ``some`` are compared; what is not compared is not a number. Third, the inks' directions (n, 3) where the best
    fitting template has its own.
    """
    templates, ink_odds = np.full((2, *cosine.shape), np.nan, np.float32)
    ink_colours = np.zeros((len(wide), 3), np.float32)
    best = np.full(len(wide), -np.inf)
    crops = {n: soften(wide[n]) for n in some}
    for (left, top, w, h), asked in _template_places(crops, cosine, masks, deck, candidates).items():
        high, across = h + 2 * CROP_MARGIN_PX, w + 2 * CROP_MARGIN_PX
        arounds = [crops[n][top : top + high, left : left + across] for n, _ in asked]
        spectra = [[deck.templates[m].compute_spectrum(h) for m in rows] for _, rows in asked]
        laid = correlate(arounds, spectra, 2 * CROP_MARGIN_PX)
        for (n, rows), around, places in zip(asked, arounds, laid, strict=True):
            fit = places.reshape(len(rows), -1).max(axis=1)
            lies = np.unravel_index(int(places.argmax()), places.shape)[1:]
            seen = _ink_colours_at(around, (int(lies[0]), int(lies[1])), deck, rows)
            templates[n, rows] = np.maximum(fit, _SIMILARITY.min_correlation)
            ink_odds[n, rows] = _ink_odds(np.array([deck.templates[m].ink_colour for m in rows]), seen)
            if fit.max() > best[n]:
                best[n], ink_colours[n] = fit.max(), seen[int(fit.argmax())]
    return templates, ink_odds, ink_colours


def _template_places(
    crops: Mapping[int, Floats], cosine: Floats, masks: Sequence[Picture | None], deck: Deck, candidates: int
) -> dict[tuple[int, int, int, int], list[tuple[int, list[int]]]]:
    """Find where (x, y, w, h px) templates worth comparing lie, and for each place of which crops which rows."""
    places: dict[tuple[int, int, int, int], list[tuple[int, list[int]]]] = {}
    for n, crop in crops.items():
        mask = masks[n]
        own: dict[tuple[int, int, int, int], list[int]] = {}
        for m in _list_candidates(crop, cosine[n], mask, deck, candidates):
            each = deck.templates[m]
            if not each.blank:
                h, w = each.part.shape[:2]
                own.setdefault((each.x, each.y, w, h), []).append(m)
        for (x, y, w, h), rows in own.items():
            shown = min(
                h, max(_CANDIDATES.min_rows, count_visible_rows(mask, x + CROP_MARGIN_PX, y + CROP_MARGIN_PX, w, h))
            )
            places.setdefault((x, y, w, shown), []).append((n, rows))
    return places


def _ink_colours_at(around: Floats, place: tuple[int, int], deck: Deck, rows: Sequence[int]) -> Floats:
    """Return the ink directions (n, 3) that templates of n rows of the deck would have at a place (y, x px)."""
    templates = [deck.templates[m] for m in rows]
    h, w = (side - 2 * CROP_MARGIN_PX for side in around.shape[:2])
    y, x = place
    upper = upper_points(around[y : y + h, x : x + w])
    ground = ground_of(upper)
    return normalise(ink_colour_of(upper, np.array([own.inked[: upper.shape[1]] for own in templates]), ground))


def _ink_odds(enrolled: Floats, seen: Floats) -> Floats:
    """Compare ink directions seen (n, 3) with those of templates (n, 3), as log odds of at most 0; 0 without ink."""
    angle = measure_degrees_between(enrolled, seen)
    odds = -np.minimum(
        _SIMILARITY.ink_weight * np.log1p(np.square(angle / _SIMILARITY.ink_deg)), _SIMILARITY.max_ink_odds
    )
    return np.asarray(np.where(seen.any(axis=1) & enrolled.any(axis=1), odds, 0.0), np.float32)


def are_sides_of_one(deck: Deck, one: Floats, other: Floats) -> bool:
    """Tell whether two corners with these log odds (m) show a paper's two sides."""
    a, b = (deck.names[int(odds.argmax()) // 2] for odds in (one, other))
    return a != b and a.split("/")[0] == b.split("/")[0]


def is_in_doubt(odds: Floats) -> bool:
    """Tell whether a corner with these log odds (m) shows something of the deck, but not surely what."""
    names = np.maximum(odds[0::2], odds[1::2])
    second, best = np.partition(names, -2)[-2:]
    return bool(
        best > _SIMILARITY.nothing_odds - _DOUBT.almost_odds
        and best - max(second, _SIMILARITY.nothing_odds) < _DOUBT.clear_lead_odds
    )
