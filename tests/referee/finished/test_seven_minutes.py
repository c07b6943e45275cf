"""Finished tables of random games of Seven Minutes: scored as the game scored them."""

from __future__ import annotations

import random
from functools import cache

from referee.finished.score import Finished, Score
from referee.registry import load_scorings
from referee.table import Detections, Sighting
from rules.registry import find_game
from rules.seven_minutes.position import Pile, Position
from rules.text import Text
from tests.referee.finished.lying import columns

SCORING = load_scorings()["seven_minutes"]
MAT = (1189.0, 841.0)


@cache
def finished_game(seed: int) -> Position:
    rules, rng = find_game("seven_minutes"), random.Random(seed)
    position = rules.start([f"Player {n}" for n in range(1, 3 + seed % 4)], {})
    while position.outcome is None:
        position = position.do(rules.random_move(position, rng))
    assert isinstance(position, Position)
    return position


def _names(pile: Pile) -> list[str]:
    return [str(card) for taken in pile for card in taken]


def shown(position: Position, rng: random.Random) -> list[Sighting]:
    """Plus cards upright from the left, minus cards across at the right, and the row's rest."""
    layout = SCORING.make_layout(len(position.players), MAT)
    seen = []
    for seat, (up, down) in enumerate(zip(position.up, position.down, strict=True), 1):
        x0, _, x1, _ = layout.seat_rect(seat)
        plus, minus = _names(up), _names(down)
        left, right = -(-len(plus) // 7), -(-len(minus) // 7)
        # Columns lie side by side where the area has room for that, else they cover each other in part.
        room = (x1 - x0 - 205) / max(1.0, 70.0 * left + 95.0 * max(0, right - 1) + 20.0)
        narrow = min(1.0, room)
        seen += columns(plus, layout, seat, 100, 0.0, rng, 70 * narrow)
        seen += columns(minus, layout, seat, x1 - x0 - 105 - 95 * narrow * max(0, right - 1), 90.0, rng, 95 * narrow)
    row = [str(card) for stack in position.row.stacks for card in stack.cards]
    return [*seen, *(Sighting(name, 170.0 + 25 * number, 420.0, 0.0) for number, name in enumerate(row))]


def score(cards: list[Sighting], players: int, told: bool = True) -> Score:
    layout = SCORING.make_layout(players, MAT)
    names = tuple(Text(f"Player {n}") for n in range(1, players + 1))
    view = SCORING.observe(Detections(tuple(cards)), layout)
    return SCORING.score(view, Finished(names, layout, {"seats": players} if told else {}))


def test_a_finished_table_is_scored_as_the_game_scored_it() -> None:
    for seed in range(200):
        position = finished_game(seed)
        found = score(shown(position, random.Random(seed)), len(position.players))
        assert [str(fault.reason.text) for fault in found.faults] == [], seed
        assert (found.final, found.places) == (position.outcome.points, position.outcome.places)  # type: ignore[union-attr]


def test_the_number_of_players_is_asked_for_again_where_cards_could_be_shared_out_otherwise() -> None:
    """One player's cards are as good as two neighbours': nothing in this game tells them apart but where they lie."""
    for seed in range(100):
        position = finished_game(seed)
        cards = shown(position, random.Random(seed))
        for players in SCORING.rules.seats:
            found = score(cards, players, told=False)
            if players != len(position.players):
                assert found.winners is None, (seed, players)
            elif found.winners is None:
                assert {fault.reason.code for fault in found.faults} == {"cannot_see"}


def test_cards_not_seen_askew_or_face_down_are_named() -> None:
    cards = shown(finished_game(0), random.Random(0))
    players = len(finished_game(0).players)
    (fault,) = score(cards[1:], players).faults
    assert [str(card) for card in fault.reason.cards] == [cards[0].name]
    assert "not to be seen" in str(fault.reason.text)
    first = cards[0]
    (fault,) = score([Sighting(first.name, first.x, first.y, first.angle + 45), *cards[1:]], players).faults
    assert "neither upright nor across" in str(fault.reason.text)
    (fault,) = score([*cards, Sighting("back", first.x, first.y, 0.0)], players).faults
    assert "face down" in str(fault.reason.text)
