"""A card by which somebody revoked, and not necessarily who played it: what is said, and the ways out."""

from __future__ import annotations

import pytest

from device.hardware.buttons import Button
from referee.seven_euchre.referee import REFEREE
from referee.verdict import Accepted
from rules.seven_euchre.moves import Annul, BackTo, Play
from tests.referee.seven_euchre.at_the_table import Table, c, play, playing, trick

NOT_HELD = (
    "H7",
    ("O4", "O3", "O5", "O2"),
    ("T10", "T7", "T12", "T11"),
    ("O8", "O6", "T9", "T6"),
    ("S8", "C9", "C7", "S10"),
    ("C4", "C8", "H5", "B4"),
    ("H3", "H6", "H4", "F7"),
    ("FK", "F10", "T8", "F12"),
    ("B5", "B9", "B8", "B6"),
    ("S7", "H2", "HA", "F11"),
    ("B7", "H7", "C6", "B3"),
)
"""Emmy revoked with time 8 in trick 7; Mary's book 3 of the last trick comes from star 6, book 3 and star 9."""
TO_FOLLOW = (
    "O7",
    ("F8", "F12", "F11", "FK"),
    ("F7", "B7", "H7", "O8"),
    ("C5", "C10", "C4", "S6"),
    ("S9", "B3", "B9", "S10"),
    ("C6", "O2", "C8", "B5"),
    ("S11", "B8", "B6", "S5"),
    ("F9", "F10", "T6", "O7"),
    ("C9", "O3", "H4", "T11"),
    ("O6", "H2", "B4", "T10"),
)
"""Emmy revoked with heart 2 in trick 9; Mary's time 10 comes from heart A, star 8, time 10 and heart 6."""


def shown(bid: str, *tricks: tuple[str, ...]) -> tuple[Table, tuple[str, ...], Play]:
    """Return the table with the last card laid, the codes that were said, and that card."""
    table = playing(bid)
    *whole, (*first, last) = tricks
    for cards in whole:
        trick(table, *cards)
        table.gather(table.position.to_move or 1)
        table.see()
    trick(table, *first)
    seat = table.position.to_move or 1
    table.lay(f"trick:{seat}", last)
    (said,) = table.see()
    return table, said, Play(seat, c(last))


@pytest.mark.parametrize(
    ("deal", "code", "tricks"), [(NOT_HELD, "card_not_in_hand", (4, 5, 7)), (TO_FOLLOW, "must_follow", (9,))]
)
def test_an_honest_player_is_not_convicted_and_the_ways_out_are_offered(
    deal: tuple[str, ...], code: str, tricks: tuple[int, ...]
) -> None:
    table, said, proof = shown(*deal)
    assert said == (code,)
    screen = table.session.make_screen()
    assert "somebody earlier did not follow suit" in screen.headline
    assert screen.put_back == ()
    assert table.agreed.revoke == proof
    assert table.resumed().agreed == table.agreed
    assert [move for _, move in REFEREE.list_enterable_moves(table.agreed)] == [*map(BackTo, tricks), Annul()]
    assert screen.choices[-1] == "Annul the deal; Ada deals again"
    for _ in tricks[1:]:
        table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == BackTo(tricks[-1])
    assert table.position.trick_number == tricks[-1]


def test_who_takes_the_card_back_and_follows_goes_on() -> None:
    table, _, proof = shown(*TO_FOLLOW)
    table.take(f"trick:{proof.seat}")
    assert table.see() == []
    assert REFEREE.list_enterable_moves(table.agreed) == ()
    table.lay(f"trick:{proof.seat}", "O4")
    assert table.see() == [play(proof.seat, "O4")]


def test_a_revoke_may_be_proved_in_the_look_that_shows_the_cards_back() -> None:
    table = playing()
    trick(table, "H3", "S8", "H5", "H6")
    table.gather(1)
    trick(table, "B9", "S9", "B3", "B4")
    table.gather(1)
    trick(table, "B5")
    table.lay("trick:2", "B6")
    assert table.see() == [("revoke",)]
    table.session.tell({"do": "back_to", "trick": 2})
    table.take_trick()
    table.take("seat:1", "back")
    for seat, card in ((1, "F9"), (2, "F8"), (3, "H4")):
        table.lay(f"trick:{seat}", card)
    assert table.see() == [play(1, "F9"), play(2, "F8"), ("revoke",)]
    assert table.agreed.revoke == Play(3, c("H4"))
    assert table.session.make_screen().choices[0] == "Back to trick 1, from its lead"
    assert table.resumed().agreed == table.agreed
