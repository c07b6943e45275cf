"""A simulated table for Seven Minutes: people who flip, stop and roll by chance, and make people's mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from referee.layout import Layout
from referee.placing import Box, Placed, Tray, astray, tossed
from referee.seven_minutes.layout import DRAW_X, MIDDLE, TRAY, row_spot
from referee.simulation import Attempt, disturbed
from referee.table import Die
from referee.zones import BACK
from rules.cards import Card
from rules.seven_minutes.moves import Flip, Move, Roll, Setup, Stop
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.row import Take
from rules.seven_minutes.rules import RULES
from rules.text import Text, player

_CARELESS = 0.07
"""How often somebody slips, where there is a slip to be made."""
_DIE_MM = 16.0
_THROWN_MM = 8.0
"""A die that was thrown rests at least so far from where it lay."""
_DRAW_SHOWN = 2
_COLOURS = ("brown", "black")
_AT_ONCE = 0.3
"""How often the next card is flipped before anybody looks."""


@dataclass(frozen=True)
class _Laid:
    """A card and the slot it lies in: a place of the row and its number there, both from 0."""

    slot: tuple[int, int]
    card: Placed


class MinutesSimulation:
    """A game of players who play by chance; everything follows from the randomness given."""

    def __init__(self, start: Position, layout: Layout, rng: Random, careless: float = _CARELESS) -> None:
        self.position = start
        self._layout, self._rng, self._careless = layout, rng, careless
        self._hands = Random(rng.getrandbits(64))
        self._row: list[_Laid] = []
        self._piles: dict[tuple[int, bool], Placed] = {}
        self._extra: list[Placed] = []
        self._pushed: list[Placed] | None = None
        self._draw: list[Placed] = []
        self.dice: tuple[Die, ...] = self._throw((1, 4), ())
        self._counted = self.dice

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top."""
        if self._pushed is not None:
            return tuple(self._pushed)
        return (*self._draw, *(one.card for one in self._row), *self._piles.values(), *self._extra)

    @property
    def tray(self) -> Tray:
        """The tray, and both dice in it."""
        return Tray(self._rim, self.dice)

    @property
    def _rim(self) -> Box:
        return self._layout.zone_rect(next(zone for zone in self._layout.zones if zone.name == TRAY))

    def straighten(self) -> None:
        """Lay every card straight on its place, and the dice elsewhere as they lie."""
        free = self._throw((1,) * len(self.dice), self.dice)
        self.dice = tuple(replace(die, x=place.x, y=place.y) for die, place in zip(self.dice, free, strict=True))
        self._row = [_Laid(one.slot, self._row_card(one.card.name, *one.slot, 0.5)) for one in self._row]
        for seat, up in self._piles:
            self._lay_pile(seat, up, self._piles[seat, up].name)

    def same(self, move: Any, other: Any) -> bool:
        """Whether two moves are equal."""
        return bool(move == other)

    def has_noticed(self, state: Any) -> bool:
        """Whether what a judgement gave has been taken."""
        return not state.taking

    def attempts(self) -> Iterator[Attempt]:
        """One change of the table after the other, to the end of the game."""
        deal = RULES.random_move(self.position, self._rng)
        self.position = self.position.do(deal)
        self._lay_draw()
        yield Attempt(None, Setup())
        while self.position.outcome is None:
            if self.position.phase is Phase.FLIP:
                yield from self._flips_or_stops()
            else:
                yield from self._rolls()

    # Flipping

    def _flips_or_stops(self) -> Iterator[Attempt]:
        position = self.position
        seat = position.seat
        if not position.flips and self._slips():
            yield from self._early_roll()
        yield from self._goes_astray()
        move: Move = RULES.random_move(position, self._rng)
        if isinstance(move, Stop):
            yield from self._stops(move)
            return
        assert isinstance(move, Flip), "before judgement somebody flips or stops"
        if self._slips() and self.position.row.stacks:
            yield from self._laid_wrongly(move.card)
        flips = [move]
        lengthens = self.position.row.place(move.card.rank) is None
        self._flip(move)
        # Where a card was stacked in between, nobody could tell in which order they were flipped.
        while lengthens and self.position.phase is Phase.FLIP and self._rng.random() < _AT_ONCE:
            following = RULES.random_move(self.position, self._rng)
            if not isinstance(following, Flip) or self.position.row.place(following.card.rank) is not None:
                break
            flips.append(following)
            self._flip(following)
        early = self.position.phase is Phase.FLIP and not self.position.may_stop and self._slips()
        if early:
            self._throw_all(self._random_roll().dice)
        for flip in flips:
            yield Attempt(seat, flip, unconfirmed=True)
        if early:
            yield self._too_early()
        if self.position.phase is Phase.JUDGEMENT and self.position.unseen and self._slips():
            yield from self._flipped_on()

    def _flip(self, move: Flip) -> None:
        self.position = self.position.do(move)
        self._lay_draw()
        self._lay_row()

    def _stops(self, move: Stop) -> Iterator[Attempt]:
        """Told by confirm, or by the first roll."""
        if self._rng.random() < 0.5:
            self.position = self.position.do(move)
            yield Attempt(move.seat, move)
            return
        self.position = self.position.do(move)
        roll = self._random_roll()
        self._throw_all(roll.dice)
        yield Attempt(move.seat, move, unconfirmed=True)
        yield from self._rolled(roll)

    # Dice

    def _rolls(self) -> Iterator[Attempt]:
        position = self.position
        who = player(position.name(position.seat))
        if self._slips():
            yield from self._cocked(who)
        yield from self._goes_astray()
        if position.rolls_left > 1 and self._slips():
            yield from self._taken_early(who)
        roll = self._random_roll()
        self._throw_all(roll.dice)
        yield from self._rolled(roll)

    def _random_roll(self) -> Roll:
        return Roll(self.position.seat, (self._rng.randint(1, 6), self._rng.randint(1, 6)))

    def _rolled(self, roll: Roll) -> Iterator[Attempt]:
        self.position, self._counted = self.position.do(roll), self.dice
        yield Attempt(roll.seat, roll, unconfirmed=True)
        take = self.position.taken
        if self.position.phase is not Phase.JUDGEMENT and take is not None:
            yield from self._takes(take)

    def _throw_all(self, faces: tuple[int, int]) -> None:
        # A throw may not pass for dice that lie as they were counted, nor for those that lay there just now.
        self.dice = self._throw(faces, (*self.dice, *self._counted))

    def _throw(self, faces: tuple[int, ...], before: tuple[Die, ...]) -> tuple[Die, ...]:
        """Dice at rest in the tray, away from each other and from where they lay."""
        x0, y0, x1, y1 = self._rim
        thrown: list[Die] = []
        for face, colour in zip(faces, _COLOURS, strict=True):
            while True:
                x, y = self._hands.uniform(x0 + 20, x1 - 20), self._hands.uniform(y0 + 20, y1 - 20)
                clear = all(math.dist((x, y), (die.x, die.y)) > _DIE_MM * 1.5 for die in thrown)
                if clear and all(math.dist((x, y), (die.x, die.y)) > _THROWN_MM for die in before):
                    break
            thrown.append(Die(x, y, face, colour))
        return tuple(thrown)

    # Taking

    def _takes(self, take: Take) -> Iterator[Attempt]:
        who = player(self.position.name(take.seat))
        if self.position.outcome is None and self._slips():
            self._throw_all((2, 3))
            yield self._slip(take.seat, "too_many_rolls", who, Text("rolls once more"))
        self._lay_row()
        if self._slips():
            yield from self._taken_on_wrong_side(take, who)
        if self.position.row.stacks and self._slips():
            yield from self._taken_too_much(take, who)
        self._lay_taken(take)
        yield Attempt(take.seat)

    def _lay_taken(self, take: Take) -> None:
        name = str(self._hands.choice(take.cards)) if take.face_up else BACK
        self._lay_pile(take.seat, take.face_up, name)

    # Slips

    def _slips(self) -> bool:
        return self._rng.random() < self._careless

    def _slip(self, seat: int, code: str, who: Text, done: Text, seen: bool = True) -> Attempt:
        words = Text("{who} {done}.", who=who, done=done)
        return Attempt(seat, code=code, blunder=words, unconfirmed=seen, mistake=code)

    def _goes_astray(self) -> Iterator[Attempt]:
        """A card is pushed into the area of somebody who is not to move."""
        own = f"seat:{self.position.seat}"
        self._pushed = astray(self.lying, self._layout, self._hands, (own,)) if self._slips() else None
        if self._pushed is not None:
            yield disturbed()
        self._pushed = None

    def _early_roll(self) -> Iterator[Attempt]:
        self._throw_all(self._random_roll().dice)
        yield self._too_early()

    def _too_early(self) -> Attempt:
        position = self.position
        code = "must_flip_more" if position.flips else "must_flip"
        who = player(position.name(position.seat))
        return self._slip(position.seat, code, who, Text("rolls too early"))

    def _laid_wrongly(self, card: Card) -> Iterator[Attempt]:
        """The card lies on a stack of another rank, or beside its own."""
        row, seat = self.position.row, self.position.seat
        place = row.place(card.rank)
        others = [number for number, stack in enumerate(row.stacks) if stack.rank != card.rank]
        if place is None and others:
            number = self._rng.choice(others)
            spot = row_spot(number, len(row.stacks[number].cards), self._layout.mat_mm)
        elif place is not None:
            spot = row_spot(row.length, 0, self._layout.mat_mm)
        else:
            return
        self._extra = [tossed(self._hands, str(card), *spot, 0.0, 3.0, 3.0)]
        yield self._slip(
            seat,
            "wrong_place",
            player(self.position.name(seat)),
            Text("lays {card} wrongly", card=card),
        )
        self._extra = []

    def _flipped_on(self) -> Iterator[Attempt]:
        position = self.position
        assert position.deck is not None, "the simulation knows the draw pile"
        card = position.deck[0]
        place = position.row.place(card.rank)
        spot = (
            row_spot(position.row.length, 0, self._layout.mat_mm)
            if place is None
            else row_spot(place, len(position.row.stacks[place].cards), self._layout.mat_mm)
        )
        self._extra = [tossed(self._hands, str(card), *spot, 0.0, 3.0, 3.0)]
        who = player(position.name(position.seat))
        yield self._slip(position.seat, "judgement_due", who, Text("flips on"))
        self._extra = []

    def _cocked(self, who: Text) -> Iterator[Attempt]:
        self._throw_all((3, 3))
        one, other = self.dice
        self.dice = (one, replace(other, value=None, cause="cocked"))
        yield self._slip(self.position.seat, "cocked_die", who, Text("rolls a cocked die"))

    def _taken_early(self, who: Text) -> Iterator[Attempt]:
        kept = self._row
        self._row = self._row[1:]
        yield self._slip(
            self.position.seat,
            "rolls_missing",
            who,
            Text("takes cards too early"),
            seen=False,
        )
        self._row = kept

    def _taken_on_wrong_side(self, take: Take, who: Text) -> Iterator[Attempt]:
        before = dict(self._piles)
        name = BACK if take.face_up else str(take.cards[0])
        self._lay_pile(take.seat, not take.face_up, name)
        yield self._slip(
            take.seat,
            "wrong_side",
            who,
            Text("lays the cards on the wrong side"),
            seen=False,
        )
        self._piles = before

    def _taken_too_much(self, take: Take, who: Text) -> Iterator[Attempt]:
        row, piles = self._row, dict(self._piles)
        self._row = self._row[1:]
        self._lay_taken(take)
        yield self._slip(take.seat, "wrong_take", who, Text("takes too much"), seen=False)
        self._row, self._piles = row, piles

    # Hands on the table

    def _lay_draw(self) -> None:
        w, h = self._layout.mat_mm
        count = min(_DRAW_SHOWN, self.position.draw_count)
        self._draw = self._draw[:count]
        while len(self._draw) < count:
            self._draw.append(tossed(self._hands, BACK, DRAW_X * w, MIDDLE * h, 0.0, 2.0, 2.0))

    def _lay_row(self) -> None:
        """Lay the row as it is; a card whose place has not changed stays as it lies."""
        known = {(one.slot, one.card.name): one for one in self._row}
        laid = []
        for place, stack in enumerate(self.position.row.stacks):
            for number, card in enumerate(stack.cards):
                slot = (place, number)
                laid.append(known.get((slot, str(card))) or _Laid(slot, self._row_card(str(card), *slot, 3.0)))
        self._row = laid

    def _row_card(self, name: str, place: int, number: int, sloppy: float) -> Placed:
        x, y = row_spot(place, number, self._layout.mat_mm)
        return tossed(self._hands, name, x, y, 0.0, sloppy, sloppy)

    def _lay_pile(self, seat: int, up: bool, name: str) -> None:
        x0, y0, x1, y1 = self._layout.seat_rect(seat)
        x = (x0 + x1) / 2 + (50.0 if up else -50.0)
        angle = 180.0 if self._layout.faces_down(seat) else 0.0
        self._piles[seat, up] = tossed(self._hands, name, x, (y0 + y1) / 2, angle, 4.0, 4.0)
