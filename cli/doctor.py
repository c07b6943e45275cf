"""``sevenmat doctor``: what works, what does not, and how to mend it, one check after the other.

Each check is a function that gives findings; nothing here changes anything. Those of the picture work on any still
picture, so that they can be tried without a camera.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from cli.report import read_output, write_report
from cli.run import make_simulated_camera
from device.capture.survey import focus_check, light_check, scale_check, survey_picture
from device.enrol.ready_decks import deck_shelf
from device.errors import DeviceError, reason_of
from device.hardware.buttons import Button, Buttons
from device.hardware.camera import Picture
from device.hardware.cameras import choose_camera
from device.hardware.debounce import Timing
from device.hardware.displays import DisplayChoice, choose_display, open_display
from device.hardware.gpio import open_pins
from device.hardware.profiles import buttons_beside, choose_buttons, open_buttons
from device.hardware.steady import CameraTrouble, SteadyCamera
from device.settings.settings_file import load_settings
from device.settings.values import Settings
from device.speech import Language, text_json, yes_or_no
from device.storage.deck_store import DeckShelf
from device.storage.journal import Journal, UnreadableGameError
from models import checksums
from rules.plain import escape_line
from rules.text import Text, in_context, join_row, plural, verbatim
from ui.fonts import Weight, font_file, open_font
from ui.screen_state import ButtonWords, Mood, NoticeScreen
from vision.config import CONFIG
from vision.errors import VisionError

LEAST_FREE_MB, LITTLE_FREE_MB = 50, 500
WRITTEN = datetime(2026, 11, 1, tzinfo=UTC)
"""No right clock shows an earlier day."""
_CAMERA_S, _STARTS = 25.0, 2
_PRESS_S = 10.0
_JAPANESE = "査読論文完成山札捨手番席エンドフラグ直す。、「」（）"
_SIGNS = "✓▲▼←★×·–"


class Level(Enum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; ``mend`` says what to do about it, where something is to be done."""

    check: str
    level: Level
    found: Text
    mend: Text | None = None


def _ok(check: str, found: Text) -> Finding:
    return Finding(check, Level.OK, found)


def _warn(check: str, found: Text, mend: Text) -> Finding:
    return Finding(check, Level.WARN, found, mend)


def _fault(check: str, found: Text, mend: Text) -> Finding:
    return Finding(check, Level.FAULT, found, mend)


def _report_error(check: str, error: DeviceError | VisionError) -> Finding:
    """Make a fault of an error whose sentence says what to do already."""
    return Finding(check, Level.FAULT, error.text)


# What lies on the disk


def check_settings(state: Path) -> tuple[Settings, Finding]:
    """Check the settings, and use the defaults where the file is wrong."""
    try:
        settings = load_settings(state)
    except DeviceError as error:
        return Settings(), _report_error("settings", error)
    return settings, _ok("settings", Text("They are all right."))


def check_models(folder: Path = checksums.FOLDER) -> Finding:
    """Check that the models are those that were measured."""
    mend = Text("Install Sevenmat again: 'make install'.")
    try:
        altered = checksums.list_altered(folder)
    except (OSError, ValueError):
        altered = [checksums.LIST]
    if altered:
        names = ", ".join(altered)
        return _fault("models", Text("Missing or altered: {names}.", names=names), mend)
    return _ok("models", Text("Their checksums are right."))


def check_decks(shelf: DeckShelf, wanted: str) -> Iterator[Finding]:
    """Check that the enrolled decks can be loaded, and that the one of the settings is among them."""
    names = shelf.list_names()
    enrol = Text("Learn one from the menu, or with 'sevenmat enrol'.")
    for name in shelf.ready:
        if name not in names:
            yield _ok("decks", Text("{name}: known without learning.", name=name))
    if not (names or shelf.ready):
        yield _warn("decks", Text("No deck is known."), enrol)
    if wanted and wanted not in (*names, *shelf.ready):
        missing = Text("The settings name the deck {deck!r}, which isn't there.", deck=wanted)
        yield _fault("decks", missing, enrol)
    for name in names:
        try:
            deck = shelf.load(name)
        except (DeviceError, VisionError) as error:
            yield _report_error("decks", error)
        else:
            yield _ok("decks", Text("{name}: {cards} faces.", name=name, cards=len(deck.cards)))


def check_journal(state: Path) -> Finding:
    """Check that the journal can be read; one that is not there yet is made with the first game.

    A damaged one is set aside, as at every start of the program.
    """
    if not Journal.has_games(state):
        return _ok("journal", Text("There is none yet; the first game begins it."))
    try:
        with Journal.open(state) as journal:
            if journal.set_aside is not None:
                return Finding("journal", Level.WARN, journal.set_aside.text)
            count, unreadable = len(journal.list_games()), journal.list_unreadable()
    except DeviceError as error:
        return _report_error("journal", error)
    if unreadable:
        return Finding("journal", Level.WARN, UnreadableGameError(unreadable[0]).text)
    return _ok("journal", plural("{count} game.", "{count} games.", count=count))


def check_disk(state: Path) -> Finding:
    """Check that the state folder can be written and has room."""
    there = next(path for path in (state, *state.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"sevenmat")
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(there).free // 1_000_000
    except OSError as error:
        return _fault(
            "disk",
            Text("{path} can't be written: {reason}.", path=there, reason=reason_of(error)),
            Text("Free some room, or give the folder to this user; a card that has become read-only is worn out."),
        )
    found = Text("{free} MB are free.", free=free)
    room = Text("Delete recordings or old games.")
    if free < LEAST_FREE_MB:
        return _fault("disk", found, room)
    return _warn("disk", found, room) if free < LITTLE_FREE_MB else _ok("disk", found)


def check_fonts() -> Finding:
    """Check that every letter that the display needs is in the fonts."""
    try:
        missing = [
            letter
            for weight in Weight
            for letter, metrics in zip(
                _JAPANESE + _SIGNS, open_font(16, weight).metrics(_JAPANESE + _SIGNS), strict=True
            )
            if metrics is None
        ]
        names = ", ".join(font_file(weight).name for weight in Weight)
    except Exception as error:  # pygame's own errors, and the file's
        return _fault(
            "fonts",
            Text("A font can't be used ({error}).", error=error),
            Text("Install Sevenmat again: 'make install'."),
        )
    if missing:
        letters = "".join(missing)
        return _fault(
            "fonts",
            Text("These letters are missing: {letters}.", letters=letters),
            Text("Install Sevenmat again: 'make install'."),
        )
    return _ok("fonts", Text("Japanese and English ({names}).", names=names))


# The machine


def check_clock(now: datetime | None = None, synchronised: bool | None = None) -> Finding:
    """Check the clock, which is only for the dates of games: the program itself never goes by it."""
    now = now or datetime.now(UTC)
    known = _is_set_by_network() if synchronised is None else synchronised
    found = Text("It is {now:%Y-%m-%d %H:%M} UTC.", now=now)
    mend = Text(
        "Connect the network once, or set it with 'sudo timedatectl set-time'; games go on all the same, "
        "only their dates are wrong."
    )
    if now < WRITTEN:
        return _warn("clock", Text("{found} That is in the past.", found=found), mend)
    if known is False:
        return _warn("clock", Text("{found} It is not set by the network.", found=found), mend)
    return _ok("clock", found)


def _is_set_by_network() -> bool | None:
    """Return whether the network has set the clock; None where nobody knows."""
    answer = read_output("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get(answer)


def check_service() -> Finding:
    """Check the service's state, where it is installed."""
    answer = read_output("systemctl", "show", "sevenmat.service", "-p", "LoadState,ActiveState,UnitFileState,NRestarts")
    said = dict(line.split("=", 1) for line in answer.splitlines() if "=" in line)
    if said.get("LoadState") != "loaded":
        return _ok("service", Text("It is not installed here; on the Pi 'make install' does that."))
    found = Text(
        "{active}, {enabled}, {restarts} restarts.",
        active=said.get("ActiveState"),
        enabled=said.get("UnitFileState"),
        restarts=said.get("NRestarts"),
    )
    if said.get("ActiveState") == "failed" or int(said.get("NRestarts") or 0) > 3:
        return _warn("service", found, Text("'journalctl -u sevenmat -b' says why."))
    return _ok("service", found)


# Camera and picture


def check_camera(settings: Settings, source: str) -> tuple[Picture | None, Finding]:
    """Check that the camera gives a picture, in as long as a slow one takes to start."""
    try:
        choice = choose_camera(source, settings.camera.size, simulated=make_simulated_camera)
    except DeviceError as error:
        return None, _report_error("camera", error)
    camera = SteadyCamera(choice.open, settings.camera.rotation, settings.camera.fixed)
    try:
        end = time.monotonic() + _CAMERA_S
        seen = camera.take_picture()
        while isinstance(seen, CameraTrouble) and camera.restarts < _STARTS and time.monotonic() < end:
            time.sleep(0.1)
            seen = camera.take_picture()
    finally:
        camera.close()
    if isinstance(seen, CameraTrouble):
        return None, Finding("camera", Level.FAULT, seen.text, _explain_busy())
    size = f"{seen.shape[1]} × {seen.shape[0]} px"
    return seen, _ok("camera", Text("{why} {size}.", why=choice.why, size=size))


def _explain_busy() -> Text | None:
    """Return what to do where the service has the camera."""
    if read_output("systemctl", "is-active", "sevenmat.service") != "active":
        return None
    return Text("The service has it just now: 'sudo systemctl stop sevenmat', then try again.")


def check_picture(picture: Picture, settings: Settings) -> Iterator[Finding]:
    """Check markers, pixels per mm, focus and light in a still picture (h, w, 3) BGR, judged as before a game."""
    seen = survey_picture(picture, settings.table.marker_mm, usual_mm=settings.table.mat_mm)
    if (mat := seen.mat) is None:
        yield Finding("markers", Level.FAULT, seen.fault or Text())
        return
    w, h = mat.size_mm
    size = f"{w:.0f} × {h:.0f} mm"
    if len(mat.markers) == 4:
        yield _ok("markers", Text("All four are seen; the mat is {size}.", size=size))
    else:
        hidden = next(n for n in range(4) if all(marker.id != n for marker in mat.markers))
        said = Text(
            "Marker {hidden} can't be seen; three will do (mat {size}), but uncover it or turn the camera.",
            hidden=hidden,
            size=size,
        )
        yield Finding("markers", Level.WARN, said)
    for words in mat.warnings:
        yield Finding("markers", Level.FAULT, words)
    mean, least, needed = mat.px_per_mm, mat.min_px_per_mm, CONFIG.reading.quality.min_px_per_mm
    found = Text(
        "{mean:.2f} px/mm, {least:.2f} where the mat is farthest; {needed} are needed.",
        mean=mean,
        least=least,
        needed=needed,
    )
    yield _judge_finding("px_per_mm", found, scale_check(mat))
    if (light := seen.light) is None:
        yield Finding("light", Level.FAULT, light_check(seen)[0])
        return
    width = "–" if seen.edge_mm is None else f"{seen.edge_mm:.1f}"
    found = Text("A marker's edge is {width} mm wide.", width=width)
    yield _judge_finding("focus", found, focus_check(seen))
    white = float(np.median([np.mean(border.white) for border in light.borders]))
    found = Text(
        "White paper is {white:.0f} of 255, evenness {evenness:.2f}, black {black:.0f}.",
        white=white,
        evenness=light.evenness,
        black=light.black,
    )
    yield _judge_finding("light", found, light_check(seen))


def _judge_finding(check: str, found: Text, judgement: tuple[Text, bool]) -> Finding:
    """Make a fault with what to do, where what was found is not in order."""
    words, good = judgement
    return Finding(check, Level.OK, found) if good else Finding(check, Level.FAULT, found, words)


# Display and buttons


def check_display(settings: Settings, driver: str) -> tuple[DisplayChoice | None, Finding]:
    """Check which display is used and why; it is opened, and a screen is drawn on it."""
    wanted = settings.display
    try:
        choice = choose_display(driver, wanted.size, wanted.rotation, os.environ)
    except DeviceError as error:
        return None, _report_error("display", error)
    try:
        display = open_display(choice, wanted.panel)
    except DeviceError as error:
        return choice, Finding("display", Level.FAULT, error.text, _explain_busy())
    try:
        display.show(NoticeScreen(settings.spoken, Mood.NOTICE, "Sevenmat", buttons=ButtonWords()))
    finally:
        display.close()
    return choice, _ok("display", Text("{kind}: {why}", kind=choice.kind.value, why=choice.why))


def check_buttons(
    settings: Settings, profile: str, display: DisplayChoice | None, say: Callable[[Text], None]
) -> Iterator[Finding]:
    """Check which buttons are used and why; those on pins are asked to be pressed, one after the other."""
    wanted = settings.buttons
    try:
        choice = choose_buttons(profile, wanted.pins if profile == "custom" else (), buttons_beside(display))
        yield _ok("buttons", Text("{profile}: {why}", profile=choice.profile, why=choice.why))
        if choice.pins is None:
            return
        # What stands in for pins that can't be used is the program's affair: here they are looked for alone.
        alone = replace(choice, keys_too=False)
        buttons = open_buttons(alone, Timing(wanted.debounce_ms / 1000, wanted.long_press_s), open_pins)
    except DeviceError as error:
        yield _report_error("buttons", error)
        return
    try:
        yield from ask_for_presses(buttons, say)
    finally:
        buttons.close()


def ask_for_presses(buttons: Buttons, say: Callable[[Text], None], patience_s: float = _PRESS_S) -> Iterator[Finding]:
    """Ask for each button to be pressed, and wait for it."""
    for button in Button:
        say(Text("Press {button} …", button=button))
        end = time.monotonic() + patience_s
        others: list[Text] = []
        pressed = False
        while not pressed and time.monotonic() < end:
            for press in buttons.take_presses():
                pressed |= press.button is button
                if press.button is not button:
                    others.append(press.button.text)
            time.sleep(0.02)
        for fault in buttons.list_faults():
            yield Finding("buttons", Level.FAULT, fault.text)
        if pressed:
            yield _ok("buttons", Text("{button} works.", button=button))
            continue
        silent = Text("{button} was not heard in {patience_s:.0f} s.", button=button, patience_s=patience_s)
        if others:
            silent = Text(
                "{button} was not heard in {patience_s:.0f} s ({others} was heard instead).",
                button=button,
                patience_s=patience_s,
                others=join_row(others),
            )
        yield _fault("buttons", silent, Text("Check its wires and its pin in the settings."))


# All of it


@dataclass(frozen=True)
class Patient:
    """What is to be examined; None stands for what the settings say."""

    state: Path
    camera: str | None = None
    display: str | None = None
    buttons: str | None = None
    press: bool = True


def examine(patient: Patient, say: Callable[[Text], None]) -> Iterator[Finding]:
    """Run all checks, and yield the findings as they come; ``say`` asks for what is to be done meanwhile."""
    yield _ok("program", verbatim(f"Sevenmat {version('sevenmat')}."))
    settings, finding = check_settings(patient.state)
    yield finding
    yield check_models()
    yield from check_decks(deck_shelf(patient.state), settings.game.deck)
    yield check_journal(patient.state)
    yield check_disk(patient.state)
    yield check_fonts()
    yield check_clock()
    yield check_service()
    display, finding = check_display(settings, patient.display or settings.display.driver)
    yield finding
    if patient.press:
        yield from check_buttons(settings, patient.buttons or settings.buttons.profile, display, say)
    picture, finding = check_camera(settings, patient.camera or settings.camera.source)
    yield finding
    if picture is not None:
        yield from check_picture(picture, settings)


_MARKS = {Level.OK: "✓", Level.WARN: "!", Level.FAULT: "✗"}
_NAMES = {
    "program": in_context("check", "program"),
    "settings": in_context("check", "settings"),
    "models": in_context("check", "models"),
    "decks": in_context("check", "decks"),
    "journal": in_context("check", "journal"),
    "disk": in_context("check", "disk"),
    "fonts": in_context("check", "fonts"),
    "clock": in_context("check", "clock"),
    "service": in_context("check", "service"),
    "display": in_context("check", "display"),
    "buttons": in_context("check", "buttons"),
    "camera": in_context("check", "camera"),
    "markers": in_context("check", "markers"),
    "px_per_mm": in_context("check", "px/mm"),
    "focus": in_context("check", "focus"),
    "light": in_context("check", "light"),
}


def run_doctor(patient: Patient, as_json: bool, language: Language, report: Path | None = None) -> int:
    """Examine and print, and write a ``report``. Returns the exit code: 1 where there is a fault, otherwise 0.

    Raises:
        DeviceError: the report can't be written.
    """
    faults = 0

    def say(words: Text) -> None:
        if not as_json:
            print(f"  {words.said(language)}", flush=True)

    def found() -> Iterator[dict[str, Any]]:
        nonlocal faults
        for finding in examine(patient, say):
            faults += finding.level is Level.FAULT
            data = _make_json(finding)
            print(json.dumps(data, ensure_ascii=False) if as_json else _format_line(finding, language), flush=True)
            yield data

    if report is None:
        for _ in found():
            pass
        return 1 if faults else 0
    decks = deck_shelf(patient.state).list_names()
    write_report(report, patient.state, decks, found, lambda words: "" if as_json else _ask_answer(words, language))
    say(
        Text(
            "All of this is in {report}. No names of players or decks and no pictures are in it: send it as it is.",
            report=report,
        )
    )
    return 1 if faults else 0


def _ask_answer(words: Text, language: Language) -> str:
    """Ask a question about what was tried at the table; answer nothing where nobody is there, or it wasn't tried."""
    if not sys.stdin.isatty():
        return ""
    how = Text("[y/n, Enter: not tried]")
    try:
        answer = input(f"{words.said(language)} {how.said(language)} ")
    except EOFError:
        return ""
    return yes_or_no(answer)


def _make_json(finding: Finding) -> dict[str, Any]:
    mend = finding.mend
    return {
        "check": finding.check,
        "level": finding.level.value,
        **text_json(finding.found),
        **(text_json(mend, "mend") if mend else {"mend": None, "mend_ja": None}),
    }


def _format_line(finding: Finding, language: Language) -> str:
    found = finding.found
    if finding.mend:
        # Not every finding has a full stop of its own in Japanese.
        found = Text("{found} {mend}", found=found.said(language).removesuffix("。"), mend=finding.mend)
    line = Text("{mark} {check}: {found}", mark=_MARKS[finding.level], check=_NAMES[finding.check], found=found)
    return escape_line(line.said(language))
