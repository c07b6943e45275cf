"""Recordings: what is written can be played, and every fault in one is named with file and line."""

from __future__ import annotations

import json
import random
from itertools import count
from pathlib import Path

import pytest

from device.errors import DeviceError
from device.hardware.buttons import Button
from device.storage.recording import ButtonPressed, FrameShown, Recording, RecordingWriter
from referee.laminate.view.layouts import layout_for
from rules.text import Language
from tests.device.lives import Say, lived
from tests.device.openings import header

PLAYERS = ("Hilbert", "Banach", "Noether")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    writer = RecordingWriter(tmp_path, header(PLAYERS, 2), layout_for(3, (1000.0, 700.0)))
    writer.write_frame(0.0, b"jpeg")
    writer.write_button(2.0, Button.CONFIRM)
    writer.close()
    writer.close()
    return tmp_path


def test_what_is_written_is_read(folder: Path) -> None:
    recording = Recording.load(folder)
    assert recording.header.players == PLAYERS
    assert recording.header.options["first_seat"] == 2
    assert recording.layout.mat_mm == (1000.0, 700.0)
    frame = folder / "frames" / "000.jpg"
    assert recording.events == (FrameShown(0.0, frame), ButtonPressed(2.0, Button.CONFIRM))
    assert frame.read_bytes() == b"jpeg"


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no folder"):
        Recording.load(tmp_path / "none")


@pytest.mark.parametrize("name", ["recording.json", "timeline.jsonl"])
def test_a_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(DeviceError, match=name):
        Recording.load(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "whist"}, "game"),
        ({"players": ["A", "B"]}, "3 to 5 different"),
        ({"players": ["A", "A", "B"]}, "different"),
        ({"players": "ABC"}, "list of names"),
        ({"seats": 4}, "'seats' is 4"),
        ({"first_seat": 4}, "first_seat"),
        ({"first_seat": True}, "first_seat"),
        ({"mat_mm": [1189]}, "mat_mm"),
        ({"mat_mm": ["a", "b"]}, "mat_mm"),
        ({"marker_mm": 0}, "marker_mm"),
        ({"entries": {}}, "entries"),
        ({"entries": [{"kind": "undo"}]}, "entries"),
        ({"entries": [{"kind": 1, "data": {}}]}, "entries"),
    ],
)
def test_faults_in_the_header(folder: Path, change: dict[str, object], words: str) -> None:
    header = folder / "recording.json"
    header.write_text(json.dumps({**json.loads(header.read_text()), **change}))
    with pytest.raises(DeviceError, match=words) as caught:
        Recording.load(folder)
    assert "\n" not in str(caught.value)
    assert caught.value.text.said(Language.JA)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"t":3.0,"frame":"frames/0', "no whole JSON"),
        ("[3]", "no JSON object"),
        ('{"frame":"frames/000.jpg"}', "'t' must be"),
        ('{"t":1.0,"button":"confirm"}', "backwards"),
        ('{"t":3.0,"button":"fire"}', "no button 'fire'"),
        ('{"t":3.0,"frame":"frames/001.jpg"}', "missing"),
        ('{"t":3.0,"frame":"../../etc/passwd"}', "outside"),
        ('{"t":3.0,"frame":7}', "file's name"),
        ('{"t":3.0}', "'frame', 'button' or 'told'"),
        ('{"t":3.0,"button":"confirm","held":1}', "'held' must be"),
    ],
)
def test_faults_in_the_timeline_name_their_line(folder: Path, line: str, words: str) -> None:
    with (folder / "timeline.jsonl").open("a") as timeline:
        timeline.write(line + "\n")
    with pytest.raises(DeviceError, match=words) as caught:
        Recording.load(folder)
    assert "line 3" in str(caught.value)


@pytest.mark.parametrize("torn", ['{"t":3.0,"bu', "{", "\0\0\0\0", '{"t":3.0,"button":"confirm"}'])
def test_the_last_line_may_be_torn(folder: Path, torn: str) -> None:
    events = Recording.load(folder).events
    with (folder / "timeline.jsonl").open("a") as timeline:
        timeline.write(torn)
    assert Recording.load(folder).events == (
        (*events, ButtonPressed(3.0, Button.CONFIRM)) if torn.endswith("}") else events
    )


def test_the_header_is_whole_or_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (folder / "recording.json").read_text()

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", stop)
    with pytest.raises(KeyboardInterrupt):
        RecordingWriter(folder, header(("A", "B", "C"), 1), layout_for(3))
    assert (folder / "recording.json").read_text() == before
    assert not list(folder.glob(".recording*"))


def test_a_timeline_without_a_frame(folder: Path) -> None:
    (folder / "timeline.jsonl").write_text('{"t":1.0,"button":"confirm"}\n')
    with pytest.raises(DeviceError, match="no frame"):
        Recording.load(folder)


def test_a_folder_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DeviceError, match="can't be written"):
        RecordingWriter(tmp_path / "file" / "rec", header(PLAYERS, 1), layout_for(3))


@pytest.mark.slow  # test_killing.py
def test_a_kill_costs_what_was_being_written_at_most(tmp_path: Path) -> None:
    chance = random.Random(5)
    for attempt in range(20):
        folder = tmp_path / str(attempt)

        def record(say: Say, folder: Path = folder) -> None:
            writer = RecordingWriter(folder, header(PLAYERS, 1), layout_for(3))
            for number in count(1):
                writer.write_frame(float(number), b"jpeg" * 9999)
                writer.write_button(float(number), Button.CONFIRM)
                say(2 * number)

        taken = lived(record, chance.uniform(0.0, 0.05))
        assert taken <= len(Recording.load(folder).events) <= taken + 2
