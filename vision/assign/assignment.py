"""From hypotheses to named cards and cards that can't be read.

The table is assigned as a whole: every SEVEN card exists once and every paper kind in a known number. So a name goes to
the card with the strongest evidence for it, and a card that loses its name is reported as doubtful rather than given
its second best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from referee.layout import CARD_MM
from referee.table import Sighting, Unread
from vision.assign.hypotheses import Hypothesis, is_too_faint_for_a_back, shows_no_card
from vision.config import CONFIG
from vision.detect.corners import Corner, corner_of_card, degrees_apart
from vision.identify.deck import BACK, SEVEN_NAMES, Deck

_PAIRING = CONFIG.detect.pairing
_SUPPRESSION = CONFIG.detect.suppression
_HYPOTHESIS = CONFIG.assign.hypothesis
_ASSIGNMENT = CONFIG.assign.assignment

_SEVEN = frozenset(SEVEN_NAMES)
_TOUCH_MM = math.hypot(*CARD_MM)
"""Cards whose centres are further apart than this don't touch each other."""


def assign(
    found: Sequence[Hypothesis],
    deck: Deck,
    copies: dict[str, int],
    cause: Callable[[int], str],
    facing: Callable[[float], float] = lambda y: 0.0,
) -> tuple[list[Sighting], list[Unread]]:
    """Give every card its name or say that it can't be read.

    Args:
        found: the cards on the mat.
        deck: the enrolled deck.
        copies: how many there are of each paper kind; SEVEN cards are single, backs without number.
        facing: which way cards lie at a height y (mm), in degrees: it settles the angle of a whole card that looks the
            same from both sides.
        cause: why the card of that number would be hard to read (``glare``, ``covered`` …), or ``doubtful``; asked only
            for cards that stay unread.
    """
    alone = [
        int(card.probabilities.argmax()) if float(card.probabilities.max()) > _ASSIGNMENT.own_probability else -1
        for card in found
    ]
    table = _Table(deck, copies, allow_each_card_once(found, deck.names), cause, facing)
    for k in table.rank_cards():
        table.settle(k, alone[k])
    return table.sightings, [
        u
        for u in table.unread
        if not any(math.hypot(u.x - s.x, u.y - s.y) < _PAIRING.same_centre_mm for s in table.sightings)
    ]


@dataclass
class _Table:
    """A table on which names are given: the ``named`` cards with their ``sightings``, and those that stay unread.

    ``cards`` are all that surely lie there, ``left`` how many of each kind are still to be named.
    """

    deck: Deck
    copies: dict[str, int]
    found: Sequence[Hypothesis]
    cause: Callable[[int], str]
    facing: Callable[[float], float]
    sightings: list[Sighting] = field(default_factory=list)
    named: list[Hypothesis] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cards = [card for card in self.found if card.score >= _ASSIGNMENT.clear_score]

    def rank_cards(self) -> list[int]:
        """List the cards' numbers, those the detector sees first and the surest of them first."""
        return sorted(
            range(len(self.found)),
            key=lambda k: (self.found[k].score < _HYPOTHESIS.faint_score, -float(self.found[k].probabilities.max())),
        )

    def settle(self, k: int, alone: int) -> None:
        """Name a card, leave it unread, or leave it out where it is none; ``alone`` is its name by its own evidence."""
        card = self.found[k]
        best = int(card.probabilities.argmax()) if card.foreign is None else card.foreign
        name, sure, lines = self.deck.names[best], float(card.probabilities[best]), _may_be_lines(card)
        if (lines and not self._is_veiled(k)) or self._is_another_s(card, name, sure) or self._is_named(card, name):
            return
        if lines or sure < self._required_certainty(card) or best != alone:
            if lines or not _may_be_print(card, self.cards):
                self.cards.append(card)
                self.unread.append(_make_unread(card, self.deck.names, _find_cause(card, self.cause(k))))
        elif not self._is_left(name):
            self.unread.append(_make_unread(card, self.deck.names, "doubtful"))
        else:
            self._name_card(card, best, sure)

    def _is_veiled(self, k: int) -> bool:
        """Tell whether what may be lines is a corner all the same, as glare or blur explains why so little shows."""
        card = self.found[k]
        return card.score >= _ASSIGNMENT.veiled_score and self.cause(k) in _find_veils(card, self.named)

    def _is_another_s(self, card: Hypothesis, name: str, sure: float) -> bool:
        """Tell whether what was found belongs to a card that was named, or lies where that one would hide it."""
        near = [other for other in self.named if math.dist((card.x, card.y), (other.x, other.y)) < _TOUCH_MM]
        if card.p_nothing > 0.5 and any(_do_both_show(other) and _are_in_each_other(card, other) for other in near):
            return True
        if name == BACK and is_too_faint_for_a_back(card):
            return True
        clearer = [other for other in near if other.score > card.score and _are_in_each_other(card, other)]
        if name == BACK and len(card.corners) == 2 and sure >= _ASSIGNMENT.min_probability:
            clearer = [
                other for other in clearer if math.dist((card.x, card.y), (other.x, other.y)) < _ASSIGNMENT.fan_step_mm
            ]
        if any(_is_far_fainter(card, other, name) or _is_near(card, other) for other in clearer):
            return True
        return name != BACK and any(_is_mark_of(card, other) for other in near)

    def _is_named(self, card: Hypothesis, name: str) -> bool:
        """Tell whether this is a card that has that name already, seen twice, or a back's pattern."""
        same = [other for s, other in zip(self.sightings, self.named, strict=True) if s.name == name]
        if any(_is_same_card(other, card, name in _SEVEN) for other in same):
            return True
        return name == BACK and any(_is_pattern_of(card, other) for other in same)

    def _required_certainty(self, card: Hypothesis) -> float:
        """Return how sure a name must be; surer where the card only peeps out from under another."""
        peeps = not card.whole and any(other.whole and _is_near(other, card) for other in self.named)
        return _ASSIGNMENT.pile_probability if peeps else _ASSIGNMENT.min_probability

    def _is_left(self, name: str) -> bool:
        """Tell whether another card of that name may lie there."""
        kind = name.split("/")[0]
        stock = 1 if name in _SEVEN else self.copies.get(kind, len(self.found))
        return self.left.setdefault(kind, stock) > 0 or name == BACK

    def _name_card(self, card: Hypothesis, best: int, sure: float) -> None:
        name, angle = self.deck.names[best], card.angle
        self.left[name.split("/")[0]] -= 1
        alike = "/" not in name and bool(self.deck.symmetric[best])
        if (bool(card.turned[best]) and not alike) or (
            alike and card.whole and degrees_apart(angle, self.facing(card.y)) > 90
        ):
            angle = (angle + 180) % 360
        self.cards.append(card)
        self.named.append(card)
        self.sightings.append(Sighting(name, card.x, card.y, angle, sure, 1.0 if card.whole else 0.4))


def _find_cause(card: Hypothesis, seen: str) -> str:
    """Find why a card stays unread: showing none of the deck's, it may be one under glare, or out of focus."""
    return "foreign" if card.foreign is not None and seen in ("covered", "doubtful") else seen


def _may_be_lines(card: Hypothesis) -> bool:
    """Tell whether what seems a corner may as well be lines that meet: it is not clear, and little bears it out."""
    hardly = (
        card.whole
        and len(card.corners) == 1
        and card.score < _HYPOTHESIS.faint_score
        and card.p_nothing > _HYPOTHESIS.max_nothing_alone
    )
    return _is_lying_open(card) or (card.score < _ASSIGNMENT.clear_score and (shows_no_card(card) or hardly))


def _find_veils(card: Hypothesis, named: Sequence[Hypothesis]) -> frozenset[str]:
    """Name what may keep a corner from showing; where other cards are plain, the picture is not out of focus.

    Blur hides not both corners of a card that lies open, of which only one was found.
    """
    return frozenset({"glare"}) if named or _is_lying_open(card) else frozenset({"glare", "blurred"})


def _may_be_print(card: Hypothesis, cards: Sequence[Hypothesis]) -> bool:
    """Tell whether what stays unread may be print: unclear, it may show nothing, and lies on no card or is its mark.

    A covered card shows its corner on others, or clearer from below one; of one that lies open both are found, or one
    is plain.
    """
    if card.score >= _ASSIGNMENT.clear_score or card.p_nothing < _HYPOTHESIS.max_nothing:
        return False
    if len(card.corners) > 1:
        return card.score < _HYPOTHESIS.faint_score
    if card.score < _HYPOTHESIS.faint_score and any(_is_suit_mark_of(card, other) for other in cards):
        return True
    below = card.score >= _ASSIGNMENT.veiled_score
    return not any(
        any(_is_on(corner, other, 0) for corner in _list_anchors(card))
        or (below and any(_is_on(corner, card, 0) for corner in _list_anchors(other)))
        for other in cards
    )


def _is_suit_mark_of(card: Hypothesis, other: Hypothesis) -> bool:
    """Tell whether a card's corner lies above or below another's, nearer than the next card of a column."""
    corner, near = _list_anchors(card)[0], _list_anchors(other)[0]
    turn = math.radians(near.angle)
    beside = (corner.x - near.x) * math.cos(turn) + (corner.y - near.y) * math.sin(turn)
    return (
        math.dist((corner.x, corner.y), (near.x, near.y)) < _SUPPRESSION.column_step_mm
        and abs(beside) < _SUPPRESSION.column_beside_mm
        and degrees_apart(corner.angle, near.angle) < _SUPPRESSION.radius_deg
    )


def _is_lying_open(card: Hypothesis) -> bool:
    """Tell whether a card should lie open, but nothing of the deck shows at the corner found nor at its other one."""
    return card.opposite_empty and card.p_nothing > 0.5


def allow_each_card_once(found: Sequence[Hypothesis], names: Sequence[str]) -> list[Hypothesis]:
    """Return the hypotheses' probabilities given that every SEVEN card lies in one place only.

    Mean field: what one card surely is, no other card is. Hypotheses so near to each other that they may be one card
    twice leave each other alone. None is pushed harder than ``max_push``, so two cards that both look like one name end
    doubtful, neither with its second best.
    """
    once = np.array([name in _SEVEN for name in names])
    own = np.stack([c.probabilities for c in found]) if found else np.zeros((0, len(names)), np.float32)
    rivals = np.array([[a is not b and not _is_one_card(a, b) for b in found] for a in found])
    probabilities = own
    for _ in range(4 if found else 0):
        free = np.log(np.maximum(1 - probabilities * once, _ASSIGNMENT.max_push))
        pushed = own * np.maximum(np.exp(rivals.astype(np.float32) @ free), _ASSIGNMENT.max_push)
        probabilities = pushed / pushed.sum(axis=1, keepdims=True)
    return [replace(c, probabilities=row) for c, row in zip(found, probabilities, strict=True)]


def _is_near(a: Hypothesis, b: Hypothesis) -> bool:
    """Tell whether two cards lie so near to each other that one lies under the other, or is a mark of it."""
    return math.dist((a.x, a.y), (b.x, b.y)) < _ASSIGNMENT.pile_mm


def _is_same_card(seen: Hypothesis, card: Hypothesis, seven: bool) -> bool:
    """Tell whether two hypotheses for one name are one card; of papers and backs there are several."""
    if seven:
        return _is_one_card(seen, card)
    off = degrees_apart(seen.angle, card.angle)
    return math.hypot(seen.x - card.x, seen.y - card.y) < _PAIRING.same_centre_mm and min(off, 180 - off) < 25


def _is_one_card(a: Hypothesis, b: Hypothesis) -> bool:
    """Tell whether two hypotheses may be one card seen twice: the corners of each lie on the other's card or nearly."""
    if math.hypot(a.x - b.x, a.y - b.y) > _ASSIGNMENT.twice_mm:
        return False
    return all(
        _is_on(corner, card, _distance_astray(corner, card))
        for one, card in ((a, b), (b, a))
        for corner in _list_anchors(one)
    )


def _is_mark_of(card: Hypothesis, whole: Hypothesis) -> bool:
    """Tell whether what seems a corner is a mark along an edge of a whole card.

    A card that had its corner there would lie on the other and hide that one's far corner, which shows. Backs are left
    out: in a fan of them one's pattern goes on in the next.
    """
    if len(card.corners) > 1 or card.whole or len(whole.corners) < 2:
        return False
    (lone,) = _list_anchors(card)
    near, far = sorted(_list_anchors(whole), key=lambda corner: degrees_apart(corner.angle, lone.angle))
    turn = math.radians(near.angle)
    below = (lone.y - near.y) * math.cos(turn) - (lone.x - near.x) * math.sin(turn)
    return (
        abs(below) < _ASSIGNMENT.along_edge_mm
        and _is_on(lone, whole, -_ASSIGNMENT.within_mm)
        and _is_on(far, card, -_ASSIGNMENT.within_mm)
    )


def _is_pattern_of(card: Hypothesis, whole: Hypothesis) -> bool:
    """Tell whether what seems a back's only corner is a whole one's pattern across it: in a fan they lie abreast."""
    if len(card.corners) > 1 or card.whole or not whole.whole:
        return False
    if abs((card.angle - whole.angle) % 180 - 90) > _ASSIGNMENT.across_deg:
        return False
    (lone,) = _list_anchors(card)
    return _is_on(lone, whole, -_ASSIGNMENT.within_mm)


def _is_far_fainter(card: Hypothesis, other: Hypothesis, name: str) -> bool:
    """Tell whether a card is so faint beside another that it need not be one; backs in a fan are faint anyhow."""
    share = max(_HYPOTHESIS.faint_score, _HYPOTHESIS.fainter_share * other.score)
    return card.score < (min(_HYPOTHESIS.unclear_score, share) if name == BACK else share)


def _do_both_show(card: Hypothesis) -> bool:
    """Tell whether both of a card's corners were found, and show what it is."""
    return len(card.corners) == 2 and card.p_nothing < _HYPOTHESIS.max_nothing


def _are_in_each_other(a: Hypothesis, b: Hypothesis) -> bool:
    """Tell whether a corner of each shows within the other's outline: each would lie on the other, so one is no card.

    Of a card that is not whole the second corner is no evidence: what was found there shows nothing of it.
    """
    return all(
        any(_is_on(corner, card, -_ASSIGNMENT.within_mm) for corner in _list_anchors(one)[: 2 if one.whole else 1])
        for one, card in ((a, b), (b, a))
    )


def _list_anchors(card: Hypothesis) -> list[Corner]:
    turns = (0.0, 180.0) if len(card.corners) > 1 or card.whole else (0.0,)
    return [corner_of_card(card.x, card.y, card.angle + turn) for turn in turns]


def _distance_astray(corner: Corner, card: Hypothesis) -> float:
    return (
        _ASSIGNMENT.beyond_facing_mm
        if len(card.corners) == 2 or degrees_apart(corner.angle, card.angle) > 90
        else _ASSIGNMENT.beyond_mm
    )


def _is_on(corner: Corner, card: Hypothesis, beyond: float) -> bool:
    """Tell whether a corner's anchor lies within a card's outline, or no further than this (mm) beyond it."""
    c, s = math.cos(math.radians(card.angle)), math.sin(math.radians(card.angle))
    dx, dy = corner.x - card.x, corner.y - card.y
    return abs(dx * c + dy * s) < CARD_MM[0] / 2 + beyond and abs(dy * c - dx * s) < CARD_MM[1] / 2 + beyond


def _make_unread(card: Hypothesis, names: Sequence[str], cause: str) -> Unread:
    best = np.argsort(-card.probabilities)[:3]
    likely = tuple(names[int(k)] for k in best if card.probabilities[k] > 0.02)
    if card.foreign is not None:
        likely = (names[card.foreign],)
    return Unread(card.x, card.y, card.angle, cause, likely, 1.0 if card.whole else 0.4)
