"""Whole random games laid in millimetres and judged through a session."""

from __future__ import annotations

from random import Random

import pytest

from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.simulation import is_right
from referee.table import Detections, Sighting
from referee.verdict import Accepted, Refused
from referee.wild_seven.referee import REFEREE
from rules.record import Header, check_record
from rules.text import Language
from tests.referee.wild_seven.at_the_table import PLAYERS, names_a_card, spoken
from ui.screen_state import Mood

MATS = {3: (REFERENCE_MAT_MM, (760.0, 760.0)), 4: (REFERENCE_MAT_MM, (1000.0, 760.0)), 5: (REFERENCE_MAT_MM,)}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_whole_game_is_read_as_it_is_played(players: int, seed: int) -> None:
    mat = MATS[players][seed % len(MATS[players])]
    layout, names = REFEREE.layout(players, mat), PLAYERS[:players]
    language = (Language.EN, Language.JA)[seed % 2]
    kept: list[Entry] = []
    session = Session(REFEREE, Header("wild_seven", names), layout, language, kept.append)
    simulation = REFEREE.simulation(names, {}, layout, Random(seed))
    moves = 0
    for attempt in simulation.attempts():
        cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in simulation.lying)
        view = REFEREE.observe(Detections(cards), layout)
        assert session.see(view) == ()
        if attempt.unconfirmed:
            assert simulation.has_noticed(session.agreed)
            continue
        assert session.screen().mood is Mood.PREVIEW
        assert names_a_card(session.position, spoken(session.screen())) == []
        verdict = session.confirm(view)
        assert is_right(simulation, verdict, attempt), (attempt, verdict)
        moves += 1
        if not session.over:
            assert names_a_card(session.position, spoken(session.screen())) == []
            again = session.confirm(view)
            # Nothing more was done.
            assert isinstance(again, Refused)
            assert again.refusal.code in ("table_disturbed", "bump_missing")
    assert session.over
    assert moves > 20
    assert session.position.points == simulation.position.points
    end = session.screen()
    assert end.mood is Mood.FINISHED
    assert [line.points for line in end.ranking] == sorted(session.position.points, reverse=True)
    *verdicts, final = check_record(session.record())
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
    assert final["final"] == list(session.position.points)
    again = Session.resume(Header("wild_seven", names), [Entry.from_json(one.to_json()) for one in kept], layout)
    assert again.agreed == session.agreed


def test_every_turn_of_a_game_is_taken_back_and_put_back() -> None:
    layout, names = REFEREE.layout(4, REFERENCE_MAT_MM), PLAYERS[:4]
    session = Session(REFEREE, Header("wild_seven", names), layout)
    simulation = REFEREE.simulation(names, {}, layout, Random(8))
    before = None
    for attempt in simulation.attempts():
        cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in simulation.lying)
        view = REFEREE.observe(Detections(cards), layout)
        session.see(view)
        if attempt.unconfirmed:
            before = view
            continue
        was = session.position
        assert isinstance(session.confirm(view), Accepted)
        if session.over:
            break
        if before is not None:
            session.undo()
            assert session.position == was
            assert session.checking
            shown = session.screen()
            assert shown.put_back
            assert names_a_card(simulation.position.do(attempt.move), spoken(shown)) == []
            session.see(before)
            assert not session.checking
            session.redo()
            shown = session.screen()
            assert names_a_card(session.position, spoken(shown)) == []
            session.see(view)
            assert not session.checking
            before = view


def test_a_card_taken_for_another_one_is_never_accepted() -> None:
    """One card is misread in every look of a game: no move is ever understood that the players did not make."""
    chance = Random(4)
    layout, names = REFEREE.layout(3, REFERENCE_MAT_MM), PLAYERS[:3]
    session = Session(REFEREE, Header("wild_seven", names), layout)
    simulation = REFEREE.simulation(names, {}, layout, Random(2))
    for attempt in simulation.attempts():
        cards = [Sighting(card.name, card.x, card.y, card.angle) for card in simulation.lying]
        if not attempt.unconfirmed and getattr(attempt.move, "seat", None):
            here = [n for n, card in enumerate(cards) if layout.place_at(card.x, card.y) == "wanted"]
            gone = chance.choice(here)
            looked = REFEREE.observe(Detections((*cards[:gone], *cards[gone + 1 :])), layout)
            verdict = session.confirm(looked)
            assert not isinstance(verdict, Accepted) or verdict.move == attempt.move
            if isinstance(verdict, Accepted):
                continue
        view = REFEREE.observe(Detections(tuple(cards)), layout)
        session.see(view)
        if not attempt.unconfirmed:
            assert isinstance(session.confirm(view), Accepted)
