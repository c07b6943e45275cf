"""A card that has slipped out of its area never counts for nobody in silence, whichever game lies there."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from referee.finished.score import Score
from referee.layout import TableLayout
from referee.registry import load_scorings
from referee.table import Detections, Sighting, Unread
from tests.device.seeing import sightings
from tests.referee.finished import cities, finals
from tests.referee.finished import test_laminate as laminate
from tests.referee.finished import test_seven_euchre as euchre
from tests.referee.finished import test_seven_minutes as minutes
from tests.referee.finished import test_seven_wonders as wonders
from tests.referee.finished import test_wild_seven as wild

MAT = finals.MAT
Scored = Callable[[list[Sighting]], Score]
Table = tuple[TableLayout, list[Sighting], Scored]


def _laminate(seed: int) -> Table:
    _, _, table = next(finals.tables(range(seed, seed + 20)))
    layout = table.layout
    names = tuple(map(laminate.Text, finals.NAMES))[: len(layout.seats)]

    def score(cards: list[Sighting]) -> Score:
        view = laminate.SCORING.observe(Detections(tuple(cards)), layout)
        return laminate.SCORING.score(view, laminate.Finished(names, layout, {"seats": len(names), "over": True}))

    return layout, sightings(table, layout), score


def _minutes(seed: int) -> Table:
    position = minutes.finished_game(seed)
    players = len(position.players)
    layout = minutes.SCORING.make_layout(players, MAT)
    return layout, minutes.shown(position, random.Random(seed)), lambda cards: minutes.score(cards, players)


def _wild(seed: int) -> Table:
    position = wild.finished_game(seed)
    players, left = len(position.players), wild.in_hand(position)
    layout = wild.SCORING.make_layout(players, MAT)
    return layout, wild.shown(position, random.Random(seed)), lambda cards: wild.score(cards, players, in_hand=left)


def _euchre(seed: int) -> Table:
    told, tricks, _ = euchre.played_deals(seed)[0]
    return euchre.LAYOUT, euchre.packets(tricks, random.Random(seed)), lambda cards: euchre.score(cards, told)


def _wonders(seed: int) -> Table:
    position = cities.played(seed)
    lying, what = cities.seen(cities.laid(position.cities, random.Random(seed))), cities.told(position)
    return cities.mat_layout(position.n), list(lying), lambda cards: wonders.score(cards, what, position.players)


TABLES = {
    "laminate": _laminate,
    "seven_euchre": _euchre,
    "seven_minutes": _minutes,
    "seven_wonders": _wonders,
    "wild_seven": _wild,
}


def _slipped(
    layout: TableLayout, cards: list[Sighting], rng: random.Random
) -> Iterator[tuple[list[Sighting], Sighting]]:
    """Yield the table with one card of an area past that area's inner border, in the band beside it, or off the mat."""
    inside = [card for card in cards if layout.place_at(card.x, card.y).partition(":")[2]]
    for card in rng.sample(inside, min(12, len(inside))):
        rest = [other for other in cards if other is not card]
        seat = layout.place_at(card.x, card.y).partition(":")[2]
        down = 1 if card.y < MAT[1] / 2 else -1
        inner = card.y
        while layout.place_at(card.x, inner).partition(":")[2] == seat:
            inner += down
        for mm in (3, 10, 20, 40):
            yield rest, replace(card, y=inner + down * mm)
        yield rest, replace(card, x=-20.0)
        yield rest, replace(card, y=-20.0 if down > 0 else MAT[1] + 20.0)


def _held(card: Sighting, cards: list[Sighting]) -> bool:
    """Return whether it lies on a card farther in, as in a column: so do cards of nobody's."""
    middle = MAT[1] / 2
    near = (other for other in cards if abs(other.y - middle) < abs(card.y - middle))
    return any(math.dist((other.x, other.y), (card.x, card.y)) <= 30 for other in near)


@pytest.mark.slow  # test_laminate.py: what cannot be is named
@pytest.mark.parametrize("name", list(load_scorings()))
def test_a_card_past_its_areas_border_is_a_fault_or_its_players_still(name: str) -> None:
    rng, looked = random.Random(name), 0
    for seed in range(6):
        layout, cards, score = TABLES[name](seed)
        whole = score(cards)
        assert whole.winners is not None, [str(fault.reason.text) for fault in whole.faults]
        for rest, card in _slipped(layout, cards, rng):
            if _held(card, rest):
                continue
            found = score([*rest, card])
            same = (found.final, found.winners) == (whole.final, whole.winners)
            assert found.winners is None or (same and _stays(name, card)), (name, card)
            looked += 1
    assert looked > 100


def _stays(name: str, card: Sighting) -> bool:
    """Return whether a card there counts for nobody: at Laminate Rummy a back of a hand, or one of the piles."""
    return name == "laminate" and (card.name == "back" or "/" not in card.name)


def test_what_can_not_be_read_past_a_border_leaves_the_result_open() -> None:
    for name, make in ((name, TABLES[name]) for name in ("seven_minutes", "wild_seven", "seven_euchre")):
        layout, cards, _ = make(1)
        scoring, rng = load_scorings()[name], random.Random(name)
        view = scoring.observe(Detections(tuple(cards)), layout)
        for _, card in _slipped(layout, cards, rng):
            if not _held(card, cards):
                mark = Unread(card.x, card.y, card.angle, "glare")
                assert scoring.is_decisive(mark, view, layout), (name, mark)  # type: ignore[attr-defined]


def test_a_wanted_card_that_reaches_into_an_area_is_a_fault() -> None:
    layout, cards, score = _wild(0)
    card = next(card for card in cards if layout.place_at(card.x, card.y) == "wanted")
    rest = [other for other in cards if other is not card]
    found = score([*rest, replace(card, x=500.0, y=0.64 * MAT[1] + 8)])
    assert found.winners is None
    assert any("and the middle" in str(fault.reason.text) for fault in found.faults)


def test_a_packet_across_the_border_of_two_sides_is_a_fault() -> None:
    told, tricks, _ = euchre.played_deals(0)[0]
    cards = euchre.packets(tricks, random.Random(0))
    for x in (580.0, 600.0):
        found = euchre.score([*cards[1:], replace(cards[0], x=x)], told)
        assert found.winners is None
        assert any("across the border" in str(fault.reason.text) for fault in found.faults)
