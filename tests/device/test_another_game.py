"""Simulated players before whichever game a phone begins, and before one that was left and goes on."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from device.hardware.steady import SteadyCamera
from device.outward import Ask
from device.storage.journal import Journal
from referee.history import MOVE
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.view.layouts import layout_for
from rules.record import Header
from tests.device.at_the_table import PLAYERS, quick_app
from ui.screen_state import CameraScreen, ScreenState
from web.table_end.beginning import make_answers


class Evening:
    """The program in a thread of its own, its simulated players, and a phone that asks it."""

    def __init__(self, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state, self.asks, self.failed = state, list[Ask](), list[BaseException]()
        self.app, self.players, self.display = quick_app(state, 3)
        monkeypatch.setattr("simulator.players._SEATED_S", 0.0)
        self.players._sitting.another = self.another
        page = SimpleNamespace(
            take_asks=self._taken,
            make_answers=make_answers,
            open_menu=lambda *_: None,
            show=lambda now: None,
            close=lambda: None,
            wait=lambda: None,
        )
        object.__setattr__(self.app._equipment, "page", page)
        object.__setattr__(self.app._equipment, "open_camera", lambda: SteadyCamera(lambda: self.players))
        # The sketched camera shows no mat: whoever is asked who sits where says that all is right.
        read = self.players.read

        def read_seats(shown: ScreenState) -> None:
            read(shown)
            self.players._display.seats = isinstance(shown, CameraScreen)

        monkeypatch.setattr(self.players, "read", read_seats)
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def another(self, header: Header) -> SimulatedGame:
        seat = header.options["first_seat"]
        return SimulatedGame(header.players, layout_for(len(header.players)), random.Random(3), first_seat=seat)

    def _run(self) -> None:
        try:
            self.app.run()
        except BaseException as error:
            self.failed.append(error)

    def _taken(self) -> list[Ask]:
        asks, self.asks = self.asks, []
        return asks

    def ask(self, what: str, **data: Any) -> Mapping[str, Any]:
        replies: list[Mapping[str, Any]] = []
        self.asks.append(Ask(what, data, replies.append))
        self.until(lambda: bool(replies))
        return replies[0]

    def until(self, true: Callable[[], bool], within_s: float = 60.0) -> None:
        end = time.monotonic() + within_s
        while not true():
            assert not self.failed, self.failed
            assert time.monotonic() < end
            time.sleep(0.01)

    def moves(self, game: int) -> int:
        with Journal.open(self.state) as journal:
            return sum(entry.kind == MOVE for entry in journal.read_entries(game))

    def plays(self, players: tuple[str, ...], moves: int) -> None:
        """Wait until such players have made so many moves."""

        def played() -> bool:
            session = self.app.session
            return session is not None and session.position.players == players and len(session.history.past) >= moves

        self.until(played)

    def close(self) -> None:
        self.app.stop()
        self.thread.join(20)
        assert not self.failed, self.failed


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    made = Evening(tmp_path, monkeypatch)
    yield made
    made.close()


@pytest.mark.slow  # test_games.py
def test_another_game_is_played_and_the_first_one_goes_on(evening: Evening) -> None:
    evening.plays(PLAYERS, 4)
    wish = {"game": "laminate", "players": ["Ada", "Bo", "Cy", "Di"], "options": {"first_seat": 2}}
    assert set(evening.ask("begin", **wish)["faults"]) == {"leave"}
    assert evening.ask("begin", **wish, leave=True) == {"aiming": True}
    evening.plays(("Ada", "Bo", "Cy", "Di"), 4)
    left = evening.moves(1)
    assert evening.ask("resume", number=1, leave=True) == {}
    evening.plays(PLAYERS, left + 3)
    assert evening.ask("begin", **wish, leave=True) == {"aiming": True}, "the same once more, from the beginning"
    evening.until(lambda: evening.app.session is not None and not evening.app.session.history.past)
    evening.plays(("Ada", "Bo", "Cy", "Di"), 3)
