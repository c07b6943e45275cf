"""The stage between corners and names: how like each corner is to those of the deck, searched again where it is lost.

Crops are compared with the deck's, the likeliest two by two. A clear corner that shows little is searched beside its
place, or where its card's other corner puts it; a doubtful one is laid exactly over the templates of its two likeliest
cards, as is what lies on it, and compared again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.crops import AROUND, BESIDE, cut_windows_beside, narrow_crop
from vision.detect.corners import Corner, degrees_apart
from vision.detect.occlusion import find_occluders
from vision.detect.opposite import is_hidden, opposite_of
from vision.detect.pairing import pair_corners
from vision.geometry import ANCHOR_MM, CROP_PX_PER_MM
from vision.identify.deck import BACK, Deck
from vision.identify.embedder import Embedder
from vision.identify.pairwise import PairwiseVerifier
from vision.identify.registration import register_corner
from vision.identify.similarity import Similarity, are_sides_of_one, compare, is_in_doubt
from vision.identify.templates import normalise_crop
from vision.scene import Scene

_CANDIDATES = CONFIG.identify.candidates
_SIMILARITY = CONFIG.identify.similarity
_KIND = CONFIG.reading.kind
_SEARCH = CONFIG.reading.search


@dataclass(frozen=True, slots=True)
class Compared:
    """What is seen of n corners, each field to be changed in place: where they lie, their wide crops, log odds (n, m).

    ``masks`` say where others lie on the crops, ``ink_colours`` (n, 3) which way their inks differ from the ground.
    """

    corners: list[Corner]
    wide: list[Picture]
    masks: list[Picture | None]
    odds: Floats
    ink_colours: Floats

    def move(self, n: int, there: Compared, k: int) -> None:
        """Move corner n to where corner k of another look lies."""
        self.corners[n], self.wide[n], self.masks[n] = there.corners[k], there.wide[k], there.masks[k]
        self.odds[n], self.ink_colours[n] = there.odds[k], there.ink_colours[k]


@dataclass(frozen=True)
class Comparer:
    """Compares corners with those of one deck."""

    embedder: Embedder
    deck: Deck
    pairwise: PairwiseVerifier

    @classmethod
    def for_deck(cls, embedder: Embedder, deck: Deck) -> Comparer:
        """Make one for a deck of that embedder."""
        return cls(embedder, deck, PairwiseVerifier(deck))

    def measure_similarity(
        self, scene: Scene, corners: Sequence[Corner], wide: dict[Corner, Picture] | None = None
    ) -> Similarity:
        """Measure how like the deck's m each of n corners is, and their ink colours; crops are added to ``wide``."""
        needed = [_KIND.own_card_odds if corner.suppressed else -math.inf for corner in corners]
        known = set(scene.found)
        unlikely = [
            corner.score < _KIND.faint_score or not (corner in known or corner.suppressed) for corner in corners
        ]
        seen = self.look(scene, corners, _CANDIDATES.candidates, needed, unlikely)
        if wide is not None:
            wide.update(zip(corners, seen.wide, strict=True))
        self.search_opposite(scene, seen, tried=self._search_nearby(scene, seen))
        self._lay_exactly(scene, seen, needed)
        return Similarity(seen.odds, seen.ink_colours)

    def look(
        self,
        scene: Scene,
        corners: Sequence[Corner],
        candidates: int = _CANDIDATES.candidates,
        least: Sequence[float] = (),
        unlikely: Sequence[bool] = (),
    ) -> Compared:
        """Gather the evidence of what corners show where they lie.

        ``least`` says for each how well it has to show the deck for pairwise verification to matter, ``unlikely``
        whether it is likely none.
        """
        kinds = self.deck.kinds
        wide, masks = scene.cut_crops(corners), scene.mask_occluders(corners)
        settled, ink_colours = np.zeros((len(corners), len(kinds)), np.float32), np.zeros((len(corners), 3), np.float32)
        for some, embeddings in self.embedder.embed_ahead([narrow_crop(crop) for crop in wide]):
            odds, ink_colours[some] = compare(
                wide[some], embeddings, self.deck, candidates, masks[some], unlikely[some]
            )
            settled[some] = self.pairwise.verify(wide[some], odds, masks[some], least[some])
        strange = kinds != np.array([[corner.kind] for corner in corners]).reshape(-1, 1)
        return Compared(list(corners), wide, masks, settled - np.float32(_KIND.other_kind_odds) * strange, ink_colours)

    # Doubtful corners, laid exactly

    def _lay_exactly(self, scene: Scene, seen: Compared, needed: Sequence[float]) -> None:
        """Compare doubtful corners again where their likeliest templates lie on them, if they show the deck there."""
        doubtful = [n for n, row in enumerate(seen.odds) if is_in_doubt(row) and row.max() > needed[n]]
        again = [(n, corner) for n in doubtful for corner in self.find_registered_poses(seen, n)]
        if not again:
            return
        exact = self.with_registered_occluders(scene, seen, [corner for _, corner in again])
        least = [float(seen.odds[n].max()) - _SEARCH.max_loss_odds for n, _ in again]
        closer = self.look(exact, [corner for _, corner in again], _CANDIDATES.more_candidates, least)
        clearest = {again[k][0]: k for k in np.argsort(closer.odds.max(axis=1), kind="stable").tolist()}
        for n, k in clearest.items():
            if closer.odds[k].max() > seen.odds[n].max() - _SEARCH.max_loss_odds:
                seen.odds[n], seen.ink_colours[n] = closer.odds[k], closer.ink_colours[k]

    def find_registered_poses(self, seen: Compared, n: int) -> list[Corner]:
        """Find where a corner lies if it shows the card that it most looks like, and where if it shows the next.

        Over the wrong card's template it is laid askew, where the right one fits badly.
        """
        row = seen.odds[n]
        names = np.maximum(row[0::2], row[1::2])
        shown = normalise_crop(seen.wide[n])
        poses: list[Corner] = []
        for card in np.argsort(-names)[:2].tolist():
            if names[card] < row.max() - _SEARCH.rival_odds:
                break
            enrolled = self.pairwise.get_enrolled(2 * card + int(row[2 * card + 1] > row[2 * card]))
            corner = register_corner(seen.corners[n], shown, enrolled.part.values, seen.masks[n])
            if corner is not None and not any(_is_same_pose(corner, other) for other in poses):
                poses.append(corner)
        return poses

    def with_registered_occluders(self, scene: Scene, seen: Compared, corners: Sequence[Corner]) -> Scene:
        """Register the scene's occluders on these corners and drop those that show nothing: they are no cards.

        An occluder that is detected a few degrees or a millimetre off hides half a mark or shows half of its own.
        """
        covers, known = find_occluders(corners, scene.found), set(seen.corners)
        more = self.look(scene, [corner for corner in covers if corner not in known])
        compared = {corner: (each, n) for each in (seen, more) for n, corner in enumerate(each.corners)}
        exact: dict[Corner, Corner | None] = {}
        for corner in covers:
            each, n = compared[corner]
            best = int(each.odds[n].argmax())
            template = self.pairwise.get_enrolled(best).part.values
            lies = register_corner(corner, normalise_crop(each.wide[n]), template, each.masks[n]) or corner
            exact[corner] = lies if each.odds[n, best] > _SIMILARITY.nothing_odds else None
        laid = [exact.get(corner, corner) for corner in scene.found]
        return replace(scene, found=[corner for corner in laid if corner is not None])

    # Lost corners, searched elsewhere

    def _search_nearby(self, scene: Scene, seen: Compared) -> list[int]:
        """Search nearby for clear corners that show little or nothing: print may put the detector some mm off.

        One whose card's other corner is plain is searched where that one says; the numbers of these are returned.
        """
        known = set(scene.found)
        lost = [
            n
            for n, corner in enumerate(seen.corners)
            if corner.score > (_SEARCH.clear_back_score if corner.kind == BACK else _SEARCH.clear_score)
            and corner in known
            and seen.odds[n].max() < _SEARCH.poor_odds
        ]
        lost = sorted(lost, key=lambda n: (seen.odds[n].max() >= _SIMILARITY.nothing_odds, -seen.corners[n].score))[
            : _SEARCH.max_nearby
        ]
        other = {
            n: m
            for a, b in _list_pairs(scene, seen)
            for n, m in ((a, b), (b, a))
            if seen.odds[m].max() >= _SEARCH.plain_odds
        }
        places = {n: _predict_opposite(seen.corners[n], seen.corners[other[n]]) for n in lost if n in other}
        alone = [n for n in lost if n not in other]
        around = scene.cut_crops([seen.corners[n] for n in alone], AROUND)
        embeddings = self.embedder.embed([crop for wide in around for crop in cut_windows_beside(wide)])
        like = (embeddings.vectors @ self.deck.embeddings.vectors.T).max(axis=1).reshape(-1, len(BESIDE))
        for n, (right, down) in zip(alone, (BESIDE[k] for k in like.argmax(axis=1)), strict=True):
            corner = seen.corners[n]
            x, y = corner.to_mat(ANCHOR_MM[0] + right / CROP_PX_PER_MM, ANCHOR_MM[1] + down / CROP_PX_PER_MM)
            places[n] = replace(corner, x=x, y=y)
        self.try_places(scene, seen, [(n, places[n]) for n in lost])
        return [n for n in lost if n in other]

    def search_opposite(self, scene: Scene, seen: Compared, tried: Sequence[int]) -> None:
        """Search for the corners of whole cards that show different names, each where the other says that it lies.

        A card that sticks out from below, or print, may put the detector off at one of them. Not those in ``tried``,
        which were searched there before.
        """
        torn = [pair for pair in _list_pairs(scene, seen) if len({int(seen.odds[n].argmax()) // 2 for n in pair}) == 2]
        each = [(n, other) for a, b in torn[: _SEARCH.max_contradicting] for n, other in ((a, b), (b, a))]
        across = [(n, other) for n, other in each if seen.odds[n].max() < _SEARCH.plain_odds and n not in tried]
        places = [
            (n, seen.corners[other], _predict_opposite(seen.corners[n], seen.corners[other])) for n, other in across
        ]
        shown = [(n, place) for n, other, place in places if not is_hidden(place, other, scene.found)]
        self.try_places(scene, seen, shown)

    def try_places(self, scene: Scene, seen: Compared, places: Sequence[tuple[int, Corner]]) -> None:
        """Compare corners at other places too: one that clearly shows more of the deck there is moved there."""
        if not places:
            return
        nothing = _SIMILARITY.nothing_odds
        levels = [float(seen.odds[n].max()) for n, _ in places]
        least = [nothing if shown < nothing else shown + _SEARCH.better_odds for shown in levels]
        there = self.look(scene, [place for _, place in places], least=least, unlikely=[True] * len(places))
        for k, (n, _) in enumerate(places):
            if levels[k] >= nothing and are_sides_of_one(self.deck, seen.odds[n], there.odds[k]):
                continue  # a mat's edge above a paper looks like the band that its other side has there
            if there.odds[k].max() > least[k]:
                seen.move(n, there, k)


def _list_pairs(scene: Scene, seen: Compared) -> list[tuple[int, int]]:
    """List the pairs of corners of whole cards, by the corners' numbers."""
    known = set(scene.found)
    here = [n for n, corner in enumerate(seen.corners) if corner in known]
    pairs = [[here[k] for k in pair] for pair in pair_corners([seen.corners[n] for n in here])]
    return [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]


def _predict_opposite(corner: Corner, other: Corner) -> Corner:
    """Predict where the other corner of the same card says that this one lies."""
    return replace(opposite_of(other), score=corner.score, kind=corner.kind)


def _is_same_pose(one: Corner, other: Corner) -> bool:
    """Tell whether crops from both would show the same."""
    return (
        math.dist((one.x, one.y), (other.x, other.y)) < _SEARCH.same_mm
        and degrees_apart(one.angle, other.angle) < _SEARCH.same_deg
    )
