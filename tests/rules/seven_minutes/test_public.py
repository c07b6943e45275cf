"""What everybody can know: full and public games agree, and a card is refused only where no deck allows it."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from rules.cards import ALL, DECK, Card, cards_in, mask_of
from rules.seven_minutes.legal_moves import LegalMoves
from rules.seven_minutes.moves import Deal, Flip, Move, Roll, Setup, Stop
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.rules import RULES
from tests.rules.seven_minutes.table import codes, random_game


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", range(20))
def test_full_and_public_information_come_to_the_same(seed: int) -> None:
    public = None
    for before, move, after in random_game(seed, public=False):
        public = (before if public is None else public).do(RULES.make_public(move))
        assert {**after.to_json(), "deck": None} == public.to_json()
        assert after.deck is not None
        assert mask_of(after.deck) == after.unseen == public.unseen
        assert repr(public) == repr(after)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(10))
def test_every_wrong_move_gets_the_same_codes_with_full_and_public_information(seed: int) -> None:
    """But for a card that nobody has seen and that is not the next one: only the full game convicts it."""
    chance = Random(seed)
    public = None
    for before, move, _ in random_game(seed, public=False):
        if public is not None:
            seats = range(len(before.players) + 2)
            tried: list[Move] = [Stop(chance.choice(seats)), Roll(chance.choice(seats), (chance.randint(0, 7), 3))]
            tried += [Flip(chance.choice(seats), flipped) for flipped in chance.sample(DECK, 5)]
            for other in tried:
                found, known = codes(before, other), codes(public, other)
                if isinstance(other, Flip) and public.may_be_next(other.card) and not before.may_be_next(other.card):
                    known = [*known, "card_not_in_deck"]
                assert found == known
        public = (before if public is None else public).do(RULES.make_public(move))


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(12))
def test_a_card_is_refused_exactly_where_no_draw_pile_that_fits_the_game_allows_it(seed: int) -> None:
    """Near the end every order of the unseen cards is tried: each one's own full game is played from the deal on."""
    steps = random_game(seed)
    history = [move for _, move, after in steps if after.draw_count >= 4]
    start = steps[0][0]
    public = start
    for move in history:
        public = public.do(move)
    flipped = [move.card for move in history if isinstance(move, Flip)]
    unseen = [card for card in DECK if card not in flipped]
    assert len(unseen) == public.draw_count == 4
    possible: set[Move] = set()
    everything: list[Move] = [*(Flip(public.seat, card) for card in DECK), Stop(public.seat), Roll(public.seat, (2, 5))]
    for order in permutations(unseen):
        full = start.do(Deal((*flipped, *order)))
        for move in history[1:]:
            full = full.do(move)
        possible |= {move for move in everything if full.is_legal(move)}
    assert {move for move in everything if public.is_legal(move)} == possible


@pytest.mark.parametrize("seed", range(8))
def test_the_unseen_cards_are_known_to_everybody_at_any_time(seed: int) -> None:
    seen = 0
    for _, move, after in random_game(seed):
        if isinstance(move, Flip):
            seen |= move.card.bit
        assert after.unseen == ALL & ~seen
        assert after.draw_pile == cards_in(ALL & ~seen)
        lying = [*after.row.cards]
        for seat in range(1, len(after.players) + 1):
            lying += [*after.face_up(seat), *after.face_down(seat)]
        assert sorted(lying) == list(cards_in(seen))


def test_the_order_of_the_draw_pile_shows_nowhere_in_public() -> None:
    deck = list(DECK)
    Random(1).shuffle(deck)
    start = Position.start(("A", "B"))
    one, other = start.do(Deal(tuple(deck))), start.do(Deal(tuple(reversed(deck))))
    assert one.draw_pile == other.draw_pile == DECK
    assert repr(one) == repr(other)
    assert RULES.make_public(Deal(tuple(deck))) == Setup()


@pytest.mark.parametrize("public", [True, False])
def test_the_legal_moves_are_just_those_that_are_not_refused(public: bool) -> None:
    for before, move, _ in random_game(3, public)[1:]:
        legal = LegalMoves(before)
        seat = before.seat
        every: list[Move] = [*(Flip(seat, card) for card in DECK), Stop(seat)]
        every += [Roll(seat, (brown, black)) for brown in range(1, 7) for black in range(1, 7)]
        assert [one for one in every if before.is_legal(one)] == sorted(legal, key=every.index)
        assert len(legal) == len(set(legal))
        assert move in legal
        assert Stop(seat % len(before.players) + 1) not in legal


def test_legal_moves_print_readably() -> None:
    start = Position.start(("A", "B"))
    assert repr(LegalMoves(start)) == "<LegalMoves none>"
    assert list(LegalMoves(start)) == []
    position = start.do(Setup())
    assert repr(LegalMoves(position)) == "<LegalMoves of A: flip>"
    position = position.do(Flip(1, Card.parse("H3")))
    assert repr(LegalMoves(position)) == "<LegalMoves of A: flip or stop>"
    position = position.do(Stop(1))
    assert (repr(LegalMoves(position)), position.phase) == ("<LegalMoves of A: roll>", Phase.JUDGEMENT)
    assert len(LegalMoves(position)) == 36
