"""A simulated table of Seven Wonders: players who choose by chance, pay as they like, and make people's mistakes.

The simulation knows every hand. Cards are laid in columns by colour, as is the custom; a discard stays on its spot
until the next round, when it goes to the pile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from referee.layout import Layout as AnyLayout
from referee.placing import Placed, tossed
from referee.seven_wonders.cards import SIZE_MM, back_of
from referee.seven_wonders.layout import BOARD_MM, BOARD_V_MM, COLUMNS, IN_COLUMN, Layout
from referee.simulation import Attempt
from rules.seven_wonders.cards import AGES, Building
from rules.seven_wonders.effects import Colour
from rules.seven_wonders.legal import deal, random_move
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import ROUNDS, Phase
from rules.text import Text, player

CARELESS = 0.15
"""How often somebody makes a mistake before a confirm."""

_COLUMN = {
    Colour.BROWN: 0,
    Colour.GREY: 0,
    Colour.BLUE: 1,
    Colour.GREEN: 1,
    Colour.RED: 2,
    Colour.YELLOW: 3,
    Colour.PURPLE: 3,
}
_SLOPPY_MM, _SLOPPY_DEGREES = 3.0, 2.5
_PILE_MM, _PILE_DEGREES = 8.0, 12.0
_PUSHED_MM = (0.0, 3.0, 25.0)
_LOOKED_BETWEEN = 0.3
_OUTSIDE_U, _OUTSIDE_V = 150.0, 340.0
"""A hand card left on the mat lies beside the city, in no zone."""


@dataclass(frozen=True)
class _Slot:
    """Where a card belongs: its middle in mm, its angle, and how carelessly it is laid."""

    x: float
    y: float
    angle: float
    mm: float = _SLOPPY_MM
    degrees: float = _SLOPPY_DEGREES


@dataclass(frozen=True)
class _Laid:
    slot: _Slot
    card: Placed


@dataclass
class _Table:
    """All that lies on the mat; lists are by seat."""

    cities: list[list[list[_Laid]]]
    staged: list[list[_Laid]]
    spots: list[list[_Laid]]
    pile: list[_Laid] = field(default_factory=list)
    stray: list[_Laid] = field(default_factory=list)

    @classmethod
    def empty(cls, seats: int) -> _Table:
        return cls(
            [[[] for _ in range(COLUMNS)] for _ in range(seats)], [[] for _ in range(seats)], [[] for _ in range(seats)]
        )

    def copy(self) -> _Table:
        """The same table, to be changed by itself."""
        return _Table(
            [[list(column) for column in columns] for columns in self.cities],
            [list(cards) for cards in self.staged],
            [list(cards) for cards in self.spots],
            list(self.pile),
            list(self.stray),
        )

    def lists(self) -> Iterator[list[_Laid]]:
        """Every heap of cards, those below first."""
        yield from self.staged
        for columns in self.cities:
            yield from columns
        yield from self.spots
        yield self.pile
        yield self.stray


class WondersSimulation:
    """People at a table; ``position`` is the true one, with all hands."""

    def __init__(self, start: Position, layout: AnyLayout, rng: Random, careless: float = CARELESS) -> None:
        assert isinstance(layout, Layout), "the layout is that of this game"
        self.position = self._public = start
        self._layout, self._rng, self._careless = layout, rng, careless
        # A randomness of its own: how cards happen to lie must not change how the game goes.
        self._fingers = Random(rng.getrandbits(64))
        self._table = _Table.empty(start.n)
        self._hidden: tuple[int, _Laid] | None = None

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top."""
        staged, others = self._table.staged, list(self._table.lists())[self.position.n :]
        below = [one.card for cards in staged for one in cards]
        return (*below, *self._boards, *(one.card for cards in others for one in cards))

    @property
    def _boards(self) -> Iterator[Placed]:
        """The boards, on top of the staged cards."""
        for seat, city in enumerate(self.position.cities, 1):
            x, y = self._layout.point(seat, 0.0, BOARD_V_MM)
            yield Placed(f"board/{city.board}", x, y, self._angle(seat), BOARD_MM, card=False)

    def attempts(self) -> Iterator[Attempt]:
        """One confirm after the other, to the end of the game."""
        while self.position.outcome is None:
            phase = self.position.phase
            if phase is Phase.DEAL:
                yield from self._deals()
            elif phase is Phase.FROM_DISCARD:
                yield from self._digs()
            else:
                yield from self._acts()

    def straighten(self) -> None:
        """Lay every card straight on its place."""
        for cards in self._table.lists():
            for number, one in enumerate(cards):
                slot = one.slot
                neat = tossed(self._fingers, one.card.name, slot.x, slot.y, slot.angle, 1.0, 0.5)
                cards[number] = _Laid(slot, replace(neat, size_mm=SIZE_MM))

    def same(self, move: Any, other: Any) -> bool:
        """Whether two moves are equal."""
        return bool(move == other)

    def has_noticed(self, state: Any) -> bool:
        """Nothing that is done without confirm has to be noticed."""
        return True

    # Hands on the table

    def _angle(self, seat: int) -> float:
        return 180.0 if self._layout.faces_down(seat) else 0.0

    def _put(self, cards: list[_Laid], name: str, slot: _Slot) -> None:
        placed = tossed(self._fingers, name, slot.x, slot.y, slot.angle, slot.mm, slot.degrees)
        cards.append(_Laid(slot, replace(placed, size_mm=SIZE_MM)))

    def _build(self, seat: int, card: Building) -> None:
        columns = self._table.cities[seat - 1]
        column = _COLUMN[card.colour]
        if len(columns[column]) == IN_COLUMN:
            column = min(range(COLUMNS), key=lambda number: len(columns[number]))
        x, y = self._layout.city_spot(seat, column, len(columns[column]))
        self._put(columns[column], card.id, _Slot(x, y, self._angle(seat)))

    def _stage(self, seat: int, age: int) -> None:
        cards, board = self._table.staged[seat - 1], self.position.cities[seat - 1].board
        number = min(len(cards), len(board.stages) - 1)
        x, y = self._layout.stage_spot(seat, number, len(board.stages))
        if len(cards) > number:
            # One too many goes wherever there is room.
            x, y = self._layout.point(seat, 110.0, 65.0) if len(board.stages) < 3 else (x, y)
        self._put(cards, back_of(age), _Slot(x, y, self._angle(seat)))

    def _discard(self, seat: int, age: int) -> None:
        x, y = self._layout.discard_spot(seat)
        self._put(self._table.spots[seat - 1], back_of(age), _Slot(x, y, self._angle(seat)))

    def _lay(self, seat: int, act: Act, age: int | None = None) -> None:
        age = self.position.age if age is None else age
        if act.do is Do.BUILD and act.card is not None:
            self._build(seat, act.card)
        elif act.do is Do.STAGE:
            self._stage(seat, age)
        else:
            self._discard(seat, age)

    def _to_pile(self, age: int) -> None:
        x, y = self._layout.pile
        self._put(self._table.pile, back_of(age), _Slot(x, y, 0.0, _PILE_MM, _PILE_DEGREES))

    def _gather(self, but: Sequence[int] = ()) -> int:
        """The discards of the last round go to the pile, but for those of some seats; how many do."""
        gathered = 0
        for seat, cards in enumerate(self._table.spots, 1):
            if seat not in but:
                gathered += len(cards)
                for _ in cards:
                    self._to_pile(self.position.age)
                cards.clear()
        return gathered

    def _hide(self, acts: dict[int, Act]) -> None:
        """At times a sleeve hides a discard that nobody has gathered while the others' round is settled."""
        self._hidden = None
        lying = [seat for seat, cards in enumerate(self._table.spots, 1) if len(cards) == 1]
        if lying and self.position.rounds < ROUNDS - 1 and self._slips():
            seat = self._rng.choice(lying)
            if acts[seat].do is not Do.DISCARD:
                self._hidden = (seat, self._table.spots[seat - 1].pop())

    def _shows_again(self, seat: int, old: _Laid, acts: dict[int, Act]) -> Iterator[Attempt]:
        """The discard that a sleeve hid lies there, and its player lays no other card; then it goes to the pile."""
        self._table.spots[seat - 1].append(old)
        yield from self._left_lying(seat, acts, lays=False)

    def _slips(self) -> bool:
        return self._rng.random() < self._careless

    def _mistake(
        self, seat: int | None, code: str, words: Text, lay: Callable[[], None], *instead: str
    ) -> Iterator[Attempt]:
        """A mistake, and its mending: the table lies as before."""
        before = self._table
        self._table = before.copy()
        lay()
        yield Attempt(seat, code=code, blunder=words, mistake=code, instead=frozenset(instead))
        self._table = before

    # What is due

    def _deals(self) -> Iterator[Attempt]:
        """An age begins: discards and cards left over are on the pile."""
        position, age = self.position, self.position.age
        waiting = [seat for seat, cards in enumerate(self._table.spots, 1) if cards]
        if waiting and self._slips():
            seat = self._rng.choice(waiting)
            words = Text("A discard still lies on its spot.")
            yield from self._mistake(seat, "discard_not_gathered", words, lambda: self._leftovers((seat,)))
        self._leftovers()
        if self._slips():
            yield from self._left_on_the_mat(self._rng.randint(1, position.n), lambda: None)
        whole = deal(age + 1, position.n, self._rng)
        if self._slips() and age:
            seat = self._rng.randint(1, position.n)
            words = Text("A card is laid before the age begins.")
            assert whole.hands is not None, "with full information the hands are known"
            card = self._rng.choice(whole.hands[seat - 1])
            if card.name not in position.cities[seat - 1].names:
                yield from self._mistake(seat, "deal_due", words, lambda: self._build(seat, card))
        yield Attempt(None, Deal(age + 1))
        self._do(whole, Deal(age + 1))

    def _leftovers(self, but: Sequence[int] = ()) -> None:
        """Discards and, after a sixth round, cards left over go to the pile."""
        self._gather(but)
        position = self.position
        lie = len(self._table.pile) + sum(map(len, self._table.spots)) + (self._hidden is not None)
        for _ in range(sum(position.pile_ages) - lie):
            self._to_pile(max(1, position.age))

    def _do(self, move: Move, seen: Move) -> None:
        self.position, self._public = self.position.do(move), self._public.do(seen)

    def _acts(self) -> Iterator[Attempt]:
        """A round, or the seventh card of Babylon."""
        position = self.position
        move = self._as_told(random_move(position, self._rng))
        acts = dict(enumerate(move.acts, 1)) if isinstance(move, Round) else {}
        if isinstance(move, Seventh):
            acts = {move.seat: move.act}
            if self._rng.random() < 0.5:
                self._others_left_over()
        if self._hidden is not None:
            yield from self._shows_again(*self._hidden, acts)
        elif self._slips():
            yield from self._mistaken(acts)
        self._hide(acts)
        if self._gather() and self._rng.random() < _LOOKED_BETWEEN:
            yield Attempt(None, unconfirmed=True)
        for seat, act in acts.items():
            self._lay(seat, act)
        seen = RULES.public(move)
        yield Attempt(None if len(acts) > 1 else next(iter(acts)), seen)
        self._do(move, seen)

    def _others_left_over(self) -> None:
        """The others put the cards left over on the pile before the seventh card is played."""
        for _ in range(self.position.n - 1):
            self._to_pile(self.position.age)

    def _as_told(self, move: Move) -> Move:
        """The move as the table tells it: Olympia's free building is kept where no coins are needed."""
        if isinstance(move, Round):
            return Round(tuple(self._act_told(seat, act) for seat, act in enumerate(move.acts)))
        return replace(move, act=self._act_told(move.seat - 1, move.act)) if isinstance(move, Seventh) else move

    def _act_told(self, seat: int, act: Act) -> Act:
        plain = Act(act.do, act.card)
        price = self.position.price(seat, plain)
        costs_nothing = any(not way.coins and not price.coins for way in self.position.within(seat, price))
        return plain if act.free and costs_nothing else act

    def _digs(self) -> Iterator[Attempt]:
        """Halikarnassos takes a card from the pile, or none."""
        position = self.position
        self._leftovers()
        move = random_move(position, self._rng)
        assert isinstance(move, FromDiscard), "that is due"
        if move.card is not None and self._rng.random() < 0.1:
            move = FromDiscard(move.seat)
        seat = move.seat % position.n + 1
        if self._slips() and self._hand(seat):
            early = self._rng.choice(self._hand(seat))
            words = Text("Somebody plays on too early.")
            yield from self._mistake(seat, "out_of_turn", words, lambda: self._build(seat, early))
        if move.card is not None:
            # The card that is taken may lie anywhere in the pile; one card less lies there.
            self._table.pile.pop()
            self._build(move.seat, move.card)
        yield Attempt(move.seat, move)
        self._do(move, move)

    # Mistakes

    def _mistaken(self, acts: dict[int, Act]) -> Iterator[Attempt]:
        """One mistake of one player, while the others play rightly."""
        seat = self._rng.choice(list(acts))
        ways = [
            self._takes_two,
            self._lays_nothing,
            self._leaves_a_card,
            self._takes_another_age,
            self._does_not_gather,
            self._builds_what_is_not_allowed,
            self._stages_too_many,
            self._disturbs,
        ]
        yield from self._rng.choice(ways)(seat, acts)

    def _all_lay(self, acts: dict[int, Act], but: int | None = None) -> None:
        self._gather()
        for seat, act in acts.items():
            if seat != but:
                self._lay(seat, act)

    def _takes_two(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        who = self._who(seat)
        words = Text("{who} lays a second card.", who=who)
        second = self._rng.choice([one for one in acts if one != seat] or [seat])
        hands = self.position.hands
        assert hands is not None, "with full information the hands are known"
        others = [card for card in hands[second - 1] if card is not acts[seat].card]

        def lay() -> None:
            self._all_lay(acts)
            if others and acts[seat].do is not Do.DISCARD and self._rng.random() < 0.5:
                self._build(seat, self._rng.choice(others))
            else:
                x, y = self._layout.discard_spot(seat)
                away = _Slot(x, y - 25.0 if self._layout.faces_down(seat) else y + 25.0, self._angle(seat))
                self._put(self._table.spots[seat - 1], back_of(self.position.age), away)
            if acts[seat].do is Do.DISCARD and len(self._table.spots[seat - 1]) > 1:
                first = self._table.spots[seat - 1][0]
                shift = 20.0 if self._layout.faces_down(seat) else -20.0
                self._table.spots[seat - 1][0] = replace(first, card=replace(first.card, y=first.card.y + shift))

        # One of them may pass for an earlier discard.
        yield from self._mistake(seat, "two_cards", words, lay, "discard_not_gathered")

    def _lays_nothing(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        who = self._who(seat)
        words = Text("{who} has laid nothing yet.", who=who)
        yield from self._mistake(seat, "nothing_laid", words, lambda: self._all_lay(acts, seat))

    def _leaves_a_card(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        yield from self._left_on_the_mat(seat, lambda: self._all_lay(acts))

    def _left_on_the_mat(self, seat: int, first: Callable[[], None]) -> Iterator[Attempt]:
        who = self._who(seat)
        words = Text("{who} leaves a hand card on the mat.", who=who)

        def lay() -> None:
            first()
            x, y = self._layout.point(seat, _OUTSIDE_U, _OUTSIDE_V)
            slot = _Slot(x, y, self._angle(seat))
            self._put(self._table.stray, back_of(max(1, self.position.age)), slot)

        yield from self._mistake(seat, "card_outside", words, lay)

    def _takes_another_age(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        act = acts[seat]
        if act.do is Do.BUILD:
            return
        age = self._rng.choice([one for one in AGES if one != self.position.age])
        who = self._who(seat)
        words = Text("{who} lays a card of another age.", who=who)

        def lay() -> None:
            self._all_lay(acts, seat)
            self._lay(seat, act, age)

        yield from self._mistake(seat, "wrong_age", words, lay)

    def _does_not_gather(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        left = [one for one, cards in enumerate(self._table.spots, 1) if cards]
        if left:
            yield from self._left_lying(self._rng.choice(left), acts, lays=self._rng.random() < 0.5)

    def _left_lying(self, seat: int, acts: dict[int, Act], lays: bool) -> Iterator[Attempt]:
        """A discard stays on its spot, pushed or hidden meanwhile; its player may lay a card besides."""
        chance, before = self._rng.random, self._table
        self._table = before.copy()
        self._gather((seat, *(one for one in acts if chance() < 0.3)))
        spot = self._table.spots[seat - 1]
        old, by = spot.pop(), self._rng.choice(_PUSHED_MM)
        if chance() < _LOOKED_BETWEEN:
            yield Attempt(None, unconfirmed=True)
        spot.append(replace(old, card=replace(old.card, x=old.card.x + by)))
        if chance() < _LOOKED_BETWEEN:
            yield Attempt(None, unconfirmed=True)
        for one, act in acts.items():
            if one == seat and lays and act.do is Do.DISCARD:
                # A new one on top of it would hide it.
                x, y = self._layout.discard_spot(seat)
                shift = -22.0 if self._layout.faces_down(seat) else 22.0
                self._put(spot, back_of(self.position.age), _Slot(x, y + shift, self._angle(seat)))
            elif one != seat or lays:
                self._lay(one, act)
        words = Text("{who}'s last discard still lies there.", who=self._who(seat))
        code = "discard_not_gathered"
        yield Attempt(seat, code=code, blunder=words, mistake=code)
        self._table = before

    def _builds_what_is_not_allowed(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        """A card that can't be paid, or stands there already."""
        found = [(card, code) for card in self._hand(seat) if (code := self._refused(seat, acts, card)) is not None]
        if not found:
            return
        card, code = self._rng.choice(found)
        who = self._who(seat)
        words = Text("{who} builds {card}, which is not allowed.", who=who, card=card)

        def lay() -> None:
            self._all_lay(acts, seat)
            self._build(seat, card)

        yield from self._mistake(seat, code, words, lay)

    def _hand(self, seat: int) -> tuple[Building, ...]:
        hands = self.position.hands
        assert hands is not None, "with full information the hands are known"
        return tuple(sorted(set(hands[seat - 1])))

    def _refused(self, seat: int, acts: dict[int, Act], card: Building) -> str | None:
        """The code with which that build is refused, however it may be paid."""
        position, act = self.position, Act(Do.BUILD, card)
        free = position.free_building(seat - 1) and card.cost and card.id not in position.cities[seat - 1].chained
        if free and card.name not in position.cities[seat - 1].names:
            return None
        changed: Move = Seventh(seat, act)
        if position.phase is Phase.ROUND:
            changed = Round(tuple(act if one == seat else other for one, other in acts.items()))
        refusal = position.verify(changed)
        return None if refusal is None or refusal.code == "pay_unclear" else refusal.code

    def _stages_too_many(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        city = self.position.cities[seat - 1]
        if city.next_stage is not None or len(city.board.stages) > 2:
            return
        who = self._who(seat)
        words = Text("{who} stages a card too many.", who=who)

        def lay() -> None:
            self._all_lay(acts, seat)
            self._stage(seat, self.position.age)

        yield from self._mistake(seat, "no_stage_left", words, lay)

    def _disturbs(self, seat: int, acts: dict[int, Act]) -> Iterator[Attempt]:
        """A built card is gone."""
        columns = [column for column in self._table.cities[seat - 1] if column]
        if not columns:
            return
        column = self._rng.choice(columns)
        place = self._table.cities[seat - 1].index(column)
        card = self._rng.choice(column)
        who = self._who(seat)
        words = Text("A card of {who}'s city is gone.", who=who)

        def lay() -> None:
            self._all_lay(acts)
            self._table.cities[seat - 1][place].remove(card)

        yield from self._mistake(seat, "table_disturbed", words, lay)

    def _who(self, seat: int) -> Text:
        return player(self.position.players[seat - 1])
