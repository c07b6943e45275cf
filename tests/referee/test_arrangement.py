"""The table as it is drawn from above: all that lies there, nothing that is hidden, over whole games of every kind."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from device.public_state import draw_table
from device.session.session import Session
from device.table_state import PublicTable
from referee.layout import REFERENCE_MAT_MM
from referee.registry import load_referees
from referee.simulation.registry import simulation_of
from rules.text import Language
from simulator.hall.played_games import make_confirmed_entry
from simulator.opening import make_usual_game

GAMES = sorted(load_referees())


def _draw(session: Session, language: Language = Language.EN) -> PublicTable:
    history = session.history
    before = history.past[-1].before if history.past else None
    return draw_table(history, history.now, before, language)


def _list_faces(table: PublicTable) -> Counter[str]:
    cards = (card for stack in table.stacks for card in stack.cards)
    return Counter(card.name for card in cards if not card.back and not card.name.startswith("die:"))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_drawn_is_what_lies_there(game: str) -> None:
    """After every move each face-up card that simulated players have on the mat is drawn once, and no other one."""
    referee = load_referees()[game]
    rng = Random(7)
    players = ("Ada", "Emmy", "Sofia", "Maryam", "Katherine")[: max(referee.rules.seats.start, 3)]
    players = players if len(players) in referee.rules.seats else ("Ada", "Emmy", "Sofia", "Maryam")
    header = make_usual_game(players, game)
    layout = referee.make_layout(len(players), REFERENCE_MAT_MM)
    session = Session(referee, header, layout)
    simulation = simulation_of(referee, players, header.options, layout, rng)
    known, shown = set[str](), set[str]()
    for attempt in simulation.play_game():
        if attempt.move is None:
            continue
        session.log.restore([make_confirmed_entry(session, referee.rules.make_public(attempt.move))])
        table = _draw(session)
        drawn = _list_faces(table)
        lying = Counter(card.name for card in simulation.lying if not card.name.startswith("back"))
        shown |= {*lying}
        assert drawn.keys() <= shown, "a card that nobody has seen is drawn"
        piled = sum(max(0, (stack.count or 0) - len(stack.cards)) for stack in table.stacks)
        # Cards laid at once settle one after the other.
        assert (lying - drawn).total() <= piled + len(players), f"not drawn: {lying - drawn}"
        known |= {*drawn}
    assert known == shown, "every card that lay there was drawn"
