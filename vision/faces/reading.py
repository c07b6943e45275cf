"""Read the cards of a deck of whole faces on a mat."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.table import Sighting, Unread
from vision.arrays import Picture
from vision.config import CONFIG
from vision.faces.fitting import Fitted, Fitter
from vision.faces.naming import Named, named, roughly_named
from vision.faces.search import places
from vision.faces.table import FlatMat, Pose
from vision.identify.faces import Faces

_SEARCH = CONFIG.faces.search
_FIT = CONFIG.faces.fit
_NAME = CONFIG.faces.name


@dataclass(frozen=True)
class FaceReader:
    """Reads tables with the cards of one deck."""

    fitter: Fitter

    @classmethod
    def of(cls, faces: Faces) -> FaceReader:
        """For these faces."""
        return cls(Fitter(faces))

    def read(self, flat: FlatMat) -> tuple[tuple[Sighting, ...], tuple[Unread, ...]]:
        """The cards named surely, and those that are seen but not named; mat mm, degrees clockwise."""
        cards = self._each_once(flat, self._found(flat))
        sightings: list[Sighting] = []
        unread: list[Unread] = []
        for card, rough in cards:
            over = [other.pose for other, _ in cards if other is not card and self._lies_on(other, card)]
            seen = named(self.fitter, flat, card, rough, over)
            if seen.sure:
                sightings.append(self._sighting(card, seen))
            elif seen.perhaps or seen.fits:
                unread.append(self._unread(card, seen))
        return tuple(sightings), tuple(unread)

    def _found(self, flat: FlatMat) -> list[tuple[Fitted, Named]]:
        """Cards that may lie there, the likeliest place first; what one explains is not looked at again."""
        explained = _Explained.of(flat)
        found: list[tuple[Fitted, Named]] = []
        strip = self.fitter.strips.size_mm
        heads: list[tuple[float, float]] = []
        tried = 0
        for place in places(flat.coarse(_SEARCH.px_per_mm), self.fitter.strips):
            if tried >= _SEARCH.most_places:
                break
            here = Pose(place.x, place.y, place.angle)
            if any(math.hypot(here.x - x, here.y - y) < _FIT.same_card_mm for x, y in heads):
                continue
            if explained.share(here, strip) > _FIT.explained_share:
                continue
            tried += 1
            card = self.fitter.fit(flat, place)
            if card is None or card.likeness < _NAME.perhaps:
                continue
            seen = roughly_named(self.fitter, flat, card)
            if not (seen.fits or seen.perhaps):
                continue
            found.append((card, seen))
            if seen.fits:
                explained.add(card.pose, self.fitter.faces.size_mm, seen.seen)
                heads.append(card.pose.at(0.0, self.fitter.strips.middle(card.lower)))
        return found

    def _each_once(self, flat: FlatMat, found: Sequence[tuple[Fitted, Named]]) -> list[tuple[Fitted, Named]]:
        """Each card once, by the fit that explains most: a pattern that comes again fits beside its place too."""
        kept: list[tuple[Fitted, Named]] = []
        explained = _Explained.of(flat)
        strips = self.fitter.strips
        for card, rough in sorted(found, key=lambda each: -_weight(*each)):
            x, y = card.pose.x, card.pose.y
            if any(math.hypot(x - one.pose.x, y - one.pose.y) < _FIT.same_card_mm for one, _ in kept):
                continue
            strip = card.pose.moved(0.0, strips.middle(card.lower))
            if explained.share(strip, strips.size_mm) > _FIT.explained_share:
                continue
            kept.append((card, rough))
            if rough.fits:
                explained.add(card.pose, self.fitter.faces.size_mm, rough.seen)
        return kept

    def _lies_on(self, other: Fitted, card: Fitted) -> bool:
        """Whether a card's strip shows within the outline of another one, and so lies on it."""
        (width, height), strips = self.fitter.faces.size_mm, self.fitter.strips
        x, y = other.pose.at(0.0, strips.middle(other.lower))
        a = math.radians(card.pose.angle)
        dx, dy = x - card.pose.x, y - card.pose.y
        across, down = dx * math.cos(a) + dy * math.sin(a), dy * math.cos(a) - dx * math.sin(a)
        return abs(across) < width / 2 and abs(down) < height / 2

    def _sighting(self, card: Fitted, seen: Named) -> Sighting:
        name = self.fitter.faces.names[seen.names[0]]
        sure = min(1.0, max(0.0, seen.likeness)) * min(1.0, max(0.0, seen.share))
        return Sighting(name, card.pose.x, card.pose.y, card.pose.angle % 360, sure, float(seen.seen.mean()))

    def _unread(self, card: Fitted, seen: Named) -> Unread:
        names = tuple(self.fitter.faces.names[number] for number in seen.names[: _NAME.candidates])
        cause = "glare" if seen.lost > _NAME.lost_share else "doubtful"
        return Unread(card.pose.x, card.pose.y, card.pose.angle % 360, cause, names, float(seen.seen.mean()))


def _weight(card: Fitted, rough: Named) -> float:
    """How much a fit explains and how well."""
    return (card.likeness if rough.fits else 0.5 * card.likeness) + _FIT.seen_weight * float(rough.seen.mean())


@dataclass(frozen=True)
class _Explained:
    """What of the mat the cards found so far explain, 255 there, at the search's scale."""

    mask: Picture = field(repr=False)

    @classmethod
    def of(cls, flat: FlatMat) -> _Explained:
        width, height = flat.size_mm
        return cls(np.zeros((round(height * _SEARCH.px_per_mm), round(width * _SEARCH.px_per_mm)), np.uint8))

    def share(self, pose: Pose, size_mm: tuple[float, float]) -> float:
        """The share of a rectangle that is explained."""
        own = np.zeros_like(self.mask)
        cv2.fillConvexPoly(own, _outline(pose, size_mm), 255)
        x, y, w, h = cv2.boundingRect(_outline(pose, size_mm))
        part = (slice(max(0, y), max(0, y + h)), slice(max(0, x), max(0, x + w)))
        inside = own[part] > 0
        return float((self.mask[part][inside] > 0).mean()) if inside.any() else 1.0

    def add(self, pose: Pose, size_mm: tuple[float, float], seen: np.ndarray) -> None:
        """Explain what is seen (h, w) of a card."""
        width, height = size_mm
        rows = seen.mean(axis=1) > 0.5
        runs = np.flatnonzero(np.diff(np.concatenate([[0], rows.astype(int), [0]])))
        for top, bottom in runs.reshape(-1, 2).tolist():
            y0, y1 = (edge / len(rows) * height - height / 2 for edge in (top, bottom))
            cv2.fillConvexPoly(self.mask, _outline(pose.moved(0.0, (y0 + y1) / 2), (width, y1 - y0)), 255)


def _outline(pose: Pose, size_mm: tuple[float, float]) -> np.ndarray:
    """A rectangle's corners (4, 2) in px of the search's scale."""
    w, h = size_mm[0] / 2, size_mm[1] / 2
    corners = [pose.at(right, down) for right, down in ((-w, -h), (w, -h), (w, h), (-w, h))]
    return np.round(np.array(corners) * _SEARCH.px_per_mm).astype(np.int32)
