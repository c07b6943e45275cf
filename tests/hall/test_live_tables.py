"""The tables of a hall as time goes by: who is online, who still calls, and whose clock is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from device.table_state import TableState
from hall.board.live import CALLS_COME, HEARD_FOR, LiveTables
from hall.clocks import BUILT, can_be_right, find_end_heard
from hall.messages import NO_CALL, Call, Online
from hall.store.store import TableNote
from tests.hall.messages_of import result, state

START = datetime(2026, 12, 3, 20, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
CALL = Call(START, "why")


class Hall:
    """A hall with a clock that is set by hand."""

    def __init__(self, notes: list[TableNote] | None = None) -> None:
        self.now = START
        self.tables = LiveTables(notes or [], lambda: self.now)

    def hear(self, said: Online | TableState | Call, retained: bool = False, name: str = "T1") -> None:
        self.tables.hear(name, said, retained)

    def pass_time(self, time: timedelta) -> None:
        self.now += time

    def online(self) -> list[str]:
        return [one.name for one in self.tables.list_all() if one.online]

    def calls(self) -> list[str]:
        return [one.name for one in self.tables.list_all() if one.call is not None]

    def again(self) -> Hall:
        """Start the hall anew."""
        anew = Hall(self.tables.take_unkept())
        anew.now = self.now
        return anew


@pytest.mark.parametrize("said", [Online(True), state(), NO_CALL], ids=lambda one: type(one).__name__)
def test_a_table_is_online_while_it_is_heard(said: Online | TableState | Call) -> None:
    hall = Hall()
    hall.hear(Online(True))
    for _ in range(10):
        hall.pass_time(HEARD_FOR)
        assert hall.online() == ["T1"]
        hall.hear(said)
    version = hall.tables.version
    hall.pass_time(HEARD_FOR + SECOND)
    assert hall.tables.version == version + 1, "whoever looks on is told"
    assert hall.online() == []
    assert hall.tables.list_all()[0].since == hall.now - HEARD_FOR - SECOND, "since it was heard last"
    assert [(one.name, one.online) for one in hall.tables.take_unkept()] == [("T1", False)]
    hall.hear(said)
    assert hall.online() == ["T1"]
    hall.hear(Online(False))
    hall.hear(state(turn=5))
    assert hall.online() == [], "its last will was said"


@pytest.mark.parametrize("said", [Online(True), state(), CALL], ids=lambda one: type(one).__name__)
def test_what_the_broker_has_kept_is_no_sign_of_life(said: Online | TableState | Call) -> None:
    hall = Hall()
    hall.hear(Online(True))
    for _ in range(4):
        hall.pass_time(HEARD_FOR / 3)
        hall.hear(said, retained=True)
    assert hall.online() == []
    hall.hear(Online(True), retained=True)
    assert hall.online() == []
    hall.hear(state())
    assert hall.online() == ["T1"]


def test_a_table_that_went_while_the_hall_was_away_is_not_online_when_it_is_back() -> None:
    hall = Hall()
    hall.hear(Online(True))
    hall.pass_time(HEARD_FOR / 2)
    hall = hall.again()
    assert hall.online() == ["T1"], "it was heard just now"
    hall.hear(Online(True), retained=True)
    hall.pass_time(HEARD_FOR / 2 + SECOND)
    assert hall.online() == []
    hall = hall.again()
    for name in ("T1", "T2"):
        hall.hear(Online(True), retained=True, name=name)
    assert hall.online() == ["T2"], "the hall has never heard of that one, so it has its time"
    hall.pass_time(HEARD_FOR + SECOND)
    assert hall.online() == []


def test_a_hall_whose_clock_is_set_shows_what_it_hears() -> None:
    for away in (timedelta(days=-8), timedelta(days=8), timedelta(hours=-1)):
        hall = Hall()
        hall.hear(Online(True))
        hall.pass_time(away)
        assert hall.online() == [], "nobody knows how long ago it was"
        hall.hear(state())
        assert hall.online() == ["T1"]
        hall.pass_time(HEARD_FOR + SECOND)
        assert hall.online() == []


def test_the_database_is_told_now_and_then_that_a_table_was_heard() -> None:
    hall, told = Hall(), 0
    hall.hear(Online(True))
    for number in range(600):
        hall.hear(state(turn=number))
        told += len(hall.tables.take_unkept())
        hall.pass_time(SECOND)
    assert 18 <= told <= 22


def test_calls_that_the_broker_does_not_repeat_were_taken_back() -> None:
    hall = Hall()
    for name in ("T1", "T2", "T3"):
        hall.hear(CALL, name=name)
    hall.pass_time(timedelta(minutes=5))
    hall = hall.again()
    hall.tables.ask_anew()
    hall.hear(CALL, retained=True, name="T1")  # before the broker's word that the hall listens, or after it
    hall.tables.note_answering()
    hall.hear(CALL, retained=True, name="T2")
    hall.hear(CALL, name="T4")
    assert sorted(hall.calls()) == ["T1", "T2", "T3", "T4"]
    hall.pass_time(CALLS_COME)
    assert sorted(hall.calls()) == ["T1", "T2", "T4"]
    (gone,) = (one for one in hall.tables.take_unkept() if one.name == "T3")
    assert gone.call_since is None, "the database knows"
    hall.hear(CALL, name="T3")
    assert {one.name: one.called_at for one in hall.tables.list_all()}["T3"] == START, "it has waited all the while"
    hall.hear(NO_CALL, name="T3")
    hall.hear(CALL, name="T3")
    assert {one.name: one.called_at for one in hall.tables.list_all()}["T3"] == hall.now


def test_the_board_knows_whose_clock_is_wrong_and_what_it_shows() -> None:
    hall = Hall()
    ahead = timedelta(days=400)
    for name, away in (("T1", timedelta()), ("T2", timedelta(hours=23)), ("T3", ahead), ("T4", -8 * ahead)):
        hall.hear(replace(state(), at=hall.now + away), name=name)
    hall.hear(replace(state(), at=hall.now - ahead), retained=True, name="T5")
    assert list(hall.tables.wrong_clocks) == ["T3", "T4"]
    version = hall.tables.version
    hall.pass_time(SECOND)
    hall.hear(replace(state(), at=hall.now + ahead), name="T3")
    assert hall.tables.version == version, "it is known already"
    assert hall.tables.wrong_clocks["T3"] == hall.now + ahead
    hall.hear(replace(state(), at=hall.now), name="T3")
    assert (list(hall.tables.wrong_clocks), hall.tables.version) == (["T4"], version + 1)


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("ended", "sent", "since", "believed"),
    [
        (timedelta(), None, None, True),
        (-0.9 * DAY, None, None, True),
        (-1.1 * DAY, None, None, False),
        (1.1 * DAY, None, None, False),
        (-1.1 * DAY, timedelta(), None, True),
        (-1.1 * DAY, -1.1 * DAY, None, False),
        (-3 * DAY, -3 * DAY, -3 * DAY, True),
        (-3 * DAY, None, -3 * DAY, True),
        (-3 * DAY, None, -1 * DAY, False),
        (-30 * DAY, timedelta(), None, False),
        (400 * DAY, timedelta(), None, False),
    ],
)
def test_when_a_table_is_believed(
    ended: timedelta, sent: timedelta | None, since: timedelta | None, believed: bool
) -> None:
    told = replace(result(1), began=BUILT - 100 * DAY, ended=START + ended)
    moments = [START + one if one is not None else None for one in (sent, since)]
    assert find_end_heard(told, moments[0], START, moments[1]) == (None if believed else START)


def test_no_clock_that_is_right_is_before_this_version() -> None:
    changes = Path(__file__).parents[2] / "CHANGELOG.md"
    (day, *_) = re.findall(r"^## \[\d[^]]*\] – (\d{4}-\d\d-\d\d)$", changes.read_text(encoding="utf-8"), re.MULTILINE)
    assert datetime.fromisoformat(f"{day}T00:00:00+00:00") == BUILT


def test_a_hall_whose_own_clock_cant_be_right_believes_its_tables() -> None:
    before = BUILT - DAY
    assert can_be_right(START, before)
    assert find_end_heard(replace(result(1), ended=START), None, before, None) is None
