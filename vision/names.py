"""The last stage of a reading: from how like corners are to the deck's to cards with names, and such that stay unread.

Corners become hypotheses; backs, ink colours and centre crops are asked where these leave a doubt; each card that would
have a name must show that it is that one; then the table is assigned as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.papers import PaperCard
from referee.table import Detections
from vision.arrays import Floats, Picture
from vision.assign.assignment import assign
from vision.assign.backs import (
    PATCH_MM,
    Face,
    accept_places,
    find_face_places,
    list_distinct_places,
    list_doubtful_places,
)
from vision.assign.centre_crop import (
    WIDE_CENTRE_CROP,
    find_cards_in_doubt,
    odds_by_centre_crop,
    shows_enough,
    with_odds,
)
from vision.assign.hypotheses import (
    Hypothesis,
    as_foreign,
    as_named,
    form_hypotheses,
    is_too_faint_for_a_back,
    shows_no_card,
)
from vision.assign.ink_colour import by_ink_colour
from vision.config import CONFIG
from vision.crops import BLOOM, FAR, WIDE, find_clipped, narrow_crop
from vision.detect.corners import Corner, corner_of_card
from vision.detect.opposite import opposite_corners, opposite_of
from vision.detect.suppression import list_unsuppressed
from vision.identify.deck import BACK, Deck
from vision.identify.matcher import Features, Matcher
from vision.identify.open_set import OpenSetVerifier, find_least
from vision.identify.similarity import Similarity
from vision.scene import Scene

_FACE = CONFIG.assign.face
_ASSIGNMENT = CONFIG.assign.assignment
_CENTRE_CROP = CONFIG.assign.centre_crop
_MATCHER = CONFIG.identify.matcher
_KIND = CONFIG.reading.kind

SimilarityOf = Callable[[Sequence[Corner]], Similarity]
"""How like n corners are to the deck's m, and their ink colours."""
OddsOf = Callable[[Sequence[Corner]], Floats]
"""How like n corners are to the deck's m, as log odds (n, m)."""
Corners = tuple[Corner, ...]
"""One card's, one or two."""
NamedCorners = tuple[Corners, int]
"""One card's, with the name (a number in the deck) that it would have."""


@dataclass(frozen=True, slots=True)
class CachedEvidence:
    """What was measured of cards with these corners besides the corners themselves; readings add to it.

    ``centre_crops`` are log odds of names (numbers in the deck), ``faces`` the places where a back may lie instead,
    ``unexplained`` what names leave unexplained, ``identified`` the name that the matcher gives of all SEVEN cards'
    with its log odds. ``wide`` are the crops cut in this reading alone.
    """

    centre_crops: dict[Corners, dict[int, float]] = field(default_factory=dict)
    faces: dict[Corners, list[Corner]] = field(default_factory=dict)
    unexplained: dict[NamedCorners, float] = field(default_factory=dict)
    identified: dict[Corners, tuple[int, float]] = field(default_factory=dict)
    wide: dict[Corner, Picture] = field(default_factory=dict)


@dataclass
class _Compared:
    """The similarity of corners, asked for once each."""

    similarity_of: SimilarityOf
    columns: int
    rows: dict[Corner, tuple[Floats, Floats]] = field(default_factory=dict)

    def look_up_odds(self, corners: Sequence[Corner]) -> Floats:
        """Log odds (n, m)."""
        new = [corner for corner in corners if corner not in self.rows]
        if new or not self.rows:
            self.rows.update(zip(new, zip(*self.similarity_of(new), strict=True), strict=True))
        return np.array([self.rows[corner][0] for corner in corners], np.float32).reshape(-1, self.columns)

    def ink_colours(self, corners: Sequence[Corner]) -> Floats:
        """Return those (n, 3) of corners whose odds were asked for."""
        return np.array([self.rows[corner][1] for corner in corners], np.float32).reshape(-1, 3)


@dataclass(frozen=True)
class Namer:
    """Names the cards of one deck, of whose papers there are so many ``copies``."""

    deck: Deck
    matcher: Matcher
    copies: dict[str, int]
    open_set: OpenSetVerifier

    @classmethod
    def for_deck(cls, deck: Deck, matcher: Matcher, papers: Mapping[str, PaperCard]) -> Namer:
        """Make one for a deck, some of whose kinds are these papers."""
        kinds = {kind for kind, side, _ in (name.partition("/") for name in deck.names) if side}
        copies = {kind: papers[kind].copies for kind in kinds if kind in papers}
        return cls(deck, matcher, copies, OpenSetVerifier(deck))

    def name_cards(
        self, scene: Scene, corners: Sequence[Corner], similarity_of: SimilarityOf, cached: CachedEvidence | None = None
    ) -> Detections:
        """Name the cards whose corners were found, suppressed ones too.

        ``cached`` is what was measured before of cards that are still as they were; it is added to.
        """
        cached, deck = CachedEvidence() if cached is None else cached, self.deck
        compared = _Compared(similarity_of, len(deck.kinds))
        clear, suppressed = list_unsuppressed(corners), [corner for corner in corners if corner.suppressed]
        if suppressed:  # with all others at once, which is quicker
            compared.look_up_odds([*clear, *suppressed, *opposite_corners(clear).values()])
        shown = [*clear, *_list_suppressed_cards(suppressed, deck, compared.look_up_odds)]
        found = _form_hypotheses(shown, deck, compared.look_up_odds)
        more = self._find_misdetected_backs(replace(scene, found=shown), found, compared.look_up_odds, cached.faces)
        if more:
            shown = [*drop_strays(shown, found, more, deck.names.index(BACK)), *more]
            found = _form_hypotheses(shown, deck, compared.look_up_odds)
        scene = replace(scene, found=shown)
        found = by_ink_colour(found, compared.ink_colours(shown), deck)
        found = self._by_centre_crop(scene, found, cached.centre_crops)
        found = self._mark_foreign(scene, found, cached)

        def find_cause(k: int) -> str:
            return scene.find_cause([shown[i] for i in found[k].corners])

        top = _KIND.top_seats_share * scene.mat.size_mm[1]
        sightings, unread = assign(found, deck, self.copies, find_cause, lambda y: 180.0 if y < top else 0.0)
        return Detections(tuple(sightings), tuple(unread))

    def _find_misdetected_backs(
        self, scene: Scene, found: Sequence[Hypothesis], odds_of: OddsOf, cached: dict[Corners, list[Corner]]
    ) -> list[Corner]:
        """Find the two corners of each back that lies where the detector saw only what is none of its corners."""
        if BACK not in self.deck.names:
            return []
        back = self.deck.names.index(BACK)
        like = {
            n: float(row[2 * back : 2 * back + 2].max())
            for n, (corner, row) in enumerate(zip(scene.found, odds_of(scene.found), strict=True))
            if corner.kind == BACK or int(row.argmax()) // 2 == back
        }
        asked = {_list_corners(scene, hypothesis): hypothesis for hypothesis in list_doubtful_places(found, like)}
        face = Face.from_card(self.deck.cards[back]) if asked else None
        if face is None:
            return []
        for corners, hypothesis in asked.items():
            if corners not in cached:
                place = hypothesis.x, hypothesis.y
                patch = scene.cut_patch(place, hypothesis.angle, PATCH_MM, _FACE.px_per_mm)
                cached[corners] = find_face_places(face, patch, place, hypothesis.angle)
        uppers = list_distinct_places([corner for corners in asked for corner in cached[corners]])
        if not uppers:
            return []
        cards = [(corner, opposite_of(corner)) for corner in uppers]
        fits = odds_of([corner for card in cards for corner in card])[:, [2 * back, 2 * back + 1]].reshape(-1, 2, 2)
        known = [
            hypothesis
            for hypothesis in found
            if int(hypothesis.probabilities.argmax()) == back and not is_too_faint_for_a_back(hypothesis)
        ]
        surely = [corner_of_card(c.x, c.y, c.angle) for c in known if not shows_no_card(c)]
        return [corner for k in accept_places(uppers, fits, surely) for corner in cards[k]]

    def _by_centre_crop(
        self, scene: Scene, found: Sequence[Hypothesis], cached: dict[Corners, dict[int, float]]
    ) -> list[Hypothesis]:
        """Compare the centre crops of whole cards that their corners leave in doubt, and return them revised."""
        asked = find_cards_in_doubt(found, self.deck)
        cards = {k: _list_corners(scene, found[k]) for k in asked}
        uppers = [corner_of_card(found[k].x, found[k].y, found[k].angle) for k in asked]
        masks = scene.mask_occluders(uppers, WIDE_CENTRE_CROP)
        shown = [each for each in zip(asked, uppers, masks, strict=True) if shows_enough(each[2])][
            : _CENTRE_CROP.max_cards
        ]
        new = [each for each in shown if cached.get(cards[each[0]], {}).keys() != set(asked[each[0]])]
        raw = scene.raw_centre_crops([upper for _, upper, _ in new])
        for (k, upper, mask), centre_crop in zip(new, raw, strict=True):
            burnt_out = np.asarray(cv2.dilate(find_clipped(centre_crop).astype(np.uint8), BLOOM), np.uint8)
            lost = burnt_out if mask is None else np.asarray(cv2.max(burnt_out, mask), np.uint8)
            bright = scene.light.correct_patch(centre_crop, upper.centre)
            cached[cards[k]] = odds_by_centre_crop(found[k], self.deck, asked[k], bright, lost)
        heard = {k: cached[cards[k]] for k, _, _ in shown}
        return [with_odds(hypothesis, heard[k]) if k in heard else hypothesis for k, hypothesis in enumerate(found)]

    # Whether a card that would be named is that one

    def _mark_foreign(self, scene: Scene, found: Sequence[Hypothesis], cached: CachedEvidence) -> list[Hypothesis]:
        """Check that hypotheses which would have a name are that card, and return them with the outcome."""
        would_be = {k: int(each.probabilities.argmax()) for k, each in enumerate(found) if _would_be_named(each)}
        cards = {k: (_list_corners(scene, found[k]), name) for k, name in would_be.items()}
        rows = {card: 2 * card[1] + int(found[k].turned[card[1]]) for k, card in cards.items()}
        new = {card: row for card, row in rows.items() if card not in cached.unexplained}
        cut = [corner for corners, _ in new for corner in corners if corner not in cached.wide]
        cached.wide.update(zip(cut, scene.cut_crops(cut), strict=True))
        self._lay_over(scene, new, cached)
        self._ask_the_matcher(scene, new, cached)
        checked = [
            as_foreign(hypothesis) if k in cards and cached.unexplained[cards[k]] >= 1 else hypothesis
            for k, hypothesis in enumerate(found)
        ]
        return [self._name_by_matcher(scene, hypothesis, cached) for hypothesis in checked]

    @cached_property
    def _seven(self) -> NDArray[np.intp]:
        """The numbers of the SEVEN cards."""
        return np.flatnonzero(self.deck.kinds[0::2] == "seven")

    @cached_property
    def _seven_features(self) -> Features:
        """What the matcher goes by of the SEVEN cards: their first crops, then their second ones."""
        return self.matcher.look([self.deck.cards[k].crops[end] for end in (0, 1) for k in self._seven])

    def _name_by_matcher(self, scene: Scene, hypothesis: Hypothesis, cached: CachedEvidence) -> Hypothesis:
        """Give a card that all else leaves without a name the one of all SEVEN cards that the matcher is sure of.

        Most of what is refused is named wrongly, as a cover that nobody found hides a mark.
        """
        corners = _list_corners(scene, hypothesis)
        sure = float(hypothesis.probabilities.max()) >= _ASSIGNMENT.min_probability
        clear = any(corner.kind == "seven" and corner.score >= _KIND.faint_score for corner in corners)
        if sure or not clear or hypothesis.p_nothing > 0.5 or not len(self._seven):
            return hypothesis
        if corners not in cached.identified:
            cut = [corner for corner in corners if corner not in cached.wide]
            cached.wide.update(zip(cut, scene.cut_crops(cut), strict=True))
            ends = hypothesis.turned[self._seven]
            faces = [
                self._seven_features[np.where(ends ^ bool(n), len(ends), 0) + np.arange(len(ends))]
                for n in range(len(corners))
            ]
            crops = [narrow_crop(cached.wide[corner]) for corner in corners]
            hidden = [mask if mask is None else narrow_crop(mask) for mask in scene.mask_occluders(corners)]
            best, odds = self.matcher.identify(crops, hidden, faces)
            cached.identified[corners] = int(self._seven[best]), odds
        name, odds = cached.identified[corners]
        return as_named(hypothesis, name, 1 / (1 + math.exp(-odds))) if odds > _MATCHER.sure_odds else hypothesis

    def _lay_over(self, scene: Scene, new: Mapping[NamedCorners, int], cached: CachedEvidence) -> None:
        """Measure what names leave unexplained of cards that are no backs, where they were found and then nearby.

        ``new`` has for each card which row of the deck its first corner shows.
        """
        asked = [card for card, row in new.items() if self.deck.kinds[row] != "back"]
        for far in (False, True):
            corners = [corner for own, _ in asked for corner in own]
            crops = scene.cut_crops(corners, FAR) if far else [cached.wide[corner] for corner in corners]
            unexplained = self.open_set.measure_nearby if far else self.open_set.measure_unexplained
            seen = zip(crops, scene.mask_occluders(corners, FAR if far else WIDE), strict=True)
            for card in asked:
                own = enumerate(islice(seen, len(card[0])))
                shares = [unexplained(crop, new[card] ^ number, hidden) for number, (crop, hidden) in own]
                cached.unexplained[card] = find_least(shares, cached.unexplained.get(card, 0.0))
            asked = [card for card in asked if cached.unexplained[card] >= 1]

    def _ask_the_matcher(self, scene: Scene, new: Mapping[NamedCorners, int], cached: CachedEvidence) -> None:
        """Ask the matcher about cards that leave something unexplained, and about all backs."""
        for card, row in new.items():
            kind, left = str(self.deck.kinds[row]), cached.unexplained.get(card, 1.0)
            if left < (_MATCHER.asked_from if kind == "seven" else 1):
                continue
            hidden = [mask if mask is None else narrow_crop(mask) for mask in scene.mask_occluders(card[0])]
            crops = [narrow_crop(cached.wide[corner]) for corner in card[0]]
            enrolled = self.deck.cards[card[1]].crops
            cached.unexplained[card] = self.matcher.judge_card(kind, left, crops, hidden, enrolled, bool(row % 2))


def _list_corners(scene: Scene, hypothesis: Hypothesis) -> Corners:
    return tuple(scene.found[n] for n in hypothesis.corners)


def _form_hypotheses(corners: Sequence[Corner], deck: Deck, odds_of: OddsOf) -> list[Hypothesis]:
    """Work out what each card with these corners could be."""
    opposite = opposite_corners(corners)
    both = odds_of([*corners, *opposite.values()])
    odds, opposite_odds = both[: len(corners)] + detection_odds(corners, deck), both[len(corners) :]
    return form_hypotheses(corners, odds, dict(zip(opposite, opposite_odds, strict=True)))


def _would_be_named(hypothesis: Hypothesis) -> bool:
    return float(hypothesis.probabilities.max()) > _ASSIGNMENT.own_probability


def _list_suppressed_cards(suppressed: Sequence[Corner], deck: Deck, odds_of: OddsOf) -> list[Corner]:
    """List the suppressed corners that surely show a SEVEN card: the next of a column, where its step is short."""
    if not suppressed:
        return []
    rows = odds_of(suppressed)
    return [
        corner
        for corner, row in zip(suppressed, rows, strict=True)
        if row.max() > _KIND.own_card_odds and deck.kinds[int(row.argmax())] == "seven"
    ]


def drop_strays(
    corners: Sequence[Corner], found: Sequence[Hypothesis], more: Sequence[Corner], back: int
) -> list[Corner]:
    """Drop the corners that lie on a back found by its face and show nothing, or a little of a back."""
    strays = {
        n
        for hypothesis in found
        if hypothesis.p_nothing > 0.5 or (shows_no_card(hypothesis) and int(hypothesis.probabilities.argmax()) == back)
        for n in hypothesis.corners
        if any(card.covers(corners[n].x, corners[n].y) for card in more)
    }
    return [corner for n, corner in enumerate(corners) if n not in strays]


def detection_odds(corners: Sequence[Corner], deck: Deck) -> Floats:
    """Log odds (n, m) for the deck's corners from how clearly the detector sees n corners, and as what kind."""
    scores = np.array([corner.score for corner in corners], np.float32).reshape(-1, 1)
    own = deck.kinds == np.array([corner.kind for corner in corners]).reshape(-1, 1)
    clear = np.clip((scores - _KIND.shows_kind_from) / (_KIND.shows_kind_to - _KIND.shows_kind_from), 0, 1)
    faint = np.clip((_KIND.faint_score - scores) / (_KIND.faint_score - _KIND.faintest_score), 0, 1)
    return np.asarray(_KIND.shows_kind_odds * clear * own - _KIND.faint_odds * faint, np.float32)
