"""What a refused card proves: that its player revoked, or only that somebody did; and a way on from either."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from rules.seven_euchre.moves import Deal, Exchange, Play
from rules.seven_euchre.play import deal
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase
from rules.seven_euchre.trumps import find_following
from tests.rules.seven_euchre.table import START, codes, played, text

OPENINGS = ("C8 - - - x", "NT7 - - - x", "- - - - {} 7 - - -")


def deals_with_revokes(seed: int, slips: float) -> Iterator[tuple[Position, Play, bool, set[int], set[int]]]:
    """Yield each position of a public deal, in which players at times do not follow who can, with the next play.

    Then whether that play revokes, the tricks in which somebody has, and the seats that have.
    """
    chance = Random(seed)
    dealt = deal(chance)
    assert dealt.hands is not None
    hands = [set(hand) for hand in dealt.hands]
    position = START.do(Deal())
    opening = OPENINGS[seed % len(OPENINGS)]
    position = played(opening.format(dealt.middle), position)
    if position.turned_up is None:
        seat = position.contract.seat if position.contract is not None else 1
        assert isinstance(position.round.moves[-1], Exchange) if position.round is not None else False
        assert dealt.middle is not None
        hands[seat - 1].add(dealt.middle)
        hands[seat - 1].remove(chance.choice(sorted(hands[seat - 1], key=str)))
    tricks, seats = set[int](), set[int]()
    while position.phase is DealPhase.PLAY:
        seat = position.to_move or 1
        hand = sorted(hands[seat - 1], key=str)
        led, trump = position.led, position.trump
        follow = find_following(led, trump) if led is not None and trump is not None else 0
        able = [one for one in hand if one.bit & follow]
        revokes = bool(able) and len(able) < len(hand) and chance.random() < slips
        play = Play(seat, chance.choice([one for one in hand if one not in able] if revokes else able or hand))
        yield position, play, revokes, set(tricks), set(seats)
        if not position.is_legal(play):
            return
        if revokes:
            tricks.add(position.trick_number)
            seats.add(seat)
        hands[seat - 1].discard(play.card)
        position = position.do(play)


@pytest.mark.slow  # tests/referee/seven_euchre/test_somebody_revoked.py
@pytest.mark.parametrize("slips", [0.0, 0.02, 0.06, 0.3])
def test_no_honest_player_is_convicted_and_a_true_trick_is_always_named(slips: float) -> None:
    somebody = 0
    for seed in range(400):
        for position, play, revokes, tricks, seats in deals_with_revokes(seed, slips):
            refusal = position.verify(play)
            if refusal is None:
                continue
            named, found = position.revoked_in(play.seat, play.card), codes(position, play)
            assert revokes or tricks, "where all have followed nothing is refused"
            if not revokes:
                assert tricks & {*named}, "one of the tricks named is a revoke's"
            if not revokes and play.seat not in seats:
                reasons = position.find_reasons(play)
                assert "revoke" not in found
                assert all(reason.brief is not None for reason in reasons), "nothing is said of that player alone"
                somebody += 1
            if not named:
                assert found == ["must_follow"]
            if "revoke" in found:
                assert play.seat in seats
                assert {*named} <= tricks
    assert (somebody > 0) is (slips > 0.0)


def test_both_ways_are_said_of_one_who_must_follow_by_what_others_did_not() -> None:
    found = next(
        (position, play)
        for seed in range(400)
        for position, play, revokes, _, _ in deals_with_revokes(seed, 0.06)
        if not revokes and codes(position, play) == ["must_follow"]
    )
    said = text(*found)
    assert "Either" in said
    assert "somebody earlier did not follow suit although able to: in trick" in said
