"""Pairwise verification: the top candidates are compared two by two, only where their templates differ.

A band along the top, a frame or one ink for all suits makes cards alike in nearly every point. What tells them apart is
then a small mark anywhere in the crop, which an overall similarity hardly weighs. So both templates are laid over the
crop seen, and only the boxes in which they differ are compared, each where it fits best.
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
from vision.config import CONFIG
from vision.detect.occlusion import count_visible_rows
from vision.identify.correlation import sum_windows
from vision.identify.deck import Deck
from vision.identify.templates import AlignedCrop, EnrolledTemplate, TemplatePair, normalise_crop

_SIMILARITY = CONFIG.identify.similarity
_ALIGNMENT = CONFIG.identify.alignment
_PAIRWISE = CONFIG.identify.pairwise
_MISFIT = CONFIG.identify.misfit


class PairOutcome(NamedTuple):
    """Who won, from about −1, the other template, to 1, the one, and whether only by part of a hidden mark."""

    won: float
    partial: bool


@dataclass
class PairwiseVerifier:
    """Compares cards of one deck pairwise; the pairs compared last are kept."""

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
        """Log odds (n, m) of corners once their likeliest cards were compared pairwise.

        Args:
            wide: the corners' crops with a margin of 5 px all round, (66, 170, 3) BGR uint8.
            odds: what ``similarity.compare`` says of them. Between deck corners whose embeddings hardly differ, a
                difference is mostly noise and counts as little as they differ.
            occluded: for each crop (66, 170) where other cards lie on it.
            least: for each crop how well (log odds) it has to show the deck to be of use; one that can't is left as it
                is.
        """
        settled = odds.copy()
        for n, crop in enumerate(wide):
            mask = occluded[n] if occluded else None
            seen: Floats | None = None
            level, met = float(odds[n].max()), set[int]()
            shows_none = level < _SIMILARITY.nothing_odds - _PAIRWISE.below_nothing_odds
            if shows_none or (least and level + _PAIRWISE.max_rise_odds <= least[n]):
                continue
            best = int(odds[n].argmax())
            while best not in met and len(met) < _PAIRWISE.max_rounds:
                met.add(best)
                behind = (odds[n, best] - odds[n]) * self.deck.distinctness[best]
                if len(met) == 1:
                    settled[n] = level - behind
                nearer = behind.reshape(-1, 2).argmin(axis=1) + np.arange(0, len(behind), 2)
                order = nearer[np.argsort(behind[nearer])]
                close = _PAIRWISE.close_paper_odds if self.deck.kinds[best] == "paper" else _PAIRWISE.close_odds
                rivals = [int(m) for m in order if m // 2 != best // 2 and behind[m] < close][: _PAIRWISE.max_rivals]
                if rivals:
                    seen = normalise_crop(crop) if seen is None else seen
                    aligned = AlignedCrop.align_to(seen, self.get_enrolled(best).part.values, mask)
                for rival in rivals:
                    won, partial = self.verify_pair(aligned, best, rival, mask)
                    both = [rival, rival ^ 1] if self.deck.symmetric[rival // 2] else [rival]
                    settled[n, both] = (
                        level
                        - _PAIRWISE.share * behind[both]
                        - _PAIRWISE.weight * (_PAIRWISE.partial_weight if partial else 1.0) * won
                    )
                # who beats the likeliest is likelier than that, but shows the deck hardly more clearly for it
                best = int(settled[n].argmax())
                if len(met) == 1:
                    level = min(float(settled[n, best]), level + _PAIRWISE.max_rise_odds)
                settled[n] += level - settled[n, best]
        return settled

    def verify_pair(self, aligned: AlignedCrop, one: int, other: int, occluded: Picture | None = None) -> PairOutcome:
        """Compare how the template that the crop is aligned to fares against another; both are rows of embeddings."""
        outcome = self._compare_templates(aligned, one, other, occluded)
        if not outcome.partial or outcome.won == 0 or not self.deck.symmetric[other // 2]:
            return outcome
        # without the mark that tells them best, grain of one template may pass for a difference: both sides are asked
        won, second = outcome.won, self._compare_templates(aligned, one, other ^ 1, occluded).won
        return PairOutcome(math.copysign(min(abs(won), abs(second)), won) if won * second > 0 else 0.0, True)

    def _compare_templates(self, aligned: AlignedCrop, one: int, other: int, occluded: Picture | None) -> PairOutcome:
        """Compare with the one template alone; by part where much of what they differ in most is covered."""
        pair = self._pair(one, other)
        if not pair.boxes:
            return PairOutcome(0.0, False)
        match = aligned.match(pair)
        nearer = apart = strange = 0.0
        rows = [count_visible_rows(occluded, aligned.x + x, aligned.y + y, w, h) for x, y, w, h in pair.boxes]
        hidden = any(free < h * _MISFIT.hidden_share for free, (_, _, _, h) in zip(rows, pair.boxes, strict=True))
        for x, y, w, h in pair.find_differences(aligned.find_free(occluded)) if hidden else pair.boxes:
            lower = count_visible_rows(occluded, aligned.x + x, aligned.y + y, w, h + _MISFIT.occlusion_error_rows)
            free = min(lower, h)
            if free < _MISFIT.min_rows:
                continue
            least = (
                free
                if lower == h + _MISFIT.occlusion_error_rows
                else max(_MISFIT.min_rows, free - _MISFIT.occlusion_error_rows)
            )
            around, templates = match.cut_parts((x, y, w, free))
            shown = [_compare_misfits(around, templates, down) for down in range(least, free + 1)]
            off_one, off_other, differ, size = min(shown, key=lambda s: min(s[:2]) / max(s[2], 1e-6))
            if (
                min(off_one, off_other) - match.noise * size > _MISFIT.neither_share * differ
            ):  # another card or a finger lies there
                continue
            nearer += off_other - off_one
            strange += max(0.0, off_other + off_one - 2 * match.noise * size)
            apart += differ
        won = nearer / max(apart, strange, 1e-6)  # what is like neither decides nothing
        return PairOutcome(won * math.sqrt(min(apart / _MISFIT.clear_misfit, 1.0)), hidden)

    def _pair(self, one: int, other: int) -> TemplatePair:
        pair = self._pairs.get((one, other))
        if pair is None:
            if len(self._pairs) >= _PAIRWISE.kept:
                del self._pairs[next(iter(self._pairs))]
            pair = self._pairs[one, other] = TemplatePair.align(self.get_enrolled(one), self.get_enrolled(other))
        return pair

    def get_enrolled(self, row: int) -> EnrolledTemplate:
        """Return the template of a row of ``deck.embeddings``."""
        if row not in self._enrolled:
            self._enrolled[row] = EnrolledTemplate.from_crop(self.deck.cards[row // 2].crops[row % 2])
        return self._enrolled[row]


def _compare_misfits(around: Floats, templates: Floats, rows: int) -> tuple[float, float, float, int]:
    """Measure how much two templates misfit what is seen and differ themselves, and how many values they have.

    Only so many of their upper rows are compared. Each misfit is taken where the template fits best, but for veiling
    glare over all of it and a shadow that deepens evenly from its top to its foot.

    Args:
        around: what is seen, with 3 px more all round than the templates.
        templates: the two (2, h, w, 3).
        rows: so many, at most h.
    """
    n, (w, colours) = _ALIGNMENT.slack_px, templates.shape[2:]
    seen = np.empty((3, rows + 2 * n, w + 2 * n, colours), np.float32)
    seen[0] = around[: rows + 2 * n]
    for framed, part in zip(seen[1:], templates, strict=True):  # each template as the other may see it
        cv2.copyMakeBorder(part[:rows], n, n, n, n, cv2.BORDER_REPLICATE, framed)
    windows, values = _cut_windows(seen, rows, w), templates[:, :rows].reshape(2, 1, 1, -1)
    shared = np.concatenate([np.vecdot(windows[:1], values), np.vecdot(windows[1:], values[::-1])])
    squares = sum_windows(np.einsum("kyxc,kyxc->kyx", seen, seen), rows, w)
    # both templates over what is seen (0), and each over the other (1 and 2)
    of_seen, of_template = [0, 0, 1, 2], [0, 1, 1, 0]
    off = squares[of_seen] - 2 * shared
    best = off.reshape(4, -1).argmin(axis=1).tolist()
    away = np.empty((4, values.shape[-1]), np.float32)
    for each, k, j, place in zip(away, of_seen, of_template, best, strict=True):
        np.subtract(windows[k][divmod(place, 2 * n + 1)], values[j, 0, 0], out=each)
    one, other, *differ = _sum_residue(away, rows)
    return one, other, sum(differ) / 2, values.shape[-1]


def _cut_windows(seen: Floats, h: int, w: int) -> Floats:
    """Cut out all windows of h × w px in pictures (n, h + 6, w + 6, 3), each as a row of values: (n, 7, 7, h w 3)."""
    places = 2 * _ALIGNMENT.slack_px + 1
    each, down, right, value = seen.strides
    wide = w * seen.shape[-1]
    # shifted to the right each is a copy; shifted down it is the same numbers, begun later
    moved = np.ndarray((len(seen), places, seen.shape[1], wide), np.float32, seen, 0, (each, right, down, value)).copy()
    each, right, down, value = moved.strides
    return np.ndarray((len(seen), places, places, h * wide), np.float32, moved, 0, (each, down, right, value))


def _sum_residue(away: Floats, rows: int) -> list[float]:
    """Square and sum up what is off (n, values), without an even veil and shadow."""
    width = away.shape[1] // rows
    ramps, span = _make_ramps(rows)
    by_row = away.reshape(-1, width).sum(axis=1).reshape(-1, rows)
    left: list[float] = []
    for total, (in_all, along) in zip(np.vecdot(away, away).tolist(), (by_row @ ramps).tolist(), strict=True):
        veil = min(max(in_all / away.shape[1], -_MISFIT.max_veil), _MISFIT.max_veil)
        shadow = min(max(along / (width * span), -_MISFIT.max_shadow), _MISFIT.max_shadow)
        # the sum of squares less both, without another array: the ramp's own sum is 0
        lit = veil * (2 * in_all - veil * away.shape[1]) + shadow * (2 * along - shadow * width * span)
        left.append(max(0.0, total - lit))
    return left


@cache
def _make_ramps(rows: int) -> tuple[Floats, float]:
    """Return an even 1 and a ramp from −1 at the top row to 1 at the last (rows, 2), and the ramp's sum of squares."""
    ramp = np.linspace(-1, 1, rows, dtype=np.float32)
    return np.stack([np.ones_like(ramp), ramp], axis=1), float(ramp @ ramp)
