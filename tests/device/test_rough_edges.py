"""What a file may hold that nobody foresaw: each is one clear sentence in either language, soon, and exit code 2."""

from __future__ import annotations

import hashlib
import json
import os
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from cli.doctor import Level, check_journal, check_settings
from cli.main import main
from cli.run import RunOptions, _load_settings
from device.settings.settings_file import change_setting, load_settings
from device.settings.values import Settings
from device.speech import Language
from device.storage.deck_store import DeckShelf
from device.storage.game_file import find_game, read_content, rewrite, seal, seal_content
from device.storage.journal import Journal
from device.storage.recording import RecordingWriter
from referee.history import Entry
from referee.laminate.view.layouts import layout_for
from referee.registry import load_referees
from tests.cli.test_cli import one_sentence
from tests.cli.test_games import played
from tests.device.openings import header, opening
from tests.vision.identify.test_deck import small_deck

PLAYERS = ("Hilbert", "Banach", "Noether")
DEEP = 3000


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    """Whatever it is, the answer comes within seconds, and never from the last catch-all."""
    os.environ["SEVENMAT_DEBUG"] = "1"
    began = time.process_time()
    yield
    assert time.process_time() - began < 5
    del os.environ["SEVENMAT_DEBUG"]


def said_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the one sentence that a command ends with, in English; in Japanese there is one too."""
    assert main([*words, "--language", "ja"]) == 2
    japanese = one_sentence(capsys)
    assert any("ぁ" <= letter <= "ヿ" for letter in japanese)
    assert main([*words, "--language", "en"]) == 2
    english = one_sentence(capsys)
    assert len(english) < 620
    return english


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    writer = RecordingWriter(tmp_path / "rec", header(PLAYERS, 1), layout_for(3))
    writer.write_frame(0.0, b"jpeg")
    writer.close()
    return tmp_path / "rec"


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[" * DEEP + "]" * DEEP, "line 2: it is nested far too deeply."),
        ('{"a":' * DEEP + "1" + "}" * DEEP, "line 2: it is nested far too deeply."),
        ('{"t":1' + "0" * 400 + ',"button":"confirm"}', "line 2: 't' must be a time in seconds"),
        ('{"t":' + "9" * 5000 + ',"button":"confirm"}', "line 2: a number in it has far too many digits."),
        ('{"t":1e999,"button":"confirm"}', "line 2: the number 1e999 is too large."),
        ('{"t":-1,"button":"confirm"}', "line 2: 't' must be a time in seconds"),
        (r'{"t":1,"frame":"a\u0000b"}', "line 2: 'frame' must be a file's name."),
        (r'{"t":1,"frame":"\ud800"}', "line 2: it holds half a character."),
        (r'{"t":1,"frame":"\u001b[2J"}', "line 2: 'frame' must be a file's name."),
        ('{"t":1,"frame":"' + "a" * 5000 + '"}', "line 2: the frame 'aaaa"),
        ('{"t":1,"button":"' + "a" * 5000 + '"}', "line 2: there is no button 'aaaa"),
        ('{"t":1,"button":"confirm","held":"' + "a" * 5000 + '"}', "line 2: 'held' must be true or false, not 'aaaa"),
    ],
)
def test_6_odd_lines_of_a_timeline(recording: Path, line: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with (recording / "timeline.jsonl").open("a") as timeline:
        timeline.write(line + "\n")
    assert words in said_of(capsys, "replay", str(recording), "--deck", "mine")


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_7_a_time_that_is_no_number(
    recording: Path, constant: str, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with (recording / "timeline.jsonl").open("a") as timeline:
        timeline.write(f'{{"t":{constant},"button":"confirm"}}{end}')
    assert f"line 2: {constant} is no number in JSON" in said_of(capsys, "replay", str(recording), "--deck", "mine")


def test_6_links_that_lead_in_a_circle_are_no_frame(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recording / "one").symlink_to("other")
    (recording / "other").symlink_to("one")
    with (recording / "timeline.jsonl").open("a") as timeline:
        timeline.write('{"t":1,"frame":"one"}\n')
    assert "the frame 'one' is missing" in said_of(capsys, "replay", str(recording), "--deck", "mine")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "a" * 5000}, f"the game must be {' or '.join(map(repr, load_referees()))}, not 'aaaa"),
        ({"seats": "a" * 5000}, "'seats' is 'aaaa"),
        ({"entries": [{"kind": "move", "data": {}}, 1]}, "'entries': an entry has a 'kind' and its 'data'"),
    ],
)
def test_6_odd_headers_of_a_recording(
    recording: Path, change: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    header = recording / "recording.json"
    header.write_text(json.dumps({**json.loads(header.read_text()), **change}))
    assert words in said_of(capsys, "replay", str(recording), "--deck", "mine")


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["\x1b[31mred", "a\nb", "\u202eabc", "a\x7f", "a\x85b", "a" * 101, "\u2066a", " "])
def test_7_names_with_control_characters_are_refused_in_a_recording(
    recording: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    header = recording / "recording.json"
    header.write_text(json.dumps({**json.loads(header.read_text()), "players": [name, "Banach", "Noether"]}))
    assert "'players' must be a list of names" in said_of(capsys, "replay", str(recording), "--deck", "mine")


def test_7_names_with_control_characters_are_refused_at_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "--state", str(tmp_path), "--players", "A\x1b[2J\u202e,B,C"]
    assert main(words) == 2
    said = one_sentence(capsys)
    assert "are not two to five different names" in said
    assert said.isprintable()


@pytest.mark.parametrize("name", ["recording.json", "timeline.jsonl"])
def test_6_a_recording_that_never_ends(recording: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (recording / name).unlink()
    (recording / name).symlink_to("/dev/zero")
    assert "it is no file" in said_of(capsys, "replay", str(recording), "--deck", "mine")
    (recording / name).unlink()
    with (recording / name).open("wb") as file:
        file.truncate(17_000_000)
    assert "far too large" in said_of(capsys, "replay", str(recording), "--deck", "mine")


# Entries of wrong types, in a recording and in a journal

GOOD = played(5, 6)
MOVE = played(5, 7)[6].data


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Entry("move", {"move": 7}), "no JSON object"),
        (Entry("move", {}), "no JSON object"),
        (Entry("move", {**MOVE, "thanks": []}), "'thanks'"),
        (Entry("move", {**MOVE, "thanks": {"9": 1}}), "'thanks'"),
        (Entry("move", {**MOVE, "thanks": {"1": "a"}}), "'thanks'"),
        (Entry("move", {**MOVE, "shown": [1]}), "'shown'"),
        (Entry("move", {**MOVE, "shown": {"1": 2}}), "'shown'"),
        (Entry("move", {**MOVE, "peeping": {"a": 1}}), "'peeping'"),
        (Entry("move", {**MOVE, "peeping": [["H7"]]}), "'peeping'"),
        (Entry("move", {**MOVE, "move": {"seat": 1, "do": "pass"}}), "the rules refuse its move"),
        (Entry("noticed", {}), "'thanks'"),
        (Entry("correction", {"agreed": 1}), "'agreed'"),
        (Entry("correction", {"agreed": {"position": []}}), "'position'"),
        (Entry("correction", {"agreed": {"position": {"papers": 1, "known": [["either", 1, 2]]}}}), "'position'"),
        (Entry("named", {"name": ["H7"], "place": "discard", "x": 1, "y": 1}), "no card ['H7']"),
        (Entry("named", {"name": "three/upside", "place": "discard", "x": 1, "y": 1}), "no card 'three/upside'"),
        (Entry("named", {"name": "H7", "place": 1, "x": 1, "y": 1}), "'place'"),
        (Entry("named", {"name": "H7", "place": "discard", "x": 10**400, "y": 1}), "'x'"),
        (Entry("name_dropped", {}), "no card None"),
        (Entry("redo", {}), "nothing to put back"),
        (Entry("f\x1bight", {}), r"no kind 'f\x1bight'"),
    ],
)
def test_6_entries_of_wrong_types(entry: Entry, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = [*GOOD, entry]
    RecordingWriter(tmp_path / "rec", header(PLAYERS, 2), layout_for(3), entries=entries).write_frame(0.0, b"jpeg")
    small_deck().save(tmp_path / "decks" / "mine.deck")
    said = said_of(capsys, "replay", str(tmp_path / "rec"), "--deck", "mine", "--state", str(tmp_path))
    assert "do not follow from each other" in said
    assert words in said
    with Journal.open(tmp_path) as journal:
        journal.begin(opening(PLAYERS, 2), Language.EN, GOOD)
        journal.begin(opening(PLAYERS, 2), Language.EN, entries)
    for how in (["show", "2"], ["export", "2", str(tmp_path / "out.jsonl")], ["resume", "2"]):
        assert main(["games", *how, "--language", "en", "--state", str(tmp_path)]) == 2
        said = capsys.readouterr().err
        assert "beyond its entry 7" in said
        assert words in said
    assert main(["games", "--language", "en", "--state", str(tmp_path)]) == 0
    good, bad = capsys.readouterr().out.splitlines()
    assert "to move" in good
    assert "can't be followed" in bad


@pytest.mark.few(3)
@pytest.mark.parametrize("data", ["7", "[" * DEEP, "x", '{"a":NaN}', r'{"a":"\ud800"}', "[]", "9" * 5000])
def test_6_entries_that_are_no_objects(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(opening(PLAYERS, 2), Language.EN, GOOD[:2])
        number = journal.begin(opening(PLAYERS, 2), Language.EN).game
        lines = find_game(tmp_path, number).lines
        rewrite(tmp_path, number, [*lines, seal(number, lines, b'"kind":"move","data":%b' % data.encode())])
    state = ["--state", str(tmp_path)]
    assert "Game 2 can't be read beyond its entry 1" in said_of(capsys, "games", "show", "2", *state)
    assert main(["games", "--language", "en", *state]) == 0
    good, bad = capsys.readouterr().out.splitlines()
    assert "to move" in good
    assert "can't be followed" in bad


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"opening": []}, 0),
        ({"opening": "[]"}, 0),
        ({"opening": None}, 0),
        ({"opening": {"players": ["A", "B", "C"]}}, 0),
        ({"opening": {**opening(PLAYERS).to_json(), "players": ["\x1b[2J", "B", "C"]}}, 0),
        ({"opening": {**opening(PLAYERS).to_json(), "first_seat": 9}}, 0),
        ({"opening": {**opening(PLAYERS).to_json(), "mat_mm": 7}}, 0),
        ({"opening": {**opening(PLAYERS).to_json(), "game": "whist"}}, 0),
        ({"at": "yesterday"}, 0),
        ({"at": "0001-01-01T00:00:00"}, 0),
        ({"at": 7}, 0),
        ({"language": None}, 0),
        ({"language": ["en"]}, 0),
        ({"language": 7}, 1),
        ({"at": "never", "result": {"points": [1, 2, 3], "winners": [1]}}, 1),
        ({"at": "2026-11-01T00:00:00", "result": {"points": [1], "winners": []}}, 1),
        ({"at": "2026-11-01T00:00:00", "result": {"points": [1, 2, "3"], "winners": []}}, 1),
        ({"at": "2026-11-01T00:00:00", "result": []}, 1),
        ({"flight": True}, 1),
    ],
)
def test_6_a_game_of_another_version_leaves_the_others_alone(
    change: dict[str, Any], line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(opening(PLAYERS, 2), Language.EN, GOOD)
        journal.begin(opening(PLAYERS, 2), Language.EN)
        lines = find_game(tmp_path, 2).lines
        changed = {name: value for name, value in read_content(lines[0]).items() if name not in ("sum", "n")}
        first = seal_content(2, [], {**changed, **change} if line == 0 else changed)
        rewrite(tmp_path, 2, [first, *([seal_content(2, [first], change)] if line else [])])
        assert [kept.number for kept in journal.list_games()] == [1]
        assert journal.list_unreadable() == (2,)
        assert journal.going_on is None
    state = ["--state", str(tmp_path)]
    for how in (["show", "2"], ["export", "2", str(tmp_path / "out")], ["resume", "2"]):
        assert "Game 2 can't be read" in said_of(capsys, "games", *how, *state)
    assert check_journal(tmp_path).level is Level.WARN
    assert main(["games", "--json", *state]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["state"], second["state"]) == ("play", "unreadable")
    assert main(["games", "delete", "2", "--yes", *state]) == 0
    assert check_journal(tmp_path).level is Level.OK


def test_6_a_game_number_larger_than_any(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal.open(tmp_path).close()
    for number in (2**63, 10**30):
        assert f"no game {number}" in said_of(capsys, "games", "show", str(number), "--state", str(tmp_path))


# Settings


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\nlanguage = " + "[" * DEEP, "line 2: brackets are nested far too deeply."),
        ("language = " + "[" * DEEP + "]" * DEEP, "line 1: brackets are nested far too deeply."),
        ("\n\n[camera]\nexposure = " + "9" * 5000, "line 4: a number has far too many digits."),
        ("[camera]\nexposure = " + "9" * 400, "line 2: camera.exposure must be a number from 1 to 1000000, not 999"),
        ("[camera]\nrotation = 0x" + "f" * 5000, "line 2: camera.rotation must be 0, 90, 180 or 270, not …"),
        ("[camera]\nrotation = " + "[" * 400 + "]" * 400, "line 2: camera.rotation must be 0, 90, 180 or 270, not "),
        (f'language = "{"a" * 5000}"', 'line 1: language must be auto, ja or en, not "aaaa'),
        ("a" * 5000 + " = 1", "line 1: there is no setting 'aaaa"),
        (r'"\u001b[2J\u0000" = 1', r"line 1: there is no setting '\u001b[2J\u0000'"),
        ('language = "\u202e"', r'line 1: language must be auto, ja or en, not "\u202e"'),
        ("".join(f"key{number} = 1\n" for number in range(5000)), "line 1: there is no setting 'key0'"),
        ("#" * 100_001, "far too large: it may have 100 kB at most."),
    ],
    ids=range(12),
)
def test_6_odd_settings(text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").write_text(text)
    assert words in said_of(capsys, "settings", "--state", str(tmp_path))
    settings, trouble = _load_settings(RunOptions(tmp_path, service=True))
    assert settings == Settings()
    assert trouble is not None
    assert str(trouble).isprintable()
    assert trouble.said(Language.JA).isprintable()
    assert check_settings(tmp_path)[0] == Settings()
    assert check_settings(tmp_path)[1].level is Level.FAULT


@pytest.mark.parametrize("text", ["a = " + "[" * DEEP, "a = " + "9" * 5000])
def test_6_the_doctor_goes_on_with_odd_settings(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").write_text(text)
    words = ["doctor", "--no-buttons", "--camera", "hologram", "--display", "dummy", "--json", "--state", str(tmp_path)]
    assert main(words) == 1
    found = {line["check"]: line["level"] for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["settings"] == "fault"
    assert list(found)[-1] == "camera"


def test_6_settings_that_never_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").symlink_to("/dev/zero")
    assert "it is no file" in said_of(capsys, "settings", "--state", str(tmp_path))
    (tmp_path / "settings.toml").unlink()
    os.mkfifo(tmp_path / "settings.toml")
    assert "it is no file" in said_of(capsys, "settings", "--state", str(tmp_path))
    assert _load_settings(RunOptions(tmp_path, service=True))[0] == Settings()


def test_6_a_line_of_blanks_in_the_settings_is_changed_as_soon(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('language = "ja"' + " " * 20_000 + "# ours\n" + " " * 20_000 + "\n")
    change_setting(tmp_path, "language", "en")
    assert load_settings(tmp_path).language == "en"
    assert (tmp_path / "settings.toml").read_text().split("\n")[0].endswith(" # ours")


# Deck files

NPY = b"\x93NUMPY\x01\x00v\x00"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "member",
    [
        b"",
        b"text",
        NPY[:6],
        NPY + b"{'descr': '<f4', 'fortran_order': " + b"(" * 84,
        NPY + b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }".ljust(117) + b"\n",
    ],
    ids=["empty", "text", "cut", "brackets", "huge"],
)
def test_6_a_deck_file_damaged_inside_with_a_right_digest(
    member: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "decks" / "mine.deck"
    small_deck().save(path)
    head, _, body = path.read_bytes().partition(b"\n")
    packed = BytesIO()
    with zipfile.ZipFile(BytesIO(body)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, member if name == "embedding.npy" else old.read(name))
    line = {**json.loads(head), "sha256": hashlib.sha256(packed.getvalue()).hexdigest()}
    path.write_bytes(json.dumps(line).encode() + b"\n" + packed.getvalue())
    _is_said_of_the_deck(path, tmp_path, capsys)


def _is_said_of_the_deck(path: Path, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = ["--state", str(state)]
    assert "damaged" in said_of(capsys, "decks", "show", "mine", *there)
    assert "damaged" in said_of(capsys, "decks", "import", str(path), "--as", "other", *there)
    assert main(["decks", "--language", "en", *there]) == 1
    assert "damaged" in capsys.readouterr().out
    assert DeckShelf(state).list_names() == ["mine"]


def test_6_a_deck_file_that_never_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = said_of(capsys, "decks", "import", "/dev/zero", "--state", str(tmp_path))
    assert "no deck file" in said


def test_7_files_that_are_only_listed_are_named_without_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_deck().save(tmp_path / "decks" / "mine.deck")
    small_deck().save(tmp_path / "decks" / "\x1b[2J\u202e\n\udc80.deck")
    assert main(["decks", "--language", "en", "--state", str(tmp_path)]) == 1
    odd, good, *_printed = capsys.readouterr().out.splitlines()
    assert odd.startswith(r"\u001b[2J\u202e\n\udc80")
    assert "can't be a deck's name" in odd
    assert good.split() == ["mine", "4", "faces"]
    assert main(["decks", "--json", "--state", str(tmp_path)]) == 1
    line, _ = capsys.readouterr().out.splitlines()
    assert json.loads(line)["deck"] == "\x1b[2J\u202e\n\ufffd", "half a character is no Unicode"


# Names of files on the command line

LONG = "a" * 5000


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "words",
    [
        ["replay", LONG, "--deck", "mine"],
        ["replay", "\x1b[2J\n", "--deck", "mine"],
        ["replay", "\udc80", "--deck", "mine"],
        ["decks", "import", LONG],
        ["decks", "import", "\x1b[2J\n"],
        ["decks", "export", "mine", LONG],
        ["decks", "show", LONG],
        ["decks", "show", "\x1b[2J\n"],
        ["read", LONG, "--deck", "mine"],
        ["read", "\x1b[2J\n\u202e", "--deck", "mine"],
        ["games", "export", "1", LONG],
        ["games", "export", "1", "\x1b[2J\n/a"],
    ],
    ids=range(12),
)
def test_7_names_on_the_command_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    small_deck().save(tmp_path / "decks" / "mine.deck")
    with Journal.open(tmp_path) as journal:
        journal.begin(opening(PLAYERS, 2), Language.EN, GOOD)
    said = said_of(capsys, *words, "--state", str(tmp_path))
    assert said.isprintable()


def test_6_what_is_no_file_is_not_replaced_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_deck().save(tmp_path / "decks" / "mine.deck")
    with Journal.open(tmp_path) as journal:
        journal.begin(opening(PLAYERS, 2), Language.EN, GOOD)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in (["games", "export", "1", str(pipe)], ["decks", "export", "mine", str(pipe), "--replace"]):
        assert "is no file" in said_of(capsys, *words, "--state", str(tmp_path))
    assert "is no file" in said_of(capsys, "print", "markers", str(pipe))
    assert pipe.is_fifo()


def test_6_a_state_folder_of_a_name_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["games"], ["settings"], ["decks", "show", "mine"], ["games", "show", "1"]):
        said_of(capsys, *words, "--state", f"/tmp/{LONG}")
