"""A game added by following docs/ADD_A_GAME.md: no other file changes, and it is played from pictures."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import referee
import rules
import ui
from cli.main import main
from device.capture.eye import card_reader
from device.capture.table_reader import TableReader
from device.hardware.buttons import Button
from device.session.session import Session
from device.storage.journal import Journal
from device.storage.opening import Opening
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.registry import load_referees
from referee.simulation import is_right
from referee.simulation.registry import simulation_of
from referee.table import Detections, Sighting
from referee.verdict import Accepted, Refused
from rules.cards import DECK, Card
from rules.record import check_record
from rules.registry import load_games
from rules.text import Language
from simulator.camera import SimulatedCamera
from tests.decks import reference_deck
from tests.rules import test_conformance as conformance
from ui.screen_state import Mood

GUIDE = Path(__file__).parents[1] / "docs" / "ADD_A_GAME.md"
ROOMS = {"rules": rules, "referee": referee, "ui": ui}
PLAYERS = ("Ada", "J. Hilbert", "Noether")


def _files() -> dict[str, str]:
    """Every file of the guide by its name, in the order in which the reader writes them."""
    return dict(re.findall(r"```(?:python|json) (\S+)\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.S))


@contextmanager
def _written(folder: Path, monkeypatch: pytest.MonkeyPatch, last: str) -> Iterator[None]:
    """Write the files of the guide up to that one, in a folder where the rooms find them too."""
    files = _files()
    for name in list(files)[: list(files).index(last) + 1]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[name], encoding="utf-8")
    for name, room in ROOMS.items():
        monkeypatch.setattr(room, "__path__", [*room.__path__, str(folder / name)])
    load_games.cache_clear()
    load_referees.cache_clear()
    yield
    for module in [name for name in sys.modules if ".highest" in name]:
        del sys.modules[module]
    load_games.cache_clear()
    load_referees.cache_clear()


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All files of the guide."""
    with _written(tmp_path, monkeypatch, "ui/highest.py"):
        yield


def test_records_are_checked_once_the_rules_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with _written(tmp_path, monkeypatch, "highest.jsonl"):
        assert not (tmp_path / "referee").exists()
        assert main(["check", "--json", str(tmp_path / "highest.jsonl")]) == 1
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one.get("verdict") for one in verdicts] == ["accepted", "accepted", "refused", None]
    assert verdicts[2]["code"] == "out_of_turn"


class Table:
    """Cards of the reference deck laid on the mat of the small game, photographed and read."""

    def __init__(self) -> None:
        self.camera = SimulatedCamera(REFERENCE_MAT_MM, seed=3)
        self.layout = load_referees()["highest"].make_layout(3, REFERENCE_MAT_MM)
        self.laid: dict[int, list[str]] = {1: [], 2: [], 3: []}
        reader = card_reader()
        self.read = TableReader(reader, reference_deck(), load_referees()["highest"], self.layout)

    def look(self) -> object:
        """Read a picture of the table as it lies."""
        w, h = REFERENCE_MAT_MM
        cards = [Placed("back", w / 2, h / 2, 2.0)]
        for seat, names in self.laid.items():
            x0, y0, x1, y1 = self.layout.seat_rect(seat)
            for number, name in enumerate(names):
                turned = 180.0 if self.layout.faces_down(seat) else 0.0
                x = (x0 + x1) / 2 + 90 * (number - 1)
                cards.append(Placed(name, x, (y0 + y1) / 2, turned + 3.0 * (number - 1)))
        self.camera.show(cards)
        return self.read(self.camera.take_picture())


@pytest.mark.slow  # tests/device/test_made_up_game.py
def test_a_small_game_is_refereed_journalled_resumed_and_shown(added: None, tmp_path: Path) -> None:
    chance = random.Random(7)
    opening = Opening("highest", PLAYERS, {"first_seat": 2}, "deck 1")
    table = Table()
    with Journal.open(tmp_path) as journal:
        log = journal.begin(opening, Language.EN)
        session = Session.resume(opening.header, (), opening.layout, Language.EN, log.append)
        assert "draw pile" in session.make_screen().details[0]
        assert isinstance(session.confirm(table.look()), Accepted)
        cards = chance.sample([str(card) for card in DECK], 9)
        for number, card in enumerate(cards[:4]):
            seat = (1 + number) % 3 + 1
            table.laid[seat].append(card)
            session.see(table.look())
            assert session.make_screen().mood is Mood.PREVIEW
            verdict = session.press(Button.CONFIRM)
            assert isinstance(verdict, Accepted)
            assert str(verdict.move) == f"{seat} lay {card}"
        # The wrong player lays a card: refused with the rule, and put back.
        table.laid[1].append(cards[4])
        refused = session.confirm(table.look())
        assert isinstance(refused, Refused)
        assert refused.refusal.code == "out_of_turn"
        shown = session.make_screen()
        assert "J. Hilbert" not in shown.headline
        assert shown.headline == "It is not Ada's turn; Noether is to move."
        assert shown.put_back
        table.laid[1].remove(cards[4])
        session.see(table.look())
    with Journal.open(tmp_path) as journal:
        assert journal.going_on is not None
        kept = journal.going_on
        log = journal.resume(kept.number)
        again = Session.resume(kept.opening.header, log.entries, kept.opening.layout, kept.language, log.append)
        assert again.position == session.position
        assert again.position.seat == 3
        again.judge.undo()
        assert again.checking
        table.laid[2].remove(cards[3])
        again.see(table.look())
        assert not again.checking
        for number, card in enumerate(cards[3:], 3):
            seat = (1 + number) % 3 + 1
            table.laid[seat].append(card)
            assert isinstance(again.confirm(table.look()), Accepted)
        best = max(map(Card.parse, cards), key=lambda card: (card.rank, card.index))
        winner = next(seat for seat, names in table.laid.items() if str(best) in names)
        assert again.position.outcome.winners == (winner,)
        end = again.make_screen()
        assert (end.mood, end.ranking[0].name) == (Mood.FINISHED, PLAYERS[winner - 1])
        assert end.headline == f"{PLAYERS[winner - 1]} wins."
        *verdicts, final = check_record(again.history.write_record())
        assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
        assert final["winners"] == [winner]


def test_the_small_game_is_played_on_a_simulated_table(added: None) -> None:
    one = load_referees()["highest"]
    for players in range(2, 5):
        layout = one.make_layout(players, REFERENCE_MAT_MM)
        names, options = ("Ada", "Emmy", "Sofia", "Mary")[:players], {"first_seat": 2}
        simulation = simulation_of(one, names, options, layout, random.Random(players))
        state, moves = one.start(names, options), 0
        for attempt in simulation.play_game():
            simulation.straighten()
            seen = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in simulation.lying)
            verdict = one.judge(state, one.observe(Detections(seen), layout), layout)
            assert is_right(simulation, verdict, attempt)
            if attempt.code is not None:
                # A card went astray, and is put back.
                continue
            assert isinstance(verdict, Accepted)
            state, moves = verdict.after, moves + 1
        assert moves == 1 + 3 * players
        assert state.position.outcome.winners == simulation.position.outcome.winners


def test_the_small_game_conforms(added: None) -> None:
    conformance.test_random_play_comes_to_an_end("highest")
    conformance.test_the_same_seed_gives_the_same_game("highest")
    conformance.test_positions_are_saved_and_restored("highest")
    conformance.test_a_move_leaves_the_position_it_was_played_in_as_it_was("highest")
    conformance.test_moves_have_unique_and_readable_names("highest")
    conformance.test_nothing_hidden_is_in_the_public_view("highest")
