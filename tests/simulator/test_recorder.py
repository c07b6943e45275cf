"""Recording while a game goes on: bounded, newest kept, and never in the game's way."""

from __future__ import annotations

import os
import shutil
from collections import namedtuple
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from cli.replay import play, start_session
from device.errors import DeviceError
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.settings.values import RecordingSettings
from device.speech import Language
from device.storage.recorder import Recorder
from device.storage.recording import ButtonPressed, FrameShown, Recording
from referee.history import Entry
from referee.laminate.view.table import TableView
from rules.text import Text
from tests.device.openings import opening
from vision.errors import MatError

OPENING = opening(("Hilbert", "Banach", "Noether"), 2, mat_mm=(1000.0, 700.0), marker_mm=40.0)
BOUNDS = RecordingSettings(True, most_mb=10, free_mb=20)
SETUP = Entry("move", {"move": {"do": "setup", "discard": "T8"}, "thanks": {}, "shown": {}, "peeping": []})


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def table(cards: int, noise: int = 0) -> Picture:
    """Picture a mat with that many cards; noise makes its JPEG large."""
    chance = np.random.default_rng(cards)
    picture = np.full((480, 640, 3), 60, np.uint8)
    for card in range(cards):
        x, y = card % 10 * 60 + 10, card // 10 % 6 * 80 + 10
        picture[y : y + 60, x : x + 40] = 220 - card // 60 * 40
    return picture + chance.integers(0, noise + 1, picture.shape, np.uint8)


def recorder(folder: Path, entries: Sequence[Entry] = (), bounds: RecordingSettings = BOUNDS) -> Recorder:
    made = Recorder(folder, bounds, Clock())
    made.start(OPENING, lambda: entries)
    assert made.trouble is None
    return made


def recordings(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_what_is_recorded_can_be_played_again(tmp_path: Path) -> None:
    made = recorder(tmp_path)
    made.record_picture(table(1))
    made.press(Button.CONFIRM)
    made.record_picture(table(1))
    made.record_picture(table(2))
    made.press(Button.BACK, held=True)
    made.stop()
    made.stop()
    (folder,) = recordings(tmp_path)
    recording = Recording.load(folder)
    assert (recording.header.players, recording.header.options["first_seat"]) == (OPENING.players, 2)
    assert (recording.layout.mat_mm, recording.marker_mm) == ((1000.0, 700.0), 40.0)
    assert recording.entries == ()
    first, second = folder / "frames/000.jpg", folder / "frames/001.jpg"
    kinds = [event.frame if isinstance(event, FrameShown) else event.button for event in recording.events]
    assert kinds == [first, Button.CONFIRM, second, Button.BACK]
    assert recording.events[-1] == ButtonPressed(4.0, Button.BACK, True)


def test_an_unchanged_table_is_left_out_though_the_sensor_is_noisy(tmp_path: Path) -> None:
    made = recorder(tmp_path)
    for number in range(5):
        made.record_picture(table(7) + np.random.default_rng(number).integers(0, 9, (480, 640, 3), np.uint8))
    made.record_picture(table(8))
    made.stop()
    assert len(Recording.load(recordings(tmp_path)[0]).events) == 2


def test_off_it_writes_nothing_and_it_can_be_switched_while_a_game_goes_on(tmp_path: Path) -> None:
    made = Recorder(tmp_path, BOUNDS, Clock())
    made.record_picture(table(1))
    made.press(Button.CONFIRM)
    assert not made.on
    assert recordings(tmp_path) == []
    entries = [SETUP]
    made.start(OPENING, lambda: entries)
    made.record_picture(table(2))
    made.stop()
    made.record_picture(table(3))
    made.start(OPENING, lambda: [*entries, Entry("undo", {})])
    made.record_picture(table(4))
    made.stop()
    one, other = map(Recording.load, recordings(tmp_path))
    assert one.entries == (SETUP,)
    assert other.entries == (SETUP, Entry("undo", {}))


def test_a_recording_that_begins_within_a_game_is_played_from_there(tmp_path: Path) -> None:
    made = recorder(tmp_path, [SETUP])
    made.record_picture(table(1))
    made.press(Button.BACK, held=True)  # takes the set-up back
    made.stop()
    recording = Recording.load(recordings(tmp_path)[0])
    session = start_session(recording, Language.EN)
    assert str(session.position.top_discard) == "T8"
    assert session.position.to_move == 2
    list(play(recording, _BlindEye(), session))
    assert session.position.phase == "setup"


@pytest.mark.parametrize("entries", [[SETUP, SETUP], [Entry("undo", {})], [Entry("flight", {})], [Entry("move", {})]])
def test_entries_that_do_not_follow_from_each_other(tmp_path: Path, entries: list[Entry]) -> None:
    made = recorder(tmp_path, entries)
    made.record_picture(table(1))
    made.stop()
    with pytest.raises(DeviceError, match="do not follow"):
        start_session(Recording.load(recordings(tmp_path)[0]), Language.EN)


class _BlindEye:
    """What a button does must not hang on the table's being seen."""

    def __call__(self, picture: Picture) -> TableView:
        raise MatError(Text("No marker was found."))


def test_bounded_and_the_newest_kept(tmp_path: Path) -> None:
    entries: list[Entry] = []
    made = recorder(tmp_path, entries)
    for number in range(24):
        made.record_picture(np.tile(table(number, noise=90), (2, 2, 1)))
        made.press(Button.CONFIRM)
        entries.append(Entry("move", {"number": number}))
        size = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
        assert size <= 10_000_000
    made.stop()
    assert made.trouble is None
    assert size > 6_000_000
    kept = recordings(tmp_path)
    assert not kept[0].name.startswith("00001-")
    frames = 0
    for folder in kept:
        recording = Recording.load(folder)
        assert isinstance(recording.events[0], FrameShown)
        frames += sum(isinstance(event, FrameShown) for event in recording.events)
        # its frames go on where the entries in its header end
        assert len(recording.entries) == 24 - sum(
            isinstance(event, ButtonPressed)
            for later in kept[kept.index(folder) :]
            for event in Recording.load(later).events
        )
    assert frames < 24


def test_only_recordings_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "holiday").mkdir()
    (tmp_path / "holiday" / "a.jpg").write_bytes(bytes(20_000_000))
    old = tmp_path / "00007-20200101-000000"
    old.mkdir()
    (old / "frame").write_bytes(bytes(9_990_000))
    made = recorder(tmp_path)
    made.record_picture(table(1, noise=40))
    made.stop()
    assert [path.name.partition("-")[0] for path in recordings(tmp_path)] == ["00008", "holiday"]


def test_the_number_says_which_is_newer_not_the_clock(tmp_path: Path) -> None:
    (tmp_path / "00003-20991231-235959").mkdir()
    recorder(tmp_path).stop()
    assert [path.name[:5] for path in recordings(tmp_path)] == ["00003", "00004"]


def test_a_full_disk_stops_the_recording_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    old = tmp_path / "00001-20200101-000000"
    old.mkdir()
    made = recorder(tmp_path)
    made.record_picture(table(1))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9, 20_000_000))
    made.record_picture(table(2))
    assert not made.on
    assert made.trouble is not None
    assert "nearly full" in str(made.trouble)
    assert "録画を止めました" in made.trouble.said(Language.JA)
    assert not old.exists()
    made.record_picture(table(3))
    made.press(Button.CONFIRM)
    (folder,) = recordings(tmp_path)
    assert len(Recording.load(folder).events) == 1


@pytest.mark.parametrize("what", ["write", "press", "begin"])
def test_a_disk_that_fails_stops_the_recording_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    made = recorder(tmp_path)
    monkeypatch.setattr(os, "fsync", fail)
    if what == "write":
        made.record_picture(table(1))
    elif what == "press":
        made.press(Button.CONFIRM)
    else:
        made.start(OPENING, tuple)
    assert not made.on
    assert made.trouble is not None
    assert "No space left on device" in str(made.trouble)
    assert str(made.trouble).endswith("Recording has stopped; the game goes on.")
    monkeypatch.undo()
    made.start(OPENING, tuple)
    assert made.on
    assert made.trouble is None
    made.stop()
