"""Whole games at random, scored once more by a plain reading of the rules; legal moves; saving; time."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

import pytest

from rules.cards import DECK, Card
from rules.registry import find_game
from rules.seven_euchre.legal_moves import LegalMoves
from rules.seven_euchre.moves import Annul, Bid, Deal, Exchange, Move, Pass, Play, TurnUp, as_seen
from rules.seven_euchre.position import Position
from rules.seven_euchre.rules import RULES
from tests.rules.seven_euchre.table import NAMES, START, played, public_game, random_game
from tests.words import en, ja

SUITS = "FTSCBOH"
"""The suits from coffin to heart, as they rank in bids."""


def plain_suit(card: Card, trump: str) -> str:
    return trump if card.rank == 7 and trump != "NT" else card.suit.letter


def plain_strength(card: Card, led: str, trump: str) -> tuple[int, int, int]:
    """Return how strong a card is: not following, following, trumps; these with the own 7 first."""
    suit = plain_suit(card, trump)
    if suit != trump:
        return (int(suit == led), card.rank, 0)
    if card.rank != 7:
        return (2, card.rank, 0)
    own = card.suit.letter == trump
    return (2, 99 if own else 7, 0 if own else len(SUITS) - SUITS.index(card.suit.letter))


def plain_points(moves: list[Move], first_dealer: int) -> tuple[list[int], int]:
    """Return the points by side, and who deals next, read from the moves alone."""
    points, dealer = [0, 0], first_dealer
    deals: list[list[Move]] = []
    for move in moves:
        if isinstance(move, Deal):
            deals.append([])
        deals[-1].append(move)
    for deal in deals:
        bids = [move for move in deal if isinstance(move, Bid)]
        plays = [move for move in deal if isinstance(move, Play)]
        dealer = dealer % 4 + 1
        if not bids:
            assert (len(plays), sum(isinstance(move, Pass) for move in deal)) == (0, 8)
            continue
        last = bids[-1]
        turned = [move.card for move in deal if isinstance(move, TurnUp)]
        trump = turned[0].suit.letter if turned else last.trump.letter if last.trump else ""
        assert [move.seat for move in deal if isinstance(move, Exchange)] == ([] if turned else [last.seat])
        leader, tricks = last.seat, [0, 0]
        for place in range(0, 48, 4):
            four = plays[place : place + 4]
            assert [play.seat for play in four] == [(leader - 1 + turn) % 4 + 1 for turn in range(4)]
            led = plain_suit(four[0].card, trump)
            leader = max(four, key=lambda play: plain_strength(play.card, led, trump)).seat
            tricks[1 - leader % 2] += 1
        side = 1 - last.seat % 2
        short = last.tricks - tricks[side]
        points = [points[0] + tricks[0], points[1] + tricks[1]]
        if short <= 0:
            points[side] += 7 + [*SUITS, "NT"].index(trump) + 8 * (last.tricks - 7)
        else:
            points[1 - side] += short * tricks[1 - side]
    return points, dealer


@pytest.mark.few(9)
@pytest.mark.parametrize("seed", range(25))
def test_a_random_game_has_the_points_of_a_plain_reading(seed: int) -> None:
    positions, moves = random_game(seed, 60)
    end = positions[-1]
    points, dealer = plain_points(moves, positions[0].dealer)
    assert (list(end.points), end.dealer) == (points, dealer)
    assert max(points) >= 60
    assert end.outcome is not None
    assert end.outcome.winners == ((1, 3) if points[0] > points[1] else (2, 4))


def test_random_games_meet_every_kind_of_deal() -> None:
    seen = set()
    for seed in range(25):
        for position in random_game(seed, 60)[0]:
            if position.round is not None and position.contract is not None:
                seen.add((position.contract.trump.letter, position.turned_up is not None))
        moves = random_game(seed, 60)[1]
        seen.update([("redeal", True)] if any(isinstance(one, Deal) for one in moves[1:]) else [])
    assert len(seen) > 12


def test_a_position_of_another_game_is_not_restored() -> None:
    with pytest.raises(ValueError, match="another game"):
        RULES.restore({**START.to_json(), "game": "laminate"})
    saved = played("deal C8").to_json()
    with pytest.raises(ValueError, match="no deal begins"):
        Position.from_json({**saved, "moves": saved["moves"]}).round.from_moves(1, [Pass(1)])  # type: ignore[union-attr]


@pytest.mark.parametrize("move", [Annul(), Deal(), Play(1, DECK[0]), Bid(1, 12)])
def test_a_deal_takes_no_move_that_it_can_t_tell_of(move: Move) -> None:
    deal = played("deal").round
    assert deal is not None
    with pytest.raises(ValueError, match=r"\S"):
        replace(deal, passes=3).apply_move(move)


def test_legal_moves_where_cards_are_dealt_exchanged_or_turned_up() -> None:
    assert list(LegalMoves(START)) == [Deal()]
    assert list(LegalMoves(played("deal C8 - - -"))) == [Exchange(1)]
    assert len(LegalMoves(played("deal - - - -"))) == 49
    assert list(LegalMoves(played("deal")))[:2] == [Pass(1), played("deal").bids[0]]
    assert repr(LegalMoves(played("deal"))) == "<LegalMoves of North: 49, auction>"
    full = START.do(RULES.random_move(START, Random(1)))
    assert len(LegalMoves(played("C8 - - -", full))) == 13
    assert len(LegalMoves(played("- - - -", full))) == 1
    assert len(LegalMoves(random_game(1)[0][-1])) == 0


def test_what_a_move_reads_like() -> None:
    position = played("deal C8 - - - x C9")
    assert position.round is not None
    assert [str(move) for move in position.round.moves] == [
        "deal",
        "1 bid C 8",
        "2 pass",
        "3 pass",
        "4 pass",
        "1 exchange",
        "1 play C9",
    ]
    assert str(TurnUp(DECK[0])) == "turn up HA"
    assert str(Exchange(2, DECK[1])) == "2 exchange lay aside H2"
    assert str(Bid(3, 9)) == "3 bid 9"
    assert str(Deal((DECK[:2], DECK[2:3]), DECK[3])) == "deal HA H2 | H3 middle H4"


def test_the_game_is_found_and_offers_what_its_menu_asks() -> None:
    rules = find_game("seven_euchre")
    assert rules is RULES
    assert (en(rules.title), ja(rules.title)) == ("Seven Euchre", "セブンユーカー")
    assert list(rules.seats) == [4]
    dealer, target = rules.options
    assert [value for value, _ in target.values(NAMES)] == [100, 77, 200]
    assert [en(words) for _, words in target.values(NAMES)] == ["100 points", "77 points", "200 points"]
    assert [value for value, _ in dealer.values(NAMES)] == [1, 2, 3, 4]
    assert RULES.start(NAMES, {}) == Position.start(NAMES, 1, 100)
    assert RULES.to_move(START) == frozenset()
    assert RULES.to_move(played("deal")) == frozenset({1})
    for bad in (0, -1, True, 1.5, "100", None, [100]):
        with pytest.raises(ValueError, match="'target' must be a whole number"):
            RULES.start(NAMES, {"target": bad})
    with pytest.raises(ValueError, match="no seat"):
        RULES.start(NAMES, {"dealer": 5})


def test_a_move_is_judged_well_below_a_millisecond() -> None:
    positions, moves = public_game(7)
    began = time.process_time()
    for position, move in zip(positions, moves, strict=False):
        assert position.verify(move) is None
    assert (time.process_time() - began) / len(moves) < 0.0005


def test_the_public_form_hides_the_deal_and_the_card_laid_aside_only() -> None:
    _, moves = random_game(2)
    for move in moves:
        hidden = isinstance(move, (Deal, Exchange))
        assert (as_seen(move) == move) is not hidden
        assert as_seen(as_seen(move)) == as_seen(move)
