"""The reader: from a still picture and an enrolled deck to sightings on the mat.

The way: mat → straightened and light-corrected picture → corners (detector) → crops → embeddings (embedder) and
templates → similarity → pairwise verification → registration of doubtful corners → hypotheses → backs, ink colours,
centre crops → open-set verification → assignment → sightings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from referee.papers import Paper
from referee.table import Detections
from vision.arrays import Floats, Picture
from vision.assign.assignment import assign
from vision.assign.backs import PATCH_MM, Face, accepted, distinct_places, doubtful_places, face_places
from vision.assign.centre_crop import (
    CENTRE_CROP_ORIGIN_MM,
    WIDE_CENTRE_CROP_SHAPE,
    cards_in_doubt,
    odds_by_centre_crop,
    shows_enough,
    with_odds,
)
from vision.assign.hypotheses import Hypothesis, as_foreign, form_hypotheses, shows_no_card, too_faint_for_a_back
from vision.assign.ink_colour import by_ink_colour
from vision.cached_evidence import CachedEvidence, CentreCropOdds, FacePlaces, Unexplained
from vision.config import CONFIG
from vision.crops import (
    AROUND_MM,
    BESIDE,
    BLOOM,
    CROP_CENTRE_MM,
    FAR_MM,
    FAR_ORIGIN_MM,
    FAR_PX,
    WIDE_MM,
    WIDE_ORIGIN_MM,
    WIDE_PX,
    cause_of,
    clipped,
    narrow_crop,
    raw_centre_crops,
    windows_beside,
)
from vision.detect.corners import Corner, corner_of_card, degrees_apart
from vision.detect.detector import Detector
from vision.detect.occlusion import occluders, occlusion_masks
from vision.detect.opposite import is_hidden, opposite_corners, opposite_of
from vision.detect.pairing import pair_corners
from vision.detect.suppression import unsuppressed
from vision.faces.reading import FaceReader
from vision.faces.table import FlatMat
from vision.geometry import ANCHOR_MM, CROP_PX_PER_MM, DETECTOR_PX_PER_MM
from vision.identify.deck import BACK, Deck
from vision.identify.embedder import Embedder, Embeddings
from vision.identify.faces import Faces
from vision.identify.matcher import Matcher
from vision.identify.open_set import OpenSetVerifier, least
from vision.identify.pairwise import PairwiseVerifier
from vision.identify.registration import registered
from vision.identify.similarity import Similarity, compare, in_doubt, sides_of_one
from vision.identify.templates import normalised_crop
from vision.mat import Mat
from vision.mat.light import Light

_CANDIDATES = CONFIG.identify.candidates
_SIMILARITY = CONFIG.identify.similarity
_FACE = CONFIG.assign.face
_ASSIGNMENT = CONFIG.assign.assignment
_CENTRE_CROP = CONFIG.assign.centre_crop
_KIND = CONFIG.reading.kind
_SEARCH = CONFIG.reading.search


OddsOf = Callable[[Sequence[Corner]], Floats]
"""How like n corners are to the deck's m, as log odds (n, m)."""
SimilarityOf = Callable[[Sequence[Corner]], Similarity]
"""The same, with the ink colours of the corners."""


@dataclass(frozen=True, slots=True)
class _View:
    """A picture with what is known of it: mat, light, and the corners found."""

    picture: Picture
    mat: Mat
    light: Light
    found: Sequence[Corner]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is seen of n corners, each field to be changed in place: where they lie, their wide crops, log odds (n, m).

    ``masks`` say where others lie on the crops, ``ink_colours`` (n, 3) which way their inks differ from the ground.
    """

    corners: list[Corner]
    wide: list[Picture]
    masks: list[Picture | None]
    odds: Floats
    ink_colours: Floats


@dataclass(frozen=True)
class Reader:
    """Reads tables with the networks in ``folder``.

    ``papers`` are the kinds by name, of which enrolment speaks, and of which no more are read than there are copies.
    Unless ``counted``, a card is named as often as it is seen.
    """

    folder: Path
    threads: int = 2
    papers: Mapping[str, Paper] = field(default_factory=dict)
    counted: bool = True
    _open_sets: list[OpenSetVerifier] = field(default_factory=list, init=False, repr=False, compare=False)
    _verifiers: list[PairwiseVerifier] = field(default_factory=list, init=False, repr=False, compare=False)
    _face_readers: list[FaceReader] = field(default_factory=list, init=False, repr=False, compare=False)

    @cached_property
    def detector(self) -> Detector:
        """Detects corners; loaded when first used."""
        return Detector(self.folder, self.threads)

    @cached_property
    def embedder(self) -> Embedder:
        """Embeds crops; loaded when first used."""
        return Embedder(self.folder, self.threads)

    @cached_property
    def matcher(self) -> Matcher:
        """Holds crops against enrolled ones; loaded when first used."""
        return Matcher(self.folder, self.threads)

    @cached_property
    def model(self) -> str:
        """Which embedder this is: the first 16 hex digits of its SHA-256.

        Raises:
            ModelError: the file is missing.
        """
        return self.embedder.digest[:16]

    def detect(
        self, picture: Picture, mat: Mat, light: Light, part: tuple[int, int, int, int] | None = None
    ) -> list[Corner]:
        """Detect the card corners on the mat, suppressed ones last.

        With ``part`` (x0, y0, x1, y1 px of the detector's picture) only there.
        """
        x0, y0 = part[:2] if part else (0, 0)
        flat = mat.rectify(picture, DETECTOR_PX_PER_MM, part=part)
        corners = self.detector.detect(light.correct_mat(flat, DETECTOR_PX_PER_MM, origin_px=(x0, y0)))
        moved = (x0 / DETECTOR_PX_PER_MM, y0 / DETECTOR_PX_PER_MM)
        corners = (
            [replace(corner, x=corner.x + moved[0], y=corner.y + moved[1]) for corner in corners] if part else corners
        )
        return [corner for corner in corners if not on_a_marker(corner, mat, light)]

    def embed(
        self, picture: Picture, mat: Mat, light: Light, corners: Sequence[Corner]
    ) -> tuple[list[Picture], Embeddings]:
        """Cut the wide crops at corners and embed what is in their middle."""
        wide = self._cut(picture, mat, light, corners, WIDE_MM)
        return wide, self.embedder.embed([narrow_crop(crop) for crop in wide])

    def _cut(
        self, picture: Picture, mat: Mat, light: Light, corners: Sequence[Corner], size_mm: tuple[float, float]
    ) -> list[Picture]:
        """What lies within this size round the middles of crops, upright, at the crops' scale."""
        places = [corner.at(*CROP_CENTRE_MM) for corner in corners]
        turned = [(place, corner.angle) for place, corner in zip(places, corners, strict=True)]
        raw = mat.patches(picture, turned, size_mm, CROP_PX_PER_MM)
        return [light.correct_patch(crop, place) for crop, place in zip(raw, places, strict=True)]

    def centre_crops(self, picture: Picture, mat: Mat, light: Light, corners: Sequence[Corner]) -> list[Picture]:
        """Cut the centre crops of cards with these upper corners, with a margin; (130, 146, 3) each."""
        raw = raw_centre_crops(picture, mat, corners)
        return [
            light.correct_patch(centre_crop, corner.centre) for centre_crop, corner in zip(raw, corners, strict=True)
        ]

    def read(self, picture: Picture, mat: Mat, deck: Deck, evidence: CachedEvidence | None = None) -> Detections:
        """Read the whole mat in a picture (h, w, 3) BGR uint8; what is measured on the way is added to ``evidence``."""
        deck = self.up_to_date(deck)
        light = Light.measure(picture, mat)
        if deck.faces is not None:
            seen = self.face_reader(deck.faces).read(FlatMat.of(picture, mat, light))
            return Detections(seen.sightings, seen.unread)
        corners = self.detect(picture, mat, light)
        clear, evidence = unsuppressed(corners), evidence or CachedEvidence()

        def similarity_of(some: Sequence[Corner]) -> Similarity:
            return self.similarity(picture, mat, light, deck, some, clear, evidence.wide)

        return self.assign(picture, mat, light, deck, corners, similarity_of, evidence)

    def similarity(
        self,
        picture: Picture,
        mat: Mat,
        light: Light,
        deck: Deck,
        corners: Sequence[Corner],
        found: Sequence[Corner],
        wide: dict[Corner, Picture] | None = None,
    ) -> Similarity:
        """How like each of n corners is to the deck's m, and their ink colours; ``found`` are all unsuppressed ones.

        The corners' crops are added to ``wide``.
        """
        view = _View(picture, mat, light, found)
        needed = [_KIND.own_card_odds if corner.suppressed else -math.inf for corner in corners]
        known = set(found)
        unlikely = [
            corner.score < _KIND.faint_score or not (corner in known or corner.suppressed) for corner in corners
        ]
        seen = self._compare(view, deck, corners, _CANDIDATES.candidates, needed, unlikely)
        if wide is not None:
            wide.update(zip(corners, seen.wide, strict=True))
        self._search_opposite(view, deck, seen, tried=self._search_nearby(view, deck, seen))
        doubtful = [n for n, row in enumerate(seen.odds) if in_doubt(row) and row.max() > needed[n]]
        again = [(n, corner) for n in doubtful for corner in self._registered_poses(deck, seen, n)]
        if again:
            exact = self._with_registered_occluders(view, deck, seen, [corner for _, corner in again])
            least = [float(seen.odds[n].max()) - _SEARCH.max_loss_odds for n, _ in again]
            closer = self._compare(exact, deck, [corner for _, corner in again], _CANDIDATES.more_candidates, least)
            clearest: dict[int, int] = {}
            for k in np.argsort(closer.odds.max(axis=1), kind="stable").tolist():
                clearest[again[k][0]] = k
            for n, k in clearest.items():
                if closer.odds[k].max() > seen.odds[n].max() - _SEARCH.max_loss_odds:
                    seen.odds[n], seen.ink_colours[n] = closer.odds[k], closer.ink_colours[k]
        return Similarity(seen.odds, seen.ink_colours)

    def _registered_poses(self, deck: Deck, seen: _Seen, n: int) -> list[Corner]:
        """Where a corner lies if it shows the card that it most looks like, and where if it shows the next likely one.

        Over the wrong card's template it is laid askew, where the right one fits badly.
        """
        row = seen.odds[n]
        names = np.maximum(row[0::2], row[1::2])
        shown = normalised_crop(seen.wide[n])
        poses: list[Corner] = []
        for card in np.argsort(-names)[:2].tolist():
            if names[card] < row.max() - _SEARCH.rival_odds:
                break
            enrolled = self._verifier(deck).enrolled(2 * card + int(row[2 * card + 1] > row[2 * card]))
            corner = registered(seen.corners[n], shown, enrolled.part.values, seen.masks[n])
            if corner is not None and not any(_same_pose(corner, other) for other in poses):
                poses.append(corner)
        return poses

    def _with_registered_occluders(self, view: _View, deck: Deck, seen: _Seen, corners: Sequence[Corner]) -> _View:
        """The view with what lies on these corners registered, and without what shows nothing: that is no card.

        An occluder that is detected a few degrees or a millimetre off hides half a mark or shows half of its own.
        """
        covers, known = occluders(corners, view.found), set(seen.corners)
        more = self._compare(view, deck, [corner for corner in covers if corner not in known], _CANDIDATES.candidates)
        compared = {
            corner: (each.wide[n], each.masks[n], each.odds[n])
            for each in (seen, more)
            for n, corner in enumerate(each.corners)
        }
        exact: dict[Corner, Corner | None] = {}
        for corner in covers:
            wide, mask, odds = compared[corner]
            best = int(odds.argmax())
            lies = (
                registered(corner, normalised_crop(wide), self._verifier(deck).enrolled(best).part.values, mask)
                or corner
            )
            exact[corner] = lies if odds[best] > _SIMILARITY.nothing_odds else None
        laid = [exact.get(corner, corner) for corner in view.found]
        return replace(view, found=[corner for corner in laid if corner is not None])

    def _search_nearby(self, view: _View, deck: Deck, seen: _Seen) -> list[int]:
        """Search nearby for clear corners that show little or nothing: print may put the detector some mm off.

        One whose card's other corner is plain is searched where that one says; the numbers of these are returned.
        """
        known = set(view.found)
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
            for a, b in self._pairs(view, seen)
            for n, m in ((a, b), (b, a))
            if seen.odds[m].max() >= _SEARCH.plain_odds
        }
        places = {n: _opposite(seen.corners[n], seen.corners[other[n]]) for n in lost if n in other}
        alone = [n for n in lost if n not in other]
        around = self._cut(view.picture, view.mat, view.light, [seen.corners[n] for n in alone], AROUND_MM)
        embeddings = self.embedder.embed([crop for wide in around for crop in windows_beside(wide)])
        like = (embeddings.vectors @ deck.embeddings.vectors.T).max(axis=1).reshape(-1, len(BESIDE))
        for n, (right, down) in zip(alone, (BESIDE[k] for k in like.argmax(axis=1)), strict=True):
            corner = seen.corners[n]
            x, y = corner.at(ANCHOR_MM[0] + right / CROP_PX_PER_MM, ANCHOR_MM[1] + down / CROP_PX_PER_MM)
            places[n] = replace(corner, x=x, y=y)
        self._try_places(view, deck, seen, [(n, places[n]) for n in lost])
        return [n for n in lost if n in other]

    def _search_opposite(self, view: _View, deck: Deck, seen: _Seen, tried: Sequence[int]) -> None:
        """Search for the corners of whole cards that show different names, each where the other says that it lies.

        A card that sticks out from below, or print, may put the detector off at one of them. Not those in ``tried``,
        which were searched there before.
        """
        pairs = self._pairs(view, seen)
        torn = [pair for pair in pairs if len({int(seen.odds[n].argmax()) // 2 for n in pair}) == 2]
        each = [(n, other) for a, b in torn[: _SEARCH.max_contradicting] for n, other in ((a, b), (b, a))]
        across = [(n, other) for n, other in each if seen.odds[n].max() < _SEARCH.plain_odds and n not in tried]
        places = [(n, seen.corners[other], _opposite(seen.corners[n], seen.corners[other])) for n, other in across]
        shown = [(n, place) for n, other, place in places if not is_hidden(place, other, view.found)]
        self._try_places(view, deck, seen, shown)

    def _pairs(self, view: _View, seen: _Seen) -> list[tuple[int, int]]:
        """The corners of whole cards, by their numbers."""
        known = set(view.found)
        here = [n for n, corner in enumerate(seen.corners) if corner in known]
        pairs = [[here[k] for k in pair] for pair in pair_corners([seen.corners[n] for n in here])]
        return [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]

    def _try_places(self, view: _View, deck: Deck, seen: _Seen, places: Sequence[tuple[int, Corner]]) -> None:
        """Compare corners at other places too: one that clearly shows more of the deck there is moved there."""
        if not places:
            return
        levels = [float(seen.odds[n].max()) for n, _ in places]
        least = [
            _SIMILARITY.nothing_odds if shown < _SIMILARITY.nothing_odds else shown + _SEARCH.better_odds
            for shown in levels
        ]
        there = self._compare(
            view, deck, [place for _, place in places], _CANDIDATES.candidates, least, [True] * len(places)
        )
        for k, (n, place) in enumerate(places):
            if levels[k] >= _SIMILARITY.nothing_odds and sides_of_one(deck, seen.odds[n], there.odds[k]):
                continue  # a mat's edge above a paper looks like the band that its other side has there
            if there.odds[k].max() > least[k]:
                seen.corners[n], seen.wide[n] = place, there.wide[k]
                seen.masks[n], seen.odds[n], seen.ink_colours[n] = there.masks[k], there.odds[k], there.ink_colours[k]

    def _compare(
        self,
        view: _View,
        deck: Deck,
        corners: Sequence[Corner],
        candidates: int,
        least: Sequence[float] = (),
        unlikely: Sequence[bool] = (),
    ) -> _Seen:
        """What is seen of corners.

        ``least`` says for each how well it has to show the deck for pairwise verification to matter, ``unlikely``
        whether it is likely none.
        """
        wide = self._cut(view.picture, view.mat, view.light, corners, WIDE_MM)
        masks = occlusion_masks(corners, view.found, WIDE_ORIGIN_MM, WIDE_PX)
        settled, ink_colours = (
            np.zeros((len(corners), len(deck.kinds)), np.float32),
            np.zeros((len(corners), 3), np.float32),
        )
        for some, embeddings in self.embedder.embed_ahead([narrow_crop(crop) for crop in wide]):
            odds, ink_colours[some] = compare(wide[some], embeddings, deck, candidates, masks[some], unlikely[some])
            settled[some] = self._verifier(deck).verify(wide[some], odds, masks[some], least[some])
        strange = np.float32(_KIND.other_kind_odds) * (
            deck.kinds != np.array([[corner.kind] for corner in corners]).reshape(-1, 1)
        )
        return _Seen(list(corners), wide, masks, settled - strange, ink_colours)

    def face_reader(self, faces: Faces) -> FaceReader:
        """The reader of a deck that is read by its whole faces; the last one is kept."""
        if not self._face_readers or self._face_readers[0].fitter.faces is not faces:
            self._face_readers[:] = [FaceReader.of(faces)]
        return self._face_readers[0]

    def _verifier(self, deck: Deck) -> PairwiseVerifier:
        if not self._verifiers or self._verifiers[0].deck is not deck:
            self._verifiers[:] = [PairwiseVerifier(deck)]
        return self._verifiers[0]

    def _open_set(self, deck: Deck) -> OpenSetVerifier:
        if not self._open_sets or self._open_sets[0].deck is not deck:
            self._open_sets[:] = [OpenSetVerifier(deck)]
        return self._open_sets[0]

    def assign(
        self,
        picture: Picture,
        mat: Mat,
        light: Light,
        deck: Deck,
        corners: Sequence[Corner],
        similarity_of: SimilarityOf,
        cached: CachedEvidence | None = None,
    ) -> Detections:
        """Name the cards whose corners were found.

        ``similarity_of`` says how like corners are to the deck's, and their ink colours. ``cached`` is what was
        measured before of cards that are still as they were; it is added to.
        """
        cached = CachedEvidence() if cached is None else cached
        rows: dict[Corner, Floats] = {}
        ink_colours: dict[Corner, Floats] = {}

        def odds_of(some: Sequence[Corner]) -> Floats:
            new = [corner for corner in some if corner not in rows]
            if new or not rows:
                odds, ink = similarity_of(new)
                rows.update(zip(new, odds, strict=True))
                ink_colours.update(zip(new, ink, strict=True))
            return np.array([rows[corner] for corner in some], np.float32).reshape(len(some), len(deck.kinds))

        clear, suppressed = unsuppressed(corners), [corner for corner in corners if corner.suppressed]
        if suppressed:  # with all others at once, which is quicker
            odds_of([*clear, *suppressed, *opposite_corners(clear).values()])
        corners = [*clear, *_suppressed_cards(suppressed, deck, odds_of)]
        found = _hypotheses(corners, deck, odds_of)
        more = self._misdetected_backs(_View(picture, mat, light, corners), deck, found, odds_of, cached.faces)
        if more:
            corners = [*_without_strays(corners, found, more, deck.names.index(BACK)), *more]
            found = _hypotheses(corners, deck, odds_of)
        found = by_ink_colour(
            found, np.array([ink_colours[corner] for corner in corners], np.float32).reshape(-1, 3), deck
        )
        view = _View(picture, mat, light, corners)
        found = self._by_centre_crop(view, deck, found, cached.centre_crops)
        found = self._foreign_told(view, deck, found, cached.unexplained, cached.wide)

        def cause(k: int) -> str:
            return cause_of(picture, mat, light, [corners[i] for i in found[k].corners])

        top = _KIND.top_seats_share * mat.size_mm[1]
        sightings, unread = assign(found, deck, self._copies(deck), cause, lambda y: 180.0 if y < top else 0.0)
        return Detections(tuple(sightings), tuple(unread))

    def _copies(self, deck: Deck) -> dict[str, int]:
        """How many there are of the paper kinds of a deck, by their names without a side."""
        if not self.counted:
            return {}
        kinds = {kind for kind, side, _ in (name.partition("/") for name in deck.names) if side}
        return {kind: self.papers[kind].copies for kind in kinds if kind in self.papers}

    def _misdetected_backs(
        self, view: _View, deck: Deck, found: Sequence[Hypothesis], odds_of: OddsOf, cached: FacePlaces
    ) -> list[Corner]:
        """The two corners of each back that lies where the detector saw only what is none of its corners."""
        if BACK not in deck.names:
            return []
        back = deck.names.index(BACK)
        like = {
            n: float(row[2 * back : 2 * back + 2].max())
            for n, (corner, row) in enumerate(zip(view.found, odds_of(view.found), strict=True))
            if corner.kind == BACK or int(row.argmax()) // 2 == back
        }
        asked = {
            tuple(view.found[n] for n in hypothesis.corners): hypothesis for hypothesis in doubtful_places(found, like)
        }
        face = Face.of(deck.cards[back]) if asked else None
        if face is None:
            return []
        for corners in [corners for corners in asked if corners not in cached]:
            hypothesis, place = asked[corners], (asked[corners].x, asked[corners].y)
            raw = view.mat.patch(view.picture, place, hypothesis.angle, PATCH_MM, _FACE.px_per_mm)
            cached[corners] = face_places(face, view.light.correct_patch(raw, place), place, hypothesis.angle)
        uppers = distinct_places([corner for corners in asked for corner in cached[corners]])
        if not uppers:
            return []
        cards = [(corner, opposite_of(corner)) for corner in uppers]
        fits = odds_of([corner for card in cards for corner in card])[:, [2 * back, 2 * back + 1]].reshape(-1, 2, 2)
        known = [
            hypothesis
            for hypothesis in found
            if int(hypothesis.probabilities.argmax()) == back and not too_faint_for_a_back(hypothesis)
        ]
        surely = [corner_of_card(c.x, c.y, c.angle) for c in known if not shows_no_card(c)]
        return [corner for k in accepted(uppers, fits, surely) for corner in cards[k]]

    def _by_centre_crop(
        self, view: _View, deck: Deck, found: Sequence[Hypothesis], cached: CentreCropOdds
    ) -> list[Hypothesis]:
        """The hypotheses once the centre crops of whole cards were compared that their corners leave in doubt."""
        asked = cards_in_doubt(found, deck)
        cards = {k: tuple(view.found[n] for n in found[k].corners) for k in asked}
        uppers = [corner_of_card(found[k].x, found[k].y, found[k].angle) for k in asked]
        masks = occlusion_masks(uppers, view.found, CENTRE_CROP_ORIGIN_MM, WIDE_CENTRE_CROP_SHAPE[1::-1])
        shown = [each for each in zip(asked, uppers, masks, strict=True) if shows_enough(each[2])][
            : _CENTRE_CROP.max_cards
        ]
        new = [each for each in shown if cached.get(cards[each[0]], {}).keys() != set(asked[each[0]])]
        raw = raw_centre_crops(view.picture, view.mat, [upper for _, upper, _ in new])
        for (k, upper, mask), centre_crop in zip(new, raw, strict=True):
            burnt_out = np.asarray(cv2.dilate(clipped(centre_crop).astype(np.uint8), BLOOM), np.uint8)
            lost = burnt_out if mask is None else np.asarray(cv2.max(burnt_out, mask), np.uint8)
            bright = view.light.correct_patch(centre_crop, upper.centre)
            cached[cards[k]] = odds_by_centre_crop(found[k], deck, asked[k], bright, lost)
        heard = {k: cached[cards[k]] for k, _, _ in shown}
        return [with_odds(hypothesis, heard[k]) if k in heard else hypothesis for k, hypothesis in enumerate(found)]

    def _foreign_told(
        self,
        view: _View,
        deck: Deck,
        found: Sequence[Hypothesis],
        cached: Unexplained,
        wide: dict[Corner, Picture],
    ) -> list[Hypothesis]:
        """The hypotheses once those that would have a name have shown that they are that card.

        ``wide`` are the corners' crops that were cut before.
        """
        named = {k: int(each.probabilities.argmax()) for k, each in enumerate(found) if _would_be_named(each)}
        cards = {k: (tuple(view.found[n] for n in found[k].corners), name) for k, name in named.items()}
        rows = {k: 2 * name + int(found[k].turned[name]) for k, name in named.items()}
        new_cards = {k: card for k, card in cards.items() if card not in cached}
        cut = [corner for card in new_cards.values() for corner in card[0] if corner not in wide]
        wide.update(zip(cut, self._cut(view.picture, view.mat, view.light, cut, WIDE_MM), strict=True))
        asked = {k: card for k, card in new_cards.items() if deck.kinds[rows[k]] != "back"}
        verifier = self._open_set(deck)
        for far, unexplained in ((False, verifier.unexplained), (True, verifier.unexplained_nearby)):
            corners = [corner for card in asked.values() for corner in card[0]]
            if far:
                crops = self._cut(view.picture, view.mat, view.light, corners, FAR_MM)
                masks = occlusion_masks(corners, view.found, FAR_ORIGIN_MM, FAR_PX)
            else:
                crops = [wide[corner] for corner in corners]
                masks = occlusion_masks(corners, view.found, WIDE_ORIGIN_MM, WIDE_PX)
            seen = zip(crops, masks, strict=True)
            for k, card in asked.items():
                own = enumerate(islice(seen, len(card[0])))
                told = [unexplained(crop, rows[k] ^ number, hidden) for number, (crop, hidden) in own]
                cached[card] = least(told, cached.get(card, 0.0))
            asked = {k: card for k, card in asked.items() if cached[card] >= 1}
        for k, card in new_cards.items():
            kind, left = str(deck.kinds[rows[k]]), cached.get(card, 1.0)
            if left < (CONFIG.identify.matcher.asked_from if kind == "seven" else 1):
                continue
            covers = occlusion_masks(card[0], view.found, WIDE_ORIGIN_MM, WIDE_PX)
            hidden = [mask if mask is None else narrow_crop(mask) for mask in covers]
            crops, enrolled = [narrow_crop(wide[corner]) for corner in card[0]], deck.cards[named[k]].crops
            cached[card] = self.matcher.judged(kind, left, crops, hidden, enrolled, bool(rows[k] % 2))
        return [
            as_foreign(hypothesis) if k in cards and cached[cards[k]] >= 1 else hypothesis
            for k, hypothesis in enumerate(found)
        ]

    def up_to_date(self, deck: Deck) -> Deck:
        """The deck as this reader's embedder sees it: embeddings by another embedder are made anew from the crops."""
        if deck.faces is not None or deck.model == self.model:
            return deck
        embeddings = self.embedder.embed([crop for card in deck.cards for crop in card.crops])
        return Deck(deck.name, deck.cards, embeddings, self.model)


def _hypotheses(corners: Sequence[Corner], deck: Deck, odds_of: OddsOf) -> list[Hypothesis]:
    """What each card with these corners could be."""
    opposite = opposite_corners(corners)
    both = odds_of([*corners, *opposite.values()])
    odds, opposite_odds = both[: len(corners)] + detection_odds(corners, deck), both[len(corners) :]
    return form_hypotheses(corners, odds, dict(zip(opposite, opposite_odds, strict=True)))


def _would_be_named(hypothesis: Hypothesis) -> bool:
    return float(hypothesis.probabilities.max()) > _ASSIGNMENT.own_probability


def _suppressed_cards(suppressed: Sequence[Corner], deck: Deck, odds_of: OddsOf) -> list[Corner]:
    """The suppressed corners that surely show a SEVEN card: the next of a column, where its step is short."""
    if not suppressed:
        return []
    rows = odds_of(suppressed)
    return [
        corner
        for corner, row in zip(suppressed, rows, strict=True)
        if row.max() > _KIND.own_card_odds and deck.kinds[int(row.argmax())] == "seven"
    ]


def _without_strays(
    corners: Sequence[Corner], found: Sequence[Hypothesis], more: Sequence[Corner], back: int
) -> list[Corner]:
    """The corners without those that lie on a back found by its face and show nothing, or a little of a back."""
    strays = {
        n
        for hypothesis in found
        if hypothesis.p_nothing > 0.5 or (shows_no_card(hypothesis) and int(hypothesis.probabilities.argmax()) == back)
        for n in hypothesis.corners
        if any(card.holds(corners[n].x, corners[n].y) for card in more)
    }
    return [corner for n, corner in enumerate(corners) if n not in strays]


def detection_odds(corners: Sequence[Corner], deck: Deck) -> Floats:
    """Log odds (n, m) for the deck's corners from how clearly the detector sees n corners, and as what kind."""
    scores = np.array([corner.score for corner in corners], np.float32).reshape(-1, 1)
    own = deck.kinds == np.array([corner.kind for corner in corners]).reshape(-1, 1)
    clear = np.clip((scores - _KIND.shows_kind_from) / (_KIND.shows_kind_to - _KIND.shows_kind_from), 0, 1)
    faint = np.clip((_KIND.faint_score - scores) / (_KIND.faint_score - _KIND.faintest_score), 0, 1)
    return np.asarray(_KIND.shows_kind_odds * clear * own - _KIND.faint_odds * faint, np.float32)


def on_a_marker(corner: Corner, mat: Mat, light: Light) -> bool:
    """Whether a card with this corner would hide a marker that is seen: then it is the marker's own corner."""
    (x, y), (w, h), side = corner.centre, mat.size_mm, mat.marker_mm
    across, down = min(x, w - x), min(y, h - y)
    marker = {(True, True): 0, (False, True): 1, (False, False): 2, (True, False): 3}[x < w / 2, y < h / 2]
    return 0 < across < side and 0 < down < side and any(border.marker == marker for border in light.borders)


def _opposite(corner: Corner, other: Corner) -> Corner:
    """Where the other corner of the same card says that this one lies."""
    return replace(opposite_of(other), score=corner.score, kind=corner.kind)


def _same_pose(one: Corner, other: Corner) -> bool:
    """Whether crops from both would show the same."""
    return (
        math.dist((one.x, one.y), (other.x, other.y)) < _SEARCH.same_mm
        and degrees_apart(one.angle, other.angle) < _SEARCH.same_deg
    )
