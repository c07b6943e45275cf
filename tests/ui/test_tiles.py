"""Moves as cards: what is laid, cited and paid, apart; and the words by which refusals are known from afar."""

from __future__ import annotations

import pytest

from device.session.presenter import describe_origin
from rules.laminate.moves import Citation, EndFlag, Pass, Publish, Research, Review
from rules.laminate.refusals import CODES
from rules.text import Language
from tests.referee.tables import cards, show
from tests.referee.test_refusals import drawn, under_review
from tests.ui.real import real_states, session_at
from tests.words import en
from ui import words
from ui.registry import screen_of
from ui.screen_state import TablePicture, TableScreen, TileRole

E, J = Language.EN, Language.JA
POSITION = under_review().position
SCREEN = screen_of("laminate")


def test_a_publication_shows_laid_cited_and_paid_cards_apart() -> None:
    move = Publish(2, "sum49", cards("F12 S11"), (Citation(1, "three"), Citation(1, "ace_king")), {1: 2})
    laid, cited = SCREEN.move_tiles(POSITION, move, E)
    assert [(tile.suit, tile.label) for tile in laid.tiles] == [("F", "12"), ("S", "11")]
    assert {tile.role for tile in laid.tiles} == {TileRole.LAID}
    assert [tile.role for tile in cited.tiles] == [TileRole.CITED] * 2 + [TileRole.PAID] * 2
    assert [tile.back for tile in cited.tiles] == [False, False, True, True]
    assert (cited.words, cited.short) == ("cites Hilbert", "cites Hilb…")
    assert SCREEN.move_tiles(POSITION, move, J)[1].words == "Hilbertさんを引用"


def test_other_moves_show_what_everybody_sees() -> None:
    drawn, discarded = SCREEN.move_tiles(POSITION, Research(2, "deck", None, cards("H5")[0]), E)
    assert [tile.back for tile in drawn.tiles] == [True], "a card that nobody sees stays face down"
    assert [tile.name for tile in discarded.tiles] == ["H5"]
    (taken,) = SCREEN.move_tiles(POSITION, Review(2, 1, "three", cards("C6")[0]), E)
    assert taken.words == "from Hilbert's Three Cards"
    (flag,) = SCREEN.move_tiles(POSITION, EndFlag(1, cards("H7")[0]), E)
    assert [tile.name for tile in flag.tiles] == ["end_flag/complete", "H7"]
    assert SCREEN.move_tiles(POSITION, Pass(1), E) == ()


@pytest.mark.parametrize("code", [code for code in CODES if code not in ("bad_record", "unknown_paper")])
@pytest.mark.parametrize("language", Language.all())
def test_every_refusal_of_a_table_is_known_from_afar(code: str, language: Language) -> None:
    own = SCREEN.briefs.get(code)
    said = own.said(language) if own is not None else words.say_briefly(language, code)
    assert 3 <= len(said) <= 24


@pytest.mark.slow  # tests/ui/test_gallery.py draws them
def test_points_that_a_move_brings_are_those_of_whoever_gets_them() -> None:
    seen = real_states(E)["the review that completes a paper, seen"]
    assert seen.standing.gains == (1, 0, 0), "Noether reviews, and Hilbert's paper is complete"
    assert real_states(E)["a draw and a discard, seen"].standing.gains == (0, 0, 0)
    settled = real_states(E)["the review that completes a paper, confirmed"]
    assert settled.standing.gains == (1, 0, 0)
    assert settled.players[0].points == seen.players[0].points + 1


@pytest.mark.slow  # test_gallery.py draws them
def test_steps_are_cards_and_where_they_go() -> None:
    state = real_states(E)["code took_two_cards, confirmed"]
    assert isinstance(state, TableScreen)
    assert len(state.steps) == len(state.put_back) == 2
    assert [tile.name for tile in state.steps[0].tiles] == ["S6"]
    assert state.steps[0].words == "→ Hilbert's Three Cards"
    assert state.steps[1].words == "turn over the paper card Three Cards"


@pytest.mark.slow  # test_gallery.py draws it
def test_the_picture_is_turned_to_whoever_is_to_move_and_names_everybody() -> None:
    state = real_states(E)["code took_two_cards, confirmed"]
    assert isinstance(state, TableScreen)
    picture = state.picture
    assert isinstance(picture, TablePicture)
    assert picture.names == ("Hilbert", "Banach", "Noether")
    assert picture.to_move == 2


def test_a_session_tells_where_a_card_is_that_can_not_be() -> None:
    session = session_at(under_review(), E)
    session.confirm(show(session.position.do(drawn(2, "H5"))))
    assert session.history.past, "a turn was accepted"
    told = describe_origin(session.referee, session.history, "H5")
    assert told is not None
    assert en(told).startswith("Last turn: Banach")
    assert describe_origin(session.referee, session.history, "FK") is None
