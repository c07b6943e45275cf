"""Records, recordings and journals, damaged, with the commands that read them."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np

from cli.doctor import check_journal
from cli.main import main
from cli.replay import start_session
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.speech import Language
from device.storage.game_file import Lines, find_game, read_content, rewrite, seal, seal_content
from device.storage.journal import Journal
from device.storage.opening import Result
from device.storage.recording import RecordingWriter
from referee.game import Named
from referee.history import Entry, History, named_entry
from referee.laminate.referee import REFEREE
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from rules.cards import Card
from rules.laminate.game import Game
from rules.laminate.play import deal, random_move
from tests.device.evening import PLAYERS, Table, after
from tests.device.openings import header, opening
from tests.device.seeing import perfect_view
from tests.vision.identify.test_deck import small_deck
from tests.words import en
from tools.fuzz.judging import Call, choose_language, expect_error
from tools.fuzz.mutate import bend_value, damage, lines_mixed, spell_value

NAMES = PLAYERS[:3]
LAYOUT = layout_for(3)
FIRST_CARDS = tuple(map(Card.parse, ("T8", "H7", "O5", "C9")))


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))


# --- records


@cache
def _list_records() -> tuple[tuple[str, ...], ...]:
    """Play games at random, with all hands and without, and one with corrections by hand."""
    records = []
    for seed in range(3):
        chance = random.Random(seed)
        names = PLAYERS[: 3 + seed % 3]
        game = Game(names, 1 + chance.randrange(len(names)))
        game.play(deal(len(names), chance))
        while game.position.to_move is not None:
            game.play(random_move(game.position, chance))
        records += [tuple(game.write_record()), tuple(game.make_public().write_record())]
    return (*records, tuple(get_corrected()))


def call_check(chance: random.Random, folder: Path) -> list[Call]:
    """Call ``check`` with a record."""
    path = folder / "game.jsonl"
    lines = list(chance.choice(_list_records()))
    match chance.randrange(4):
        case 0:
            path.write_bytes(damage("\n".join(lines).encode(), chance))
        case 1:
            _write(path, lines_mixed(lines, chance))
        case _:
            at = chance.choice((0, chance.randrange(len(lines)), chance.randrange(min(4, len(lines)))))
            lines[at] = spell_value(bend_value(json.loads(lines[at]), chance), chance)
            _write(path, lines)
    return [Call(("check", str(path), *choose_language(chance, json_too=True)))]


# --- a game as journals and recordings hold it


@cache
def get_corrected() -> tuple[str, ...]:
    """Return the record of a game with corrections by hand."""
    history = History.start(REFEREE, NAMES, {"first_seat": 1})
    for entry in list_entries():
        history = history.apply_entry(entry)
    return tuple(history.write_record())


@cache
def _play_late() -> Table:
    """Play a game in which a publication has just paid thanks; nobody may change it."""
    return after(12, seed=285, thanks=True)


@cache
def list_entries() -> tuple[Entry, ...]:
    """Make a game's entries of every kind."""
    session = _play_late().session
    agreed = session.agreed.to_json()
    return (
        *session.log.entries,
        named_entry("named", Named("H7", "discard", 600.0, 420.0)),
        named_entry("named", Named("three/review", "seat:1", 200.0, 700.0)),
        named_entry("name_dropped", Named("H7", "discard", 600.0, 420.0)),
        Entry("undo"),
        Entry("redo"),
        Entry("undo"),
        Entry("correction", {"agreed": agreed}),
        Entry("noticed", {"thanks": {}}),
    )


# --- recordings


class _Views:
    """A reader that knows each picture by its grey level."""

    def __init__(self, views: Sequence[TableView]) -> None:
        self._views = views

    def __call__(self, picture: Picture) -> TableView:
        return self._views[min(len(self._views) - 1, round(float(picture.mean()) / 8))]


def _make_jpeg(number: int) -> bytes:
    return cv2.imencode(".jpg", np.full((480, 640, 3), number * 8, np.uint8))[1].tobytes()


def call_replay(chance: random.Random, folder: Path) -> list[Call]:
    """Call ``replay`` with a recording; the reader is replaced, all else is as it is."""
    views = _lay_recording(folder, within_a_game=chance.random() < 0.5)
    header, timeline = folder / "rec" / "recording.json", folder / "rec" / "timeline.jsonl"
    lines = timeline.read_text().splitlines()
    match chance.randrange(8):
        case 0:
            header.write_bytes(damage(header.read_bytes(), chance))
        case 1:
            timeline.write_bytes(damage(timeline.read_bytes(), chance))
        case 2:
            _write(timeline, lines_mixed(lines, chance))
        case 3:
            frame = folder / "rec" / "frames" / "000.jpg"
            frame.write_bytes(damage(frame.read_bytes(), chance))
        case 4 | 5:
            _write(header, [spell_value(bend_value(json.loads(header.read_text()), chance), chance)])
        case _:
            at = chance.randrange(len(lines))
            lines[at] = spell_value(bend_value(json.loads(lines[at]), chance), chance)
            _write(timeline, lines)
    words = (
        "replay",
        str(folder / "rec"),
        "--deck",
        "mine",
        "--state",
        str(folder),
        *choose_language(chance, json_too=True),
    )

    def replay_all() -> int:
        with (
            mock.patch("cli.replay.TableReader", return_value=_Views(views)),
            mock.patch("cli.replay.card_reader"),
        ):
            return main(list(words))

    return [Call(words, replay_all)]


def _lay_recording(folder: Path, within_a_game: bool) -> tuple[TableView, ...]:
    """Write a recording that is as it should be; returns what its pictures show, one for each grey level."""
    shutil.rmtree(folder / "rec", ignore_errors=True)
    if not (folder / "decks").exists():
        small_deck().save(folder / "decks" / "mine.deck")
    writer = RecordingWriter(folder / "rec", header(NAMES, 1), LAYOUT, entries=list_entries() if within_a_game else ())
    table = SimulatedTable(LAYOUT, random.Random(5))
    views = [_play_late().view] if within_a_game else []
    table.stack_draw(39)
    for card in FIRST_CARDS:
        table.lay_discard(card)
        views.append(perfect_view(table, LAYOUT, peeping=False))
    for number in range(len(views)):
        writer.write_frame(2.5 * number, _make_jpeg(number))
        presses = ((Button.CONFIRM, False), (Button.BACK, number == 2), (Button.DOWN, False), (Button.CONFIRM, False))
        for place, (button, held) in enumerate(presses):
            writer.write_button(2.5 * number + 1 + place / 4, button, held=held)
    writer.close()
    return tuple(views)


# --- journals


@cache
def _journal_files() -> dict[str, bytes]:
    """Return a journal, by the names of its files: pulling the plug leaves the same as closing it."""
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder)) as journal:
        for number in range(3):
            log = journal.begin(opening(NAMES, 1, "mine"), Language.JA, list_entries()[: 8 * number])
            for entry in list_entries()[8 * number :]:
                log.append(entry)
            if number == 1:
                log.end(Result((3, 15, 0), (2,)))
        paths = (path for path in Path(folder).rglob("*.jsonl"))
        return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


_KINDS = ("move", "undo", "redo", "correction", "named", "name_dropped", "thanks_taken")


def call_games(chance: random.Random, folder: Path) -> list[Call]:
    """Call ``games`` with a journal: its bytes damaged, or its lines changed and their sums made right again."""
    shutil.rmtree(folder)
    folder.mkdir()
    files = _journal_files()
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    if chance.random() < 0.4:
        for _ in range(chance.choice((1, 1, 2, 3))):
            name = chance.choice([*files])
            (folder / name).write_bytes(damage(files[name], chance))
    else:
        _change_lines(folder, chance)
    state = ("--state", str(folder), *choose_language(chance))
    number = str(chance.choice((1, 1, 1, 2, 3, 9, 10**30)))

    def call_doctor() -> None:
        finding = check_journal(folder)
        assert en(finding.found)

    def resume_game() -> None:
        """Resume the game as the app does, on to a look and the menus."""
        with Journal.open(folder) as journal:
            kept = (journal.going_on, *journal.list_games())
            number = next((game.number for game in kept if game is not None), 1)
            expect_error(lambda: _resume(journal, number))

    return [
        Call(("games", "list", *state)),
        Call(("games", "list", "--json", *state)),
        Call(("games", "show", number, *state)),
        Call(("games", "show", number, "--json", *state)),
        Call(("games", "export", number, str(folder / "out.jsonl"), *state)),
        Call((), call_doctor, "doctor"),
        Call((), resume_game, "resume at the table"),
        Call(("games", "resume", number, *state)),
        Call(("games", "delete", number, "--yes", *state)),
        Call(("games", "list", "--json", *state)),
    ]


def _resume(journal: Journal, number: int) -> None:
    log, kept = journal.resume(number), journal.read_game(number)
    recording = mock.Mock(entries=log.entries, header=kept.opening.header)
    recording.layout = kept.opening.layout
    session = start_session(recording, kept.language)
    session.see(_play_late().view)
    assert session.make_screen().mood
    session.press(Button.CONFIRM)
    session.press(Button.BACK, True)
    session.press(Button.CONFIRM, True)
    assert session.make_screen().mood
    assert session.history.write_record()


def _change_lines(state: Path, chance: random.Random) -> None:
    """Change what the lines hold, not how they fit together."""
    game = chance.randint(1, 3)
    held: list[Any] = [read_content(line) for line in find_game(state, game).lines]
    for line in held:
        del line["sum"], line["n"]
    odd = ("", "x", "null", "[]", "0", "1e999", "fr", "1-01-01", "9999-12-31T23:59:59+00:00", "2026-11-01", "\x1b[2J")
    if chance.random() < 0.35:
        match chance.randrange(4):
            case 0:
                held[0]["at"] = chance.choice(odd)
            case 1:
                held[0]["language"] = chance.choice(odd)
            case 2:
                held.append(
                    {"at": chance.choice(odd), "result": bend_value({"points": [3, 15, 0], "winners": [2]}, chance)}
                )
            case _:
                held[0] = bend_value(held[0], chance)
    else:
        for _ in range(chance.choice((1, 1, 2))):
            line = chance.choice([line for line in held[1:] if isinstance(line, dict) and "kind" in line])
            match chance.randrange(6):
                case 0:
                    line["kind"] = chance.choice((*_KINDS, "flight", ""))
                case 1:
                    line["data"] = chance.choice(odd)
                case 2:
                    held[held.index(line)] = bend_value(line, chance)
                case _:
                    line["data"] = bend_value(line["data"], chance)
    lines: Lines = []
    for one in held:
        text = _write_json(one, chance)
        body = text[1:-1] if isinstance(one, dict) else text
        lines.append(seal(game, lines, body.replace("\n", " ").encode()))
    rewrite(state, game, lines)
    if chance.random() < 0.1:
        head = chance.choice(({}, {"format": "x"}, {"format": 3, "going_on": chance.choice((-1, "1", 10**30, None))}))
        rewrite(state, 0, [seal_content(0, [], head)])


def _write_json(value: Any, chance: random.Random) -> str:
    return spell_value(value, chance).encode("utf-8", "replace").decode("utf-8")
