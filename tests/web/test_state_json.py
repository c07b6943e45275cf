"""``state.json`` to the letter, over whole games of every kind and over tables where anything happens."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from typing import Any

import pytest

from device.public_state import page_state
from device.session.plain import plain_screen
from device.session.session import Session
from referee.registry import load_referees
from rules.text import Language
from tests.ui.test_all_states import Wild, reached, seen_game
from ui.screen_state import MenuScreen, Mood

FIELDS: dict[str, type | tuple[type, ...]] = {
    "game": str, "language": str, "mood": str, "headline": str, "details": list, "players": list,
    "last": (dict, type(None)), "choices": list, "chosen": int, "ending": dict, "turn": int, "over": bool, "at": str,
    "version": int, "table": (dict, type(None)),
}  # fmt: skip
SAME = ("game", "mood", "chosen", "ending", "turn", "over", "at")
"""What is the same in every language."""


def checked(session: Session) -> dict[str, Any]:
    """Return the English state of a session's moment, once it was checked in both languages."""
    own = session.screens.language
    screens = [session.make_screen(language) for language in (own, *(one for one in Language.all() if one is not own))]
    told = json.loads(json.dumps(page_state(screens, session.history)))
    assert told["language"] == own.code
    en, ja = told["said"]["en"], told["said"]["ja"]
    for code, said in told["said"].items():
        assert said["state"]["headline"] != plain_screen(Language.from_code(code)).headline
        check_state(said["state"], code, session.history.header.players)
        assert said["title"], "whose turn it is, or what is the matter, is always said"
    assert en["kind"] == ja["kind"]
    if en["state"]["headline"] and en["state"]["mood"] != "blind":  # what the test says there has no catalogue
        assert en["state"]["headline"] != ja["state"]["headline"]
    for one in SAME:
        assert en["state"][one] == ja["state"][one], one
    for one in ("choices", "details", "players"):
        assert len(en["state"][one]) == len(ja["state"][one]), f"{one}: {en['state'][one]} {ja['state'][one]}"
    state: dict[str, Any] = en["state"]
    return state


def check_state(state: dict[str, Any], code: str, players: tuple[str, ...]) -> None:
    assert list(state) == list(FIELDS)
    for key, kind in FIELDS.items():
        assert isinstance(state[key], kind), key
    assert state["language"] == code
    assert state["mood"] in {mood.value for mood in Mood}
    assert all(isinstance(words, str) and words for words in (*state["details"], *state["choices"]))
    assert not state["choices"] or 0 <= state["chosen"] < len(state["choices"])
    for one in state["players"]:
        assert list(one) == ["name", "points", "to_move", "notes"]
        assert type(one["points"]) is int
        assert type(one["to_move"]) is bool
        assert all(isinstance(note, str) and note for note in one["notes"])
    if state["players"]:
        assert [one["name"] for one in state["players"]] == list(players)
    if state["last"] is not None:
        assert list(state["last"]) == ["who", "words"]
        assert state["last"]["who"] in (*players, None), "nobody where several moved, or where it was set by hand"
        assert state["last"]["words"]
    assert list(state["ending"]) == ["turns_left", "flag_due", "by_player"]
    assert state["ending"]["turns_left"] is None or type(state["ending"]["turns_left"]) is int
    assert type(state["ending"]["flag_due"]) is bool
    assert datetime.fromisoformat(state["at"]).tzinfo is not None


@pytest.mark.few(1)
@pytest.mark.parametrize("name", sorted(load_referees()))
def test_a_whole_game_move_by_move(name: str) -> None:
    for seed in (1, 2):
        game = seen_game(name, seed)
        turns: list[int] = []
        seen: Counter[str] = Counter()
        for attempt in game.simulation.play_game():
            game.meet(attempt)
            state = checked(game.session)
            turns.append(state["turn"])
            seen[state["mood"]] += 1
        assert state["over"]
        assert state["mood"] == "finished"
        assert not any(one["to_move"] for one in state["players"])
        assert turns == sorted(turns), "no turn is lost"
        assert turns[-1] == len(game.session.history.past) > 3
        assert seen["accepted"] > 3


class Told(Wild):
    """A table at which anything happens, told to phones."""

    def draw(self) -> None:
        told, screen = checked(self.session), self.session.make_screen()
        self.drawn.add(screen)
        assert bool(told["choices"]) is isinstance(screen, MenuScreen)


@pytest.mark.slow  # test_a_whole_game_move_by_move
@pytest.mark.parametrize("name", sorted(load_referees()))
def test_whatever_happens_at_a_table(name: str) -> None:
    shown = [state for wild in reached(name, range(3), Told) for state in wild.drawn]
    kinds = {type(state).__name__ for state in shown}
    assert kinds >= {"PlayScreen", "TableScreen", "MenuScreen"}
    assert any(state.choices for state in shown)
