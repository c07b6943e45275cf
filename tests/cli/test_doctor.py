"""The doctor finds each thing that can be wrong, says it in both languages, and how to mend it."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from cli import doctor
from cli.doctor import Finding, Level
from cli.main import main
from device.capture.survey import list_checks, survey_picture
from device.enrol.ready_decks import PRINTED_DECK, deck_shelf
from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, ButtonTrouble, Press
from device.hardware.camera import Picture
from device.hardware.display import Display, DummyDisplay
from device.hardware.displays import DisplayChoice
from device.settings.values import Settings
from device.speech import Language
from device.storage.deck_store import DeckShelf
from device.storage.journal import Journal
from models import checksums
from rules.text import Text
from simulator.camera import SimulatedCamera
from tests.device.openings import opening
from ui.screen import Panel


def levels(findings: list[Finding]) -> dict[str, Level]:
    return {finding.check: finding.level for finding in findings}


@pytest.fixture(scope="module")
def picture() -> Picture:
    camera = SimulatedCamera((1189.0, 841.0), 4)
    camera.show(())
    return camera.take_picture()


def test_the_models_are_those_that_were_measured() -> None:
    assert checksums.list_altered() == [], "write them anew with 'python -m models.checksums'"


@pytest.mark.slow  # test_the_command_prints_and_exits_by_what_it_found
def test_a_good_picture_has_no_fault(picture: Picture) -> None:
    findings = list(doctor.check_picture(picture, Settings()))
    assert levels(findings) == dict.fromkeys(("markers", "px_per_mm", "focus", "light"), Level.OK)


def blurred(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 3.2), np.uint8)


def small(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA), np.uint8)


def hidden(picture: Picture) -> Picture:
    covered = picture.copy()
    covered[-500:, -600:] = 40
    return covered


def half_hidden(picture: Picture) -> Picture:
    covered = picture.copy()
    covered[:, -600:] = 40
    return covered


def dim(picture: Picture) -> Picture:
    return (picture * 0.22).astype(np.uint8)


def burnt(picture: Picture) -> Picture:
    return np.clip(picture.astype(np.uint16) * 2, 0, 255).astype(np.uint8)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("spoilt", "check", "level"),
    [
        (blurred, "focus", Level.FAULT),
        (small, "px_per_mm", Level.FAULT),
        (hidden, "markers", Level.WARN),
        (half_hidden, "markers", Level.FAULT),
        (dim, "light", Level.FAULT),
        (burnt, "light", Level.FAULT),
    ],
)
def test_a_spoilt_picture_is_found_out(
    picture: Picture, spoilt: Callable[[Picture], Picture], check: str, level: Level
) -> None:
    findings = list(doctor.check_picture(spoilt(picture), Settings()))
    assert levels(findings)[check] is level
    found = next(finding for finding in findings if finding.check == check)
    words = found.mend or found.found
    assert str(words)
    assert words.said(Language.JA)


def veiled(picture: Picture, veil: int) -> Picture:
    return cv2.addWeighted(picture, 1 - veil / 255, np.full_like(picture, veil), 1.0, 0).astype(np.uint8)


@pytest.mark.slow  # test_a_good_picture_has_no_fault
def test_the_doctor_and_the_look_before_a_game_judge_a_picture_alike(picture: Picture) -> None:
    spoilt = [(picture * gain).astype(np.uint8) for gain in (0.3, 0.35, 0.45, 0.6, 0.9)]
    spoilt += [veiled(picture, veil) for veil in (40, 70, 98, 120)]
    spoilt += [np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8) for blur in (0.8, 1.4, 1.8, 2.4)]
    judged = set()
    for seen in spoilt:
        findings = [one for one in doctor.check_picture(seen, Settings()) if one.check != "markers"]
        before_a_game = list_checks(survey_picture(seen, Settings().table.marker_mm))
        bad = [words for words, good in before_a_game if not good]
        assert {finding.mend for finding in findings if finding.level is not Level.OK} == set(bad)
        assert sum(finding.level is Level.OK for finding in findings) == sum(good for _, good in before_a_game)
        judged |= {str(words) for words in bad}
    assert len(judged) >= 3


def test_missing_and_altered_models_are_named(tmp_path: Path) -> None:
    for name in (*json.loads((checksums.FOLDER / checksums.LIST).read_text()), checksums.LIST):
        (tmp_path / name).write_bytes((checksums.FOLDER / name).read_bytes())
    assert doctor.check_models(tmp_path).level is Level.OK
    (tmp_path / "detector.onnx").write_bytes((tmp_path / "detector.onnx").read_bytes()[:-1] + b"x")
    (tmp_path / "embedder.onnx").unlink()
    finding = doctor.check_models(tmp_path)
    assert finding.level is Level.FAULT
    assert "detector.onnx, embedder.onnx" in str(finding.found)
    (tmp_path / checksums.LIST).write_text("no list")
    assert "checksums.json" in doctor.check_models(tmp_path).found.said(Language.JA)
    checksums.write(tmp_path)
    assert doctor.check_models(tmp_path).level is Level.OK


def test_decks_settings_journal_and_disk(tmp_path: Path) -> None:
    shelf = DeckShelf(tmp_path)
    assert levels(list(doctor.check_decks(shelf, ""))) == {"decks": Level.WARN}
    assert levels(list(doctor.check_decks(deck_shelf(tmp_path), PRINTED_DECK))) == {"decks": Level.OK}
    shelf.get_path("torn").parent.mkdir()
    shelf.get_path("torn").write_bytes(b"half a deck")
    assert [finding.level for finding in doctor.check_decks(shelf, "mine")] == [Level.FAULT, Level.FAULT]
    assert doctor.check_journal(tmp_path).level is Level.OK
    with Journal.open(tmp_path) as journal:
        journal.begin(opening(("Ada", "Emmy", "Sofia")), Language.EN)
    assert str(doctor.check_journal(tmp_path).found) == "1 game."
    assert doctor.check_disk(tmp_path).level is Level.OK
    assert doctor.check_disk(tmp_path / "not" / "there").level is Level.OK
    (tmp_path / "settings.toml").write_text("[camera]\nsauce = 'usb'\n")
    assert doctor.check_settings(tmp_path)[1].level is Level.FAULT


@pytest.mark.parametrize(("free", "level"), [(10, Level.FAULT), (200, Level.WARN), (5000, Level.OK)])
def test_a_full_disk_is_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, level: Level) -> None:
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: type("Usage", (), {"free": free * 1_000_000}))
    assert doctor.check_disk(tmp_path).level is level


def test_a_disk_that_can_not_be_written_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    finding = doctor.check_disk(tmp_path)
    assert finding.level is Level.FAULT
    assert "Read-only file system" in str(finding.found)


def test_a_clock_in_the_past_is_said_and_harmless() -> None:
    assert doctor.check_clock(datetime(1970, 1, 1, tzinfo=UTC), True).level is Level.WARN
    assert doctor.check_clock(datetime(2031, 1, 1, tzinfo=UTC), False).level is Level.WARN
    assert doctor.check_clock(datetime(2031, 1, 1, tzinfo=UTC), True).level is Level.OK


def test_fonts_have_every_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.check_fonts().level is Level.OK
    monkeypatch.setattr(doctor, "_SIGNS", "✓\U0001f0cf")
    assert doctor.check_fonts().level is Level.FAULT


@pytest.mark.parametrize(
    ("answer", "level"),
    [
        ("", Level.OK),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=0", Level.OK),
        ("LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\nNRestarts=2", Level.WARN),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=17", Level.WARN),
    ],
)
def test_the_service_s_state(monkeypatch: pytest.MonkeyPatch, answer: str, level: Level) -> None:
    monkeypatch.setattr(doctor, "read_output", lambda *_: answer)
    assert doctor.check_service().level is level


class Fingers:
    """Presses buttons as they are asked for, but for those that are broken."""

    def __init__(self, broken: tuple[Button, ...] = (), stuck: tuple[ButtonFault, ...] = ()) -> None:
        self.broken, self.stuck, self.asked = broken, stuck, ""

    def ask(self, words: Text) -> None:
        self.asked = str(words)

    @property
    def wants_to_quit(self) -> bool:
        return False

    def take_presses(self) -> list[Press]:
        return [Press(button) for button in Button if button.value in self.asked and button not in self.broken]

    def list_faults(self) -> tuple[ButtonFault, ...]:
        return self.stuck

    def close(self) -> None:
        pass


def test_buttons_are_asked_for_and_missed() -> None:
    fingers = Fingers()
    assert [finding.level for finding in doctor.ask_for_presses(fingers, fingers.ask)] == [Level.OK] * 4
    fingers = Fingers((Button.UP,))
    missed = [f for f in doctor.ask_for_presses(fingers, fingers.ask, patience_s=0.05) if f.level is Level.FAULT]
    assert ["up was not heard" in str(finding.found) for finding in missed] == [True]
    fingers = Fingers((), (ButtonFault(Button.BACK, ButtonTrouble.STUCK),))
    assert any("stuck" in str(finding.found) for finding in doctor.ask_for_presses(fingers, fingers.ask))


def test_the_command_prints_and_exits_by_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    common = ["doctor", "--state", str(tmp_path), "--no-buttons", "--display", "dummy"]
    assert main([*common, "--camera", "simulated", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["check"] for line in lines} >= {"settings", "models", "disk", "fonts", "clock", "camera", "light"}
    assert all(line["text"] and line["text_ja"] for line in lines)
    assert all(line["mend"] for line in lines if line["level"] == "warn")
    monkeypatch.setattr(doctor.checksums, "list_altered", lambda folder: ["embedder.onnx"])
    assert main([*common, "--camera", f"folder:{tmp_path / 'none'}", "--language", "ja"]) == 1
    said = capsys.readouterr().out
    assert "✗ カメラ：" in said
    assert "✗ モデル：ないか変更されています：embedder.onnx。「make install」で入れ直してください。" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("service", ["active", "inactive"])
def test_a_display_that_is_chosen_and_can_not_be_opened_is_a_fault(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "read_output", lambda *command: service)

    def refuse(choice: DisplayChoice, panel: Panel) -> Display:
        raise DeviceError(Text("EGL not initialized"))

    monkeypatch.setattr(doctor, "open_display", refuse)
    choice, finding = doctor.check_display(Settings(), "kmsdrm")
    assert choice is not None
    assert (finding.level, str(finding.found)) == (Level.FAULT, "EGL not initialized")
    assert (finding.mend is not None) is (service == "active"), "the service has it"


def test_the_doctor_draws_on_the_display_and_lets_it_go(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[DummyDisplay] = []

    class Noted(DummyDisplay):
        closed = False

        def close(self) -> None:
            self.closed = True

    def keep(choice: DisplayChoice, panel: Panel) -> Display:
        opened.append(Noted(panel=panel))
        return opened[-1]

    monkeypatch.setattr(doctor, "open_display", keep)
    assert doctor.check_display(Settings(), "dummy")[1].level is Level.OK
    assert [(display.count, display.closed) for display in opened] == [(1, True)]  # type: ignore[attr-defined]


def test_a_report_has_every_finding_and_names_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, report = tmp_path / "taro-state", tmp_path / "report.json"
    shelf = DeckShelf(state)
    shelf.get_path("hanako").parent.mkdir(parents=True)
    shelf.get_path("hanako").write_bytes(b"half a deck")
    (state / "settings.toml").write_text('[game]\ndeck = "hanako"\nnames = ["Ichiro", "Ichiro"]\n', encoding="utf-8")
    asked: list[str] = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda words: asked.append(words) or ("y" if len(asked) > 1 else "いいえ"))
    words = [
        "doctor",
        "--state",
        str(state),
        "--no-buttons",
        "--display",
        "dummy",
        "--camera",
        "folder:/home/jiro/none",
    ]
    assert main([*words, "--report", str(report), "--language", "ja"]) == 1
    text = report.read_text(encoding="utf-8")
    assert not [name for name in ("hanako", "Ichiro", "taro", "jiro", platform.node()) if name and name in text]
    whole = json.loads(text)
    assert {line["check"] for line in whole["findings"]} >= {"settings", "models", "decks", "disk", "display", "camera"}
    assert all(line["text"] and line["text_ja"] and line["seconds"] >= 0 for line in whole["findings"])
    assert whole["measured"]["flush_ms"]["median"] > 0
    assert whole["versions"]["numpy"] == np.__version__
    assert list(whole["checklist"].values()) == ["no", *["yes"] * (len(asked) - 1)]
    assert all("試していなければ" in words for words in asked)


def test_a_report_that_can_not_be_written_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "examine", lambda *_: pytest.fail("nobody waits ten minutes to hear that"))
    assert main(["doctor", "--state", str(tmp_path), "--report", str(tmp_path / "none" / "r.json")]) == 2
    assert "can't be written" in capsys.readouterr().err


def test_a_name_that_is_no_unicode_spoils_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nameless = Text("There is no folder \udcff.")
    monkeypatch.setattr(doctor, "examine", lambda *_: iter([Finding("camera", Level.FAULT, nameless)]))
    report = tmp_path / "r.json"
    assert main(["doctor", "--state", str(tmp_path), "--json", "--report", str(report)]) == 1
    (finding,) = json.loads(report.read_text(encoding="utf-8"))["findings"]
    assert finding["text"] == "There is no folder ?."


def test_nobody_is_asked_where_nobody_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "examine", lambda *_: iter([Finding("clock", Level.OK, Text("It is."))]))
    monkeypatch.setattr("builtins.input", lambda _: pytest.fail("there is nobody"))
    report = tmp_path / "r.json"
    assert main(["doctor", "--state", str(tmp_path), "--json", "--report", str(report)]) == 0
    assert set(json.loads(report.read_text(encoding="utf-8"))["checklist"].values()) == {""}
