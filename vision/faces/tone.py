"""How a camera shows a deck otherwise than the one that it was learnt with: brighter or darker tones, paler colours.

White paper is set right by the markers, and a gain apart; what lies between white and black, and how colourful it is, a
camera's own curve decides. The cards on the mat tell it, before any has its name: a head is like itself in any tone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Floats
from vision.config import CONFIG
from vision.faces.fitting import Fitted, Fitter
from vision.faces.strips import inner_slices
from vision.faces.table import FlatMat
from vision.identify.faces import Faces

_TONE = CONFIG.faces.tone
_SAME_MM = CONFIG.faces.fit.same_card_mm
_LIGHT = CONFIG.mat.light


@dataclass(frozen=True, slots=True)
class ToneCurve:
    """A face's values, as shares of white, are seen at this ``power`` and times this ``gain``; of their differences
    from grey this share, ``colour``, is left.
    """

    power: float = 1.0
    gain: float = 1.0
    colour: float = 1.0

    @classmethod
    def from_cards(cls, fitter: Fitter, flat: FlatMat, cards: Sequence[Fitted]) -> ToneCurve:
        """Measure the tone in which most of some cards are seen; take that of the deck where there are too few."""
        clear: list[tuple[Fitted, tuple[float, float]]] = []
        for card in sorted(cards, key=lambda c: -c.likeness):
            head = card.pose.to_mat(0.0, fitter.strips.middle_offset(card.lower))
            # Where a head is, another face may fit less well, upside down mostly, and in any tone.
            if card.likeness >= _TONE.least_likeness and all(math.dist(head, one) > _SAME_MM for _, one in clear):
                clear.append((card, head))
        tones = [one for card, _ in clear[: _TONE.most_cards] if (one := _of_card(fitter, flat, card)) is not None]
        return cls(*np.median(tones, axis=0).tolist()) if len(tones) >= _TONE.least_cards else cls()

    def is_near(self, other: ToneCurve) -> bool:
        """Tell whether faces look about the same in both."""
        return (
            abs(math.log(self.power / other.power)) <= _TONE.usual_power
            and abs(self.colour - other.colour) <= _TONE.usual_colour
        )

    def apply_to(self, points: Floats) -> Floats:
        """Bring values (…, 3), white at 235, to this tone."""
        toned = self.gain * _LIGHT.paper_white * (points / np.float32(_LIGHT.paper_white)) ** self.power
        grey = toned.mean(axis=-1, keepdims=True)
        return np.asarray(grey + self.colour * (toned - grey), np.float32)

    def apply_to_faces(self, faces: Faces) -> Faces:
        """Bring faces to this tone."""
        pictures = [np.clip(self.apply_to(picture) + 0.5, 0, 255).astype(np.uint8) for picture in faces.pictures]
        return replace(faces, pictures=np.stack(pictures))


def _of_card(fitter: Fitter, flat: FlatMat, card: Fitted) -> tuple[float, float, float] | None:
    """Measure the tone in which a card's head is seen, by its likeliest face.

    Return ``None`` where too little of it is of a middle tone.
    """
    face = fitter.small[card.names[0]]
    high = round(fitter.strips.size_mm[1] * CONFIG.faces.fit.px_per_mm)
    inner, columns = inner_slices(face.shape[1::-1], CONFIG.faces.fit.px_per_mm)
    rows = slice(len(face) - high, inner.stop) if card.lower else slice(inner.start, high)
    shown = flat.cut_patch(card.pose, fitter.faces.size_mm)[rows, columns].reshape(-1, 3)
    known = face[rows, columns].reshape(-1, 3)
    greys = [points.mean(axis=1) / np.float32(_LIGHT.paper_white) for points in (known, shown)]
    middle = np.all([(_TONE.darkest < grey) & (grey < _TONE.brightest) for grey in greys], axis=0)
    if np.count_nonzero(middle) < _TONE.least_points:
        return None
    # Sorted each, as what lies a fraction of a millimetre off would make any curve flatter.
    one, other = (np.log(np.sort(grey[middle])) for grey in greys)
    if one.std() < _TONE.least_spread:
        return None
    power = float(other.std() / one.std())
    gain = math.exp(float(other.mean() - power * one.mean()))
    plain = ToneCurve(power, gain).apply_to(known)
    away, seen = (points - points.mean(axis=1, keepdims=True) for points in (plain, shown))
    return power, gain, float((away * seen).sum() / max(1.0, float(np.square(away).sum())))
