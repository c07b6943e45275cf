"""``sevenmat games``: what the journal holds, in words, as records, and in both languages."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from unittest.mock import Mock, call

import pytest

from cli.main import main
from device.session.session import Session
from device.speech import Language
from device.storage.journal import Journal
from device.storage.opening import Result
from referee.game import Named
from referee.history import Entry, History, named_entry
from referee.laminate.expected_layout import Agreed
from referee.laminate.referee import REFEREE
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.view.layouts import layout_for
from referee.verdict import Accepted
from rules.laminate.game import as_seen
from rules.laminate.play import deal, random_move
from rules.laminate.position import Phase, Position
from tests.cli.test_cli import one_sentence
from tests.device.openings import begun, opening
from tests.device.seeing import perfect_view

PLAYERS = ("Hilbert", "Banach", "Noether")
OPENING = opening(PLAYERS, 2, "ours")


def played(seed: int, moves: int | None = None) -> list[Entry]:
    """Return the entries of a game played at random, to its end or for that many moves."""
    chance = random.Random(seed)
    true, history = Position.start(PLAYERS, 2), History.start(REFEREE, PLAYERS, {"first_seat": 2})
    entries: list[Entry] = []
    while true.phase is not Phase.OVER and (moves is None or len(entries) < moves):
        move = deal(3, chance) if true.phase is Phase.SETUP else random_move(true, chance)
        true = true.do(move)
        shown = as_seen(move)
        entry = history.move_entry(shown, Agreed(history.now.position.do(shown)))
        history = history.apply_entry(entry)
        entries.append(entry)
    return entries


@pytest.fixture(scope="module")
def whole_game() -> list[Entry]:
    return played(3)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, whole_game: list[Entry]) -> Path:
    state = tmp_path_factory.mktemp("written")
    with Journal.open(state) as journal:
        over = journal.begin(OPENING, Language.EN, whole_game)
        outcome = _history(whole_game).now.position.outcome
        assert outcome is not None
        over.end(Result(outcome.points, outcome.winners))
        journal.begin(OPENING, Language.JA, played(4, 9))
        corrected = played(5, 6)
        agreed = _history(corrected).now.to_json()
        corrected += [
            named_entry("named", Named("H7", "discard", 600.0, 420.0)),
            named_entry("named", Named("three/review", "seat:1", 200.0, 700.0)),
            named_entry("name_dropped", Named("H7", "discard", 600.0, 420.0)),
            Entry("undo", {}),
            Entry("redo", {}),
            Entry("undo", {}),
            Entry("correction", {"agreed": agreed}),
            Entry("noticed", {"thanks": {}}),
        ]
        journal.begin(OPENING, Language.EN, corrected)
    return state


@pytest.fixture
def state(tmp_path: Path, written: Path) -> Path:
    """Game 1 is over, game 2 goes on, game 3 has corrections by hand."""
    return shutil.copytree(written, tmp_path / "state")


def _history(entries: list[Entry]) -> History:
    history = History.start(REFEREE, PLAYERS, {"first_seat": 2})
    for entry in entries:
        history = history.apply_entry(entry)
    return history


def run(capsys: pytest.CaptureFixture[str], state: Path, *words: str, code: int = 0) -> list[str]:
    language = () if "--language" in words else ("--language", "en")
    assert main(["games", *words, *language, "--state", str(state)]) == code
    said = capsys.readouterr()
    assert said.err == ""
    return said.out.splitlines()


def test_a_resumed_session_is_where_the_stopped_one_was(tmp_path: Path) -> None:
    layout = layout_for(3)
    game = SimulatedGame(PLAYERS, layout, random.Random(285))
    session = begun(PLAYERS, 1, layout)
    with Journal.open(tmp_path) as journal:
        log = journal.begin(opening(PLAYERS), Language.JA)
        session.log.keep = log.append
        turns = 0
        for attempt in game.play_game():
            view = perfect_view(game.table, layout)
            if attempt.unconfirmed:
                session.see(view)
            else:
                turns += isinstance(session.confirm(view), Accepted)
            if turns == 25:
                break
    with Journal.open(tmp_path) as journal:
        kept = journal.going_on
        assert kept is not None
        entries = journal.resume(kept.number).entries
        again = Session.resume(kept.opening.header, entries, kept.opening.layout, kept.language)
    assert again.log.entries == session.log.entries
    assert again.agreed.to_json() == session.agreed.to_json()
    assert again.position == session.position
    assert again.history.write_record() == session.history.write_record()
    assert again.screens.language is Language.JA


def test_the_list(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = run(capsys, state)
    assert run(capsys, state, "list") == [first, second, third]
    assert first.split()[0] == "1"
    assert "★" in first
    assert first.endswith("over")
    assert second.endswith("to move")
    assert third.endswith("(the game to go on with)")
    assert run(capsys, state, "--language", "ja")[2].endswith("（次に続けるゲーム）")


def test_the_list_as_json(state: Path, capsys: pytest.CaptureFixture[str], whole_game: list[Entry]) -> None:
    first, second, third = map(json.loads, run(capsys, state, "--json"))
    outcome = _history(whole_game).now.position.outcome
    assert outcome is not None
    assert (first["state"], first["points"], first["winners"]) == ("over", [*outcome.points], [*outcome.winners])
    assert (second["state"], second["winners"], second["goes_on"]) == ("play", None, False)
    assert second["to_move"] in (1, 2, 3)
    assert (third["players"], third["deck"], third["goes_on"]) == ([*PLAYERS], "ours", True)


def test_an_empty_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "new"
    assert run(capsys, state, "--json") == []
    assert run(capsys, state) == ["There are no games in the journal."]
    assert main(["games", "show", "1", "--state", str(state), "--language", "en"]) == 2
    assert "no game 1" in one_sentence(capsys)
    assert not state.exists(), "looking into a journal begins none"
    Journal.open(state).close()
    assert run(capsys, state) == ["There are no games in the journal."]


def test_a_game_that_was_stopped_before_its_end_was_written(
    tmp_path: Path, whole_game: list[Entry], capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(OPENING, Language.EN, whole_game)
    (line,) = run(capsys, tmp_path)
    assert "★" in line


def test_a_game_in_words(state: Path, capsys: pytest.CaptureFixture[str], whole_game: list[Entry]) -> None:
    head, *lines = run(capsys, state, "show", "1")
    assert head.split()[0] == "1"
    assert len(lines) == len(whole_game)
    assert "The cards are dealt" in lines[0]
    assert all(line.split()[0] == str(number) for number, line in enumerate(lines, 1))
    assert any("publishes" in line for line in lines)
    japanese = run(capsys, state, "show", "1", "--language", "ja")
    assert "準備ができました" in japanese[1]
    assert len(japanese) == len(lines) + 1


def test_corrections_in_words(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, state, "show", "3")[7:]
    assert [line.split(maxsplit=1)[1].split(":")[0] for line in lines] == [
        "Named by hand",
        "Named by hand",
        "Taken back",
        "Put back",
        "Taken back",
        "The position was set by hand from the table.",
    ]
    assert "heart 7" in lines[0]
    told = [json.loads(line) for line in run(capsys, state, "show", "3", "--json")]
    assert told[0]["move"] == {"do": "setup", "discard": told[0]["move"]["discard"]}
    assert [line["kind"] for line in told[6:]] == ["named", "named", "undo", "redo", "undo", "correction"]
    assert all(line["text"] and line["text_ja"] for line in told)


@pytest.mark.parametrize("number", ["1", "2", "3"])
def test_an_export_is_a_record_that_the_rules_accept(
    state: Path, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = state / "game.jsonl"
    assert run(capsys, state, "export", number, str(out)) == []
    assert main(["check", str(out), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == len(out.read_text(encoding="utf-8").splitlines())
    assert all(line["verdict"] == "accepted" for line in lines[:-1])
    if number == "1":
        with Journal.open(state) as journal:
            result = journal.read_game(1).result
        assert result is not None
        assert (lines[-1]["final"], lines[-1]["winners"]) == ([*result.points], [*result.winners])


def test_deleting_asks_first(state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["games", "delete", "2", "--state", str(state), "--language", "en"]) == 2
    assert "--yes" in one_sentence(capsys)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    asked = Mock(side_effect=["n", "", "yes"])
    monkeypatch.setattr("builtins.input", asked)
    for code in (1, 1, 0):
        run(capsys, state, "delete", "2", code=code)
    assert asked.call_args_list == [call("Delete game 2 (Hilbert, Banach, Noether)? [y/N] ")] * 3
    run(capsys, state, "delete", "1", "--yes")
    with Journal.open(state) as journal:
        assert [kept.number for kept in journal.list_games()] == [3]


def test_resuming_chooses_the_game_for_the_next_start(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Game 2 goes on" in run(capsys, state, "resume", "2")[0]
    with Journal.open(state) as journal:
        assert journal.going_on == journal.read_game(2)
    assert main(["games", "resume", "1", "--state", str(state), "--language", "en"]) == 2
    assert "Game 1 is over" in one_sentence(capsys)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "9"], "no game 9"),
        (["export", "9", "x.jsonl"], "no game 9"),
        (["delete", "9", "--yes"], "no game 9"),
        (["resume", "9"], "no game 9"),
        (["show"], "games show ID"),
        (["show", "1", "x.jsonl"], "games show ID"),
        (["export", "1"], "games export ID OUT.jsonl"),
        (["list", "1"], "games list'"),
        (["show", "one"], "--help"),
        (["burn", "1"], "--help"),
        (["export", "1", "no/such/folder/x.jsonl"], "can't be written"),
    ],
)
def test_wrong_use(state: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", *words, "--state", str(state), "--language", "en"]) == 2
    assert said in one_sentence(capsys)


def test_a_game_that_can_not_be_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(OPENING, Language.EN, [Entry("flight", {})])
    assert run(capsys, tmp_path)[0].endswith("can't be followed (the game to go on with)")
    assert main(["games", "resume", "1", "--state", str(tmp_path), "--language", "en"]) == 2
    assert "beyond its entry 1" in one_sentence(capsys)


def test_a_damaged_journal_is_said_so(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = state / "journal" / "00001.jsonl"
    path.write_bytes(b"no journal here" + path.read_bytes()[15:])
    assert main(["games", "--state", str(state), "--language", "en"]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3
    assert "The journal was damaged and is kept as journal-damaged-" in said.err
    assert "3 games recovered" in said.err
