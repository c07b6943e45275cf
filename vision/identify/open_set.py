"""Open-set verification: whether a corner shows the card that it is likeliest, or one that was never enrolled.

All else asks which of the deck's cards a corner is likest, and one of them always is. Here the likeliest card's
template is laid over what is seen, and what it leaves unexplained is measured blot by blot where the cards of a deck
differ from each other, in their index or title. A card that is not of the deck leaves a whole mark there, however alike
the rest is, and so does one that was named wrongly. Where another card's template explains a blot far better, as the
suit of a card that was left out is that of others, much less is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.geometry import CROP_MARGIN_PX
from vision.identify.aligner import cut_under, find_likest_place, from_point, lie_at, limit_steps, refine_lie
from vision.identify.deck import Deck, kind_of
from vision.identify.templates import (
    INSIDE,
    convert_to_grey,
    count_part_rows,
    find_best_place,
    normalise_crop,
    part_of,
)

_OPEN_SET = CONFIG.identify.open_set.evidence
_ALIGNMENT = CONFIG.identify.open_set.alignment
_REGION = CONFIG.identify.open_set.region
_COVER = CONFIG.identify.open_set.cover
_PART = CONFIG.identify.part
_QUICK, _FINE = _ALIGNMENT.quick, _ALIGNMENT.sharpness_px
_STEPS = limit_steps(_ALIGNMENT.steps, _ALIGNMENT.epsilon)
_ROOM = _ALIGNMENT.room_px
_HALF = _OPEN_SET.half_blot_px

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Region:
    """Where the cards of one kind differ from each other: a box of the part (x, y px) and which of its points do.

    ``rows`` are the corners compared, ``padded`` their templates there in each blur asked for, with half a blot round
    each (n, h + 6, w + 6, 3): as half floats, as there are many.
    """

    x: int
    y: int
    points: Mask
    rows: tuple[int, ...]
    padded: dict[float, NDArray[np.float16]]

    def get_template(self, number: int, blur_px: float) -> Floats:
        """Return one of the templates (h, w, 3), blurred by that much."""
        return self.padded[blur_px][number, _HALF:-_HALF, _HALF:-_HALF].astype(np.float32)

    def get_blots(self, at: tuple[int, int], blur_px: float) -> Floats:
        """Return the blots (n, side, side, 3) round a point (x, y px) of all templates, blurred by that much."""
        x, y = at
        side = _OPEN_SET.blot_px
        return self.padded[blur_px][:, y : y + side, x : x + side].astype(np.float32)


@dataclass(frozen=True)
class _Shown:
    """A card's template: its number in the region, and in grey its part (h, w) and what of it lies in the region."""

    region: _Region
    number: int
    part: Floats
    grey: Floats


@dataclass(frozen=True)
class _Fit:
    """What is seen in a region with its surroundings, and how its cards' templates are brought into its light.

    ``contrast`` is by how much a template then strays from its mean, by channel.
    """

    around: Floats
    blur_px: float
    slope: Floats
    own_middle: Floats
    middle: Floats
    contrast: Floats

    def light_templates(self, templates: Floats) -> Floats:
        """Bring templates (…, 3) to the light of what is seen."""
        light = np.column_stack([np.diag(self.slope), self.middle - self.slope * self.own_middle])
        return np.asarray(cv2.transform(templates.reshape(-1, 1, 3), light), np.float32).reshape(templates.shape)


@dataclass
class OpenSetVerifier:
    """Asks corners for evidence that they show a card of one deck; what was made of its templates is kept."""

    deck: Deck
    _regions: dict[tuple[str, str, int], _Region] = field(default_factory=dict, repr=False)
    _shown: dict[int, _Shown] = field(default_factory=dict, repr=False)

    def measure_nearby(self, far: Picture, row: int, occluded: Picture | None) -> float | None:
        """Measure what a card leaves unexplained of a corner that does not lie where it was found, but near.

        Args:
            far: the corner's crop with a margin of 5 + ``displaced_px`` px all round, BGR uint8.
            row: the card's corner, a row of ``deck.embeddings``.
            occluded: where other cards lie on that crop.

        Returns:
            As ``measure_unexplained``.
        """
        grey = convert_to_grey(normalise_crop(far))
        shown = self._get_template(row)
        _, x, y = find_likest_place(grey, shown.grey)
        height, width = (size - 2 * _OPEN_SET.displaced_px for size in far.shape[:2])
        left = x - shown.region.x - _PART.left_px - CROP_MARGIN_PX
        top = y - shown.region.y - _PART.top_px - CROP_MARGIN_PX
        left, top = (int(np.clip(at, 0, 2 * _OPEN_SET.displaced_px)) for at in (left, top))
        box = slice(top, top + height), slice(left, left + width)
        mask = None if occluded is None else occluded[box]
        return self.measure_unexplained(np.ascontiguousarray(far[box]), row, mask)

    def measure_unexplained(self, wide: Picture, row: int, occluded: Picture | None = None) -> float | None:
        """Measure the most that a card leaves unexplained in any blot of a corner, as a share of what is believed.

        Args:
            wide: the corner's crop with a margin of 5 px all round, (66, 170, 3) BGR uint8.
            row: the card's corner, a row of ``deck.embeddings``.
            occluded: where (66, 170) other cards lie on the crop.

        Returns:
            From 1 on it is another card; what is below need not be the least. None where too little shows to tell.
        """
        shown = self._get_template(row)
        seen = normalise_crop(wide)
        shares = []
        for warp, ways in self._list_alignments(seen, shown, occluded):
            hidden = _find_hidden(occluded, warp, shown)
            covered: Mask | None = None
            for slack, sharpness in ways:
                left = _measure_unexplained(seen, warp, slack, sharpness, shown, hidden)
                if left is not None and left >= 1:
                    covered = hidden | self._cover(seen, warp, row) if covered is None else covered
                    shares.append(left)
                    left = _measure_unexplained(seen, warp, slack, sharpness, shown, covered)
                if left is None:
                    continue
                shares.append(left)
                if left < 1:
                    return left
        return min(shares, default=None)

    def _list_alignments(
        self, seen: Floats, shown: _Shown, occluded: Picture | None
    ) -> Iterator[tuple[Floats, tuple[tuple[int, tuple[tuple[float, float], ...]], ...]]]:
        """List how a template may lie on a crop, with how far off blots may be, and how sharp both.

        First as quickly found, then more exactly.
        """
        shows = max(_ALIGNMENT.min_rows, count_part_rows(occluded))
        over, fine = convert_to_grey(seen), (_ALIGNMENT.slack_px, _FINE)
        for depth in dict.fromkeys((shows, min(shows, _ALIGNMENT.upper_rows))):
            x, y = find_best_place(over, shown.part[:depth])
            rough = lie_at(x + shown.region.x, y + shown.region.y)
            rows = min(len(shown.grey), max(_ALIGNMENT.min_rows, depth - shown.region.y))
            exact = _align_grey(shown.grey[:rows], over, rough)
            yield rough if exact is None else exact, ((0, _QUICK), fine)
            if exact is not None:
                yield rough, (fine,)

    def _cover(self, seen: Floats, warp: Floats, row: int) -> Mask:
        """Find where something that nobody found lies on a region: over the lower, upper or right edge of the part."""
        part, region = _part_of(self.deck, row), self._get_template(row).region
        there = cut_under(seen, from_point(warp, -region.x, -region.y), part.shape[1::-1], cv2.INTER_LINEAR)
        covered = _find_over_lower_edge(there, part, _COVER.width_px)
        covered |= _find_over_lower_edge(there[::-1], part[::-1], _COVER.width_px)[::-1]
        aside, across = (np.ascontiguousarray(each.transpose(1, 0, 2)) for each in (there, part))
        covered |= _find_over_lower_edge(aside, across, round(_COVER.height_share * len(part)), _COVER.filled_share).T
        h, w = region.points.shape
        return covered[region.y : region.y + h, region.x : region.x + w]

    def _get_template(self, row: int) -> _Shown:
        if row not in self._shown:
            region = self._get_region(row)
            h, w = region.points.shape
            part = convert_to_grey(_part_of(self.deck, row))
            grey = np.ascontiguousarray(part[region.y : region.y + h, region.x : region.x + w])
            self._shown[row] = _Shown(region, region.rows.index(row), part, grey)
        return self._shown[row]

    def _get_region(self, row: int) -> _Region:
        key = _key_of(self.deck, row)
        if key not in self._regions:
            alike = [k for k in range(row % 2, 2 * len(self.deck.names), 2) if _key_of(self.deck, k) == key]
            self._regions[key] = _find_differing(tuple(alike), [_part_of(self.deck, k) for k in alike])
        return self._regions[key]


def find_least(shares: Sequence[float | None], untold: float = 0.0) -> float:
    """Return the least that a card leaves unexplained of its corners; ``untold`` where too little shows of all."""
    return min((left for left in shares if left is not None), default=untold)


def _key_of(deck: Deck, row: int) -> tuple[str, str, int]:
    """Return which cards a card is compared with: of its kind, of its side, the same corner."""
    name = deck.names[row // 2]
    return kind_of(name), name.partition("/")[2], row % 2


def _part_of(deck: Deck, row: int) -> Floats:
    return np.ascontiguousarray(part_of(deck.cards[row // 2].crops[row % 2]))


def _find_differing(rows: tuple[int, ...], parts: list[Floats]) -> _Region:
    """Find where parts (h, w, 3) of a deck's cards differ much; everywhere where there are too few to tell."""
    differ = INSIDE > 0
    if len(parts) >= _REGION.min_cards:
        middle = np.median(np.stack(parts), axis=0).astype(np.float32)
        grey = convert_to_grey(middle)
        laid = np.stack([_lay_over(part, grey) for part in parts])
        spread = _sum_blots(np.asarray(laid.var(axis=0).max(axis=-1) * INSIDE, np.float32))
        most = np.percentile(spread, _REGION.differ_most)
        weight = np.cumsum((spread * (differ & (spread > _REGION.differ_share * most))).sum(axis=1))
        if most > 0:
            differ &= spread > _REGION.differ_share * most
            differ[weight > (1 - _REGION.foot_share) * weight[-1]] = False
    down, across = np.flatnonzero(differ.any(axis=1)), np.flatnonzero(differ.any(axis=0))
    y0, x0 = (max(0, int(places[0]) - _REGION.around_px) for places in (down, across))
    y1, x1 = (int(places[-1]) + 1 + _REGION.around_px for places in (down, across))
    box = slice(y0, y1), slice(x0, x1)
    padded = {own: np.stack([_pad(_blur(part, own)[box]) for part in parts]) for own in {own for _, own in _FINE}}
    return _Region(x0, y0, np.ascontiguousarray(differ[box]), rows, padded)


def _lay_over(part: Floats, grey: Floats) -> Floats:
    """Make a part as bright as others on the whole, and lay it where the middle of all, in grey, says."""
    moved = _align_grey(grey, convert_to_grey(part), lie_at(0, 0))
    if moved is not None:
        part = cut_under(part, moved, part.shape[1::-1], cv2.INTER_CUBIC)
    return np.asarray(part - np.median(part[::2, ::2].reshape(-1, 3), axis=0), np.float32)


def _align_grey(grey: Floats, over: Floats, rough: Floats) -> Floats | None:
    """Find how a grey template lies in a grey picture, near a rough map (2, 3); None where that leads nowhere."""
    exact = refine_lie(grey, over, rough, _STEPS)
    if exact is None:
        return None
    found = exact[1]
    middle = np.array([grey.shape[1] / 2, grey.shape[0] / 2, 1], np.float32)
    near = float(np.abs((found - rough) @ middle).max()) < _ALIGNMENT.max_shift_px
    return found if near and abs(float(found[1, 0])) < _ALIGNMENT.max_turn else None


def _find_hidden(occluded: Picture | None, warp: Floats, shown: _Shown) -> Mask:
    """Find where other cards lie on a region, or may, as their places are known to a few px only."""
    h, w = shown.region.points.shape
    if occluded is None:
        return np.zeros((h, w), np.bool_)
    mask = cut_under(np.asarray(occluded, np.float32), warp, (w, h), cv2.INTER_NEAREST)
    return np.asarray(cv2.dilate(mask, np.ones(_COVER.beside_occluder_px, np.uint8)) > 0)


def _find_over_lower_edge(there: Floats, part: Floats, width_px: int, filled_share: float = 0.0) -> Mask:
    """Find where (h, w) something lies on a part: what differs from the template so far along the lower edge.

    Of all from there to the edge this share must differ: of a card that lies there it may be its edge and ink alone.
    """
    light, template = _subtract_ground(there), _subtract_ground(part)
    upper = slice(0, _COVER.free_rows)
    along, square = float((light[upper] * template[upper]).sum()), float(np.square(template[upper]).sum())
    slope = float(np.clip(along / (square + 1e-3), *_ALIGNMENT.slopes))
    ink = slope * _find_percentile(_take_greatest(np.abs(template)).ravel(), _COVER.ink_percentile)
    off = np.asarray(cv2.blur(_take_greatest(np.abs(light - np.float32(slope) * template)), (3, 3)), np.float32)
    noise = _find_percentile(off[::2, ::2].ravel(), 50.0)
    limit = max(_COVER.least, _COVER.ink_share * ink, _COVER.noise * noise)
    differ = (off > limit).astype(np.uint8)
    marks = cv2.morphologyEx(differ, cv2.MORPH_CLOSE, np.ones((3, 9), np.uint8))
    marks = cv2.morphologyEx(marks, cv2.MORPH_OPEN, np.ones((3, 15), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(marks)
    covered = np.zeros(marks.shape, np.uint8)
    for label in range(1, count):
        x, y, width, height, _ = stats[label]
        if y + height < len(marks) - 2 or width < width_px:
            continue
        if float(differ[y:, x : x + width].mean()) >= filled_share:
            covered[labels == label] = 1
    beside = np.ones(_COVER.beside_cover_px, np.uint8)
    return np.asarray(cv2.dilate(np.maximum.accumulate(covered, axis=0), beside) > 0)


def _measure_unexplained(
    seen: Floats, warp: Floats, slack: int, sharpness: tuple[tuple[float, float], ...], shown: _Shown, hidden: Mask
) -> float | None:
    """Return the most unexplained of any blot for a template that lies so on a crop, as a share of what is believed.

    Returns:
        That share; None where too little shows.
    """
    region, size = shown.region, _OPEN_SET.blot_px**2
    h, w = region.points.shape
    free = region.points & ~hidden
    points = _sum_blots(free.astype(np.float32))
    full = free & (points >= _OPEN_SET.blot_share * size)
    if np.count_nonzero(free) < _OPEN_SET.min_points or np.count_nonzero(full) < _OPEN_SET.min_blots:
        return None
    around = cut_under(seen, from_point(warp, -_ROOM, -_ROOM), (w + 2 * _ROOM, h + 2 * _ROOM), cv2.INTER_CUBIC)
    fit = _match_light(around, shown, free, sharpness)
    template = fit.light_templates(region.get_template(shown.number, fit.blur_px))
    contrast = fit.contrast / max(float(fit.contrast.max()), 1e-6)
    each = np.maximum(_OPEN_SET.least_weight, contrast).reshape(3, 1)
    weights, count = np.asarray(cv2.transform(free.astype(np.float32), each), np.float32), np.maximum(points, 1)
    near = range(_ROOM - slack, _ROOM + slack + 1)
    places = (fit.around[y : y + h, x : x + w] for y in near for x in near)
    off = np.min([_measure_spread(place - template, weights, count) for place in places], axis=0)
    core = fit.around[_ROOM : _ROOM + h, _ROOM : _ROOM + w]
    own = _measure_spread(template, weights, count)
    strong = _find_percentile(own[full], _OPEN_SET.strong_percentile) + 1e-9
    ink = _measure_spread(core, weights, count) + own + strong
    noise = _find_percentile(off[full], _OPEN_SET.noise_percentile)
    shares = np.where(full, np.maximum(off - noise, 0) / ink, 0)
    share = float(shares.max()) / _OPEN_SET.max_unexplained
    if share >= 1:
        return share
    limit = _OPEN_SET.max_better + _OPEN_SET.noise_factor * min(noise / strong, _OPEN_SET.max_noise)
    padded: Floats | None = None
    for _ in range(_OPEN_SET.most_blots):
        y, x = (int(at) for at in np.unravel_index(int(shares.argmax()), shares.shape))
        if shares[y, x] <= limit:
            break
        if padded is None:
            beside = ((_HALF, _HALF), (_HALF, _HALF), (0, 0))
            padded_weights, padded = np.pad(weights, beside), np.pad(fit.around, beside, mode="edge")
        blot = slice(y, y + _OPEN_SET.blot_px), slice(x, x + _OPEN_SET.blot_px)
        templates = fit.light_templates(region.get_blots((x, y), fit.blur_px))
        better = _measure_better_by(padded, (x, y), templates, shown.number, padded_weights[blot], float(count[y, x]))
        share = max(share, (better - noise) / float(ink[y, x]) / limit)
        shares[max(0, y - _HALF) : y + _HALF + 1, max(0, x - _HALF) : x + _HALF + 1] = 0
    return share


def _measure_better_by(
    around: Floats, at: tuple[int, int], templates: Floats, own: int, weights: Floats, count: float
) -> float:
    """Measure how much better the best of all templates' blots (n, h, w, 3) explains that at (x, y) than its own."""
    x, y = at
    side, near = _OPEN_SET.blot_px, range(1, 2 * _ROOM)
    places = np.stack(
        [around[y + down : y + down + side, x + right : x + right + side] for down in near for right in near]
    )
    apart = (places[:, None] - templates) * weights
    means = np.square(apart.sum(axis=(2, 3))).sum(axis=-1) / count
    off = ((np.square(apart).sum(axis=(2, 3, 4)) - means) / count).min(axis=0)
    return float(off[own] - off.min())


def _match_light(around: Floats, shown: _Shown, free: Mask, sharpness: tuple[tuple[float, float], ...]) -> _Fit:
    """Match what is seen (h + 6, w + 6, 3) and a template in sharpness, as alike as can be, and in light."""
    h, w = free.shape
    best: tuple[float, _Fit] | None = None
    points = np.flatnonzero(free)
    for blur, own in sharpness:
        seen, template = _blur(around, blur), shown.region.get_template(shown.number, own)
        core = seen[_ROOM : _ROOM + h, _ROOM : _ROOM + w].reshape(-1, 3)
        there, enrolled = core.take(points, axis=0).T, template.reshape(-1, 3).take(points, axis=0).T
        middle, own_middle = there.mean(axis=1), enrolled.mean(axis=1)
        there, enrolled = there - middle[:, None], enrolled - own_middle[:, None]
        along, square = np.vecdot(enrolled, there), np.vecdot(enrolled, enrolled) + np.float32(1e-3)
        slope = np.clip((along + along.mean()) / (square + square.mean()), *_ALIGNMENT.slopes)
        off = float((np.vecdot(there, there) - slope * (2 * along - slope * square)).sum())
        if best is None or off < best[0]:
            contrast = slope * np.sqrt(square / len(points))
            best = off, _Fit(seen, own, np.asarray(slope, np.float32), own_middle, middle, contrast)
    assert best is not None
    return best[1]


def _measure_spread(values: Floats, weights: Floats, count: Floats) -> Floats:
    """Measure how far (squared) values (h, w, 3) stray in each blot from their mean, per point; only weighted ones."""
    some = values * weights
    squares = _sum_blots(_sum_channels(some * some))
    means = _sum_channels(np.square(_sum_blots(some)))
    return np.asarray((squares - means / count) / count, np.float32)


def _subtract_ground(part: Floats) -> Floats:
    """Subtract the middle colour of a part's first rows from the part (h, w, 3)."""
    return np.asarray(part - np.median(part[: _COVER.free_rows : 2, ::2].reshape(-1, 3), axis=0), np.float32)


def _take_greatest(values: Floats) -> Floats:
    """Return the greatest of the three channels (h, w)."""
    one, two, three = cv2.split(values)
    return np.asarray(cv2.max(cv2.max(one, two), three), np.float32)


def _find_percentile(values: Floats, percent: float) -> float:
    """Return the value (n) below which so many percent lie, without interpolating; quicker than NumPy's."""
    at = round((len(values) - 1) * percent / 100)
    return float(np.partition(values, at)[at])


def _sum_channels(values: Floats) -> Floats:
    """Sum up the channels of (h, w, 3) as (h, w)."""
    return np.asarray(cv2.transform(values, np.ones((1, 3), np.float32)), np.float32)


def _sum_blots(values: Floats) -> Floats:
    """Sum up squares (blots) round each point."""
    size = (_OPEN_SET.blot_px, _OPEN_SET.blot_px)
    return np.asarray(cv2.boxFilter(values, -1, size, normalize=False, borderType=cv2.BORDER_REPLICATE), np.float32)


def _pad(template: Floats) -> NDArray[np.float16]:
    """Pad a template (h, w, 3) with half a blot all round."""
    return np.pad(template, ((_HALF, _HALF), (_HALF, _HALF), (0, 0)), mode="edge").astype(np.float16)


def _blur(values: Floats, sigma_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma_px), np.float32) if sigma_px else values
