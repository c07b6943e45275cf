"""The legal moves as an object, and the acts that each seat can choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod

from rules.seven_wonders.cards import AGES, Building, guilds, of_age
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import Phase, State
from rules.seven_wonders.trade import NOTHING, Pay


def acts_of(state: State, seat: int) -> tuple[Act, ...]:
    """What that seat, from 0, can do in a round or with the seventh card, taken alone.

    Every way to pay that the coins allow is listed; ``pay`` is given where it is not nothing.
    """
    if state.hands is not None:
        hidden: Sequence[Building | None] = sorted(set(state.hands[seat]))
        cards: Sequence[Building] = sorted(set(state.hands[seat]))
    else:
        hidden, cards = (None,), [card for card in of_age(state.age, state.n) if state.copies_left(card) > 0]
    return (
        *(act for card in cards for act in builds_of(state, seat, card)),
        *stages_of(state, seat, hidden),
        *(Act(Do.DISCARD, card) for card in hidden),
    )


def builds_of(state: State, seat: int, card: Building) -> Iterator[Act]:
    """Every way in which that seat can build the card, which it may have in hand."""
    city = state.cities[seat]
    if card.name in city.names:
        return
    for way in state.within(seat, state.price(seat, Act(Do.BUILD, card))):
        yield Act(Do.BUILD, card, _told(way))
    if card.cost and card.id not in city.chained and state.free_building(seat):
        yield Act(Do.BUILD, card, None, True)


def stages_of(state: State, seat: int, cards: Sequence[Building | None]) -> Iterator[Act]:
    """Every way in which that seat can build its next stage with one of these cards, ``None`` for a hidden one."""
    if state.cities[seat].next_stage is not None:
        ways = state.within(seat, state.price(seat, Act(Do.STAGE)))
        for card, way in product(cards, ways):
            yield Act(Do.STAGE, card, _told(way))


def from_discard(state: State, seat: int) -> tuple[Building, ...]:
    """The cards that may lie in the discard pile and that this seat can build from there."""
    if state.pile is not None:
        cards: Sequence[Building] = sorted(set(state.pile))
    else:
        cards = [
            card
            for age in AGES[: state.age]
            if state.pile_ages[age - 1]
            for card in of_age(age, state.n)
            if state.copies_left(card) > 0
        ]
    return tuple([card for card in cards if card.name not in state.cities[seat].names])


def _told(way: Pay) -> Pay | None:
    return None if way == NOTHING else way


class LegalMoves:
    """The legal moves, as an object.

    ``move in legal`` judges any move. Iterating gives every legal move of the line that is due, each payment in one
    form (``pay`` where it is not nothing); ``len`` counts these without listing them. Not listed, since they are too
    many, are deals that tell the hands and the lines of a score sheet.
    """

    def __init__(self, position: Position) -> None:
        self.position = position

    def acts(self, seat: int) -> tuple[Act, ...]:
        """The acts that this seat, from 1, can choose from by itself, none where it is not its move."""
        position = self.position
        mine = position.phase is Phase.ROUND or (position.phase is Phase.SEVENTH and position.seat == seat - 1)
        return acts_of(position, seat - 1) if mine else ()

    def __contains__(self, move: Move) -> bool:
        return self.position.can(move)

    def __iter__(self) -> Iterator[Move]:
        position, seat = self.position, self.position.seat
        if position.phase is Phase.DEAL and not position.full:
            yield Deal(position.age + 1)
        elif position.phase is Phase.ROUND:
            yield from map(Round, self._rounds())
        elif position.phase is Phase.SEVENTH and seat is not None:
            yield from (Seventh(seat + 1, act) for act in acts_of(position, seat))
        elif position.phase is Phase.FROM_DISCARD and seat is not None:
            yield FromDiscard(seat + 1)
            yield from (FromDiscard(seat + 1, card) for card in from_discard(position, seat))

    def __len__(self) -> int:
        if self.position.phase is not Phase.ROUND:
            return sum(1 for _ in self)
        acts = self._all_acts()
        if self.position.hands is not None:
            return prod(map(len, acts))
        return _count_together(self.position, acts)

    def __repr__(self) -> str:
        position = self.position
        if position.phase is Phase.ROUND:
            counts = ", ".join(
                f"{name} {len(acts)}" for name, acts in zip(position.players, self._all_acts(), strict=True)
            )
            return f"<LegalMoves {len(self)} rounds: acts of {counts}>"
        return f"<LegalMoves {position.phase}: {len(self)}>"

    def _all_acts(self) -> list[tuple[Act, ...]]:
        return [acts_of(self.position, seat) for seat in range(self.position.n)]

    def _rounds(self) -> Iterator[tuple[Act, ...]]:
        acts = self._all_acts()
        if self.position.hands is not None:
            return product(*acts)
        return _together(self.position, acts, ())


def _together(state: State, acts: Sequence[Sequence[Act]], chosen: tuple[Act, ...]) -> Iterator[tuple[Act, ...]]:
    """Public information: every choice of acts, after those chosen, of which there are enough copies."""
    if len(chosen) == len(acts):
        yield chosen
        return
    for act in acts[len(chosen)]:
        if fits(state, chosen, act):
            yield from _together(state, acts, (*chosen, act))


def fits(state: State, chosen: Sequence[Act], act: Act) -> bool:
    """Public information: whether this act can join those chosen in one round, as far as copies go."""
    card = act.card
    if act.do is not Do.BUILD or card is None:
        return True
    building = [other.card for other in chosen if other.do is Do.BUILD and other.card is not None]
    if building.count(card) >= state.copies_left(card):
        return False
    if not card.is_guild:
        return True
    return state.guilds_built + len({other for other in building if other.is_guild}) < guilds(state.n)


def _count_together(state: State, acts: Sequence[Sequence[Act]]) -> int:
    """How many choices ``_together`` gives: card by card, the seats that build it."""
    builds = [Counter(act.card for act in mine if act.do is Do.BUILD and act.card is not None) for mine in acts]
    others = [len(mine) - built.total() for mine, built in zip(acts, builds, strict=True)]
    counts: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # by the seats that build, and the new guilds among it
    room = guilds(state.n) - state.guilds_built
    for card in dict.fromkeys(card for built in builds for card in built):
        able = [seat for seat, built in enumerate(builds) if built[card]]
        grown: Counter[tuple[int, int]] = Counter(counts)
        for size in range(1, min(state.copies_left(card), len(able)) + 1):
            for seats in combinations(able, size):
                mask, ways = sum(1 << seat for seat in seats), prod(builds[seat][card] for seat in seats)
                for (taken, new), count in counts.items():
                    if not taken & mask and new + card.is_guild <= room:
                        grown[taken | mask, new + card.is_guild] += count * ways
        counts = grown
    return sum(
        count * prod(other for seat, other in enumerate(others) if not taken >> seat & 1)
        for (taken, _), count in counts.items()
    )
