"""The demo: a whole game agrees with the table's truth, and a referee's fault would not go unnoticed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from device.errors import DeviceError
from device.hardware.camera import Picture
from device.hardware.display import FolderDisplay
from device.simulated.camera import Lens
from device.simulated.demo import DEFAULT_SEED, Demo, DisagreementError, Screens
from device.simulated.demo import demo as show_demo
from device.simulated.opening import PLAYERS
from device.simulated.truth import visible_shares
from device.speech import Language
from device.storage.recording import ButtonPressed, MoveTold, Recording
from referee.game import Referee
from referee.laminate.simulated.game import same_move
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from referee.placing import Placed
from referee.registry import referees
from referee.simulation import Attempt
from referee.table import Detections, Sighting
from rules.cards import Card
from rules.laminate.moves import Citation, Publish
from rules.seven_euchre.moves import Pass
from tests.device.seeing import perfect_view

LAYOUT = layout_for(3)
TINY = Lens(size=(640, 480))


class PerfectEye:
    """Reads the simulated table's truth; lies about the top discard from a given look on."""

    def __init__(self, demo: Demo, lies_from: int | None = None) -> None:
        self.demo, self.lies_from, self.looks = demo, lies_from, 0

    def look(self, picture: Picture) -> TableView:
        self.looks += 1
        view = perfect_view(self.demo.truth.lying, LAYOUT)
        if self.lies_from is not None and self.looks >= self.lies_from and view.discard_top is not None:
            wrong = next(c for c in map(Card.parse, ("H2", "O3")) if c != view.discard_top)
            return replace(view, discard_top=wrong)
        return view


def test_a_whole_game_is_refereed_shown_and_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    screens = FolderDisplay(tmp_path / "screens")
    demo = Demo(DEFAULT_SEED, Screens([screens], None), Language.EN, tmp_path / "recording", TINY)
    assert demo.play(PerfectEye(demo)) == 0
    said = capsys.readouterr().out
    assert "End Flag" in said
    assert "0 disagreements" in said
    moods = {path.stem.split("-")[1] for path in (tmp_path / "screens").glob("*.png")}
    assert {"waiting", "hands", "reading", "preview", "fault", "accepted", "refused", "finished"} <= moods
    recording = Recording.load(tmp_path / "recording")
    assert recording.header.players == PLAYERS
    assert sum(isinstance(event, ButtonPressed) for event in recording.events) > 40


def test_a_misread_card_ends_the_demo_loudly(tmp_path: Path) -> None:
    demo = Demo(DEFAULT_SEED, Screens([], None), Language.EN, lens=TINY)
    with pytest.raises(DisagreementError, match="on the table: move"):
        demo.play(PerfectEye(demo, lies_from=3))


def test_moves_are_the_same_whatever_the_order_of_their_cards() -> None:
    a, b = Card.parse("H7"), Card.parse("O7")
    move = Publish(1, "three", (a, b), (Citation(2, "three"),), {2: 1})
    assert same_move(move, Publish(1, "three", (b, a), (Citation(2, "five"),), {2: 1, 3: 0}))
    assert not same_move(move, Publish(1, "three", (a, b), (), {}))
    assert not same_move(move, Publish(2, "three", (a, b), (), {2: 1}))


def test_visible_shares_follow_what_lies_on_top() -> None:
    cards = [Placed("H7", 200, 200, 0), Placed("O7", 200, 220, 0), Placed("B7", 500, 500, 30)]
    shares = visible_shares(cards, (1189.0, 841.0))
    assert shares[0] == pytest.approx(20 / 88, abs=0.02)
    assert shares[1:] == [pytest.approx(1, abs=0.01)] * 2


class AnyEye:
    """Reads the simulated table's truth, whatever the game."""

    def __init__(self, demo: Demo, referee: Referee) -> None:
        self.demo, self.referee = demo, referee

    def look(self, picture: Picture) -> Any:
        cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in self.demo.truth.lying)
        return self.referee.observe(Detections(cards), self.demo._layout)


def test_a_game_of_told_and_settled_moves_is_refereed_and_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = Demo(8, Screens([], None), Language.EN, tmp_path, TINY, game="seven_euchre")
    eye = AnyEye(demo, referees()["seven_euchre"])
    for attempt in islice(demo.truth.attempts(), 45):
        demo._attempt(eye, attempt)
    demo._record.close()
    demo._record = None
    said = capsys.readouterr().out
    assert "passes." in said
    assert "wins; the trick goes to" in said
    told = [event for event in Recording.load(tmp_path).events if isinstance(event, MoveTold)]
    assert len(told) > 5
    truth = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert {line["by"] for line in truth if "expect" in line} == {"confirm", "told", "look"}
    wrong = Attempt(1, code="out_of_turn", told=Pass(demo._session.position.to_move or 1))
    with pytest.raises(DisagreementError):
        demo._attempt(eye, wrong)


def test_a_demo_of_no_game_is_one_sentence() -> None:
    with pytest.raises(DeviceError, match="There is no game 'whist'"):
        show_demo(None, True, None, None, (480, 320), Language.EN, "whist")


def test_the_pages_of_a_game_without_papers_are_shown_and_learnt(capsys: pytest.CaptureFixture[str]) -> None:
    demo = Demo(8, Screens([], None), Language.EN, game="seven_minutes")
    deck = demo._enrol()
    assert len(deck.names) == 50
    assert "Deck enrolled from 2 pages" in capsys.readouterr().out
