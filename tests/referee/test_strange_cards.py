"""Cards where none may lie, whatever they are: every table has a screen, and no card of another game is understood."""

from __future__ import annotations

from random import Random

import pytest

from referee.placing import Placed
from referee.registry import load_referees
from referee.table import Detections, Sighting
from referee.verdict import Accepted
from rules.text import Language
from tools.soak.any_game import Game, as_sightings

GAMES = [name for name, referee in load_referees().items() if not referee.cards.papers]


@pytest.mark.few(3)
@pytest.mark.parametrize("played", [1, 12, 30])
@pytest.mark.parametrize("name", GAMES)
def test_cards_and_backs_in_one_place_have_a_screen(name: str, played: int) -> None:
    game, chance = Game(name, played, misread=0.0), Random(played)
    game.play(played)
    session, (w, h) = game.session, game.layout.mat_mm
    backs, faces = game.referee.cards.backs, game.referee.cards.faces
    for _ in range(15):
        x, y = chance.uniform(60, w - 60), chance.uniform(60, h - 60)
        names = [chance.choice(faces), *backs[:1] * 2, "three/review"]
        more = [Placed(one, x + 20.0 * k, y, 0.0) for k, one in enumerate(chance.sample(names, 3))]
        cards = [*game.simulation.lying, *more]
        view = game.referee.observe(Detections(as_sightings(cards), (), game.dice), game.layout)
        session.see(view)
        for _ in range(2):
            for language in Language.all():
                session.speak(language)
                assert session.make_screen().headline or session.make_screen().details
            verdict = session.confirm(view)
            strange = any(one.name == "three/review" for one in more)
            assert not (strange and isinstance(verdict, Accepted)), (verdict, more)


@pytest.mark.parametrize("name", GAMES)
def test_a_card_of_no_such_game_is_unread_wherever_it_lies(name: str) -> None:
    game = Game(name, 1, misread=0.0)
    (w, h), known = game.layout.mat_mm, game.referee.cards
    for card in {"three/review", "H7", "altar", "back1", "back"} - {*known.faces, *known.backs}:
        for x, y in ((x, y) for x in range(60, int(w), 90) for y in range(60, int(h), 90)):
            view = game.referee.observe(Detections((Sighting(card, x, y, 0.0),)), game.layout)
            assert not view.cards
            assert all(mark.cause == "foreign" for mark in view.unread)
