"""Whole random games laid in millimetres and judged through a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.simulation import is_right
from referee.simulation.registry import simulation_of
from referee.table import Detections, Sighting
from referee.verdict import Accepted, Refused
from referee.wild_seven.referee import REFEREE
from referee.zones import Expected, PlaceAt, ZoneView
from rules.record import Header, check_record
from rules.text import Language
from rules.wild_seven.moves import Get, Play
from tests.referee.wild_seven.at_the_table import PLAYERS, names_a_card, spoken
from tools.soak.any_game import Game, as_sightings, meddle
from ui.screen_state import Mood

MATS = {3: (REFERENCE_MAT_MM, (760.0, 760.0)), 4: (REFERENCE_MAT_MM, (1000.0, 760.0)), 5: (REFERENCE_MAT_MM,)}


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_whole_game_is_read_as_it_is_played(players: int, seed: int) -> None:
    mat = MATS[players][seed % len(MATS[players])]
    layout, names = REFEREE.make_layout(players, mat), PLAYERS[:players]
    language = (Language.EN, Language.JA)[seed % 2]
    kept: list[Entry] = []
    session = Session(REFEREE, Header("wild_seven", names), layout, language, kept.append)
    simulation = simulation_of(REFEREE, names, {}, layout, Random(seed))
    moves = 0
    for attempt in simulation.play_game():
        cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in simulation.lying)
        view = REFEREE.observe(Detections(cards), layout)
        assert session.see(view) == ()
        if attempt.unconfirmed:
            assert simulation.has_noticed(session.agreed)
            continue
        assert session.make_screen().mood is Mood.PREVIEW
        assert names_a_card(session.position, spoken(session.make_screen())) == []
        verdict = session.confirm(view)
        assert is_right(simulation, verdict, attempt), (attempt, verdict)
        moves += 1
        if not session.over:
            assert names_a_card(session.position, spoken(session.make_screen())) == []
            again = session.confirm(view)
            # Nothing more was done.
            assert isinstance(again, Refused)
            assert again.refusal.code in ("table_disturbed", "bump_missing")
    assert session.over
    assert moves > 20
    assert session.position.points == simulation.position.points
    end = session.make_screen()
    assert end.mood is Mood.FINISHED
    assert [line.points for line in end.ranking] == sorted(session.position.points, reverse=True)
    *verdicts, final = check_record(session.history.write_record())
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
    assert final["final"] == list(session.position.points)
    again = Session.resume(Header("wild_seven", names), [Entry.from_json(one.to_json()) for one in kept], layout)
    assert again.agreed == session.agreed


def test_every_turn_of_a_game_is_taken_back_and_put_back() -> None:
    layout, names = REFEREE.make_layout(4, REFERENCE_MAT_MM), PLAYERS[:4]
    session = Session(REFEREE, Header("wild_seven", names), layout)
    simulation = simulation_of(REFEREE, names, {}, layout, Random(8))
    before = None
    for attempt in simulation.play_game():
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
            session.judge.undo()
            assert session.position == was
            assert session.checking
            shown = session.make_screen()
            assert shown.put_back
            assert names_a_card(simulation.position.do(attempt.move), spoken(shown)) == []
            session.see(before)
            assert not session.checking
            session.judge.redo()
            shown = session.make_screen()
            assert names_a_card(session.position, spoken(shown)) == []
            session.see(view)
            assert not session.checking
            before = view


@pytest.mark.few(1)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_move_is_understood_that_nobody_made(players: int) -> None:
    """Before each turn is seen as it lies, it is seen with something wrong; whatever is said, no other move is taken.

    A card read as another one may make just another lawful move of it: no table can tell, and those are left out.
    """
    chance = Random(players)
    layout, names = REFEREE.make_layout(players, REFERENCE_MAT_MM), PLAYERS[:players]
    accepted = looks = 0
    for seed in range(3):
        session = Session(REFEREE, Header("wild_seven", names), layout)
        simulation = simulation_of(REFEREE, names, {}, layout, Random(seed))
        for attempt in simulation.play_game():
            lying = simulation.lying
            for _ in range(8 if isinstance(attempt.move, Play | Get) else 0):
                wrong, unread, *_ = meddle(lying, (), layout, REFEREE.cards, chance)
                view = REFEREE.observe(Detections(as_sightings(wrong), unread), layout)
                verdict = REFEREE.judge(session.agreed, view, layout)
                looks += 1
                if isinstance(verdict, Accepted) and verdict.move != attempt.move:
                    assert _as_lawful(verdict.move, attempt.move, wrong), (attempt.move, verdict.move)
                accepted += isinstance(verdict, Accepted)
            view = REFEREE.observe(Detections(as_sightings(lying)), layout)
            session.see(view)
            if not attempt.unconfirmed:
                assert isinstance(session.confirm(view), Accepted)
    assert 0 < accepted < looks / 2


def _as_lawful(understood: Any, made: Any, seen: list[Placed]) -> bool:
    """Return whether the table shows another lawful move in full.

    The card laid is read as another one, or a card that stayed is read as the one that was taken.
    """
    names = {card.name for card in seen}
    if type(understood) is not type(made) or understood.seat != made.seat:
        return False
    there, gone = (understood, made) if isinstance(made, Play) else (made, understood)
    return str(there.card) in names and str(gone.card) not in names


def _soaked() -> list[str]:
    return [fault for seed in range(4) for fault in Game("wild_seven", seed, misread=1.0).play().faults]


def test_the_soak_finds_no_card_that_is_missed_by_nobody() -> None:
    assert _soaked() == []


def test_an_unread_card_that_stands_for_any_other_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def stands_for_all(view: ZoneView, lying: Mapping[str, Expected], place_at: PlaceAt) -> ZoneView:
        cards, everywhere = dict(view.cards), {name for place in view.cards for name in view.list_faces(place)}
        for mark in view.unread:
            place = place_at(mark)
            for name in sorted(lying[place].faces - everywhere if place in lying else ()):
                if mark.may_be(name):
                    cards[place] = (*cards.get(place, ()), Sighting(name, mark.x, mark.y, 0.0))
        return replace(view, cards=cards, unread=())

    monkeypatch.setattr("referee.zones.resolve_unread", stands_for_all)
    assert any("NOT MISSED" in fault for fault in _soaked())
