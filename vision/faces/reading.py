"""Read the cards of a deck of whole faces on a mat."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table import Sighting, Unread
from vision.arrays import Picture
from vision.config import CONFIG
from vision.faces.face_points import Mask
from vision.faces.fitting import Fitted, Fitter
from vision.faces.naming import NamedFace, Rough, fit_roughly, measure_softness, name_card
from vision.faces.search import Place, find_places
from vision.faces.surfaces import find_shown, find_unexplained
from vision.faces.table import FlatMat, Pose
from vision.faces.tone import ToneCurve
from vision.identify.faces import Faces

_SEARCH = CONFIG.faces.search
_FIT = CONFIG.faces.fit
_NAME = CONFIG.faces.name
_LOOKS = CONFIG.faces.looks


Fits = Mapping[Place, Fitted | None]
"""How cards lie at places that were looked at already."""
Judged = Mapping[Fitted, tuple[Rough, list[Pose], NamedFace]]
"""How cards were named: from their rough names, with those cards on them."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a reading gave: cards named surely, cards seen but not named, and for the next one all that was found.

    ``judged`` says how a card was named: from its rough name, with those cards on it; ``shown`` where (h, w) it shows
    the face it fits. ``blur`` is the softness seen, ``reader`` who read it.
    """

    sightings: tuple[Sighting, ...]
    unread: tuple[Unread, ...]
    found: tuple[tuple[Fitted, Rough], ...]
    judged: Judged
    shown: Mapping[Fitted, Mask]
    blur: float
    reader: FaceReader


@dataclass(frozen=True)
class FaceReader:
    """Reads tables with the cards of one deck."""

    fitter: Fitter
    _toned: list[tuple[ToneCurve, FaceReader]] = field(default_factory=list, init=False, repr=False, compare=False)

    @classmethod
    def for_faces(cls, faces: Faces) -> FaceReader:
        """Make one for these faces."""
        return cls(Fitter(faces))

    def read(self, flat: FlatMat, before: Memory | None = None, changed: Picture | None = None) -> Memory:
        """Read the mat and return what is read, to be handed on to the next reading.

        With ``changed`` (h, w), 255 there at the search's scale, only that is searched anew: elsewhere all is as it was
        ``before``.
        """
        if before is not None and len(before.found) < CONFIG.faces.tone.least_cards:
            before, changed = None, None  # its tone was not known
        coarse, reader = flat.shrink_to(_SEARCH.px_per_mm), self if before is None else before.reader
        every = find_places(coarse, reader.fitter.strips, changed)
        fits: Fits = {}
        if before is None or changed is None:
            fits = {place: self.fitter.fit(flat, place) for place in every[: CONFIG.faces.tone.places]}
            reader, searched = self._reader_in_tone(flat, fits), reader
            if reader is not searched:
                every = find_places(coarse, reader.fitter.strips, changed)
        likely = [place for place in every if place.off <= _FIT.place_off]
        return reader._read(flat, likely, fits if reader is self else {}, before, changed)

    def _reader_in_tone(self, flat: FlatMat, fits: Fits) -> FaceReader:
        """Return a reader for the deck in the tone in which the picture shows it; keep the last one."""
        tone = ToneCurve.from_cards(self.fitter, flat, [card for card in fits.values() if card is not None])
        if tone.is_near(ToneCurve()):
            return self
        if not self._toned or not tone.is_near(self._toned[0][0]):
            self._toned[:] = [(tone, FaceReader.for_faces(tone.apply_to_faces(self.fitter.faces)))]
        return self._toned[0][1]

    def _read(
        self, flat: FlatMat, every: Sequence[Place], fits: Fits, before: Memory | None, changed: Picture | None
    ) -> Memory:
        """Read the cards at these places, and those found ``before`` that are as they were."""
        if changed is None:
            before = None
        old = () if before is None else before.found
        kept = [each for card, rough in old if (each := self._keep_still(flat, card, rough, changed)) is not None]
        found = [*kept, *self._find_cards(flat, kept, every, fits)]
        cards = self._keep_each_once(flat, found)
        blur = self._measure_softness(flat, cards) if before is None else before.blur
        judged = self._judge_cards(flat, cards, {} if before is None else before.judged, blur)
        sightings = [self._as_sighting(seen) for _, _, seen in judged.values() if seen.sure]
        unread = [
            self._as_unread(seen) for rough, _, seen in judged.values() if not seen.sure and (seen.fits or rough.clear)
        ]
        shown = self._find_shown(flat, judged, before)
        unread += find_unexplained(flat, self.fitter.faces.size_mm, shown)
        return Memory(tuple(sightings), tuple(unread), tuple(found), judged, shown, blur, self)

    def _measure_softness(self, flat: FlatMat, cards: Sequence[tuple[Fitted, Rough]]) -> float:
        """Measure how soft the clearest cards are seen."""
        clearest = sorted(cards, key=lambda each: -each[0].likeness)[: _LOOKS.softness_cards]
        return measure_softness(self.fitter, flat, [card for card, _ in clearest])

    def _judge_cards(
        self, flat: FlatMat, cards: Sequence[tuple[Fitted, Rough]], before: Judged, blur: float
    ) -> dict[Fitted, tuple[Rough, list[Pose], NamedFace]]:
        """Name the faces of cards, with what lies on each; one that was named so ``before`` is not asked again."""
        strips = self.fitter.strips
        heads = np.array([card.pose.to_mat(0.0, strips.middle_offset(card.lower)) for card, _ in cards]).reshape(-1, 2)
        clearly = np.array([its.likeness >= _NAME.clearly for _, its in cards], bool)
        now = {}
        for number, (card, rough) in enumerate(cards):
            on_it = self._covers_heads(card.pose, heads) & (clearly | (not rough.clear))
            over = [cards[k][0].pose for k in np.flatnonzero(on_it).tolist() if k != number]
            then = before.get(card)
            same = then is not None and then[0] is rough and then[1] == over
            now[card] = (
                rough,
                over,
                then[2] if then is not None and same else name_card(self.fitter, flat, card, over, blur),
            )
        return now

    def _find_shown(self, flat: FlatMat, judged: Judged, before: Memory | None) -> dict[Fitted, Mask]:
        """Find where cards show the faces that they fit; of one that is named as ``before``, as it was then."""
        shown: dict[Fitted, Mask] = {}
        for card, (rough, _, seen) in judged.items():
            if not seen.fits:
                continue
            then, known = (None, None) if before is None else (before.judged.get(card), before.shown.get(card))
            same = then is not None and then[0] is rough and then[2].names[:1] == seen.names[:1]
            shown[card] = known if same and known is not None else find_shown(self.fitter, flat, card, seen.names[0])
        return shown

    def _keep_still(
        self, flat: FlatMat, card: Fitted, rough: Rough, changed: Picture | None
    ) -> tuple[Fitted, Rough] | None:
        """Return a card found before if its strip is as it was; where the rest of it changed it is named anew."""
        if changed is None:
            return None
        strips, size = self.fitter.strips, self.fitter.faces.size_mm
        strip = card.pose.move_by(0.0, strips.middle_offset(card.lower))
        if _measure_share(changed, strip, strips.size_mm) > 0:
            return None
        return (
            (card, rough)
            if _measure_share(changed, card.pose, size) == 0
            else (card, fit_roughly(self.fitter, flat, card))
        )

    def _find_cards(
        self, flat: FlatMat, kept: Sequence[tuple[Fitted, Rough]], every: Sequence[Place], fits: Fits
    ) -> list[tuple[Fitted, Rough]]:
        """Find cards that may lie there besides those kept, the likeliest place first.

        What one explains is not looked at again.
        """
        explained = _Explained.from_mat(flat)
        found: list[tuple[Fitted, Rough]] = []
        strips, size = self.fitter.strips, self.fitter.faces.size_mm
        heads: list[tuple[float, float]] = []

        def explain(card: Fitted, seen: Rough) -> None:
            if seen.fits:
                explained.add(card.pose, size, seen.seen)
                heads.append(card.pose.to_mat(0.0, strips.middle_offset(card.lower)))

        for card, seen in kept:
            if seen.clear:
                explain(card, seen)
        weak: list[tuple[Fitted, Rough]] = []
        tried = 0
        for place in every:
            here = Pose(place.x, place.y, place.angle)
            if tried >= _SEARCH.most_places:
                break
            if any(math.hypot(here.x - x, here.y - y) < _FIT.same_card_mm for x, y in heads):
                continue
            if _measure_share(explained.mask, here, strips.size_mm) > _FIT.explained_share:
                continue
            tried += 1
            fitted = self.fit_either_way(flat, place, every, fits)
            if fitted is None or fitted.likeness < _NAME.perhaps:
                continue
            seen = fit_roughly(self.fitter, flat, fitted)
            if seen.clear:
                found.append((fitted, seen))
                explain(fitted, seen)
            elif seen.fits or seen.perhaps:
                weak.append((fitted, seen))
        # What is like a card, but not clearly, may not take the place of one that is.
        for fitted, seen in sorted(weak, key=lambda each: -_weigh(*each)):
            strip = fitted.pose.move_by(0.0, strips.middle_offset(fitted.lower))
            if _measure_share(explained.mask, strip, strips.size_mm) <= _FIT.explained_share:
                found.append((fitted, seen))
                explain(fitted, seen)
        return found

    def fit_either_way(self, flat: FlatMat, place: Place, every: Sequence[Place], fits: Fits) -> Fitted | None:
        """Find how the card at a place lies; a head much like itself, or another's, turned is laid both ways."""
        fitted = fits[place] if place in fits else self.fitter.fit(flat, place)
        if fitted is None or fitted.likeness < _NAME.surely:
            return fitted
        for other in every:
            near = math.hypot(other.x - place.x, other.y - place.y) < _FIT.same_card_mm
            if near and math.cos(math.radians(other.angle - place.angle)) < 0:
                again = self.fitter.fit(flat, other)
                if again is not None and again.likeness > fitted.likeness:
                    fitted = again
        return fitted

    def _keep_each_once(self, flat: FlatMat, found: Sequence[tuple[Fitted, Rough]]) -> list[tuple[Fitted, Rough]]:
        """Keep each card once, by the fit that explains most: a pattern that comes again fits beside its place too."""
        kept: list[tuple[Fitted, Rough]] = []
        explained = _Explained.from_mat(flat)
        strips = self.fitter.strips
        for card, rough in sorted(found, key=lambda each: (not each[1].clear, -_weigh(*each))):
            x, y = card.pose.x, card.pose.y
            if any(math.hypot(x - one.pose.x, y - one.pose.y) < _FIT.same_card_mm for one, _ in kept):
                continue
            strip = card.pose.move_by(0.0, strips.middle_offset(card.lower))
            if _measure_share(explained.mask, strip, strips.size_mm) > _FIT.explained_share:
                continue
            kept.append((card, rough))
            if rough.fits:
                explained.add(card.pose, self.fitter.faces.size_mm, rough.seen)
        return kept

    def _covers_heads(self, pose: Pose, heads: NDArray[np.float64]) -> Mask:
        """Tell whether other cards' heads (n, 2), their strips' middles, show within its outline, and so lie on it."""
        width, height = self.fitter.faces.size_mm
        x, y = (heads - (pose.x, pose.y)).T
        c, s = math.cos(math.radians(pose.angle)), math.sin(math.radians(pose.angle))
        return np.asarray((np.abs(x * c + y * s) < width / 2) & (np.abs(y * c - x * s) < height / 2))

    def _as_sighting(self, seen: NamedFace) -> Sighting:
        name = self.fitter.faces.names[seen.names[0]]
        sure = min(1.0, max(0.0, seen.likeness)) * min(1.0, max(0.0, seen.share))
        return Sighting(name, float(seen.pose.x), float(seen.pose.y), seen.pose.angle % 360, sure, seen.visible)

    def _as_unread(self, seen: NamedFace) -> Unread:
        names = tuple(self.fitter.faces.names[number] for number in seen.names[: _NAME.candidates])
        cause = "glare" if seen.lost > _NAME.lost_share else "doubtful"
        return Unread(float(seen.pose.x), float(seen.pose.y), seen.pose.angle % 360, cause, names, seen.visible)


def _weigh(card: Fitted, rough: Rough) -> float:
    """Weigh how much a fit explains and how well."""
    return (card.likeness if rough.fits else 0.5 * card.likeness) + _FIT.seen_weight * float(rough.seen.mean())


@dataclass(frozen=True)
class _Explained:
    """What of the mat the cards found so far explain, 255 there, at the search's scale."""

    mask: Picture = field(repr=False)

    @classmethod
    def from_mat(cls, flat: FlatMat) -> _Explained:
        width, height = flat.size_mm
        return cls(np.zeros((round(height * _SEARCH.px_per_mm), round(width * _SEARCH.px_per_mm)), np.uint8))

    def add(self, pose: Pose, size_mm: tuple[float, float], seen: np.ndarray) -> None:
        """Explain the rows (h,) that are seen of a card."""
        width, height = size_mm
        runs = np.flatnonzero(np.diff(np.concatenate([[0], seen.astype(int), [0]])))
        for top, bottom in runs.reshape(-1, 2).tolist():
            y0, y1 = (edge / len(seen) * height - height / 2 for edge in (top, bottom))
            cv2.fillConvexPoly(self.mask, _outline_of(pose.move_by(0.0, (y0 + y1) / 2), (width, y1 - y0)), 255)


def _measure_share(mask: Picture, pose: Pose, size_mm: tuple[float, float]) -> float:
    """Return the share of a rectangle in which a mask (h, w) at the search's scale is set; 1 off the mat."""
    outline = _outline_of(pose, size_mm)
    x, y, w, h = cv2.boundingRect(outline)
    own = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(own, outline - (x, y), 255)
    x0, y0 = max(0, x), max(0, y)
    part = mask[y0 : y + h, x0 : x + w]
    inside = own[y0 - y : y0 - y + part.shape[0], x0 - x : x0 - x + part.shape[1]] > 0
    return float((part[inside] > 0).mean()) if inside.any() else 1.0


def _outline_of(pose: Pose, size_mm: tuple[float, float]) -> np.ndarray:
    """Return a rectangle's corners (4, 2) in px of the search's scale."""
    return np.round(np.array(pose.list_corners(size_mm)) * _SEARCH.px_per_mm).astype(np.int32)
