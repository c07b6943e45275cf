"""What an entry of a game may hold, at its bounds: what just fits is read, one more is refused in words."""

from __future__ import annotations

from typing import Any

import pytest

from referee.entry_data import EntryError, entry_parts, named_in
from referee.game import Named
from referee.history import Entry, History
from referee.laminate.entry_data import agreed_in, agreed_set_in, thanks_in
from referee.laminate.referee import REFEREE
from referee.laminate.view.naming import name_groups
from rules.cards import DECK, Card
from rules.laminate.papers import LAMINATE
from rules.text import Language, Text
from tests.referee.tables import started

BEFORE = History.start(REFEREE, ("A", "B", "C"), {"first_seat": 1})
NAMES = {name for _, names in name_groups(LAMINATE) for name, _ in names}
NAMED: dict[str, Any] = {"name": "H7", "place": "discard", "x": 600, "y": 420.5}


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        ({"shown": {"48": "H7"}}, "can't lie there"),  # no place of this pile, though one of a pile of all cards
        ({"shown": {"0": "H7"}}, "can't lie there"),
        ({"peeping": ["H7"]}, "can't lie there"),
        ({"shown": {"49": "H7"}}, "'shown' is not what"),
        ({"shown": {"-1": "H7"}}, "'shown' is not what"),
        ({"shown": {"001": "H7"}}, "'shown' is not what"),
        ({"shown": {"": "H7"}}, "'shown' is not what"),
        ({"shown": {"²": "H7"}}, "'shown' is not what"),
        ({"shown": {"0": "H8"}}, "'shown' is not what"),
        ({"shown": {"0": 7}}, "'shown' is not what"),
        ({"shown": []}, "'shown' is not what"),
        ({"peeping": ["H8"]}, "'peeping' is not what"),
        ({"peeping": {}}, "'peeping' is not what"),
        ({"thanks": {"4": 1}}, "'thanks' is not what"),
    ],
    ids=str,
)
def test_what_can_not_lie_on_the_table(data: dict[str, Any], cause: str) -> None:
    whole = {"shown": {}, "peeping": [], "thanks": {}}
    with pytest.raises(EntryError) as caught:
        agreed_in(whole | data, started().position)
    assert cause in str(caught.value)
    assert caught.value.text.said(Language.JA)
    for key in whole:
        with pytest.raises(EntryError, match=f"'{key}' is not what it should be"):
            agreed_in({other: value for other, value in whole.items() if other != key}, started().position)


def test_what_lies_on_the_table_comes_back() -> None:
    data = {"shown": {"0": "H7"}, "peeping": ["S9"], "thanks": {"3": 2}}
    agreed = agreed_in(data, started(5).position)
    assert (agreed.shown, agreed.peeping) == ({0: Card.parse("H7")}, {Card.parse("S9")})
    assert agreed.thanks == {3: 2}
    assert agreed_set_in(agreed.to_json(), agreed.position) == agreed


@pytest.mark.parametrize(
    "thanks",
    [{"0": 1}, {"4": 1}, {"1": 50}, {"1": -1}, {"1": True}, {"1": 1.0}, {"1": "1"}, {"one": 1}, [], None],
    ids=str,
)
def test_thanks_that_no_game_leaves(thanks: object) -> None:
    with pytest.raises(EntryError, match="'thanks' is not what it should be"):
        thanks_in({"thanks": thanks}, 3)


def test_thanks_are_counted_by_seat() -> None:
    assert thanks_in({"thanks": {"1": 0, "3": 49}}, 3) == {1: 0, 3: 49}
    assert thanks_in({"thanks": {}}, 3) == {}


def test_a_name_given_by_hand_has_a_place_on_the_table() -> None:
    assert named_in(NAMED, NAMES) == Named("H7", "discard", 600.0, 420.5)
    longest = NAMED | {"place": "x" * 60, "x": 10_000, "y": -10_000.0}
    assert named_in(longest, NAMES) == Named("H7", "x" * 60, 10_000.0, -10_000.0)
    for name in ("back", "three/review", "end_flag/complete", *map(str, DECK)):
        assert named_in(NAMED | {"name": name}, NAMES).name == name


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"place": "x" * 61}, "'place' is not what"),
        ({"place": "seat\n1"}, "'place' is not what"),
        ({"place": None}, "'place' is not what"),
        ({"x": 10_001}, "'x' is not what"),
        ({"y": -10_001}, "'y' is not what"),
        ({"x": float("nan")}, "'x' is not what"),
        ({"x": True}, "'x' is not what"),
        ({"y": "1"}, "'y' is not what"),
        ({"name": "H8"}, "no card 'H8'"),
        ({"name": "back/review"}, "no card 'back/review'"),
        ({"name": "three/"}, "no card 'three/'"),
        ({"name": "three"}, "no card 'three'"),
        ({"name": "three/lost"}, "no card 'three/lost'"),
        ({"name": 7}, "no card 7"),
    ],
    ids=str,
)
def test_a_name_given_by_hand_that_is_none(changed: dict[str, Any], cause: str) -> None:
    with pytest.raises(EntryError) as caught:
        named_in(NAMED | changed, NAMES)
    assert cause in str(caught.value)


def test_a_name_is_replaced_by_one_for_the_same_card_or_at_the_same_place() -> None:
    """There is one heart 7 on the table, but many backs, and papers of a kind for several authors."""
    seven = Named("H7", "discard", 600, 420)
    assert BEFORE._is_renaming(seven, Named("H7", "seat:1", 100, 700))
    assert BEFORE._is_renaming(seven, Named("H6", "discard", 600, 420))
    assert not BEFORE._is_renaming(seven, Named("H6", "discard", 600, 421))
    assert not BEFORE._is_renaming(seven, Named("H6", "discard", 601, 420))
    for name in ("back", "three/review"):
        one = Named(name, "seat:1", 100, 700)
        assert not BEFORE._is_renaming(one, Named(name, "seat:1", 170, 700))
        assert BEFORE._is_renaming(one, Named("H7", "seat:1", 100, 700))


def test_an_entry_has_a_kind_and_its_data() -> None:
    assert entry_parts({"kind": "undo", "data": {}}) == ("undo", {})
    for data in ({"kind": "undo"}, {"data": {}}, {"kind": 7, "data": {}}, {"kind": "undo", "data": []}, [], None):
        with pytest.raises(EntryError, match="an entry has a 'kind' and its 'data'"):
            entry_parts(data)


def test_a_move_tells_nothing_hidden() -> None:
    with pytest.raises(EntryError, match="it tells hidden cards"):
        BEFORE.apply_entry(Entry("move", {"move": {"do": "deal", "hands": [["H7"]], "discard": ["T8"]}}))
    with pytest.raises(EntryError, match="the line lacks 'seat'"):
        BEFORE.apply_entry(Entry("move", {"move": {"do": "pass"}}))


def test_causes_are_short() -> None:
    for language in Language.all():
        assert EntryError(Text("e" * 300)).text.said(language) == "e" * 300
        assert EntryError(Text("e" * 301)).text.said(language) == "e" * 299 + "…"


def test_a_position_set_by_hand_is_one_of_this_game() -> None:
    now = started().position
    agreed = started().to_json()
    bad = agreed["position"] | {"passes": -1}
    for position in (None, {}, {"names": "x" * 200_000}, started(4).position.to_json(), bad):
        with pytest.raises(EntryError, match="'position' is not what it should be"):
            agreed_set_in(agreed | {"position": position}, now)
    with pytest.raises(EntryError, match="'agreed' is not what it should be"):
        agreed_set_in([], now)
