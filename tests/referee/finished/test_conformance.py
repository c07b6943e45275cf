"""What every game must do that tells what a finished table comes to."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from referee.finished.score import Finished, Score, Scoring, parts_of
from referee.game import CardSet, table_seats
from referee.registry import load_papers, load_referees, load_scorings
from referee.table import Detections, Sighting, Unread
from referee.zones import BACK
from rules.game import usual_options
from rules.judged import find_winners
from rules.parsing import BadRecordError
from rules.registry import load_games
from rules.text import Language, Text

MAT = (1189.0, 841.0)

pytestmark = pytest.mark.parametrize("name", list(load_scorings()))


def _finished(scoring: Scoring, players: int) -> Finished:
    names = tuple(Text(f"Player {n}") for n in range(1, players + 1))
    told = usual_options(scoring.asked, [str(words) for words in names])
    return Finished(names, scoring.make_layout(players, MAT), told)


def _score(scoring: Scoring, finished: Finished, *cards: Sighting, unread: tuple[Unread, ...] = ()) -> Score:
    return scoring.score(scoring.observe(Detections(cards, unread), finished.layout), finished)


def _in_area(finished: Finished, seat: int, name: str, shift: float = 0.0) -> Sighting:
    x0, y0, x1, y1 = finished.layout.seat_rect(seat)
    return Sighting(name, (x0 + x1) / 2 + shift, (y0 + y1) / 2, 0.0)


def _at_once(scoring: Scoring) -> list[int]:
    """Return the numbers of players whose things all find room on the mat at once."""
    return [players for players in table_seats(scoring) if len(parts_of(scoring, players)) == 1]


def _single(scoring: Scoring, players: int) -> str:
    """Return a card of which there is one with that many players."""
    cards = scoring.cards
    return next(face for face in cards.faces if "/" not in face and cards.copies_for(face, players) == 1)


def _tables(scoring: Scoring) -> list[tuple[Finished, Score]]:
    """For each number of players an empty table and one with a card in each area."""
    found = []
    for players in _at_once(scoring):
        finished = _finished(scoring, players)
        faces = [face for face in scoring.cards.faces if "/" not in face]
        cards = [_in_area(finished, seat, faces[seat]) for seat in range(1, players + 1)]
        found += [(finished, _score(scoring, finished)), (finished, _score(scoring, finished, *cards))]
    return found


def test_it_belongs_to_a_game_whose_rules_are_known(name: str) -> None:
    scoring = load_scorings()[name]
    assert scoring.rules is load_games()[name]
    assert isinstance(scoring.cards, CardSet)
    if name in load_referees():
        assert scoring.cards == load_referees()[name].cards
    assert str(scoring.lay).endswith(".")
    assert scoring.lay.said(Language.JA).endswith("。")


def test_what_is_asked_has_usual_values_and_refuses_others(name: str) -> None:
    scoring = load_scorings()[name]
    for players in _at_once(scoring):
        names = [f"Player {n}" for n in range(1, players + 1)]
        for option in scoring.asked:
            assert str(option.title)
            assert option.title.said(Language.JA)
            asked = [*option.values(names), *(pair for part in option.parts for pair in part.values)]
            usual = usual_options([replace(option, optional=False)], names)
            option.check(usual[option.key], names)
            for value, words in asked:
                if not option.each_seat:
                    option.check(value, names)
                assert str(words)
                assert words.said(Language.JA)
            with pytest.raises(BadRecordError):
                option.check("no such value", names)
            with pytest.raises(BadRecordError):
                option.check(None, names)


def test_every_card_has_a_name_to_be_told_by(name: str) -> None:
    scoring = load_scorings()[name]
    told = {card for _, cards in scoring.list_names() for card, _ in cards}
    assert told >= {*scoring.cards.faces, *scoring.cards.backs}


def test_a_score_is_of_all_seats_and_can_be_written_down(name: str) -> None:
    scoring = load_scorings()[name]
    for finished, score in _tables(scoring):
        assert [tally.seat for tally in score.tallies] == list(range(1, len(finished.players) + 1))
        assert len(score.final) == len(scoring.rules.start([str(words) for words in finished.players], {}).points)
        for tally in score.tallies:
            for item in (item for items in tally.groups.values() for item in items):
                json.dumps(dict(item.data))
                assert str(item.words)
                assert item.words.said(Language.JA)


def test_a_score_is_open_exactly_where_something_is_wrong(name: str) -> None:
    scoring = load_scorings()[name]
    for _, score in _tables(scoring):
        assert (score.winners is None) == bool(score.faults or score.unread)
        assert (score.why is None) == (score.winners is None)
        if score.winners is not None:
            assert score.winners == find_winners(score.places)
        for fault in score.faults:
            assert fault.reason.code in scoring.rules.codes
            assert str(fault.reason.text).endswith(".")
            assert fault.reason.text.said(Language.JA).endswith("。")


def test_what_is_confirmed_by_hand_no_longer_leaves_it_open(name: str) -> None:
    scoring = load_scorings()[name]
    for players in _at_once(scoring):
        finished = _finished(scoring, players)
        face = _single(scoring, players)
        cards = [_in_area(finished, 1, face, -70.0), _in_area(finished, 1, face, 70.0)]
        score = _score(scoring, finished, *cards)
        assert score.faults
        settled = _score(scoring, replace(finished, confirmed=frozenset(score.faults)), *cards)
        assert settled.winners is not None
        assert settled.final == score.final


def test_a_card_in_two_places_is_named(name: str) -> None:
    scoring = load_scorings()[name]
    finished = _finished(scoring, max(_at_once(scoring)))
    face = _single(scoring, len(finished.players))
    score = _score(scoring, finished, _in_area(finished, 1, face), _in_area(finished, 2, face))
    assert score.winners is None
    assert any(face in map(str, fault.reason.cards) for fault in score.faults)


def test_an_unread_card_in_an_area_leaves_it_open(name: str) -> None:
    scoring = load_scorings()[name]
    finished = _finished(scoring, max(_at_once(scoring)))
    at = _in_area(finished, 1, BACK)
    mark = Unread(at.x, at.y, 0.0, "glare", ("H7", "O7"))
    score = _score(scoring, finished, unread=(mark,))
    assert score.winners is None
    assert [seen for seen, _ in score.unread] == [mark]
    assert "glare" in str(score.unread[0][1])


def test_the_number_of_players_is_told_again_only_as_it_is(name: str) -> None:
    scoring = load_scorings()[name]
    option: Any = next(option for option in scoring.asked if option.key == "seats")
    assert option.optional
    names = [f"Player {n}" for n in range(1, max(_at_once(scoring)) + 1)]
    option.check(len(names), names)
    with pytest.raises(BadRecordError):
        option.check(len(names) + 1, names)


def test_cards_that_the_game_has_not_are_named(name: str) -> None:
    scoring = load_scorings()[name]
    if scoring.cards.papers:
        return
    finished = _finished(scoring, max(_at_once(scoring)))
    paper = next(iter(load_papers()))
    score = _score(scoring, finished, _in_area(finished, 1, f"{paper}/complete"))
    assert score.winners is None
    assert any("another game" in str(fault.reason.text) for fault in score.faults)
