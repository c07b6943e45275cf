"""A session's screens say what was understood, refused and asked."""

from __future__ import annotations

import random
from dataclasses import replace

from device.session.session import Session
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.steps import describe_steps
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Mend, Refused
from rules.cards import Card
from rules.text import Language, Text
from tests.device.openings import begun
from tests.device.seeing import perfect_view
from ui.screen_state import Mood

PLAYERS = ("Hilbert", "Banach", "Noether")
LAYOUT = layout_for(3)


def opened(language: Language = Language.EN) -> tuple[Session, SimulatedTable]:
    session, table = begun(PLAYERS, 1, LAYOUT, language), SimulatedTable(LAYOUT, random.Random(1))
    table.stack_draw(39)
    table.lay_discard(Card.parse("T8"))
    assert isinstance(session.confirm(perfect_view(table, LAYOUT)), Accepted)
    return session, table


def test_before_the_set_up_nobody_is_to_move() -> None:
    screen = begun(PLAYERS, 1, LAYOUT).make_screen()
    assert screen.mood is Mood.WAITING
    assert screen.to_move is None
    assert screen.details


def test_an_accepted_move_shows_and_passes_the_turn() -> None:
    session, table = opened()
    table.lay_discard(Card.parse("H7"))
    assert isinstance(session.confirm(perfect_view(table, LAYOUT)), Accepted)
    screen = session.make_screen()
    assert (screen.mood, screen.to_move) == (Mood.ACCEPTED, "Banach")
    assert "heart 7" in screen.headline
    assert "heart 7" in session.make_screen().headline


def test_a_refused_move_shows_why_and_what_to_put_back_and_changes_nothing() -> None:
    session, table = opened(Language.JA)
    before = session.position
    table.lay_paper(1, "three", [Card.parse(name) for name in ("H7", "O7", "C6")], False)
    assert isinstance(session.confirm(perfect_view(table, LAYOUT)), Refused)
    screen = session.make_screen()
    assert (screen.mood, screen.to_move) == (Mood.REFUSED, "Hilbert")
    assert "3カード" in screen.headline
    assert any("ハート7" in step and "コイン6" in step for step in screen.put_back)
    assert session.position is before


def test_what_can_not_be_seen_is_said() -> None:
    session, table = opened()
    view = perfect_view(table, LAYOUT)
    hidden = replace(view, discard_top=None, unread=(Unread(*LAYOUT.discard, 0.0, "glare"),))
    assert isinstance(session.confirm(hidden), CantSee)
    assert session.make_screen().mood is Mood.CANT_SEE
    assert "discard" in session.make_screen().headline


def test_points_and_papers_follow_the_position() -> None:
    game = SimulatedGame(PLAYERS, LAYOUT, random.Random(285), blunders=False)
    session = begun(PLAYERS, 1, LAYOUT)
    for number, attempt in enumerate(game.play_game()):
        view = perfect_view(game.table, LAYOUT)
        if attempt.unconfirmed:
            session.see(view)
            continue
        assert isinstance(session.confirm(view), Accepted)
        if number == 30:
            break
    lines = session.make_screen().players
    assert tuple(line.points for line in lines) == session.position.points
    assert [sum(mark.complete for mark in line.papers) for line in lines] == list(session.position.complete_papers)
    assert sum(len(line.papers) for line in lines) == len(session.position.papers) > 0


def test_like_steps_are_said_in_one() -> None:
    def put(item: str, target: str = "hand:1") -> Mend:
        words = Text("Put {card} back into the row.", card=Card.parse(item))
        return Mend(item, "seat:1/three", target, words, joins=True)

    turn = Mend("three/review", "x", "x", Text("Turn the paper."))
    both = (turn, put("H7"), put("O7"), put("C6", "discard"))
    assert describe_steps(both, Language.EN) == (
        "Turn the paper.",
        "Put heart 7 and onion 7 back into the row.",
        "Put coin 6 back into the row.",
    )
    assert describe_steps(both, Language.JA)[1] == "ハート7、オニオン7を列に戻してください。"
