"""Whether the papers on an enrolment page lie in order, by the points printed on them, whatever digits these are.

Nobody needs to read a digit for that, nor to know where it stands: where points are printed, two papers of equal points
look the same, and any two others different. With points such as 1, 3, 5, 9, 1, 4, 2, 5, 7, 4, 7, 2, 6, 2, 6, 1 no other
spot of a card parts 16 papers into groups of three, three, two, two, two and two, and two alone, but by chance.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

import cv2
import numpy as np

from vision.arrays import Floats
from vision.config import CONFIG
from vision.identify.deck import PAPER_KINDS

Groups = frozenset[frozenset[int]]
"""The places (0 to 15, row by row) whose papers show the same; those that are alone are left out."""

_PARTING = CONFIG.enrol.paper_points

_PAIRS = tuple(combinations(range(len(PAPER_KINDS)), 2))
_IN_ORDER = tuple(range(len(PAPER_KINDS)))


def _other_orders() -> list[tuple[int, ...]]:
    """List the seven other ways to lay them out in turn: column by column, from the right, from below, and so on."""
    grid = np.arange(len(PAPER_KINDS)).reshape(4, 4)
    turned = [np.rot90(each, turns) for each in (grid, grid.T) for turns in range(4)]
    return [tuple(int(kind) for kind in each.ravel()) for each in turned[1:]]


_OTHER_ORDERS = _other_orders()


def find_mixed_up_by_points(outlines: Floats, points: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Find places (0 to 15, row by row) whose papers show the points of each other's kinds, grouped and sorted.

    Empty where all is in order, and where no points are found. Papers of equal points may still lie in each other's
    place, and so may the two whose points no other paper has. Where two pairs explain the same, all four are named;
    all 16, where the page is laid out in another way as a whole.

    Args:
        outlines: what is printed on the 16 papers, (16, h, w), laid over each other.
        points: the kinds' points, in order.
    """
    return find_mixed_up_in(group_papers(outlines, points), points)


def find_mixed_up_in(found: Mapping[Groups, float], points: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Do the same from the partings that were found and how much each stands out."""
    in_order = groups_by_points(_IN_ORDER, points)
    accepted = max(_PARTING.clear, _PARTING.rival * found.get(in_order, 0.0))
    for groups, stands_out in sorted(found.items(), key=lambda each: -each[1]):
        if stands_out < accepted:
            break
        if groups == in_order:
            continue
        ways = _explain(groups, _IN_ORDER, points)
        if len(ways[0]) <= _PARTING.few:
            return _join_places(ways, points)
        if any(len(_explain(groups, order, points)[0]) <= _PARTING.few for order in _OTHER_ORDERS):
            return (_IN_ORDER,)
    return ()


def groups_by_points(order: Sequence[int], points: Sequence[int]) -> Groups:
    """Return the groups that the papers' points make where place ``k`` holds kind ``order[k]``."""
    places: dict[int, set[int]] = defaultdict(set)
    for place, kind in enumerate(order):
        places[points[kind]].add(place)
    return frozenset(frozenset(group) for group in places.values() if len(group) > 1)


def _explain(groups: Groups, order: Sequence[int], points: Sequence[int]) -> list[dict[int, int]]:
    """Find where papers show other points than theirs if place ``k`` should hold kind ``order[k]``: place to points.

    As nothing says which group has which points, there may be several ways; those with the fewest such papers.
    """
    alone = set(_IN_ORDER) - frozenset[int]().union(*groups)
    shared = _by_size(points)
    by_size = {size: [each for each in groups if len(each) == size] for size in shared}
    by_size[1] = [frozenset({place}) for place in sorted(alone)]
    ways = []
    for called in product(*(permutations(shared[size]) for size in by_size)):
        wrong: dict[int, int] = {}
        for some, points_of in zip(by_size.values(), called, strict=True):
            for places, shown in zip(some, points_of, strict=True):
                wrong |= {place: shown for place in places if points[order[place]] != shown}
        ways.append(wrong)
    fewest = min(map(len, ways))
    return [way for way in ways if len(way) == fewest]


def _by_size(points: Sequence[int]) -> dict[int, list[int]]:
    """Return which points so many kinds have, by how many these are."""
    counts = Counter(points)
    return {size: sorted(each for each in counts if counts[each] == size) for size in set(counts.values())}


def _join_places(ways: Sequence[dict[int, int]], points: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Join the places that have each other's papers."""
    if len(ways) > 1:
        return (tuple(sorted(set().union(*ways))),)
    shown = ways[0]
    mixed: list[set[int]] = []
    for place, its in shown.items():
        linked = {place} | {other for other in shown if points[other] == its}
        touched = [some for some in mixed if some & linked]
        mixed = [some for some in mixed if not some & linked] + [linked.union(*touched)]
    return tuple(sorted(tuple(sorted(some)) for some in mixed))


def group_papers(outlines: Floats, points: Sequence[int]) -> dict[Groups, float]:
    """Find groups of exactly the sizes that the papers' points make, into which some spot of the cards parts them.

    Args:
        outlines: what is printed on the 16 papers, (16, h, w), laid over each other.
        points: the kinds' points, in order.

    Returns:
        For each such parting how much it stands out: by how much (correlation) the least alike pair of its groups is
        more alike than any other pair, summed up over all spots that part the papers so.
    """
    stands_out: dict[Groups, float] = defaultdict(float)
    for window in _PARTING.windows_px:
        for groups, gap in _find_partings(_measure_similarity(outlines, window), points):
            stands_out[groups] += gap
    return dict(stands_out)


def _measure_similarity(outlines: Floats, window: tuple[int, int]) -> Floats:
    """Measure how alike two papers are in a window (w, h px), for each spot and pair: (spots, 120), −1 to 1.

    Spots at which a paper shows nothing are left out.
    """
    w, h = window
    spots = np.s_[
        h // 2 : outlines.shape[1] - h // 2 : _PARTING.step_px, w // 2 : outlines.shape[2] - w // 2 : _PARTING.step_px
    ]

    def average_over(of: Floats) -> Floats:
        return np.asarray(cv2.boxFilter(of, -1, window, borderType=cv2.BORDER_REFLECT), np.float32)

    middle = np.stack([average_over(each) for each in outlines])
    spread = np.sqrt(np.maximum(np.stack([average_over(each * each) for each in outlines]) - middle**2, 1e-3))
    still = [(middle[i][spots], spread[i][spots]) for i in range(len(outlines))]
    shows = np.stack([spread for _, spread in still]).min(axis=0) > _PARTING.blank
    best = np.full((len(_PAIRS), *shows.shape), -1, np.float32)
    for down in range(-_PARTING.slack_px, _PARTING.slack_px + 1):
        for right in range(-_PARTING.slack_px, _PARTING.slack_px + 1):
            moved, *its = (np.roll(a, (down, right), (1, 2)) for a in (outlines, middle, spread))
            there = [(m[spots], s[spots]) for m, s in zip(*its, strict=True)]
            for k, (i, j) in enumerate(_PAIRS):
                common = average_over(outlines[i] * moved[j])[spots] - still[i][0] * there[j][0]
                np.maximum(best[k], common / (still[i][1] * there[j][1]), out=best[k])
    return best[:, shows].T


def _find_partings(similarity: Floats, points: Sequence[int]) -> Iterator[tuple[Groups, float]]:
    """Find spots whose most alike pairs, as many as the points make, form just such groups, and by what gap."""
    count = sum(points[i] == points[j] for i, j in _PAIRS)
    order = np.argsort(-similarity, axis=1)[:, : count + 1]
    alike = np.take_along_axis(similarity, order, axis=1)
    sizes = sorted(map(len, groups_by_points(_IN_ORDER, points)))
    for pairs, gap in zip(order[:, :count], alike[:, count - 1] - alike[:, count], strict=True):
        if gap <= 0:
            continue
        mates: dict[int, set[int]] = defaultdict(set)
        for i, j in (_PAIRS[k] for k in pairs):
            mates[i] |= {i, j}
            mates[j] |= {i, j}
        groups = frozenset(frozenset(group) for group in mates.values())
        # As many pairs as groups of these sizes have make such groups only where all of each are alike.
        if sorted(map(len, groups)) == sizes and len(frozenset[int]().union(*groups)) == sum(sizes):
            yield groups, float(gap)
