"""Finished cities: scored as the game scored them and as the shared score sheets say, and what can't be."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from device.scoring.table import Table
from referee.finished.score import Finished, Score
from referee.layout import REFERENCE_MAT_MM as MAT
from referee.registry import load_scorings
from referee.seven_wonders.layout import BOARD_V_MM
from referee.table import Detections, Sighting, Unread
from rules.parsing import BadRecordError
from rules.record import check_record
from rules.seven_wonders.boards import find_board
from rules.seven_wonders.cards import BUILDINGS, find_building
from rules.seven_wonders.city import City
from rules.seven_wonders.moves import FinishedCity, Tell
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.text import Language, player
from tests.referee.finished.cities import laid, mat_layout, played, seen, told
from tests.rules.seven_wonders.games import SHARED

SCORING = load_scorings()["seven_wonders"]
THREE = ("Hilbert", "Banach", "Noether")


def score(
    cards: Iterable[Sighting], what: dict[str, Any], names: Iterable[str], unread: tuple[Unread, ...] = ()
) -> Score:
    called = tuple(map(player, names))
    layout = mat_layout(len(called))
    view = SCORING.observe(Detections(tuple(cards), unread), layout)
    return SCORING.score(view, Finished(called, layout, what))


def of_game(position: Position, seed: int) -> Score:
    return score(seen(laid(position.cities, Random(seed))), told(position), position.players)


def some_cities(*cities: str, stages: tuple[int, ...] = (0, 0, 0)) -> list[City]:
    """Three cities with these cards, ids with spaces between, and so many stages."""
    boards = [city.board for city in sheet().cities]
    return [
        City(side, tuple(map(find_building, names.split())), count)
        for side, names, count in zip(boards, cities, stages, strict=True)
    ]


def sheet() -> Position:
    return RULES.start(THREE, {"boards": ["babylon/b", "halikarnassos/b", "olympia/a"], "mode": "score"})


QUIET = {
    "boards": ["babylon/b", "halikarnassos/b", "olympia/a"],
    "coins": [3, 3, 3],
    "tokens": [[0, 0, 0, 0]] * 3,
}


def of_cities(cities: list[City], *more: Sighting, unread: tuple[Unread, ...] = (), **other: Any) -> Score:
    return score((*seen(laid(cities, Random(1))), *more), QUIET | other, THREE, unread)


def told_codes(found: Score) -> list[tuple[str, int | None]]:
    return [(fault.reason.code, fault.seat) for fault in found.faults]


def test_a_finished_game_is_scored_as_it_was_played() -> None:
    assert score_all(range(60)) == 60


def score_all(seeds: range) -> int:
    """Score the final cities of random games of 3 to 5 players as they lie; returns how many."""
    for seed in seeds:
        position = played(seed)
        found = of_game(position, seed)
        assert [str(fault.reason.text) for fault in found.faults] == [], seed
        assert tuple(tally.categories for tally in found.tallies) == position.categories
        assert position.outcome is not None
        assert (found.final, found.places) == (position.points, position.outcome.places)
        for tally, city in zip(found.tallies, position.cities, strict=True):
            names = sorted(find_building(card).name for card in tally.facts["cards"])
            assert names == sorted(card.name for card in city.cards)
            assert tally.facts["stages"] == city.stages
    return len(seeds)


def shared_sheets() -> list[str]:
    folder = SHARED / "records" / "seven_wonders"
    records = (path for path in folder.glob("*.jsonl") if not path.name.endswith(".expect.jsonl"))
    return sorted(path.name for path in records if '"mode": "score"' in path.read_text().splitlines()[0])


@pytest.mark.skipif(not SHARED.exists(), reason="the shared records lie beside the checkout")
@pytest.mark.parametrize("name", shared_sheets() or ["none"])
def test_the_shared_score_sheets(name: str) -> None:
    path = SHARED / "records" / "seven_wonders" / name
    lines = path.read_text().splitlines()
    header = json.loads(lines[0])
    *verdicts, last = map(json.loads, path.with_suffix(".expect.jsonl").read_text().splitlines())
    cities: list[City] = []
    tell: Tell | None = None
    for line, verdict in zip(lines[1:], verdicts, strict=True):
        data = json.loads(line)
        if data["do"] == "tell" and verdict["verdict"] == "accepted":
            move = RULES.read_move(data)
            assert isinstance(move, Tell)
            tell = move
        if data["do"] != "city" or verdict.get("code") == "city_due":
            continue
        city = RULES.read_move(data)
        assert isinstance(city, FinishedCity)
        here = City(find_board(header["boards"][city.seat - 1]), city.cards, city.stages)
        if verdict["verdict"] == "accepted":
            cities.append(here)
            continue
        # A city that the sheet refuses is refused with the same code when it lies there.
        others = [City(find_board(side)) for side in header["boards"][city.seat :]]
        n = len(header["players"])
        quiet = {"boards": header["boards"], "coins": [0] * n, "tokens": [[0, 0, 0, 0]] * n}
        lying = [Sighting(card.id, *mat_layout(n).city_spot(city.seat, 0, 0), 0.0) for card in city.cards]
        staged = [Sighting("back1", *mat_layout(n).stage_spot(city.seat, 0, 1), 0.0)] * city.stages
        before = seen(laid([*cities, *[City(here.board)], *others], Random(1), players=n))
        found = score((*before, *lying, *staged), quiet, header["players"])
        assert next(fault.reason.code for fault in found.faults if fault.seat == city.seat) == verdict["code"]
    assert tell is not None
    what = {
        "boards": header["boards"],
        "coins": list(tell.coins),
        "tokens": [tokens.to_json() for tokens in tell.tokens],
    }
    found = score(seen(laid(cities, Random(2))), what, header["players"])
    assert found.faults == ()
    assert list(found.final) == last["final"]
    assert [list(tally.categories) for tally in found.tallies] == last["categories"]
    assert found.winners is not None
    assert list(found.winners) == last["winners"]


def test_a_sheet_and_a_record_of_the_same_cities_agree() -> None:
    """Whatever lies there, legal or not: the codes of the table are those of the record."""
    rng = Random(5)
    for _ in range(60):
        cities = [
            City(side.board, tuple(rng.choices(BUILDINGS, k=rng.randint(0, 16))), rng.randint(0, 5))
            for side in sheet().cities
        ]
        position, wanted = sheet(), set[tuple[str, int]]()
        for seat, city in enumerate(cities, 1):
            move = FinishedCity(seat, tuple(sorted(city.cards)), city.stages)
            refusal = position.verify(move)
            if refusal is not None:
                wanted |= {(code, seat) for code in (refusal.code, *refusal.also)}
                break
            position = position.do(move)
        else:
            continue
        layout = mat_layout(3)
        lying = [
            Sighting(card.id, *layout.city_spot(seat, 0, 0), 0.0)
            for seat, city in enumerate(cities, 1)
            for card in city.cards
        ]
        lying += [
            Sighting("back3", *layout.stage_spot(seat, 0, 1), 0.0)
            for seat, city in enumerate(cities, 1)
            for _ in range(city.stages)
        ]
        found = {(code, seat) for code, seat in told_codes(score(lying, QUIET, THREE)) if seat is not None}
        alike = {"no_copy_left"}  # faces that may be alike are told apart by their copies
        assert {pair for pair in wanted if pair[0] not in alike} <= found


@pytest.mark.parametrize(
    ("cities", "stages", "wanted"),
    [
        (("altar", "altar", ""), (0, 0, 0), [("no_copy_left", 2)]),
        (("palace", "altar tavern", "theater tavern"), (0, 0, 0), [("card_not_in_deck", 2), ("card_not_in_deck", 3)]),
        (("palace glassworks glassworks_2", "loom", "press"), (0, 0, 0), [("already_built", 1)]),
        (("palace", "loom", "press"), (4, 0, 0), [("no_stage_left", 1)]),
    ],
)
def test_what_a_city_cannot_have_is_told_by_the_code_of_the_record(
    cities: tuple[str, str, str], stages: tuple[int, int, int], wanted: list[tuple[str, int]]
) -> None:
    found = of_cities(some_cities(*cities, stages=stages), seats=3)
    assert found.winners is None
    assert told_codes(found) == wanted


def test_too_many_cards() -> None:
    names = [card.id for card in BUILDINGS if card.in_play(3) and not card.is_guild and not card.effect.shields]
    found = of_cities(some_cities(" ".join(names[:18]), "", "", stages=(1, 0, 0)), seats=3)
    assert ("too_many_cards", 1) in told_codes(found)
    found = of_cities(some_cities(" ".join(names[:18]), "", "", stages=(0, 0, 0)), seats=3)
    assert ("too_many_cards", 1) not in told_codes(found)


def test_faces_that_are_alike_are_as_many_as_both_have_copies() -> None:
    """Both glassworks are read by the first one's face; with three players there is one of each."""
    found = of_cities(some_cities("glassworks altar", "glassworks", "theater"))
    assert found.faults == ()
    assert [tally.facts["cards"] for tally in found.tallies] == [["glassworks", "altar"], ["glassworks_2"], ["theater"]]
    found = of_cities(some_cities("glassworks", "glassworks", "glassworks"))
    assert told_codes(found) == [("no_copy_left", 3)]
    layout = mat_layout(3)
    x, y = layout.city_spot(3, 0, 1)
    mark = Unread(x, y, 180.0, "doubtful", ("loom", "loom_2"))
    found = of_cities(some_cities("altar", "glassworks", "theater"), unread=(mark,))
    assert found.unread == ()
    assert found.tallies[2].facts["cards"] == ["loom", "theater"]


def test_tokens_that_do_not_add_up() -> None:
    cities = some_cities("palace barracks", "altar", "theater")
    fine = [[0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 1]]
    assert of_cities(cities, tokens=fine).winners == (1,)
    found = of_cities(cities, tokens=[[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    assert told_codes(found) == [("tokens_wrong", 1)]
    assert found.faults[0].told == "tokens"
    text = found.faults[0].reason.text
    assert str(text) == "Hilbert has 1 victory of age 3, but the shields of the cities give 2."
    assert text.said(Language.JA) == "Hilbertさんの時代3の勝利は1回になっていますが、軍事力からは2回のはずです。"
    found = of_cities(cities, tokens=[[0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    assert told_codes(found) == [("tokens_wrong", None)]


def test_shields_that_may_be_hidden_say_nothing_of_the_tokens() -> None:
    cities = some_cities("palace", "altar", "theater")
    tokens = [[0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 1]]
    layout = mat_layout(3)
    mark = Unread(*layout.city_spot(1, 2, 0), 0.0, "doubtful", ("barracks", "stockade"))
    found = of_cities(cities, unread=(mark,), tokens=tokens)
    assert found.faults == ()
    assert [str(words) for _, words in found.unread] == [
        "The card at Hilbert's city can't be read surely (not sure which card); please uncover or straighten it."
    ]
    assert told_codes(of_cities(cities, tokens=tokens)) == [("tokens_wrong", 1)]


def test_cards_where_none_count() -> None:
    cities = some_cities("palace", "altar", "theater")
    layout = mat_layout(3)
    beside = Sighting("gardens", *layout.locate_point(2, 150.0, 340.0), 180.0)
    between = Sighting("gardens", 1150.0, 700.0, 0.0)
    down = Sighting("back2", *layout.city_spot(1, 3, 0), 0.0)
    staged = Sighting("gardens", *layout.stage_spot(3, 0, 2), 180.0)
    spot = Sighting("gardens", *layout.discard_spot(1), 0.0)
    assert told_codes(of_cities(cities, beside)) == [("card_outside", 2)]
    assert told_codes(of_cities(cities, between)) == [("card_outside", None)]
    assert told_codes(of_cities(cities, down)) == [("card_outside", 1)]
    assert told_codes(of_cities(cities, staged)) == [("table_disturbed", 3)]
    assert told_codes(of_cities(cities, spot)) == [("card_outside", 1), ("table_disturbed", 1)]
    gathered = Sighting("back3", *layout.discard_spot(2), 0.0), Sighting("back1", *layout.pile, 0.0)
    assert of_cities(cities, *gathered).faults == ()


def test_a_city_without_a_card_is_asked_about_until_the_number_is_told_again() -> None:
    cities = some_cities("palace", "", "theater")
    assert told_codes(of_cities(cities)) == [("table_disturbed", 2)]
    assert of_cities(cities, seats=3).winners == (1,)


def test_a_board_hides_nothing_and_counts_for_nothing() -> None:
    layout = mat_layout(3)
    cities = some_cities("palace", "altar", "theater")
    board_mark = Unread(*layout.locate_point(1, 60.0, BOARD_V_MM), 0.0, "unknown")
    seen_there = Sighting("gardens", *layout.locate_point(1, -40.0, BOARD_V_MM + 20), 0.0)
    assert of_cities(cities, seen_there, unread=(board_mark,)).winners == (1,)
    below = Unread(*layout.locate_point(1, 0.0, 25.0), 0.0, "unknown")
    assert [mark for mark, _ in of_cities(cities, unread=(below,)).unread] == [below]


def squares(seat: int, u0: float, u1: float, v0: float, v1: float) -> tuple[tuple[float, float], ...]:
    """Return the mat's squares under a part of a city's block."""
    layout = mat_layout(3)
    middles = [(10.0 * x + 5, 10.0 * y + 5) for x in range(119) for y in range(84)]
    places = [(*layout.in_block(seat, x, y), (x, y)) for x, y in middles]
    return tuple(at for u, v, at in places if u0 < u < u1 and v0 < v < v1)


@pytest.mark.few(1)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_staged_cards_that_cannot_be_told_from_the_board_are_asked_for(seat: int) -> None:
    """Two of them beside each other are as wide as a board, and one surface with it: its middle lies on the board."""
    cities = some_cities("palace", "altar", "theater")
    at = mat_layout(3).locate_point(seat, 0.0, 95.0)
    board_alone = squares(seat, -130, 130, 47, 153)
    mark = Unread(*at, 0.0, "unknown", covers=board_alone)
    assert of_cities(cities, unread=(mark,)).unread == ()
    staged = squares(seat, -70, 66, 12, 50)
    found = of_cities(cities, unread=(replace(mark, covers=(*board_alone, *staged)),))
    assert found.winners is None
    ((asked, _),) = found.unread
    u, v = mat_layout(3).in_block(seat, asked.x, asked.y)
    assert abs(u) < 8
    assert 15 < v < 45
    assert mat_layout(3).place_at(asked.x, asked.y) == f"wonder:{seat}"
    table = Table.set_up("seven_wonders", None, THREE, None, QUIET)
    bare = Detections(seen(laid(cities, Random(1))), (replace(mark, covers=(*board_alone, *staged)),))
    cards = table.cards_among(bare, MAT)
    assert cards.unread == (asked,)
    assert [one for one, _ in table.score(cards, MAT).unread] == [asked]
    stray = replace(mark, covers=(*board_alone, *squares(seat, -10, 10, 30, 50)))
    assert of_cities(cities, unread=(stray,)).unread == ()


def test_a_tie_goes_to_the_most_coins_and_is_shared_then() -> None:
    cities = some_cities("altar", "theater", "")
    found = of_cities(cities, seats=3, coins=[4, 5, 0])
    assert found.why is not None
    assert str(found.why) == "Hilbert and Banach have 3 points each and 4 and 5 coins: Banach wins with the most."
    assert found.why.said(Language.JA) == (
        "Hilbertさん、Banachさんが3点で並び、コインは4枚と5枚です。最も多いBanachさんの勝ちです。"
    )
    assert of_cities(cities, seats=3, coins=[5, 5, 0]).winners == (1, 2)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("boards", ["giza/a", "giza/b", "babylon/a"], "has a wonder twice"),
        ("boards", ["giza/a", "babylon/a"], "must be a list of 3 boards"),
        ("boards", ["giza/a", "babylon/a", "rhodes/b", "ephesos/a"], "must be a list of 3 boards"),
        ("boards", ["giza/c", "babylon/a", "rhodes/b"], "there is no board"),
        ("boards", "giza/a", "must be a list"),
        ("coins", [1, 2], "must be a list of 3 numbers"),
        ("coins", [1, 2, -1], "whole numbers from 0 on, not -1"),
        ("coins", [1, 2.5, 3], "whole numbers from 0 on, not 2.5"),
        ("coins", [1, True, 3], "whole numbers"),
        ("coins", None, "must be a list of 3 numbers"),
        ("tokens", [[0, 0, 0, 0]] * 2, "must be a list of 3"),
        ("tokens", [[0, 0, 0]] * 3, "three numbers of victories and one of defeats"),
        ("tokens", [[0, 0, 3, 0]] * 3, "tokens"),
        ("tokens", [[0, 0, 0, 7]] * 3, "tokens"),
        ("tokens", 7, "must be a list of 3"),
    ],
)
def test_what_is_told_wrong_is_one_cause(key: str, value: Any, said: str) -> None:
    option = next(option for option in SCORING.asked if option.key == key)
    with pytest.raises(BadRecordError) as error:
        option.check(value, THREE)
    assert said in str(error.value)
    assert error.value.text.said(Language.JA)


def test_a_record_of_what_lay_there_is_accepted() -> None:
    """Header, cities and tokens as the score has them make a record that checks to the same line."""
    position = played(7)
    found = of_game(position, 7)
    what = told(position)
    header = {"game": "seven_wonders", "version": 1, "mode": "score", "players": list(position.players)}
    lines = [{**header, "boards": what["boards"]}]
    lines += [
        {"seat": tally.seat, "do": "city", "cards": tally.facts["cards"], "stages": tally.facts["stages"]}
        for tally in found.tallies
    ]
    lines.append({"do": "tell", "coins": what["coins"], "tokens": what["tokens"]})
    *verdicts, last = check_record(map(json.dumps, lines))
    assert all(verdict["verdict"] == "accepted" for verdict in verdicts)
    assert last["categories"] == [list(tally.categories) for tally in found.tallies]


@pytest.mark.parametrize(("players", "parts"), [(6, (3, 3)), (7, (4, 3))])
def test_six_and_seven_cities_are_laid_one_part_after_the_other(players: int, parts: tuple[int, ...]) -> None:
    for seed in range(6):
        position = played(seed, players)
        table = Table.set_up("seven_wonders", None, position.players, None, told(position))
        assert tuple(map(len, table.parts)) == parts
        looks = [
            Detections(seen(laid([position.cities[seat - 1] for seat in seats], Random(seed)))) for seats in table.parts
        ]
        first = table.score(looks[0], MAT)
        assert (first.winners, first.faults) == (None, ())
        whole = table.score(looks[1], MAT, before=looks[:1])
        assert position.outcome is not None
        assert (whole.faults, whole.winners) == ((), position.outcome.winners)
        assert tuple(tally.categories for tally in whole.tallies) == position.categories


def test_a_part_with_a_fault_names_its_own_seats() -> None:
    position = played(2, 6)
    table = Table.set_up("seven_wonders", None, position.players, None, told(position))
    first, second = (
        Detections(seen(laid([position.cities[seat - 1] for seat in seats], Random(2)))) for seats in table.parts
    )
    beside = Sighting("gardens", *mat_layout(3).locate_point(2, 150.0, 340.0), 180.0)
    off = Detections((*second.sightings, beside), (Unread(*mat_layout(3).city_spot(1, 3, 0), 0.0, "glare"),))
    found = table.score(off, MAT, before=[first])
    assert ("card_outside", 5) in told_codes(found)
    assert [str(words).split("'s city")[0] for _, words in found.unread] == [f"The card at {position.players[3]}"]
