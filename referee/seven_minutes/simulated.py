"""A simulated table for Seven Minutes: people who flip, stop and roll by chance, and make people's mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from referee.layout import TableLayout
from referee.placing import Tray
from referee.seven_minutes.layout import DRAW, DRAW_X, MIDDLE, ROW, TRAY, row_spot
from referee.simulation.game import ASTRAY, Attempt, Details, Mistake, Simulation
from referee.simulation.table import Slot
from referee.table import Die
from referee.zones import BACK
from rules.cards import Card
from rules.seven_minutes.moves import Flip, Move, Roll, Setup, Stop
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.row import Take
from rules.seven_minutes.rules import RULES
from rules.text import Text

_CARELESS = 0.07
"""How often somebody slips, where there is a slip to be made."""
_DIE_MM = 16.0
_THROWN_MM = 8.0
"""A die that was thrown rests at least so far from where it lay."""
_DRAW_SHOWN = 2
_COLOURS = ("brown", "black")
_AT_ONCE = 0.3
"""How often the next card is flipped before anybody looks."""
_FROM_MIDDLE_MM = 50.0
"""So far right of its area's middle lies what a player has taken face up, and so far left what lies face down."""


class MinutesSimulation(Simulation):
    """A game of players who play by chance; everything follows from the randomness given."""

    def __init__(self, start: Position, layout: TableLayout, rng: Random, careless: float = _CARELESS) -> None:
        super().__init__(start, layout, rng, careless)
        self._rim = self.table.find_box(TRAY)
        self.dice: tuple[Die, ...] = self._place_dice((1, 4), ())
        self._counted = self.dice
        self.next_card: Card | None = None
        """What somebody is about to flip."""

    @property
    def tray(self) -> Tray:
        """The tray, and both dice in it."""
        return Tray(self._rim, self.dice)

    @property
    def own_places(self) -> tuple[str, ...]:
        """The area of the player to move."""
        return (f"seat:{self.position.seat}",)

    def straighten(self) -> None:
        """Lay every card straight on its place, and dice that have yet to be counted elsewhere as they lie."""
        if self.dice is not self._counted:
            free = self._place_dice((1,) * len(self.dice), self.dice)
            self.dice = tuple(replace(die, x=place.x, y=place.y) for die, place in zip(self.dice, free, strict=True))
        super().straighten()

    def has_noticed(self, state: Any) -> bool:
        """Tell whether what a judgement gave has been taken."""
        return not state.taking

    def play_game(self) -> Iterator[Attempt]:
        """Make one change of the table after the other, to the end of the game."""
        deal = RULES.random_move(self.position, self._rng)
        self.position = self.position.do(deal)
        self._lay_draw()
        yield Attempt(None, Setup())
        while self.position.outcome is None:
            if self.position.phase is Phase.FLIP:
                yield from self._flips_or_stops()
            else:
                yield from self._roll_dice()

    # Flipping

    def _flips_or_stops(self) -> Iterator[Attempt]:
        position = self.position
        seat = position.seat
        if not position.flips and self._is_slipping():
            yield from self._early_roll()
        yield from self._try_mistakes(ASTRAY)
        move: Move = RULES.random_move(position, self._rng)
        if isinstance(move, Stop):
            yield from self._stop_flipping(move)
            return
        assert isinstance(move, Flip), "before judgement somebody flips or stops"
        self.next_card = move.card
        yield from self._try_mistakes(LAID_WRONGLY)
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
        early = self.position.phase is Phase.FLIP and not self.position.may_stop and self._is_slipping()
        if early:
            self.throw(self.random_roll().dice)
        for flip in flips:
            yield Attempt(seat, flip, unconfirmed=True)
        if early:
            yield ROLLED_AMONG_FLIPS.make_attempt(position.seat, self.name_player(position.seat))
        if self.position.phase is Phase.JUDGEMENT and self.position.unseen:
            yield from self._try_mistakes(FLIPPED_ON)

    def _early_roll(self) -> Iterator[Attempt]:
        yield from self._make_blunder(ROLLED_EARLY, self)

    def _flip(self, move: Flip) -> None:
        self.position = self.position.do(move)
        self._lay_draw()
        self.lay_row()

    def _stop_flipping(self, move: Stop) -> Iterator[Attempt]:
        """Stop by confirm, or by the first roll."""
        self.position = self.position.do(move)
        if self._rng.random() < 0.5:
            yield Attempt(move.seat, move)
            return
        roll = self.random_roll()
        self.throw(roll.dice)
        yield Attempt(move.seat, move, unconfirmed=True)
        yield from self._make_roll(roll)

    # Dice

    def _roll_dice(self) -> Iterator[Attempt]:
        yield from self._try_mistakes(COCKED)
        yield from self._try_mistakes(ASTRAY)
        if self.position.rolls_left > 1:
            yield from self._try_mistakes(TAKEN_EARLY)
        roll = self.random_roll()
        self.throw(roll.dice)
        yield from self._make_roll(roll)

    def random_roll(self) -> Roll:
        """Draw a roll of the player to move."""
        return Roll(self.position.seat, (self._rng.randint(1, 6), self._rng.randint(1, 6)))

    def _make_roll(self, roll: Roll) -> Iterator[Attempt]:
        self.position, self._counted = self.position.do(roll), self.dice
        yield Attempt(roll.seat, roll, unconfirmed=True)
        yield from self._take_cards()

    def throw(self, faces: tuple[int, int]) -> None:
        """Throw both dice, so that they show these faces."""
        # A throw may not pass for dice that lie as they were counted, nor for those that lay there just now.
        self.dice = self._place_dice(faces, (*self.dice, *self._counted))

    def _place_dice(self, faces: tuple[int, ...], before: tuple[Die, ...]) -> tuple[Die, ...]:
        """Return dice at rest in the tray, away from each other and from where they lay."""
        x0, y0, x1, y1 = self._rim
        thrown: list[Die] = []
        for face, colour in zip(faces, _COLOURS, strict=True):
            while True:
                x, y = self._fingers.uniform(x0 + 20, x1 - 20), self._fingers.uniform(y0 + 20, y1 - 20)
                clear = all(math.dist((x, y), (die.x, die.y)) > _DIE_MM * 1.5 for die in thrown)
                if clear and all(math.dist((x, y), (die.x, die.y)) > _THROWN_MM for die in before):
                    break
            thrown.append(Die(x, y, face, colour))
        return tuple(thrown)

    # Taking

    def _take_cards(self) -> Iterator[Attempt]:
        """Take what the judgement gave, if it is over."""
        take = self.position.taken
        if self.position.phase is Phase.JUDGEMENT or take is None:
            return
        if self.position.outcome is None:
            yield from self._try_mistakes(ROLLED_ON)
        self.lay_row()
        yield from self._try_mistakes(WRONG_SIDE)
        yield from self._try_mistakes(TOOK_TOO_MUCH)
        self.lay_taken()
        yield Attempt(take.seat)

    # Hands on the table

    def _lay_draw(self) -> None:
        w, h = self.table.layout.mat_mm
        slot = Slot(DRAW, DRAW_X * w, MIDDLE * h, 0.0, 2.0, 2.0)
        self.table.arrange([(BACK, slot)] * min(_DRAW_SHOWN, self.position.draw_count), DRAW)

    def lay_row(self) -> None:
        """Lay the row as it is; a card whose place has not changed stays as it lies."""
        stacks = enumerate(self.position.row.stacks)
        cards = ((place, *numbered) for place, stack in stacks for numbered in enumerate(stack.cards))
        self.table.arrange(((str(card), self.row_slot(place, number)) for place, number, card in cards), ROW)

    def row_slot(self, place: int, number: int) -> Slot:
        """Return the slot of a card of the row by its place and its number in the stack, both from 0."""
        return Slot(ROW, *row_spot(place, number, self.table.layout.mat_mm))

    def lay_taken(self, wrong: bool = False) -> None:
        """Lay what was taken on its pile, or on the wrong side of the area."""
        take: Take = self.position.taken
        up = take.face_up is not wrong
        name = str(self._fingers.choice(take.cards)) if up else BACK
        x0, y0, x1, y1 = self.table.find_box(f"seat:{take.seat}")
        x = (x0 + x1) / 2 + (_FROM_MIDDLE_MM if up else -_FROM_MIDDLE_MM)
        pile = Slot(f"taken:{take.seat}:{up}", x, (y0 + y1) / 2, self.table.find_upright(take.seat), 4.0, 4.0)
        self.table.take(pile.place)
        self.table.put(name, pile)


_Laid = tuple[int, Card, Slot]
"""A card that its player, by seat, lays into a slot of the row."""


def _wrong_slots(game: MinutesSimulation) -> list[_Laid]:
    """Return slots on a stack of another rank, or beside its own."""
    row, card, seat = game.position.row, game.next_card, game.position.seat
    assert card is not None, "somebody flips it"
    places = [(row.length, 0)]
    if row.place(card.rank) is None:
        places = game.shuffle_things((number, len(stack.cards)) for number, stack in enumerate(row.stacks))
    return [(seat, card, game.row_slot(*place)) for place in places]


def _next_slot(game: MinutesSimulation) -> list[_Laid]:
    """Return where the next card of the draw pile belongs."""
    position, row = game.position, game.position.row
    assert position.deck is not None, "the simulation knows the draw pile"
    card = position.deck[0]
    place = row.place(card.rank)
    slot = game.row_slot(row.length, 0) if place is None else game.row_slot(place, len(row.stacks[place].cards))
    return [(position.seat, card, slot)]


def _lay_card(game: MinutesSimulation, laid: _Laid) -> None:
    game.table.put(str(laid[1]), laid[2])


def _names_the_card(game: MinutesSimulation, laid: _Laid) -> Details:
    return {"blunder": Text("{who} {done}.", done=Text("lays {card} wrongly", card=laid[1]))}


def _takes_one(game: MinutesSimulation, _: Any) -> None:
    game.table.remove(game.table.list_in(ROW)[0])


def _cocks_a_die(game: MinutesSimulation, _: int) -> None:
    game.throw((3, 3))
    one, other = game.dice
    game.dice = (one, replace(other, value=None, cause="cocked"))


def _name_mover(game: MinutesSimulation) -> list[int]:
    return [game.position.seat]


def _name_taker(game: MinutesSimulation) -> list[int]:
    return [game.position.taken.seat]


def _make_mistake(code: str, done: Text, *how: Any, confirmed: bool = False) -> Mistake[MinutesSimulation, Any]:
    """Make a mistake in what a player does."""
    return Mistake(code, Text("{who} {done}.", done=done), *how, confirmed=confirmed)


_EARLY = Text("rolls too early")
ROLLED_EARLY = _make_mistake("must_flip", _EARLY, _name_mover, lambda game, _: game.throw(game.random_roll().dice))
ROLLED_AMONG_FLIPS = _make_mistake("must_flip_more", _EARLY, _name_mover)
LAID_WRONGLY = _make_mistake("wrong_place", Text(), _wrong_slots, _lay_card, _names_the_card)
FLIPPED_ON = _make_mistake("judgement_due", Text("flips on"), _next_slot, _lay_card)
COCKED = _make_mistake("cocked_die", Text("rolls a cocked die"), _name_mover, _cocks_a_die)
ROLLED_ON = _make_mistake("too_many_rolls", Text("rolls once more"), _name_taker, lambda game, _: game.throw((2, 3)))
TAKEN_EARLY = _make_mistake("rolls_missing", Text("takes cards too early"), _name_mover, _takes_one, confirmed=True)
WRONG_SIDE = _make_mistake(
    "wrong_side",
    Text("lays the cards on the wrong side"),
    _name_taker,
    lambda game, _: game.lay_taken(wrong=True),
    confirmed=True,
)
TOOK_TOO_MUCH = _make_mistake(
    "wrong_take",
    Text("takes too much"),
    lambda game: _name_taker(game) if game.position.row.stacks else [],
    _takes_one,
    lambda game, _: game.lay_taken(),
    confirmed=True,
)

SIMULATION = MinutesSimulation
