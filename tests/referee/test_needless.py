"""Cards that nobody needs to read: known cards of a pile explain what peeps out of it, however that is guessed."""

from __future__ import annotations

import pytest

from referee.registry import load_referees
from referee.table import Sighting, Unread
from referee.unread import is_beneath
from referee.zones import ZoneReferee
from tools.soak.any_game import Game

TOP = Sighting("H7", 600.0, 400.0, 10.0)


def strewn(name: str, seed: int, most: int) -> list[str]:
    return Game(name, seed, misread=1.0, strewn=True).play(most).faults


@pytest.mark.parametrize(
    ("name", "seed", "most"),
    [
        ("laminate", 10, 7),
        *(pytest.param(*game, marks=pytest.mark.slow) for game in (("wild_seven", 3, 40), ("seven_minutes", 1, 30))),
        pytest.param("seven_wonders", 3, 12, marks=pytest.mark.slow),
    ],
)
def test_marks_beneath_piles_stop_nobody_and_one_too_many_is_not_passed_over(
    name: str, seed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert strewn(name, seed, most) == []
    with monkeypatch.context() as patched:
        patched.setattr(ZoneReferee, "find_needless", lambda *_: ())
        assert any("STOPPED" in fault for fault in strewn(name, seed, most))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 24))
@pytest.mark.parametrize("name", load_referees())
def test_nothing_strewn_on_a_table_stops_anybody_or_is_passed_over(name: str, seed: int) -> None:
    assert strewn(name, seed, 80) == []


@pytest.mark.parametrize(
    ("dx", "dy", "visible", "beneath"),
    [
        (0.0, 0.0, 0.4, True),
        (-9.7, -3.7, 0.4, True),
        (20.0, 36.0, 0.2, True),
        (9.0, 3.0, 1.0, False),
        (9.0, 3.0, 0.88, False),
        (45.0, 0.0, 0.4, False),
        (0.0, 60.0, 0.4, False),
    ],
)
def test_a_card_lies_beneath_one_that_covers_its_middle_and_shows_more(
    dx: float, dy: float, visible: float, beneath: bool
) -> None:
    mark = Unread(TOP.x + dx, TOP.y + dy, 0.0, "covered", ("H7",), visible)
    assert is_beneath(mark, [TOP]) == beneath
    assert not is_beneath(mark, [Sighting("H7", TOP.x, TOP.y, 10.0, 1.0, mark.visible)])


def test_what_looks_like_no_card_peeps_out_beside_the_card_on_it() -> None:
    strip = tuple((640.0, 360.0 + 10.0 * k) for k in range(8))
    assert is_beneath(Unread(640.0, 400.0, 0.0, "unknown", (), 1.0, strip), [TOP])
    assert not is_beneath(Unread(640.0, 400.0, 0.0, "unknown", (), 1.0, strip * 7), [TOP])
