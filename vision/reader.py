"""The reader: from a still picture and an enrolled deck to sightings on the mat.

The way: mat → straightened and light-corrected picture → ends (finder) → strips → looks (namer) → likeness → claims
→ sightings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from referee.table import Sighting, Unread
from vision.arrays import Floats, Picture
from vision.assign.assignment import decode
from vision.assign.backs import FACE_PX_PER_MM, PATCH_MM, Face, believed, lies_of, places_asked, without_doubles
from vision.assign.centre_crop import (
    CORNER_MM,
    MOST,
    WIDE_MIDDLE_SHAPE,
    cards_in_doubt,
    odds_by_middle,
    shows,
    with_odds,
)
from vision.assign.hypotheses import Claim, claims, shows_no_card, too_faint_for_a_back
from vision.assign.ink_colour import by_ink
from vision.crops import (
    AROUND_MM,
    BESIDE,
    BLOOM,
    STRIP_MIDDLE_MM,
    WIDE_CORNER_MM,
    WIDE_MM,
    WIDE_PX,
    cause_of,
    clipped,
    narrow,
    raw_middles,
    windows_beside,
)
from vision.detect.corners import End, degrees_apart, end_of_card
from vision.detect.detector import Detector
from vision.detect.occlusion import above, covered
from vision.detect.opposite import hidden, opposite_ends, opposite_of
from vision.detect.pairing import pair_ends
from vision.detect.suppression import without_echoes
from vision.geometry import ANCHOR_MM, FINDER_PX_PER_MM, STRIP_PX_PER_MM
from vision.identify.deck import BACK, Deck
from vision.identify.embedder import Embedder, Looks
from vision.identify.pairwise import Duels
from vision.identify.registration import straightened
from vision.identify.similarity import CANDIDATES, NOTHING, Compared, compare
from vision.identify.templates import print_of
from vision.mat import Mat
from vision.mat.light import Light

_TOP_SEATS = 0.38
"""Cards of the seats at the top of the picture face the other way."""
_ALL_CANDIDATES = 40
_CLEAR, _ALMOST, _NO_WORSE = 4.6, 6.0, 1.0
"""Log odds: a lead that leaves no doubt; how far below ``NOTHING`` an end may be a card's after all; and how much
worse the second look may be and still be believed."""
_RIVAL, _SAME_MM, _SAME_DEG = 6.0, 0.8, 1.0
"""A rival no further behind than this (log odds) is laid over a doubtful end too; poses so near show the same."""
_OTHER_KIND = np.float32(2.5)
"""Log odds against a card of another kind than the finder takes the end for: it errs in about one of twelve."""
_SHOWS_IT, _FROM_SCORE, _TO_SCORE = 3.0, 0.5, 0.6
"""Log odds by which an end that the finder sees clearly is likelier to show a card of the kind it takes it for: what is
veiled or blurred may be like no enrolled print as such and yet far more like one than like all others."""
_LESS, _FAINTEST, _FAINT = 2.0, 0.35, 0.45
"""An end that it hardly sees is less likely to show anything at all."""
_CLEAR_END, _SEEN_END, _POORLY, _MOST_LOST = 0.5, 0.35, 50.0, 24
"""Ends that show the deck no better than the third (log odds) are looked for beside their place: of the true ends of
decks that training never saw one in fifty. They have to be as clear as the first where they are taken for a back's, as
many a line is, else as the second; so many in one reading, those that show nothing first."""
_BETTER = 2.5
"""An end that shows something lies elsewhere only if it shows the deck clearer there by more than this (log odds)."""
_PLAIN = 55.0
"""An end that shows the deck as well as this (log odds) shows it hardly better anywhere: 60 is the most."""
_MOST_TORN = 6
"""So many whole cards whose ends show different names are looked at again."""
_OWN_CARD = 53.0
"""Log odds from which on an echo is an end of its own: among decks that training never saw, and with the namer before
this one, marks reached 51, and a dozen corners that some card really had showed 53 to 58."""


Weigh = Callable[[Sequence[End]], Floats]
"""How like n ends are to the deck's m, as log odds (n, m)."""
WeighAll = Callable[[Sequence[End]], Compared]
"""The same, with the inks of the ends."""
Middles = dict[tuple[End, ...], dict[int, float]]
Faces = dict[tuple[End, ...], list[End]]


@dataclass(frozen=True, slots=True)
class Told:
    """What was asked of cards with these ends besides the ends themselves, each to be added to.

    ``middles`` are log odds of names (numbers in the deck), ``faces`` the places where a back may lie instead.
    """

    middles: Middles = field(default_factory=dict)
    faces: Faces = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from one picture: cards named surely, and cards seen but not named. Mat mm, degrees clockwise."""

    sightings: tuple[Sighting, ...]
    unread: tuple[Unread, ...]


@dataclass(frozen=True, slots=True)
class _View:
    """A picture with what is known of it: mat, light, and the ends found."""

    picture: Picture
    mat: Mat
    light: Light
    found: Sequence[End]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is seen of n ends, each field to be changed in place: where they lie, their wide strips, log odds (n, m).

    ``masks`` say where others lie on the strips, ``inks`` (n, 3) which way their inks differ from the ground.
    """

    ends: list[End]
    wide: list[Picture]
    masks: list[Picture | None]
    odds: Floats
    inks: Floats


@dataclass(frozen=True)
class Reader:
    """Reads tables with the networks in ``folder``.

    ``copies`` says how many of each paper kind exist (none given: any number).
    """

    folder: Path
    threads: int = 2
    copies: dict[str, int] = field(default_factory=dict)
    _fought: list[Duels] = field(default_factory=list, init=False, repr=False, compare=False)

    @cached_property
    def detector(self) -> Detector:
        """Finds ends; loaded when first used."""
        return Detector(self.folder, self.threads)

    @cached_property
    def embedder(self) -> Embedder:
        """Describes strips; loaded when first used."""
        return Embedder(self.folder, self.threads)

    @cached_property
    def model(self) -> str:
        """Which namer this is: the first 16 hex digits of its SHA-256.

        Raises:
            ModelError: the file is missing.
        """
        return self.embedder.digest[:16]

    def find(
        self, picture: Picture, mat: Mat, light: Light, part: tuple[int, int, int, int] | None = None
    ) -> list[End]:
        """Find the card ends on the mat, echoes last; with ``part`` (x0, y0, x1, y1 px of the finder's view) there."""
        x0, y0 = part[:2] if part else (0, 0)
        flat = mat.rectify(picture, FINDER_PX_PER_MM, part=part)
        ends = self.detector.find_ends(light.correct_mat(flat, FINDER_PX_PER_MM, corner_px=(x0, y0)))
        moved = (x0 / FINDER_PX_PER_MM, y0 / FINDER_PX_PER_MM)
        ends = [replace(end, x=end.x + moved[0], y=end.y + moved[1]) for end in ends] if part else ends
        return [end for end in ends if not on_a_marker(end, mat, light)]

    def look(self, picture: Picture, mat: Mat, light: Light, ends: Sequence[End]) -> tuple[list[Picture], Looks]:
        """Cut the ends' wide strips and describe what is in their middle."""
        wide = self._cut(picture, mat, light, ends, WIDE_MM)
        return wide, self.embedder.look_at([narrow(strip) for strip in wide])

    def _cut(
        self, picture: Picture, mat: Mat, light: Light, ends: Sequence[End], size_mm: tuple[float, float]
    ) -> list[Picture]:
        """What lies so far round the middles of ends' strips, upright, at the strips' scale."""
        places = [end.at(*STRIP_MIDDLE_MM) for end in ends]
        turned = [(place, end.angle) for place, end in zip(places, ends, strict=True)]
        raw = mat.patches(picture, turned, size_mm, STRIP_PX_PER_MM)
        return [light.correct_patch(strip, place) for strip, place in zip(raw, places, strict=True)]

    def middles(self, picture: Picture, mat: Mat, light: Light, ends: Sequence[End]) -> list[Picture]:
        """Cut what cards with these upper ends show between their ends, with a margin; (130, 146, 3) each."""
        raw = raw_middles(picture, mat, ends)
        return [light.correct_patch(middle, end.centre) for middle, end in zip(raw, ends, strict=True)]

    def read(self, picture: Picture, mat: Mat, deck: Deck) -> Reading:
        """Read the whole mat in a picture (h, w, 3) BGR uint8."""
        deck = self.up_to_date(deck)
        light = Light.measure(picture, mat)
        ends = self.find(picture, mat, light)
        clear = without_echoes(ends)
        return self.name(
            picture, mat, light, deck, ends, lambda some: self.weigh(picture, mat, light, deck, some, clear)
        )

    def weigh(
        self, picture: Picture, mat: Mat, light: Light, deck: Deck, ends: Sequence[End], found: Sequence[End]
    ) -> Compared:
        """How like each of n ends is to the deck's m, and their inks; ``found`` are all on the mat but echoes."""
        view = _View(picture, mat, light, found)
        needed = [_OWN_CARD if end.echo else -math.inf for end in ends]
        known = set(found)
        unlikely = [end.score < _FAINT or not (end in known or end.echo) for end in ends]
        seen = self._compare(view, deck, ends, CANDIDATES, needed, unlikely)
        self._look_across(view, deck, seen, tried=self._look_about(view, deck, seen))
        doubtful = [n for n, row in enumerate(seen.odds) if _doubtful(row) and row.max() > needed[n]]
        again = [(n, end) for n in doubtful for end in self._poses(deck, seen, n)]
        if again:
            exact = self._with_exact_covers(view, deck, seen, [end for _, end in again])
            least = [float(seen.odds[n].max()) - _NO_WORSE for n, _ in again]
            closer = self._compare(exact, deck, [end for _, end in again], _ALL_CANDIDATES, least)
            clearest: dict[int, int] = {}
            for k in np.argsort(closer.odds.max(axis=1), kind="stable").tolist():
                clearest[again[k][0]] = k
            for n, k in clearest.items():
                if closer.odds[k].max() > seen.odds[n].max() - _NO_WORSE:
                    seen.odds[n], seen.inks[n] = closer.odds[k], closer.inks[k]
        return Compared(seen.odds, seen.inks)

    def _poses(self, deck: Deck, seen: _Seen, n: int) -> list[End]:
        """Where an end lies if it shows the card that it most looks like, and where if it shows the next likely one.

        Over the wrong card's print it is laid askew, where the right one fits ill.
        """
        row = seen.odds[n]
        names = np.maximum(row[0::2], row[1::2])
        shown = print_of(seen.wide[n])
        poses: list[End] = []
        for card in np.argsort(-names)[:2].tolist():
            if names[card] < row.max() - _RIVAL:
                break
            enrolled = self._duels(deck).enrolled(2 * card + int(row[2 * card + 1] > row[2 * card]))
            end = straightened(seen.ends[n], shown, enrolled.part.values, seen.masks[n])
            if end is not None and not any(_same_pose(end, other) for other in poses):
                poses.append(end)
        return poses

    def _with_exact_covers(self, view: _View, deck: Deck, seen: _Seen, ends: Sequence[End]) -> _View:
        """The view with what lies on these ends straightened, and without what shows nothing: that is no card.

        A cover that is found a few degrees or a millimetre off hides half a mark or shows half of its own.
        """
        covers, known = above(ends, view.found), set(seen.ends)
        more = self._compare(view, deck, [end for end in covers if end not in known], CANDIDATES)
        looks = {
            end: (each.wide[n], each.masks[n], each.odds[n]) for each in (seen, more) for n, end in enumerate(each.ends)
        }
        exact: dict[End, End | None] = {}
        for end in covers:
            wide, mask, odds = looks[end]
            best = int(odds.argmax())
            lies = straightened(end, print_of(wide), self._duels(deck).enrolled(best).part.values, mask) or end
            exact[end] = lies if odds[best] > NOTHING else None
        laid = [exact.get(end, end) for end in view.found]
        return replace(view, found=[end for end in laid if end is not None])

    def _look_about(self, view: _View, deck: Deck, seen: _Seen) -> list[int]:
        """Look beside clear ends that show little or nothing of the deck: print may lead the finder some mm astray.

        One whose card's other end is plain is looked for where that one says; their numbers are returned.
        """
        known = set(view.found)
        lost = [
            n
            for n, end in enumerate(seen.ends)
            if end.score > (_CLEAR_END if end.kind == BACK else _SEEN_END)
            and end in known
            and seen.odds[n].max() < _POORLY
        ]
        lost = sorted(lost, key=lambda n: (seen.odds[n].max() >= NOTHING, -seen.ends[n].score))[:_MOST_LOST]
        other = {n: m for a, b in self._pairs(view, seen) for n, m in ((a, b), (b, a)) if seen.odds[m].max() >= _PLAIN}
        places = {n: _opposite(seen.ends[n], seen.ends[other[n]]) for n in lost if n in other}
        alone = [n for n in lost if n not in other]
        around = self._cut(view.picture, view.mat, view.light, [seen.ends[n] for n in alone], AROUND_MM)
        looks = self.embedder.look_at([strip for wide in around for strip in windows_beside(wide)])
        like = (looks.embedding @ deck.looks.embedding.T).max(axis=1).reshape(-1, len(BESIDE))
        for n, (right, down) in zip(alone, (BESIDE[k] for k in like.argmax(axis=1)), strict=True):
            end = seen.ends[n]
            x, y = end.at(ANCHOR_MM[0] + right / STRIP_PX_PER_MM, ANCHOR_MM[1] + down / STRIP_PX_PER_MM)
            places[n] = replace(end, x=x, y=y)
        self._try_places(view, deck, seen, [(n, places[n]) for n in lost])
        return [n for n in lost if n in other]

    def _look_across(self, view: _View, deck: Deck, seen: _Seen, tried: Sequence[int]) -> None:
        """Look again at the ends of whole cards that show different names, each where the other says that it lies.

        A card that sticks out from below, or print, may lead the finder astray at one of them. Not those that were
        looked for there before.
        """
        pairs = self._pairs(view, seen)
        torn = [pair for pair in pairs if len({int(seen.odds[n].argmax()) // 2 for n in pair}) == 2]
        each = [(n, other) for a, b in torn[:_MOST_TORN] for n, other in ((a, b), (b, a))]
        across = [(n, other) for n, other in each if seen.odds[n].max() < _PLAIN and n not in tried]
        places = [(n, seen.ends[other], _opposite(seen.ends[n], seen.ends[other])) for n, other in across]
        shown = [(n, place) for n, other, place in places if not hidden(place, other, view.found)]
        self._try_places(view, deck, seen, shown)

    def _pairs(self, view: _View, seen: _Seen) -> list[tuple[int, int]]:
        """The ends of whole cards, by their numbers."""
        known = set(view.found)
        here = [n for n, end in enumerate(seen.ends) if end in known]
        pairs = [[here[k] for k in pair] for pair in pair_ends([seen.ends[n] for n in here])]
        return [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]

    def _try_places(self, view: _View, deck: Deck, seen: _Seen, places: Sequence[tuple[int, End]]) -> None:
        """Look for ends at other places too: one that clearly shows more of the deck there lies there from then on."""
        if not places:
            return
        levels = [float(seen.odds[n].max()) for n, _ in places]
        least = [NOTHING if shown < NOTHING else shown + _BETTER for shown in levels]
        there = self._compare(view, deck, [place for _, place in places], CANDIDATES, least, [True] * len(places))
        for k, (n, place) in enumerate(places):
            if levels[k] >= NOTHING and _sides_of_one(deck, seen.odds[n], there.odds[k]):
                continue  # a mat's edge above a paper looks like the band that its other side has there
            if there.odds[k].max() > least[k]:
                seen.ends[n], seen.wide[n] = place, there.wide[k]
                seen.masks[n], seen.odds[n], seen.inks[n] = there.masks[k], there.odds[k], there.inks[k]

    def _compare(
        self,
        view: _View,
        deck: Deck,
        ends: Sequence[End],
        candidates: int,
        least: Sequence[float] = (),
        unlikely: Sequence[bool] = (),
    ) -> _Seen:
        """What is seen of ends.

        ``least`` says for each how well it has to show the deck for duels to matter, ``unlikely`` whether it is likely
        none.
        """
        wide = self._cut(view.picture, view.mat, view.light, ends, WIDE_MM)
        masks = covered(ends, view.found, WIDE_CORNER_MM, WIDE_PX)
        settled, inks = np.zeros((len(ends), len(deck.kinds)), np.float32), np.zeros((len(ends), 3), np.float32)
        for some, looks in self.embedder.looks_ahead([narrow(strip) for strip in wide]):
            odds, inks[some] = compare(wide[some], looks, deck, candidates, masks[some], unlikely[some])
            settled[some] = self._duels(deck).settle(wide[some], odds, masks[some], least[some])
        strange = _OTHER_KIND * (deck.kinds != np.array([[end.kind] for end in ends]).reshape(-1, 1))
        return _Seen(list(ends), wide, masks, settled - strange, inks)

    def _duels(self, deck: Deck) -> Duels:
        if not self._fought or self._fought[0].deck is not deck:
            self._fought[:] = [Duels(deck)]
        return self._fought[0]

    def name(
        self,
        picture: Picture,
        mat: Mat,
        light: Light,
        deck: Deck,
        ends: Sequence[End],
        weigh: WeighAll,
        told: Told | None = None,
    ) -> Reading:
        """Name the cards whose ends were found; ``weigh`` says how like ends are to the deck's, and their inks.

        ``told`` is what was asked before of cards that are still as they were; it is added to.
        """
        told = Told() if told is None else told
        rows: dict[End, Floats] = {}
        inks: dict[End, Floats] = {}

        def weighed(some: Sequence[End]) -> Floats:
            new = [end for end in some if end not in rows]
            if new or not rows:
                odds, ink = weigh(new)
                rows.update(zip(new, odds, strict=True))
                inks.update(zip(new, ink, strict=True))
            return np.array([rows[end] for end in some], np.float32).reshape(len(some), len(deck.kinds))

        clear, echoes = without_echoes(ends), [end for end in ends if end.echo]
        if echoes:  # with all others at once, which is quicker
            weighed([*clear, *echoes, *opposite_ends(clear).values()])
        ends = [*clear, *_cards_of_their_own(echoes, deck, weighed)]
        found = _claims(ends, deck, weighed)
        more = self._backs_led_astray(_View(picture, mat, light, ends), deck, found, weighed, told.faces)
        if more:
            ends = [*_without_strays(ends, found, more, deck.names.index(BACK)), *more]
            found = _claims(ends, deck, weighed)
        found = by_ink(found, np.array([inks[end] for end in ends], np.float32).reshape(-1, 3), deck)
        found = self._by_middle(_View(picture, mat, light, ends), deck, found, told.middles)

        def cause(k: int) -> str:
            return cause_of(picture, mat, light, [ends[i] for i in found[k].ends])

        top = _TOP_SEATS * mat.size_mm[1]
        sightings, unread = decode(found, deck, self.copies, cause, lambda y: 180.0 if y < top else 0.0)
        return Reading(tuple(sightings), tuple(unread))

    def _backs_led_astray(
        self, view: _View, deck: Deck, found: Sequence[Claim], weigh: Weigh, told: Faces
    ) -> list[End]:
        """The two ends of each back that lies where the finder saw only what is none of its ends."""
        if BACK not in deck.names:
            return []
        back = deck.names.index(BACK)
        like = {
            n: float(row[2 * back : 2 * back + 2].max())
            for n, (end, row) in enumerate(zip(view.found, weigh(view.found), strict=True))
            if end.kind == BACK or int(row.argmax()) // 2 == back
        }
        asked = {tuple(view.found[n] for n in claim.ends): claim for claim in places_asked(found, like)}
        face = Face.of(deck.cards[back]) if asked else None
        if face is None:
            return []
        for ends in [ends for ends in asked if ends not in told]:
            claim, place = asked[ends], (asked[ends].x, asked[ends].y)
            raw = view.mat.patch(view.picture, place, claim.angle, PATCH_MM, FACE_PX_PER_MM)
            told[ends] = lies_of(face, view.light.correct_patch(raw, place), place, claim.angle)
        uppers = without_doubles([end for ends in asked for end in told[ends]])
        if not uppers:
            return []
        cards = [(end, opposite_of(end)) for end in uppers]
        fits = weigh([end for card in cards for end in card])[:, [2 * back, 2 * back + 1]].reshape(-1, 2, 2)
        known = [claim for claim in found if int(claim.chance.argmax()) == back and not too_faint_for_a_back(claim)]
        surely = [end_of_card(c.x, c.y, c.angle) for c in known if not shows_no_card(c)]
        return [end for k in believed(uppers, fits, surely) for end in cards[k]]

    def _by_middle(self, view: _View, deck: Deck, found: Sequence[Claim], told: Middles) -> list[Claim]:
        """The claims once the middles of whole cards were asked that their ends leave in doubt."""
        asked = cards_in_doubt(found, deck)
        cards = {k: tuple(view.found[n] for n in found[k].ends) for k in asked}
        uppers = [end_of_card(found[k].x, found[k].y, found[k].angle) for k in asked]
        hidden = covered(uppers, view.found, CORNER_MM, WIDE_MIDDLE_SHAPE[1::-1])
        shown = [each for each in zip(asked, uppers, hidden, strict=True) if shows(each[2])][:MOST]
        new = [each for each in shown if told.get(cards[each[0]], {}).keys() != set(asked[each[0]])]
        raw = raw_middles(view.picture, view.mat, [upper for _, upper, _ in new])
        for (k, upper, mask), middle in zip(new, raw, strict=True):
            burnt = np.asarray(cv2.dilate(clipped(middle).astype(np.uint8), BLOOM), np.uint8)
            lost = burnt if mask is None else np.asarray(cv2.max(burnt, mask), np.uint8)
            bright = view.light.correct_patch(middle, upper.centre)
            told[cards[k]] = odds_by_middle(found[k], deck, asked[k], bright, lost)
        heard = {k: told[cards[k]] for k, _, _ in shown}
        return [with_odds(claim, heard[k]) if k in heard else claim for k, claim in enumerate(found)]

    def up_to_date(self, deck: Deck) -> Deck:
        """The deck as this reader's namer sees it: looks made by another namer are made anew from the strips."""
        if deck.model == self.model:
            return deck
        looks = self.embedder.look_at([strip for card in deck.cards for strip in card.strips])
        return Deck(deck.name, deck.cards, looks, self.model)


def _claims(ends: Sequence[End], deck: Deck, weigh: Weigh) -> list[Claim]:
    """What each card with these ends could be."""
    opposite = opposite_ends(ends)
    weighed = weigh([*ends, *opposite.values()])
    odds, behind = weighed[: len(ends)] + clearly(ends, deck), weighed[len(ends) :]
    return claims(ends, odds, dict(zip(opposite, behind, strict=True)))


def _cards_of_their_own(echoes: Sequence[End], deck: Deck, weigh: Weigh) -> list[End]:
    """The echoes that surely show a SEVEN card: where a step of a column is short, its next card is taken for one."""
    if not echoes:
        return []
    rows = weigh(echoes)
    return [
        end
        for end, row in zip(echoes, rows, strict=True)
        if row.max() > _OWN_CARD and deck.kinds[int(row.argmax())] == "seven"
    ]


def _without_strays(ends: Sequence[End], found: Sequence[Claim], more: Sequence[End], back: int) -> list[End]:
    """The ends but those that show nothing, or a little of a back at one end, and lie on a back found by its face."""
    strays = {
        n
        for claim in found
        if claim.nothing > 0.5 or (shows_no_card(claim) and int(claim.chance.argmax()) == back)
        for n in claim.ends
        if any(card.holds(ends[n].x, ends[n].y) for card in more)
    }
    return [end for n, end in enumerate(ends) if n not in strays]


def clearly(ends: Sequence[End], deck: Deck) -> Floats:
    """Log odds (n, m) for the deck's ends from how clearly the finder sees n ends, and as what."""
    scores = np.array([end.score for end in ends], np.float32).reshape(-1, 1)
    own = deck.kinds == np.array([end.kind for end in ends]).reshape(-1, 1)
    clear = np.clip((scores - _FROM_SCORE) / (_TO_SCORE - _FROM_SCORE), 0, 1)
    faint = np.clip((_FAINT - scores) / (_FAINT - _FAINTEST), 0, 1)
    return np.asarray(_SHOWS_IT * clear * own - _LESS * faint, np.float32)


def on_a_marker(end: End, mat: Mat, light: Light) -> bool:
    """Whether a card with this end would hide a marker that is seen: then it is the marker's own corner."""
    (x, y), (w, h), side = end.centre, mat.size_mm, mat.marker_mm
    across, down = min(x, w - x), min(y, h - y)
    marker = {(True, True): 0, (False, True): 1, (False, False): 2, (True, False): 3}[x < w / 2, y < h / 2]
    return 0 < across < side and 0 < down < side and any(border.marker == marker for border in light.borders)


def _opposite(end: End, other: End) -> End:
    """Where the other end of the same card says that this one lies."""
    return replace(opposite_of(other), score=end.score, kind=end.kind)


def _sides_of_one(deck: Deck, one: Floats, other: Floats) -> bool:
    """Whether two ends with these log odds (m) show a paper's two sides."""
    a, b = (deck.names[int(odds.argmax()) // 2] for odds in (one, other))
    return a != b and a.split("/")[0] == b.split("/")[0]


def _same_pose(one: End, other: End) -> bool:
    """Whether a second look from both would show the same."""
    return (
        math.dist((one.x, one.y), (other.x, other.y)) < _SAME_MM and degrees_apart(one.angle, other.angle) < _SAME_DEG
    )


def _doubtful(odds: Floats) -> bool:
    """Whether an end with these log odds (m) shows something of the deck, but not surely what."""
    names = np.maximum(odds[0::2], odds[1::2])
    second, best = np.partition(names, -2)[-2:]
    return bool(best > NOTHING - _ALMOST and best - max(second, NOTHING) < _CLEAR)
