"""Turns by the rule sheet and its rulings: flipping, stopping, judgement, the end of the game."""

from __future__ import annotations

import pytest

from rules.cards import DECK
from rules.refusal import Illegal
from rules.seven_minutes.moves import Flip, Roll, Setup, Stop
from rules.seven_minutes.position import Cause, Ending, Phase, Position
from tests.rules.seven_minutes.table import NAMES, card, cards, codes, played, told


def test_a_turn_flips_at_least_one_card() -> None:
    start = played("")
    assert (start.to_move, start.may_stop, start.row.length, start.draw_count) == (1, False, 0, 49)
    assert codes(start, Stop(1)) == ["must_flip"]
    assert codes(start, Roll(1, (3, 4))) == ["must_flip", "roll_not_due"]
    assert played("H3").may_stop
    assert (played("H3").rolls_due, played("H3").rolls_left) == (0, 0)


def test_a_player_flips_on_or_stops_at_will() -> None:
    assert played("H3").is_legal(Flip(1, card("S9")))
    stopped = played("H3 S9 /")
    assert (stopped.phase, stopped.cause) == ("judgement", "stop")
    assert (stopped.rolls_due, stopped.rolls_left, stopped.rolls) == (2, 2, ())


def test_a_roll_before_the_stop_is_not_due() -> None:
    assert codes(played("H3"), Roll(1, (6, 6))) == ["roll_not_due"]


@pytest.mark.parametrize("words", ["H3 S9 F7", "F7", "H3 F7"])
def test_a_seven_ends_the_flipping_at_once(words: str) -> None:
    judged = played(words)
    assert (judged.phase, judged.cause) == (Phase.JUDGEMENT, Cause.SEVEN)
    assert codes(judged, Flip(1, card("S5"))) == codes(judged, Stop(1)) == ["judgement_due"]


def test_the_k_demands_three_more_cards() -> None:
    for words, left in (("FK", 3), ("H3 FK S9", 2), ("FK S9 T10", 1)):
        position = played(words)
        assert (position.king_left, position.may_stop) == (left, False)
        assert codes(position, Stop(1)) == ["must_flip_more"]
        assert codes(position, Roll(1, (1, 1))) == ["must_flip_more", "roll_not_due"]
    done = played("FK S9 T10 H2")
    assert (done.king_left, done.may_stop, done.phase) == (0, True, "flip")


@pytest.mark.parametrize("words", ["FK F7 S9 T10", "FK S9 F7 T10", "FK S9 T10 F7", "H7 2+2 FK F7 S7 T7"])
def test_all_three_are_flipped_even_past_a_seven_and_then_judgement_follows(words: str) -> None:
    flips = words.split()
    for count in (1, 2):
        assert played(" ".join(flips[:-count])).king_left == count
    judged = played(words)
    assert (judged.phase, judged.cause) == ("judgement", "king_seven")


def test_without_a_seven_among_the_three_the_player_goes_on_and_a_later_seven_ends_the_flipping() -> None:
    assert played("FK S9 T10 H2 H7").cause is Cause.SEVEN
    assert played("FK S9 T10 H2 H3 /").cause is Cause.STOP


def test_after_the_last_roll_without_a_hit_the_whole_row_is_taken_face_up() -> None:
    after = played("S9 B9 H7 1+1 2+2")
    assert after.taken is not None
    assert (after.taken.seat, after.taken.face_up, after.taken.dice) == (1, True, (2, 2))
    assert after.taken.cards == after.face_up(1) == after.list_tops(1) == cards("S9 B9 H7")
    assert (after.points, after.to_move, after.row.length) == ((5, 0, 0), 2, 0)


def test_what_was_taken_is_told_until_the_next_card_is_flipped() -> None:
    after = played("S9 / 1+1")
    assert after.taken is not None
    assert str(after.taken) == "1 takes S9 face up"
    assert played("H3", after).taken is None


def test_the_top_of_the_face_up_pile_stays_when_cards_are_taken_face_down() -> None:
    after = played("S9 T9 / 1+1 H3 / 1+1 B3 / 1+1 C8 / 4+4")
    assert (after.list_tops(1), after.face_up(1), after.face_down(1)) == (cards("S9 T9"), cards("S9 T9"), cards("C8"))
    later = played("H4 / 1+1 H5 / 1+1 H6 / 1+1", after)
    assert (later.list_tops(1), later.face_up(1)) == (cards("H6"), cards("S9 T9 H6"))


def endgame(last: str) -> Position:
    """Return a game of two in which only these cards are left, Hilbert to move and the row empty."""
    keep = cards(last)
    others = sorted((card for card in DECK if card not in keep), key=lambda card: (card.rank != 13, card.rank == 7))
    position = Position.start(NAMES[:2]).do(Setup())
    while others:
        # Hilbert's first turn flips so many that an odd number is left, and each of those is taken alone.
        while position.phase is Phase.FLIP and not (position.may_stop and (position.draw_count - len(keep)) % 2):
            position = position.do(Flip(position.seat, others.pop(0)))
            if position.may_stop and position.up != ((), ()):
                break
        if position.phase is Phase.FLIP:
            position = position.do(Stop(position.seat))
        while position.phase is Phase.JUDGEMENT:
            position = position.do(Roll(position.seat, missing(position)))
    assert (position.to_move, position.row.length, position.draw_pile) == (1, 0, tuple(sorted(keep)))
    return position


def missing(position: Position) -> tuple[int, int]:
    """Dice that strike nothing in the row."""
    total = next(total for total in range(2, 13) if position.row.place(total) is None)
    return (total - 6, 6) if total > 7 else (1, total - 1)


def test_when_the_draw_pile_runs_out_judgement_follows_and_the_game_ends_with_that_turn() -> None:
    position = played("S9 T10", endgame("S9 T10 S5"))
    assert not position.last_turn
    judged = played("S5", position)
    assert (judged.cause, judged.last_turn, judged.rolls_due) == ("deck_empty", True, 3)
    over = played("1+1 1+1 1+1", judged)
    assert (over.phase, over.to_move, over.seat) == ("over", None, 1)
    assert over.outcome is not None
    assert over.outcome.reason is Ending.DECK_EMPTY
    assert over.outcome.points == over.points


def test_when_the_draw_pile_runs_out_within_the_k_s_three_judgement_follows() -> None:
    for last in ("FK", "FK S9", "FK S9 T10", "FK S9 F7", "FK F7"):
        judged = played(last, endgame(last))
        assert (judged.cause, judged.king_left, judged.rolls_due) == ("deck_empty", 0, len(last.split()))
    assert played("FK S9 F7 T10", endgame("FK S9 F7 T10")).cause is Cause.KING_SEVEN
    assert played("FK S9 T10 H2", endgame("FK S9 T10 H2")).cause is Cause.DECK_EMPTY


def test_after_the_end_nothing_is_played() -> None:
    over = played("S9 1+1", endgame("S9"))
    assert codes(over, Flip(1, card("S9"))) == ["game_over", "card_not_in_deck"]
    assert codes(over, Stop(2)) == codes(over, Roll(1, (1, 1))) == ["game_over"]
    assert codes(over, Setup()) == ["bad_record"]
    assert codes(over, Roll(3, (1, 1))) == ["bad_record", "game_over"]


def test_who_are_level_share_the_win() -> None:
    over = played("S9 1+1", endgame("S9"))
    assert over.outcome is not None
    best = max(over.points)
    assert over.outcome.winners == tuple(seat for seat, points in enumerate(over.points, 1) if points == best)
    level = Position.from_json({**over.to_json(), "up": [[["S9"]], [["T9"]]], "down": [[], []]})
    assert level.outcome is not None
    assert level.outcome.winners == (1, 2)


def test_a_refused_move_raises_and_changes_nothing() -> None:
    position = played("H3 S9")
    saved = position.to_json()
    with pytest.raises(Illegal, match="card_not_in_deck"):
        position.do(Flip(1, card("H3")))
    assert position.to_json() == saved


@pytest.mark.parametrize("players", [1, 6])
def test_two_to_five_play(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 5 players"):
        Position.start(["P"] * players)
    with pytest.raises(ValueError, match="no seat"):
        Position.start(NAMES, 4)


def test_positions_and_moves_read_well() -> None:
    assert repr(Position.start(NAMES)) == "<Position setup, 3 players, Hilbert begins>"
    assert repr(played("H3 FK S9")) == "<Position Hilbert to flip 2 more, row H3 FK S9, draw 46, points [0, 0, 0]>"
    assert repr(played("H3 B3 F7 1+1")) == (
        "<Position Hilbert to roll 2 of 2 (seven), row H3+B3 F7, draw 46, points [0, 0, 0]>"
    )
    assert repr(played("S9 T10 / 3+6")).endswith("seat 1 takes S9 face down>")
    position = played("S9")
    assert [str(told(position, word)) for word in ("H3", "/", "3+4")] == ["1 flip H3", "1 stop", "1 roll 3 4"]
