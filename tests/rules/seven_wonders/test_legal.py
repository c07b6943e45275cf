"""Legal moves as an object: listed, counted and asked, and held to trying every act there is."""

from __future__ import annotations

from itertools import islice, product

import pytest

from rules.seven_wonders.cards import BUILDINGS, of_age
from rules.seven_wonders.legal_moves import LegalMoves
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Round, Seventh
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import AgePhase
from rules.seven_wonders.trade import NOTHING, Pay
from tests.rules.seven_wonders.games import DISCARD, NAMES, game, table

WAYS = (None, *(Pay(left, right) for left in range(9) for right in range(9) if (left, right) != (0, 0)))


def _meaning(act: Act) -> Act:
    """Return the act with the form of payment that the legal moves list."""
    return Act(act.do, act.card, None if act.pay == NOTHING else act.pay, act.free)


@pytest.mark.few(1)
@pytest.mark.parametrize(("public", "seed"), [(False, 0), (False, 1), (False, 2), (True, 3)])
def test_the_acts_of_a_seat_are_those_of_trying_everything(public: bool, seed: int) -> None:
    played = game(3 + seed % 2, seed, public)
    for position in played.positions[1 + seed : -1 : 8]:
        if position.phase is not AgePhase.ROUND:
            continue
        legal = LegalMoves(position)
        acts = [legal.list_acts(seat) for seat in range(1, position.n + 1)]
        others = [next(act for act in mine if act.do is Do.DISCARD) for mine in acts]
        for seat, mine in enumerate(acts):
            cards = of_age(position.age, position.n) if position.hands is None else set(position.hands[seat])
            hidden = (None,) if position.hands is None else cards
            found = set()
            for act in (
                *(Act(Do.BUILD, card, way, free) for card, way, free in product(cards, WAYS, (False, True))),
                *(Act(Do.STAGE, card, way) for card, way in product(hidden, WAYS)),
                *(Act(Do.DISCARD, card) for card in hidden),
            ):
                whole = (*others[:seat], act, *others[seat + 1 :])
                if position.is_legal(Round(whole)):
                    price = position.find_price(seat, act)
                    paid = act.pay if act.pay is not None else position.find_affordable(seat, price)[0]
                    found.add(_meaning(Act(act.do, act.card, paid, act.free)))
            assert set(mine) == found
            assert len(mine) == len(found)


@pytest.mark.parametrize("public", [False, True])
def test_rounds_are_counted_as_they_are_listed(public: bool) -> None:
    counted = 0
    for seed in range(30):
        for position in game(3, seed, public).positions[1:-1]:
            legal = LegalMoves(position)
            if position.phase is AgePhase.ROUND and len(legal) < 4000:
                rounds = list(legal)
                assert len(rounds) == len(set(rounds)) == len(legal)
                assert all(move in legal for move in rounds[::37])
                counted += 1
        if counted > 8:
            return
    raise AssertionError("too few small positions")


def test_public_rounds_leave_out_what_copies_do_not_allow() -> None:
    """Near the end of the guilds: counted and listed alike, and every one of them legal."""
    drawn = [card.id for card in BUILDINGS if card.is_guild]
    everything = "quarry sawmill foundry brickyard loom press glassworks"
    position = table(
        "giza/a rhodes/a ephesos/a",
        {"cards": f"{everything} {drawn[0]} {drawn[1]}"},
        {"cards": f"{drawn[2]} {drawn[3]} haven lighthouse arena gardens palace pantheon"},
        {"cards": "senate town_hall academy lodge observatory study university arsenal"},
        age=3,
    )
    legal = LegalMoves(position)
    rounds = list(legal)
    assert len(rounds) == len(set(rounds)) == len(legal)
    assert all(map(position.is_legal, rounds[::7]))
    acts = [legal.list_acts(seat) for seat in (1, 2, 3)]
    assert len(legal) == sum(position.is_legal(Round(chosen)) for chosen in islice(product(*acts), 200_000))


def test_seventh_card_and_discards_are_listed() -> None:
    boards = ("babylon/b", "halikarnassos/b", "olympia/a")
    kinds = set()
    for public, seed in product((False, True), range(20)):
        for position in game(3, seed, public, boards).positions:
            if position.phase in (AgePhase.SEVENTH, AgePhase.FROM_DISCARD):
                kinds.add((position.phase, public))
                moves = list(LegalMoves(position))
                assert moves
                assert len(moves) == len(set(moves)) == len(LegalMoves(position))
                assert all(map(position.is_legal, moves))
                if position.phase is AgePhase.FROM_DISCARD:
                    seat = position.seat
                    assert seat is not None
                    found = {card for card in BUILDINGS if position.is_legal(FromDiscard(seat + 1, card))}
                    assert found | {None} == {move.card for move in moves if isinstance(move, FromDiscard)}
                else:
                    assert all(isinstance(move, Seventh) for move in moves)
    assert len(kinds) == 4


def test_before_the_deal_and_after_the_end() -> None:
    start = RULES.start(NAMES[:3], {})
    assert list(LegalMoves(start)) == [Deal(1)]
    assert repr(LegalMoves(start)) == "<LegalMoves deal: 1>"
    over = game(3, 0).positions[-1]
    assert (list(LegalMoves(over)), len(LegalMoves(over))) == ([], 0)
    assert LegalMoves(over).list_acts(1) == ()
    assert Round((DISCARD,) * 3) not in LegalMoves(over)
    assert repr(LegalMoves(game(3, 0).positions[1])).startswith("<LegalMoves ")
