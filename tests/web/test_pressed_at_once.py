"""Two phones and the buttons pressed at once, over real HTTP: nothing is entered that was not chosen when confirmed."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from device.app.navigator import Navigator
from device.app.notify import Notifier
from device.app.playing import Playing
from device.capture.capture import Moving, ReadingStarted, Seen
from device.hardware.backlight import Dimmer
from device.hardware.buttons import Button, Press
from device.session.session import Session
from referee.history import MOVE, UNDO, Entry
from referee.table import REST
from referee.verdict import Accepted, Question
from rules.text import Language
from tests.device.ready_tables import Watched, auction, turn
from tests.web.house_page import ThreadedPage, may
from web.guard import COOKIE
from web.table_end.address import PageKey, listening
from web.table_end.page import TablePage

UNDONE = "undone"


class Noted(Playing):
    """A game being played, and beside it a plain note of what was chosen whenever confirm was pressed."""

    def __init__(self, session: Session, watched: Any, clock: Callable[[], float]) -> None:
        self.noted: Any = None
        """What the last press has confirmed, in that turn; none where the last press was no confirm."""
        super().__init__(session, watched, watched, watched, watched.nothing, watched.nothing, clock)

    def press(self, press: Press) -> None:
        session, before = self.session, self.noted
        self.noted = None
        if press.button in (Button.UP, Button.DOWN) and session.entered_moves and session.over_it is None:
            # What is told by the buttons is not about a look: it may be done before the next player chooses.
            self.noted = before
        if press.button is Button.CONFIRM and not (press.long and session.over_it is None):
            shown, chosen = [self.make_screen(language) for language in Language.all()], session._cursor.chosen
            chosen = shown[0].chosen if shown[0].choices else chosen  # hands hide a question, which stays
            words = [screen.choices[chosen] for screen in shown if screen.choices]
            self.noted = len(session.history.past), words, self._taken(chosen)
        elif press == Press(Button.BACK, True, press.at_s):
            self.noted = UNDONE
        super().press(press)
        if press.button is not Button.CONFIRM:
            self.noted = None

    def choose(self, by: int) -> None:
        self.noted = None
        super().choose(by)

    def _taken(self, chosen: int) -> Any:
        """Return what confirm takes, as a record's line; ``None`` where it settles what lies there, or asks further."""
        session = self.session
        if session.over_it is not None:
            return session.over_it
        if session.entered_moves:
            move = session.entered_moves[chosen][1]
            return move if isinstance(move, Question) else move.to_json()
        if (question := session.judge.question) is not None:
            verdict = question.choices[chosen].verdict
            return verdict.move.to_json() if isinstance(verdict, Accepted) and verdict.move else verdict
        return None


class Evening:
    """A table with its page, somebody at the buttons, and two phones, in rounds of a few presses each."""

    def __init__(self, state: Path, seed: int, page: type[TablePage]) -> None:
        may(state, "all")
        self.dice, self.now_s = random.Random(seed), 0.0
        self.sock = listening("127.0.0.1", 0)
        self.page = page(state, self.sock)
        self.key = PageKey(state).value()
        self.presses: list[Press] = []
        self.entered: list[str] = []
        self.wrong: list[str] = []
        equipment: Any = SimpleNamespace(
            buttons=SimpleNamespace(take_presses=self._pressed, list_faults=lambda: ()),
            dimmer=Dimmer(),
            display=SimpleNamespace(show=lambda state: None),
            signals=SimpleNamespace(follow=lambda state: None),
            page=self.page,
            hall=None,
            clock=lambda: self.now_s,
        )
        settings: Any = SimpleNamespace(language=Language.EN)
        self.navigator = Navigator(equipment, settings, Notifier({}), lambda: None, lambda: None)  # type: ignore[arg-type, return-value]
        for what in ("press", "answer"):
            self.navigator.answers[what] = self._checked(what, self.navigator.answers[what])
        self.phones = [ThreadPoolExecutor(1), ThreadPoolExecutor(1)]
        self.lines = [http.client.HTTPConnection(*self.sock.getsockname(), timeout=30) for _ in self.phones]

    def close(self) -> None:
        for phone in self.phones:
            phone.shutdown()
        self.page.close()
        self.sock.close()

    # The table

    def begin(self) -> None:
        """Begin a game in the middle: an auction, or a turn of which a hand may be short of confirming."""
        dice = self.dice
        self.watched = Watched()
        laid = [(1, "H6")] if dice.random() < 0.5 else []
        self.session, self.seen = auction(dice.choice((0, 1, 3, 4, 5))) if dice.random() < 0.6 else turn(laid)
        self.session.log.keep = self._kept
        self.playing = Noted(self.session, self.watched, lambda: self.now_s)
        self.navigator.enter(self.playing)
        self.navigator.run_round()
        self.hear(ReadingStarted(), Seen(self.seen))

    def hear(self, *news: Any) -> None:
        """Hear the camera's news, and run a round of the program."""
        self.now_s += 0.2
        self.watched.looked_s = self.now_s
        self.watched.unheard += news
        self.navigator.run_round()

    def _pressed(self) -> list[Press]:
        presses, self.presses = self.presses, []
        return presses

    def _kept(self, entry: Entry) -> None:
        """Check that what is entered is what the last press has confirmed."""
        noted, turn = self.playing.noted, len(self.session.history.past)
        self.entered.append(entry.kind)
        if entry.kind == UNDO:
            menu = isinstance(noted, tuple) and noted[0] >= turn and "back" in str(noted[1])
            right = noted == UNDONE or menu
        elif entry.kind == MOVE:
            right = isinstance(noted, tuple) and noted[0] == turn and noted[2] in (None, entry.data["move"])
        else:
            return
        if not right:
            self.wrong.append(f"{entry} where {noted} was confirmed")

    # The phones

    def _checked(self, what: str, does: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def asked(data: Any) -> Any:
            came = does(data)
            choice = data["choice"] if what == "answer" else data.get("chosen") if data["button"] == "confirm" else None
            choice = None if what == "press" and data["long"] else choice
            if came.get("same") and choice is not None:
                noted = self.playing.noted
                if not isinstance(noted, tuple) or not {*data["of"][choice:][:1]} <= {*noted[1]}:
                    self.wrong.append(f"{what} {data} has confirmed {noted}")
            return came

        return asked

    def _send(self, line: http.client.HTTPConnection, method: str, address: str, told: Any = None) -> tuple[int, Any]:
        host, port = self.sock.getsockname()
        own = {"Cookie": f"{COOKIE}_{port}={self.key}", "Origin": f"http://{host}:{port}"}
        body = json.dumps(told) if told is not None else None
        line.request(method, address, body, {"Content-Type": "application/json", **own})
        answer = line.getresponse()
        said = answer.read()
        assert answer.headers["content-type"] == "application/json", (answer.status, said)
        return answer.status, json.loads(said)

    def _phone(self, line: http.client.HTTPConnection, dice: random.Random) -> list[int]:
        """Somebody who looks at a phone, then taps once or twice, some of it on what is older by then."""
        _, state = self._send(line, "GET", "/state.json")
        came = []
        for _ in range(dice.randint(1, 2)):
            of, chosen = state["choices"], state["chosen"]
            if of and dice.random() < 0.6:
                told: Any = {"choice": dice.randrange(len(of)), "of": of, "headline": state["headline"]}
                came.append(self._send(line, "POST", "/answer", told)[0])
                continue
            button = dice.choice(["confirm", "confirm", "up", "down", "back"])
            told = {"button": button, "long": dice.random() < 0.15}
            if dice.random() < 0.7:
                told |= {"of": of, "chosen": chosen, "turn": state["turn"]}
            came.append(self._send(line, "POST", "/press", told)[0])
        return came

    def round(self) -> list[int]:
        """Press a few times from everywhere, with a hand over the mat or none, and then leave the table still."""
        dice = self.dice
        self.begin()
        if dice.random() < 0.7:
            self.hear(Moving(frozenset({REST})))
        seeds = [random.Random(dice.random()) for _ in self.phones]
        waiting: list[Future[list[int]]] = [
            phone.submit(self._phone, line, seed)
            for phone, line, seed in zip(self.phones, self.lines, seeds, strict=True)
        ]
        while not all(one.done() for one in waiting):
            if dice.random() < 0.1:
                held = dice.random() < 0.15
                self.presses.append(Press(dice.choice((*Button, Button.CONFIRM, Button.CONFIRM)), held, self.now_s))
            self.navigator.run_round()
            time.sleep(0.001)
            if dice.random() < 0.05:
                self.hear(*dice.choice(([Moving(frozenset({REST}))], [ReadingStarted(), Seen(self.seen)])))
        self.hear(ReadingStarted(), Seen(self.seen))
        self.hear()
        return [status for one in waiting for status in one.result()]


def _play(state: Path, rounds: int, page: type[TablePage]) -> None:
    evening = Evening(state, 7, page)
    try:
        came = [status for _ in range(rounds) for status in evening.round()]
    finally:
        evening.close()
    assert not evening.wrong, evening.wrong
    assert set(came) == {200, 409}, "some are heard, and some come too late"
    assert evening.entered.count(MOVE) > rounds / 5, "much is entered"


def test_nothing_is_entered_that_was_not_chosen_when_it_was_confirmed(tmp_path: Path) -> None:
    _play(tmp_path, 20, ThreadedPage)


@pytest.mark.slow
def test_nothing_is_entered_that_was_not_chosen_in_a_thousand_rounds(tmp_path: Path) -> None:
    _play(tmp_path, 1000, TablePage)
