"""What tables and hall say to each other: what is written is read back, and what can't be is refused by one error."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.table_state import (
    VERSION,
    LastMove,
    PublicArrow,
    PublicCard,
    PublicSeat,
    PublicStack,
    PublicTable,
    StateEnding,
    StatePlayer,
    TableState,
)
from device.typed_json import MOST_BYTES, BadMessageError
from hall.messages import (
    NO_CALL,
    Call,
    Event,
    GameResult,
    Online,
    Topic,
    TopicKind,
    hash_record,
    is_topic_name,
    make_record,
    make_topic_filter,
)

BEGAN = datetime(2026, 11, 26, 19, 30, tzinfo=UTC)
GAME = "0123456789abcdef" * 2
RESULT = GameResult(
    GAME, "laminate", ("ヒルベルト", "Banach"), (12, 7), (1, 2), BEGAN, BEGAN + timedelta(hours=1), "ab" * 32
)
STATE = TableState(
    game="laminate",
    language="ja",
    mood="waiting",
    headline="ヒルベルトの手番です。",
    details=("一行目\n二行目",),
    players=(StatePlayer("ヒルベルト", 12, True, ()), StatePlayer("Banach", -7, False, ("two",))),
    last=LastMove(None, "The position was set by hand."),
    choices=(),
    chosen=0,
    ending=StateEnding(3, False),
    turn=17,
    over=False,
    at=BEGAN,
)
EVENT = Event(GAME, 4, '{"do": "draw", "seat": 2}')
CALL = Call(BEGAN, "Two players disagree")
TAKEN_BACK = replace(RESULT, withdrawn=True)
MESSAGES = (
    *(Online(True), Online(False), STATE, replace(STATE, game=None, last=None)),
    *(EVENT, RESULT, TAKEN_BACK, CALL, NO_CALL),
)


@pytest.mark.parametrize("message", MESSAGES, ids=str)
def test_what_is_written_is_read_back(message: Any) -> None:
    assert type(message).of_bytes(message.to_bytes()) == message


def test_a_result_that_stands_is_as_older_halls_read_it() -> None:
    assert b"withdrawn" not in RESULT.to_bytes()
    assert json.loads(TAKEN_BACK.to_bytes()) == {**json.loads(RESULT.to_bytes()), "withdrawn": True}


def test_an_older_hall_meets_a_newer_table_and_the_other_way_round() -> None:
    """A field more, wherever it stands, is passed over; one that came later may be missing."""
    card = PublicCard("C9", "coin 9", "9", "C", "#d39a1c", new=True)
    stack = PublicStack("discard", "The discard pile", 642.0, 420.5, (card,), (4.0, 0.0), count=3)
    arrow = PublicArrow((642.0, 420.5), (547.0, 420.5), (card,))
    table = PublicTable((1189.0, 841.0), (63.0, 88.0), (PublicSeat((0.0, 521.0, 1189.0, 841.0)),), (stack,), (arrow,))
    newest = replace(STATE, version=VERSION, table=table)
    assert TableState.of_bytes(newest.to_bytes()) == newest

    def add_a_field(value: Any) -> Any:
        if isinstance(value, dict):
            return {**{key: add_a_field(one) for key, one in value.items()}, "came_later": ["x", {"y": 1}]}
        return [add_a_field(one) for one in value] if isinstance(value, list) else value

    newer = json.dumps(add_a_field(json.loads(newest.to_bytes()))).encode()
    assert TableState.of_bytes(newer) == newest
    older = json.loads(newest.to_bytes())
    del older["version"], older["table"]
    assert TableState.of_bytes(json.dumps(older).encode()) == replace(STATE, version=1, table=None)


def test_nobody_is_called_by_an_empty_payload() -> None:
    assert NO_CALL.to_bytes() == b""


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", [Online, TableState, Event, GameResult, Call])
@given(payload=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(kind: Any, payload: bytes) -> None:
    try:
        message = kind.of_bytes(payload)
    except BadMessageError:
        return
    assert kind.of_bytes(message.to_bytes()) == message


_ODD: list[Any] = [None, True, -1, 1.5, 10**9, "", "a\u202eb", "x" * 3000, [], [None], {}, {"a": {}}, "2026-01-01"]


@pytest.mark.parametrize("message", [STATE, EVENT, RESULT, TAKEN_BACK, CALL], ids=lambda one: type(one).__name__)
def test_a_field_that_can_not_be_refuses_the_whole_payload(message: Any) -> None:
    told = json.loads(message.to_bytes())
    for name in told.keys() - {"withdrawn"}:
        left_out = {key: value for key, value in told.items() if key != name}
        with pytest.raises(BadMessageError):
            type(message).of_bytes(json.dumps(left_out).encode())
        refused = 0
        for odd in _ODD:
            payload = json.dumps({**told, name: odd}).encode()
            try:
                type(message).of_bytes(payload)
            except BadMessageError:
                refused += 1
        assert refused >= len(_ODD) - 4, name
    assert type(message).of_bytes(json.dumps({**told, "more": [{"version": 2}]}).encode()) == message


@pytest.mark.parametrize(
    "payload",
    [
        b"\xff",
        b"[]",
        b"[" * 100_000,
        b'{"game_id":' * 10_000,
        b" " * (MOST_BYTES + 1),
        json.dumps({"game_id": GAME, "n": 1, "line": '{"a":' + "[" * 60 + "]" * 60 + "}"}).encode(),
        json.dumps({"game_id": GAME, "n": 1, "line": "[1]"}).encode(),
        json.dumps({"game_id": GAME, "n": 1, "line": '{"a":1}\n{"b":1}'}).encode(),
        b'{"game_id":"' + GAME.encode() + b'","n":NaN,"line":""}',
        b'{"game_id":"' + GAME.encode() + b'","n":1' + b"0" * 6000 + b',"line":""}',
        b'{"game_id":"' + GAME.encode() + b'","n":1,"line":"\\ud800"}',
    ],
    ids=range(11),
)
def test_events_made_to_harm_are_refused(payload: bytes) -> None:
    with pytest.raises(BadMessageError):
        Event.of_bytes(payload)


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": (1,)},
        {"places": (1, 3)},
        {"places": (2, 2)},
        {"players": (), "points": (), "places": ()},
        {"ended": BEGAN - timedelta(seconds=1)},
        {"ended": datetime(2026, 11, 27, tzinfo=UTC).replace(year=1969)},
    ],
    ids=str,
)
def test_results_that_can_not_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadMessageError):
        GameResult.of_bytes(replace(RESULT, **wrong).to_bytes())


@pytest.mark.parametrize("name", ["a", "テーブル七", "Table 7", "x" * 40, "$SYS", "é"])
def test_names_of_halls_and_tables(name: str) -> None:
    topic = Topic(name, name, TopicKind.RESULT)
    assert Topic.parse(str(topic)) == topic
    assert make_topic_filter(name, TopicKind.STATE) == f"sevenmat/{name}/+/state"


@pytest.mark.parametrize("name", ["", " a", "a/b", "+", "#", "a\0b", "a\nb", "x" * 41, "\u202e", "\ud800", "e\u0301"])
def test_names_that_no_hall_or_table_can_have(name: str) -> None:
    assert not is_topic_name(name)
    with pytest.raises(BadMessageError):
        Topic(name, "Table 7", TopicKind.STATE)
    with pytest.raises(BadMessageError):
        make_topic_filter(name, TopicKind.STATE)


@pytest.mark.parametrize(
    "text",
    ["", "sevenmat", "sevenmat/a/b", "sevenmat/a/b/c", "sevenmat/a/b/state/x", "other/a/b/state", "sevenmat//b/state"],
)
def test_topics_of_no_table(text: str) -> None:
    with pytest.raises(BadMessageError):
        Topic.parse(text)


def _line(**told: Any) -> str:
    return json.dumps(told)


def test_a_record_is_made_of_events() -> None:
    header, first, second = _line(game="laminate"), _line(do="setup"), _line(do="draw")
    back = _line(do="correction", by_hand="taken_back", move={"do": "draw"})
    named = _line(do="correction", by_hand="named", card="H7")
    position = _line(do="correction", by_hand="position", position={})
    back_from_there = _line(do="correction", by_hand="taken_back", position=None)
    assert make_record([header, first, "", second]) == [header, first, second]
    assert make_record([header, first, named, second, back, second]) == [header, first, named, back, second]
    assert make_record([header, position, back_from_there]) == [header, back_from_there]
    with pytest.raises(BadMessageError):
        make_record([header, back])


def test_the_sum_of_a_record_is_that_of_its_file() -> None:
    # printf '{"a": 1}\n{"b": "\xc3\xa9"}\n' | sha256sum
    assert hash_record(['{"a": 1}', '{"b": "é"}']) == "48eeb07cb2acb85150c2b208088622021aed1a2e3c72b3e9a22942e659a63bba"
