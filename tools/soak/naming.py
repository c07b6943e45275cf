"""Games in which glare lies at random places, and players name truly what can't be read: when asked, and unasked.

Between the looks a table does what tables do: every look finds a card a little off, hands nudge cards by some mm, a
card is put where another one has just been taken or on top of it, a column is closed up, and glare goes or comes over
a neighbour. No name may lead to a move that nobody made, nor have an honest player refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from device.session.manual_label import marks_at
from device.session.named_cards import SAME_MM
from referee.game import Named
from referee.placing import Placed
from referee.simulation import Attempt, Simulation, is_right, leads_right, truth_of
from referee.simulation.table import InSlot
from referee.table import Detections, Die, Sighting, Unread
from referee.verdict import Accepted, CantSee, Refused, Verdict, says_the_same
from simulator.truth import measure_visible_shares
from tools.soak.any_game import FaultError, Game, Tally, describe_verdict
from tools.soak.eyes import _SHOWS
from ui.screen_state import Mood

_GLARE = 0.5
"""How often glare falls on a card that lies there, before a change of the table."""
_REACH_MM = (8.0, 45.0)
_LASTS = 6
_MOST = 3
_UNASKED = 0.5
"""How often a card is named before anybody asks."""
_NUDGED = 0.3
_NUDGE_MM = 5.0
_IN_ITS_PLACE = 0.5
_IN_ANY_ORDER = ("wild_seven",)
"""Games whose cards may lie anywhere in their place."""
_CLOSED_UP = 0.5
_UNSEEN_HAND = 0.3
"""How often nobody has seen the hand that changed the table."""
_FLICKER = 0.2
"""How often the reader thinks otherwise of the same card in the next look."""
_NOISE_MM = 0.3
_NAMINGS = 3
"""So often a player names what is asked for, then the light is seen to."""


@dataclass
class Namings(Tally):
    """What came of it: names given when asked and unasked, and how often one was asked for that had been given."""

    asked_for: int = 0
    unasked: int = 0
    again: int = 0
    lit: int = 0
    """Times that naming did not help, and the light was seen to."""
    changed: Counter[str] = field(default_factory=Counter)


@dataclass
class _Glare:
    x: float
    y: float
    reach: float
    left: int


class NamingGame(Game):
    """A game in which what can't be read is named truly."""

    tally: Namings

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed, misread=0.0)
        self.tally = Namings(games=1)
        self.look = self._in_glare
        self.simulation.straighten = self._put_right  # type: ignore[method-assign]
        self._glare: list[_Glare] = []
        self._lies: dict[Placed, Placed] = {}
        self._slots: tuple[InSlot, ...] = ()
        self._true: dict[tuple[float, float], str] = {}
        self._guessed: dict[str, tuple[str, ...]] = {}
        self._tries = 0
        self._dice_before: tuple[Die, ...] = ()
        self._refused: Refused | None = None
        """What was said without a press of what lies there."""

    # The table

    def meet(self, attempt: Attempt) -> None:
        """Meet one change of the table, answered; then the light changes, and what can't be read may be named."""
        self._tries = 0
        if (self.simulation.lying, self.dice) != (self._lay_before, self._dice_before):
            self._refused = None
        self._dice_before = self.dice
        if attempt.told is None:
            self._move_by_hand()
            # A look can't tell a card from another one that lies exactly so; but the camera has seen the hand.
            if self._is_put_on_another() or self.chance.random() >= _UNSEEN_HAND:
                self.session.note_watching(Mood.HANDS)
        super().meet(attempt)
        while attempt.code is not None and self._settled:
            # Each card that is named may change what is said of the mistake.
            self._hold(self._settled.pop(0), attempt)
        self._slots = self.simulation.table.take_snapshot()
        if attempt.code is None:
            self._change_light()
            self._name_unasked()

    def _hear(self, settled: Sequence[Accepted | Refused]) -> None:
        """Check that the same is said of one mistake again where one more card is named meanwhile."""
        for one in settled:
            refused = one if isinstance(one, Refused) else None
            if refused is None or self._refused is None or not says_the_same(refused, self._refused):
                super()._hear([one])
            self._refused = refused

    def _move_by_hand(self) -> None:
        """Choose how the cards that are new come to lie, and what happens to others beside them."""
        chance, before, now = self.chance, self._slots, self.simulation.table.take_snapshot()
        there = {one.card for one in now}
        gone = [one for one in before if one.card not in there and one.card.card]
        known = {(one.card.name, one.slot.place) for one in before}
        for new in (one for one in now if (one.card.name, one.slot.place) not in known and one.card.card):
            same = [one for one in before if self._gives_place(one, new, one.card not in there)]
            if same and chance.random() < _IN_ITS_PLACE:
                old = self._lies.get(same[-1].card, same[-1].card)
                self._lies[new.card] = replace(new.card, x=old.x, y=old.y, angle=old.angle)
                self.tally.changed["put in another's place"] += 1
        for lifted in gone:
            column = [one for one in before if one.slot.place == lifted.slot.place]
            if lifted.slot.place.startswith("paper") and lifted is not column[0] and chance.random() < _CLOSED_UP:
                rest = column[column.index(lifted) :]
                lay = self._choose_lying([one.card for one in rest])
                for one, to in zip(rest[1:], lay, strict=False):
                    self._lies[one.card] = replace(one.card, x=to.x, y=to.y, angle=to.angle)
                self.tally.changed["column closed up"] += 1
        for one in now:
            if one.card.card and chance.random() < _NUDGED and self._is_glared(self._lies.get(one.card, one.card)):
                at = self._lies.get(one.card, one.card)
                way, far = chance.uniform(0, math.tau), chance.uniform(0, _NUDGE_MM)
                self._lies[one.card] = replace(at, x=at.x + far * math.cos(way), y=at.y + far * math.sin(way))
                self.tally.changed["nudged"] += 1
        self._lies = {card: at for card, at in self._lies.items() if card in there}

    def _is_put_on_another(self) -> bool:
        """Tell whether a card that is new lies as another one lies or lay, but for less than a look can tell."""
        before = {one.card: self._lies.get(one.card, one.card) for one in self._slots}
        new = [self._lies.get(card, card) for card in self.simulation.lying if card.card and card not in before]
        return any(math.dist((one.x, one.y), (old.x, old.y)) <= SAME_MM for one in new for old in before.values())

    def _gives_place(self, old: InSlot, new: InSlot, is_gone: bool) -> bool:
        """Tell whether a new card may lie exactly where that one does or did: on it, or in its stead."""
        backs = self.referee.cards.backs
        if old.slot.place != new.slot.place or new.card.name in backs or old.card.name in backs:
            return False
        apart = math.hypot(old.slot.x - new.slot.x, old.slot.y - new.slot.y)
        return apart < 1 or (is_gone and self.referee.rules.name in _IN_ANY_ORDER)

    def _choose_lying(self, cards: Sequence[Placed]) -> list[Placed]:
        return [self._lies.get(card, card) for card in cards]

    # The light

    def _change_light(self) -> None:
        for one in self._glare:
            one.left -= 1
        self._glare = [one for one in self._glare if one.left > 0]
        cards = [card for card in self._choose_lying(self.simulation.lying) if card.card]
        if cards and len(self._glare) < _MOST and self.chance.random() < _GLARE:
            card = self.chance.choice(cards)
            reach, left = self.chance.uniform(*_REACH_MM), self.chance.randint(1, _LASTS)
            self._glare.append(_Glare(card.x, card.y, reach, left))

    def _is_glared(self, card: Placed) -> bool:
        return any(math.hypot(card.x - one.x, card.y - one.y) <= one.reach for one in self._glare)

    def _in_glare(self, cards: Sequence[Placed]) -> Any:
        chance, placed = self.chance, self._choose_lying(cards)
        shares = (
            measure_visible_shares(placed, self.layout.mat_mm, 0.5)
            if self._glare or self._hides
            else [1.0] * len(placed)
        )
        read, marks, self._true = [], [], {}
        for card, share in zip(placed, shares, strict=True):
            x, y = card.x + chance.gauss(0, _NOISE_MM), card.y + chance.gauss(0, _NOISE_MM)
            if not card.card or (share < _SHOWS and self._hides):
                continue
            if share >= _SHOWS and self._is_glared(card):
                self._true[x, y] = card.name
                marks.append(Unread(x, y, card.angle, "glare", self._guess_names(card.name), share))
            else:
                read.append(Sighting(card.name, x, y, card.angle, 1.0, share if self._hides else 1.0))
        return self.referee.observe(Detections(tuple(read), tuple(marks), self.dice), self.layout)

    @property
    def _hides(self) -> bool:
        """Whether it matters in this game how much of a card shows."""
        return self.referee.rules.name == "laminate"

    def _guess_names(self, name: str) -> tuple[str, ...]:
        """Guess what the reader may think of a card that it can't name: nothing, or the right name among others."""
        if name not in self._guessed or self.chance.random() < _FLICKER:
            faces = [face for face in self.referee.cards.faces if ("/" in face) == ("/" in name)]
            others = self.chance.sample(faces, self.chance.randint(0, 2))
            some = [name, *others]
            self.chance.shuffle(some)
            self._guessed[name] = () if self.chance.random() < 0.6 else tuple(dict.fromkeys(some))
        return self._guessed[name]

    # The names

    def _name_card(self, mark: Unread) -> bool:
        """Name a card truly, where it can still be seen."""
        session, name = self.session, self._true.get((mark.x, mark.y))
        if name is None:
            return False
        self.tally.again += any(name == one.name for one in session.history.named)
        place = self.referee.place_of(mark, session.judge.view, self.layout)
        session.judge.name_card(Named(name, place, mark.x, mark.y))
        self._hear(session.judge.settled)
        return True

    def _name_unasked(self) -> None:
        self._see()
        for mark in self.session.judge.view.unread:
            if mark in self.session.judge.view.unread and self.chance.random() < _UNASKED:
                self.tally.unasked += self._name_card(mark)

    def _put_right(self) -> None:
        """Name what is asked for; where that does not help, see to the light."""
        self._tries += 1
        view, shown = self.session.judge.view, self.session.judge.shown
        asked = marks_at(view, shown.spots) if isinstance(shown, CantSee) else []
        named = [self._name_card(mark) for mark in asked or view.unread] if self._tries <= _NAMINGS else []
        self.tally.asked_for += sum(named)
        if not any(named):
            self.tally.lit += 1
            self._glare, self._lies = [], {}
            # The cards alone: dice that lie there would count as thrown once more.
            Simulation.straighten(self.simulation)

    def _hold(self, verdict: Verdict, attempt: Attempt) -> None:
        if is_right(self.simulation, verdict, attempt):
            return
        accepted, agreed, look = isinstance(verdict, Accepted), self.session.agreed, self.session.judge.look
        if isinstance(verdict, Accepted) and verdict.move is not None:
            agreed = self.session.history.past[-1].before
        truly, rightly = look.raw, look.raw
        said_of = {one.name for one in self.session.history.named}
        for mark in look.raw.unread:
            name = self._true.get((mark.x, mark.y))
            if name is not None and mark not in look.view.unread:
                truly = self.referee.with_name(truly, mark, name, self.layout)
                if name in said_of:
                    rightly = self.referee.with_name(rightly, mark, name, self.layout)
        named = [(one.name, one.place, round(one.x), round(one.y)) for one in self.session.history.named]
        self._glare = []
        clear = self.referee.judge(agreed, self._in_glare(self.simulation.lying), self.layout)
        kind = "WRONG ACCEPTED" if accepted else "LEGAL REFUSED" if attempt.code is None else "WRONG CODE"
        if not leads_right(self.simulation, clear, attempt):
            kind = f"WITHOUT GLARE {kind}"
        elif self.referee.judge(agreed, truly, self.layout) == verdict:
            kind = f"ALL NAMES TRUE {kind}"
        elif isinstance(self.referee.judge(agreed, rightly, self.layout), type(verdict)) and not accepted:
            kind = f"WITHOUT WRONG NAMES {kind}"
        raise FaultError(
            f"{kind}: {truth_of(attempt)}; {describe_verdict(verdict)}; named {named}; clear: {describe_verdict(clear)}"
        )
