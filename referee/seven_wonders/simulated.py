"""A simulated table of Seven Wonders: players who choose by chance, pay as they like, and make people's mistakes.

The simulation knows every hand. Cards are laid in columns by colour, as is the custom; a discard stays on its spot
until the next round, when it goes to the pile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from referee.layout import TableLayout as AnyLayout
from referee.placing import Placed
from referee.seven_wonders.cards import SIZE_MM, back_of
from referee.seven_wonders.layout import BOARD_MM, BOARD_V_MM, CITY, COLUMNS, PILE, SPOT, WONDER, Layout, choose_column
from referee.simulation.game import Attempt, Details, Mistake, Simulation
from referee.simulation.table import InSlot, Slot
from rules.seven_wonders.cards import AGES, Building
from rules.seven_wonders.legal_moves import deal, random_move
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import ROUNDS, AgePhase
from rules.text import Text

CARELESS = 0.15
"""How often somebody makes a mistake before a confirm."""

_SLOPPY, _PILED = (3.0, 2.5), (8.0, 12.0)
"""How far off a card and one of the discard pile lie, in mm and degrees."""
_PUSHED_MM = (0.0, 3.0, 25.0)
_LOOKED_BETWEEN = 0.3
_OUTSIDE = "outside"
_OUTSIDE_U, _OUTSIDE_V = 150.0, 340.0
"""A hand card left on the mat lies beside the city, in no zone."""
_ONE_TOO_MANY = (110.0, 65.0)
_SHIFT_MM, _UNDER_MM, _BESIDE_MM = 22.0, 20.0, 25.0
"""How far a discard lies from another one that it must not hide."""


class WondersSimulation(Simulation):
    """People at a table; ``position`` is the true one, with all hands."""

    def __init__(self, start: Position, layout: AnyLayout, rng: Random, careless: float = CARELESS) -> None:
        assert isinstance(layout, Layout), "the layout is that of this game"
        super().__init__(start, layout, rng, careless)
        self._layout = layout
        self.acts: dict[int, Act] = {}
        """What everybody means to do in this round, by seat."""
        self.dealt = Deal(1)
        """The hands of the age that begins."""
        self._hidden: tuple[int, InSlot] | None = None

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top: the boards lie on the staged cards."""
        staged = [one.card for one in self.table.list_in(WONDER)]
        return (*staged, *self._boards, *(card for card in self.table if not any(card is one for one in staged)))

    @property
    def _boards(self) -> Iterator[Placed]:
        for seat, city in enumerate(self.position.cities, 1):
            x, y = self._layout.locate_point(seat, 0.0, BOARD_V_MM)
            yield Placed(f"board/{city.board}", x, y, self.table.find_upright(seat), BOARD_MM, card=False)

    def play_game(self) -> Iterator[Attempt]:
        """Make one confirm after the other, to the end of the game."""
        due = {AgePhase.DEAL: self._play_deal, AgePhase.FROM_DISCARD: self._play_digging}
        while self.position.outcome is None:
            yield from due.get(self.position.phase, self._play_acts)()

    # Hands on the table

    def _put(self, name: str, place: str, seat: int, at: tuple[float, float]) -> None:
        self.table.put(name, Slot(f"{place}:{seat}", *at, self.table.find_upright(seat), *_SLOPPY, SIZE_MM))

    def _shift(self, seat: int, mm: float) -> float:
        """Return ``mm`` toward the middle of the table, on its y axis."""
        return mm if self._layout.faces_down(seat) else -mm

    def build(self, seat: int, card: Building) -> None:
        """Lay a card into a city."""
        high = [len(self.table.list_in(f"{CITY}:{seat}:{column}")) for column in range(COLUMNS)]
        column = choose_column(card, high)
        x, y = self._layout.city_spot(seat, column, high[column])
        self.table.put(card.id, Slot(f"{CITY}:{seat}:{column}", x, y, self.table.find_upright(seat), *_SLOPPY, SIZE_MM))

    def stage(self, seat: int, age: int) -> None:
        """Stage a card under a board; one too many goes wherever there is room."""
        lie, stages = len(self.table.list_in(f"{WONDER}:{seat}")), len(self.position.cities[seat - 1].board.stages)
        at = self._layout.stage_spot(seat, min(lie, stages - 1), stages)
        if lie >= stages and stages < 3:
            at = self._layout.locate_point(seat, *_ONE_TOO_MANY)
        self._put(back_of(age), WONDER, seat, at)

    def discard(self, seat: int, age: int = 0, beside_mm: float = 0.0) -> None:
        """Lay a card on a seat's discard spot, or so far toward the player's edge beside it."""
        x, y = self._layout.discard_spot(seat)
        self._put(back_of(age or self.age), SPOT, seat, (x, y - self._shift(seat, beside_mm)))

    def leave(self, seat: int) -> None:
        """Leave a hand card on the mat."""
        self._put(back_of(self.age), _OUTSIDE, seat, self._layout.locate_point(seat, _OUTSIDE_U, _OUTSIDE_V))

    def lay(self, seat: int, act: Act, age: int = 0) -> None:
        """Do what a player means to, with a card of another age where one is named."""
        if act.do is Do.BUILD and act.card is not None:
            self.build(seat, act.card)
        elif act.do is Do.STAGE:
            self.stage(seat, age or self.age)
        else:
            self.discard(seat, age)

    def all_lay(self, but: int = 0) -> None:
        """Lay a card of everybody, but for one; the discards of the last round go to the pile before."""
        self._gather()
        for seat, act in self.acts.items():
            if seat != but:
                self.lay(seat, act)

    @property
    def age(self) -> int:
        """The age that is played, and the first one before it."""
        age: int = max(1, self.position.age)
        return age

    def _to_pile(self, count: int) -> None:
        for _ in range(count):
            self.table.put(back_of(self.age), Slot(PILE, *self._layout.pile, 0.0, *_PILED, SIZE_MM))

    @property
    def waiting(self) -> list[int]:
        """Seats whose discard lies on its spot."""
        return [seat for seat in self.seats if self.table.list_in(f"{SPOT}:{seat}")]

    @property
    def seats(self) -> range:
        """Every seat."""
        return range(1, self.position.n + 1)

    def _gather(self, but: Sequence[int] = ()) -> int:
        """Put the discards of the last round on the pile, but for those of some seats; return how many did."""
        places = [f"{SPOT}:{seat}" for seat in self.seats if seat not in but]
        count = len(self.table.list_in(*places))
        self.table.take(*places)
        self._to_pile(count)
        return count

    def gather_leftovers(self, but: Sequence[int] = ()) -> None:
        """Put discards and, after a sixth round, cards left over on the pile."""
        self._gather(but)
        self._to_pile(sum(self.position.pile_ages) - len(self.table.list_in(PILE, SPOT)) - (self._hidden is not None))

    # What is due

    def _play_deal(self) -> Iterator[Attempt]:
        """Begin an age: discards and cards left over are on the pile."""
        self.acts = {}
        yield from self._try_mistakes(STILL_ON_ITS_SPOT)
        self.gather_leftovers()
        yield from self._try_mistakes(LEFT_ON_THE_MAT)
        self.dealt = deal(self.position.age + 1, self.position.n, self._rng)
        if self.position.age:
            yield from self._try_mistakes(TOO_EARLY)
        yield self._do(self.dealt, Attempt(None, RULES.make_public(self.dealt)))

    def _play_acts(self) -> Iterator[Attempt]:
        """Play a round, or the seventh card of Babylon."""
        move = self._as_shown(random_move(self.position, self._rng))
        self.acts = dict(enumerate(move.acts, 1)) if isinstance(move, Round) else {}
        if isinstance(move, Seventh):
            self.acts = {move.seat: move.act}
            if self._rng.random() < 0.5:
                self._to_pile(self.position.n - 1)
        if self._hidden is not None:
            # The discard that a sleeve hid lies there, and its player lays no other card; then it goes to the pile.
            seat, old = self._hidden
            self.table.put_back(old)
            yield from self._left_lying(seat, lays=False)
        elif self.waiting and self._is_slipping():
            yield from self._left_lying(self._rng.choice(self.waiting), lays=self._rng.random() < 0.5)
        else:
            yield from self._try_mistakes(*IN_A_ROUND)
        self._hide()
        if self._gather() and self._rng.random() < _LOOKED_BETWEEN:
            yield Attempt(None, unconfirmed=True)
        for seat, act in self.acts.items():
            self.lay(seat, act)
        yield self._do(move, Attempt(None if len(self.acts) > 1 else next(iter(self.acts)), RULES.make_public(move)))

    def _as_shown(self, move: Move) -> Move:
        """Return the move as the table shows it: Olympia's free building is kept where no coins are needed."""
        if isinstance(move, Round):
            return Round(tuple(self._act_shown(seat, act) for seat, act in enumerate(move.acts)))
        return replace(move, act=self._act_shown(move.seat - 1, move.act)) if isinstance(move, Seventh) else move

    def _act_shown(self, seat: int, act: Act) -> Act:
        plain = Act(act.do, act.card)
        price = self.position.find_price(seat, plain)
        costs_nothing = any(not way.coins and not price.coins for way in self.position.find_affordable(seat, price))
        return plain if act.free and costs_nothing else act

    def _play_digging(self) -> Iterator[Attempt]:
        """Take a card from the pile for Halikarnassos, or none."""
        if self._hidden is not None:
            self.table.put_back(self._hidden[1])
            self._hidden = None
        self.gather_leftovers()
        move = random_move(self.position, self._rng)
        assert isinstance(move, FromDiscard), "that is due"
        if move.card is not None and self._rng.random() < 0.1:
            move = FromDiscard(move.seat)
        self.acts = {move.seat: Act(Do.DISCARD)}
        yield from self._try_mistakes(PLAYS_ON)
        if move.card is not None:
            # The card that is taken may lie anywhere in the pile; one card less lies there.
            self.table.remove(self.table.list_in(PILE)[-1])
            self.build(move.seat, move.card)
        yield self._do(move, Attempt(move.seat, move))

    # Discards that nobody gathers

    def _hide(self) -> None:
        """Hide at times a discard that nobody has gathered, while the others' round is settled."""
        self._hidden = None
        lying = [seat for seat in self.waiting if len(self.table.list_in(f"{SPOT}:{seat}")) == 1]
        if lying and self.position.rounds < ROUNDS - 1 and self._is_slipping():
            seat = self._rng.choice(lying)
            if self.acts[seat].do is not Do.DISCARD:
                (old,) = self.table.list_in(f"{SPOT}:{seat}")
                self._hidden = seat, old
                self.table.remove(old)

    def _left_lying(self, seat: int, lays: bool) -> Iterator[Attempt]:
        """Leave a discard on its spot, pushed or hidden meanwhile; its player may lay a card besides."""
        chance, before = self._rng.random, self.table.take_snapshot()
        self._gather((seat, *(one for one in self.acts if chance() < 0.3)))
        old = self.table.list_in(f"{SPOT}:{seat}")[-1]
        self.table.remove(old)
        if chance() < _LOOKED_BETWEEN:
            yield Attempt(None, unconfirmed=True)
        self.table.put_back(old.push_by(self._rng.choice(_PUSHED_MM), 0.0))
        if chance() < _LOOKED_BETWEEN:
            yield Attempt(None, unconfirmed=True)
        for one, act in self.acts.items():
            if one == seat and lays and act.do is Do.DISCARD:
                # A new one on top of it would hide it.
                self.discard(seat, beside_mm=-_SHIFT_MM)
            elif one != seat or lays:
                self.lay(one, act)
        yield NOT_GATHERED.make_attempt(seat, self.name_player(seat))
        self.table.restore(before)

    # Occasions for mistakes

    def list_hand(self, seat: int) -> list[Building]:
        """Return the different cards of a hand."""
        hands = self.position.hands
        assert hands is not None, "with full information the hands are known"
        return sorted(set(hands[seat - 1]))

    def find_refusal(self, seat: int, card: Building) -> str | None:
        """Return the code with which building that card is refused, however it may be paid."""
        city, act = self.position.cities[seat - 1], Act(Do.BUILD, card)
        free = self.position.free_building(seat - 1) and card.cost and card.id not in city.chained
        if free and card.name not in city.names:
            return None
        changed: Move = Seventh(seat, act)
        if self.position.phase is AgePhase.ROUND:
            changed = Round(tuple(act if one == seat else other for one, other in self.acts.items()))
        refusal = self.position.verify(changed)
        return None if refusal is None or refusal.code == "pay_unclear" else refusal.code


_Card = tuple[int, Building]
"""A card that its player, by seat, builds."""


def _list_everybody(game: WondersSimulation) -> list[int]:
    return game.shuffle_things(game.acts or game.seats)


def _before_the_deal(game: WondersSimulation) -> list[_Card]:
    cities = zip(game.seats, game.position.cities, game.dealt.hands or (), strict=True)
    return game.shuffle_things(
        (seat, card) for seat, city, hand in cities for card in hand if card.name not in city.names
    )


def _out_of_turn(game: WondersSimulation) -> list[_Card]:
    seat = next(iter(game.acts)) % game.position.n + 1
    return game.shuffle_things((seat, card) for card in game.list_hand(seat))


def _not_allowed(game: WondersSimulation) -> list[_Card]:
    cards = [(seat, card) for seat in game.acts for card in game.list_hand(seat)]
    return game.shuffle_things(one for one in cards if game.find_refusal(*one))


def _has_staged_all(game: WondersSimulation, seat: int) -> bool:
    city = game.position.cities[seat - 1]
    return city.next_stage is None and len(city.board.stages) < 3


def _all_lay(game: WondersSimulation, _: int) -> None:
    game.all_lay()


def _others_lay(game: WondersSimulation, but: int) -> None:
    game.all_lay(but)


def _build_card(game: WondersSimulation, one: _Card) -> None:
    game.build(*one)


def _builds_besides(game: WondersSimulation, one: _Card) -> Details:
    game.all_lay(one[0])
    game.build(*one)
    code, words = game.find_refusal(*one), Text("{who} builds {card}, which is not allowed.", card=one[1])
    return {"code": code, "mistake": code, "blunder": words}


def _lays_a_second(game: WondersSimulation, seat: int) -> None:
    """Lay another hand's card that is built, or a discard; two discards don't hide each other."""
    act, of = game.acts[seat], next((one for one in _list_everybody(game) if one != seat), seat)
    cards = game.shuffle_things(card for card in game.list_hand(of) if card is not act.card)
    if cards and act.do is not Do.DISCARD and game.toss_coin():
        game.build(seat, cards[0])
        return
    if act.do is Do.DISCARD:
        game.table.remove(*game.table.list_in(f"{SPOT}:{seat}"))
        game.discard(seat, beside_mm=-_UNDER_MM)
    game.discard(seat, beside_mm=_BESIDE_MM)


def _lays_another_age(game: WondersSimulation, seat: int) -> None:
    game.lay(seat, game.acts[seat], game.shuffle_things(age for age in AGES if age != game.position.age)[0])


def _loses_a_card(game: WondersSimulation, seat: int) -> None:
    gone = game.shuffle_things(game.table.list_in(f"{CITY}:{seat}"))[0]
    game.all_lay()
    game.table.remove(gone)


STILL_ON_ITS_SPOT: Mistake[WondersSimulation, int] = Mistake(
    "discard_not_gathered",
    Text("A discard still lies on its spot."),
    lambda game: game.shuffle_things(game.waiting),
    lambda game, seat: game.gather_leftovers((seat,)),
)
NOT_GATHERED = Mistake("discard_not_gathered", Text("{who}'s last discard still lies there."), _list_everybody)
TOO_EARLY = Mistake("deal_due", Text("A card is laid before the age begins."), _before_the_deal, _build_card)
PLAYS_ON = Mistake("out_of_turn", Text("Somebody plays on too early."), _out_of_turn, _build_card)
LEFT_ON_THE_MAT = Mistake(
    "card_outside",
    Text("{who} leaves a hand card on the mat."),
    _list_everybody,
    _all_lay,
    lambda game, seat: game.leave(seat),
)
IN_A_ROUND = (
    LEFT_ON_THE_MAT,
    Mistake("nothing_laid", Text("{who} has laid nothing yet."), _list_everybody, _others_lay),
    Mistake(
        "two_cards",
        Text("{who} lays a second card."),
        _list_everybody,
        _all_lay,
        _lays_a_second,
        instead=("discard_not_gathered",),  # one of them may pass for an earlier discard
    ),
    Mistake(
        "wrong_age",
        Text("{who} lays a card of another age."),
        lambda game: [seat for seat in _list_everybody(game) if game.acts[seat].do is not Do.BUILD],
        _others_lay,
        _lays_another_age,
    ),
    Mistake("not_allowed", Text(), _not_allowed, _builds_besides),
    Mistake(
        "no_stage_left",
        Text("{who} stages a card too many."),
        lambda game: [seat for seat in _list_everybody(game) if _has_staged_all(game, seat)],
        _others_lay,
        lambda game, seat: game.stage(seat, game.age),
    ),
    Mistake(
        "table_disturbed",
        Text("A card of {who}'s city is gone."),
        lambda game: [seat for seat in _list_everybody(game) if game.table.list_in(f"{CITY}:{seat}")],
        _loses_a_card,
    ),
)
"""One mistake of one player, while the others play rightly."""

SIMULATION = WondersSimulation
