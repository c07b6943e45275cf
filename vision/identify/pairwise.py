"""Which of two cards that look alike it is, asked only where their prints differ.

A band along the top, a frame or one ink for all suits makes cards alike in nearly every point; what tells them apart is
then a small mark anywhere in the crop, which an overall likeness hardly weighs. A duel lays both enrolled crops over
the one seen, and compares only the boxes in which the two differ, each box where it fits best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.detect.occlusion import visible_rows
from vision.identify.correlation import sums_within
from vision.identify.deck import Deck
from vision.identify.similarity import NOTHING
from vision.identify.templates import SLACK_PX, AlignedCrop, EnrolledTemplate, TemplatePair, normalised_crop

WEIGHT, SHARE = 9.0, 0.7
"""Log odds of a duel that is won clearly, and the share that the likeness as a whole keeps beside it: where prints
differ, they say the most. Of decks that training never saw 13 names 1.3 % more crops and misreads 1.0 % more."""
CLOSE, CLOSE_PAPERS = 7.0, 9.0
"""Rivals within these log odds of the likeliest card are asked to a duel; papers, which a numeral alone may tell apart,
from further behind."""
RIVALS = 5
"""So many cards at the most."""
_ROUNDS = 3
"""Who beats the likeliest meets the others in a further round, so often at the most."""

_LEAST_ROWS = 3
_MUCH = 0.5
"""Where more than this of a box is covered, what differs slightly elsewhere is asked too."""
_CLEAR = 1.0
"""Prints that misfit each other by this much (squared, summed over the boxes) or more are fully told apart."""
_MOST_VEIL, _MOST_SHADOW = 0.25, 0.3
"""Glare and blur may brighten or darken a box as a whole by so much (1 is white); a hue differs by more. The shadow of
the card below may darken its foot, and brighten its top against its middle, by the second."""
_PART = 0.7
"""How much a duel over what is left of a hidden mark weighs: of those won by a fifth to two fifths among decks that
training never saw a quarter were won by the wrong one, where all shows a tenth."""
_SHOWS = NOTHING - 3.0
"""An end that is less like any card (log odds) shows none of the deck, whatever duels say; mats and marks give many."""
_HIDDEN = 1.1
"""A box in which both misfit by more than noise and this share of what they misfit each other shows neither."""
_MOST_RISE = 4.0
"""Who beats the likeliest shows the deck no more clearly than that by more than this (log odds): duels ask which."""
_ASTRAY_ROWS = 3
"""By so many rows (1.2 mm) the card below may begin higher than its end was found."""
_OF_SEEN, _OF_PRINT = [0, 0, 1, 2], [0, 1, 1, 0]
"""Both prints are laid over what is seen (0), and each over the other (1 and 2)."""
_REMEMBERED = 600


class PairOutcome(NamedTuple):
    """Who won a duel, from about −1, the other print, to 1, the one, and whether by ``part`` of a hidden mark."""

    won: float
    part: bool


@dataclass
class PairwiseVerifier:
    """Duels between cards of one deck; the pairs that met last are remembered."""

    deck: Deck
    _pairs: dict[tuple[int, int], TemplatePair] = field(default_factory=dict, repr=False)
    _enrolled: dict[int, EnrolledTemplate] = field(default_factory=dict, repr=False)

    def verify(
        self,
        wide: Sequence[Picture],
        odds: Floats,
        occluded: Sequence[Picture | None] = (),
        least: Sequence[float] = (),
    ) -> Floats:
        """Log odds (n, m) of ends once their likeliest cards have fought it out.

        Args:
            wide: the ends' crops with a margin of 5 px all round, (66, 170, 3) BGR uint8.
            odds: what ``similarity.compare`` says of them. Between enrolled ends that hardly differ for the embedder,
                a difference in it is mostly noise and counts as little as they differ.
            covered: for each crop (66, 170) where other cards lie on it.
            least: for each crop how well (log odds) it has to show the deck to be of use; one that can't is left as
                it is.
        """
        settled = odds.copy()
        for n, crop in enumerate(wide):
            mask = occluded[n] if occluded else None
            seen: Floats | None = None
            level, met = float(odds[n].max()), set[int]()
            if level < _SHOWS or (least and level + _MOST_RISE <= least[n]):
                continue
            best = int(odds[n].argmax())
            while best not in met and len(met) < _ROUNDS:
                met.add(best)
                behind = (odds[n, best] - odds[n]) * self.deck.distinctness[best]
                if len(met) == 1:
                    settled[n] = level - behind
                nearer = behind.reshape(-1, 2).argmin(axis=1) + np.arange(0, len(behind), 2)
                order = nearer[np.argsort(behind[nearer])]
                close = CLOSE_PAPERS if self.deck.kinds[best] == "paper" else CLOSE
                rivals = [int(m) for m in order if m // 2 != best // 2 and behind[m] < close][:RIVALS]
                if rivals:
                    seen = normalised_crop(crop) if seen is None else seen
                    aligned = AlignedCrop.over(seen, self.enrolled(best).part.values, mask)
                for rival in rivals:
                    won, part = self.verify_pair(aligned, best, rival, mask)
                    both = [rival, rival ^ 1] if self.deck.symmetric[rival // 2] else [rival]
                    settled[n, both] = level - SHARE * behind[both] - WEIGHT * (_PART if part else 1.0) * won
                # who beats the likeliest is likelier than that, but shows the deck hardly more clearly for it
                best = int(settled[n].argmax())
                if len(met) == 1:
                    level = min(float(settled[n, best]), level + _MOST_RISE)
                settled[n] += level - settled[n, best]
        return settled

    def verify_pair(self, aligned: AlignedCrop, one: int, other: int, occluded: Picture | None = None) -> PairOutcome:
        """How the print that the crop is laid over fares against another; both rows of ``deck.embeddings``."""
        outcome = self._compare_templates(aligned, one, other, occluded)
        if not outcome.part or outcome.won == 0 or not self.deck.symmetric[other // 2]:
            return outcome
        # without the mark that tells them best, grain of one enrolled print may pass for a difference: both are asked
        won, second = outcome.won, self._compare_templates(aligned, one, other ^ 1, occluded).won
        return PairOutcome(math.copysign(min(abs(won), abs(second)), won) if won * second > 0 else 0.0, True)

    def _compare_templates(self, aligned: AlignedCrop, one: int, other: int, occluded: Picture | None) -> PairOutcome:
        """A fight against the one print alone; by part where much of where the two differ most is covered."""
        pair = self._pair(one, other)
        if not pair.boxes:
            return PairOutcome(0.0, False)
        match = aligned.match(pair)
        nearer = apart = strange = 0.0
        rows = [visible_rows(occluded, aligned.x + x, aligned.y + y, w, h) for x, y, w, h in pair.boxes]
        hidden = any(free < h * _MUCH for free, (_, _, _, h) in zip(rows, pair.boxes, strict=True))
        for x, y, w, h in pair.slight(aligned.free(occluded)) if hidden else pair.boxes:
            lower = visible_rows(occluded, aligned.x + x, aligned.y + y, w, h + _ASTRAY_ROWS)
            free = min(lower, h)
            if free < _LEAST_ROWS:
                continue
            least = free if lower == h + _ASTRAY_ROWS else max(_LEAST_ROWS, free - _ASTRAY_ROWS)
            around, templates = match.parts((x, y, w, free))
            shown = [_compared(around, templates, down) for down in range(least, free + 1)]
            off_one, off_other, differ, size = min(shown, key=lambda s: min(s[:2]) / max(s[2], 1e-6))
            if min(off_one, off_other) - match.noise * size > _HIDDEN * differ:  # another card or a finger lies there
                continue
            nearer += off_other - off_one
            strange += max(0.0, off_other + off_one - 2 * match.noise * size)
            apart += differ
        won = nearer / max(apart, strange, 1e-6)  # what is like neither decides nothing
        return PairOutcome(won * math.sqrt(min(apart / _CLEAR, 1.0)), hidden)

    def _pair(self, one: int, other: int) -> TemplatePair:
        pair = self._pairs.get((one, other))
        if pair is None:
            if len(self._pairs) >= _REMEMBERED:
                del self._pairs[next(iter(self._pairs))]
            pair = self._pairs[one, other] = TemplatePair.of(self.enrolled(one), self.enrolled(other))
        return pair

    def enrolled(self, row: int) -> EnrolledTemplate:
        """The print of a row of ``deck.embeddings``."""
        if row not in self._enrolled:
            self._enrolled[row] = EnrolledTemplate.of(self.deck.cards[row // 2].crops[row % 2])
        return self._enrolled[row]


def _compared(around: Floats, templates: Floats, rows: int) -> tuple[float, float, float, int]:
    """By how much two prints misfit what is seen round them and differ themselves, and how many values they have.

    Only so many of their upper rows are compared. Each misfit is taken where the print fits best, but for a veil of
    light over all of it and a shadow that deepens evenly from its top to its foot.

    Args:
        around: what is seen, with 3 px more all round than the prints.
        prints: the two (2, h, w, 3).
        rows: so many at the most h.
    """
    n, (w, colours) = SLACK_PX, templates.shape[2:]
    seen = np.empty((3, rows + 2 * n, w + 2 * n, colours), np.float32)
    seen[0] = around[: rows + 2 * n]
    for framed, part in zip(seen[1:], templates, strict=True):  # each print as the other may see it
        cv2.copyMakeBorder(part[:rows], n, n, n, n, cv2.BORDER_REPLICATE, framed)
    windows, values = _windows(seen, rows, w), templates[:, :rows].reshape(2, 1, 1, -1)
    shared = np.concatenate([np.vecdot(windows[:1], values), np.vecdot(windows[1:], values[::-1])])
    squares = sums_within(np.einsum("kyxc,kyxc->kyx", seen, seen), rows, w)
    off = squares[_OF_SEEN] - 2 * shared
    best = off.reshape(4, -1).argmin(axis=1).tolist()
    away = np.empty((4, values.shape[-1]), np.float32)
    for each, k, j, place in zip(away, _OF_SEEN, _OF_PRINT, best, strict=True):
        np.subtract(windows[k][divmod(place, 2 * n + 1)], values[j, 0, 0], out=each)
    one, other, *differ = _left(away, rows)
    return one, other, sum(differ) / 2, values.shape[-1]


def _windows(seen: Floats, h: int, w: int) -> Floats:
    """All windows of h × w px in pictures (n, h + 6, w + 6, 3), each as one row of values: (n, 7, 7, h w 3)."""
    places = 2 * SLACK_PX + 1
    each, down, right, value = seen.strides
    wide = w * seen.shape[-1]
    # shifted to the right each is a copy; shifted down it is the same numbers, begun later
    moved = np.ndarray((len(seen), places, seen.shape[1], wide), np.float32, seen, 0, (each, right, down, value)).copy()
    each, right, down, value = moved.strides
    return np.ndarray((len(seen), places, places, h * wide), np.float32, moved, 0, (each, down, right, value))


def _left(away: Floats, rows: int) -> list[float]:
    """What is left of what is off (n, values), squared and summed, without an even veil and shadow."""
    width = away.shape[1] // rows
    ramps, span = _ramps(rows)
    by_row = away.reshape(-1, width).sum(axis=1).reshape(-1, rows)
    left: list[float] = []
    for total, (in_all, along) in zip(np.vecdot(away, away).tolist(), (by_row @ ramps).tolist(), strict=True):
        veil = min(max(in_all / away.shape[1], -_MOST_VEIL), _MOST_VEIL)
        shadow = min(max(along / (width * span), -_MOST_SHADOW), _MOST_SHADOW)
        # the sum of squares less both, without another array: the ramp's own sum is 0
        lit = veil * (2 * in_all - veil * away.shape[1]) + shadow * (2 * along - shadow * width * span)
        left.append(max(0.0, total - lit))
    return left


@cache
def _ramps(rows: int) -> tuple[Floats, float]:
    """An even 1 and a ramp from −1 at the top row to 1 at the last (rows, 2), and the ramp's sum of squares."""
    ramp = np.linspace(-1, 1, rows, dtype=np.float32)
    return np.stack([np.ones_like(ramp), ramp], axis=1), float(ramp @ ramp)
