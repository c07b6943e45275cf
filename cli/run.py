"""``sevenmat run``: finds or takes the named devices, joins them with settings and state, and runs the program.

What costs time is imported and opened after the first screen is shown.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2

from device.app.app import App
from device.app.equipment import Equipment, Look, StartOptions
from device.app.notify import Notifier
from device.app.plan import Plan
from device.app.signals import Signals
from device.app.tones import Speaker
from device.enrol.ready_decks import deck_for_game, deck_shelf
from device.errors import DeviceError
from device.hardware.backlight import Dimmer, find_backlight
from device.hardware.buttons import Buttons, KeyboardButtons
from device.hardware.camera import Camera, Picture
from device.hardware.cameras import choose_camera
from device.hardware.debounce import Timing
from device.hardware.display import Display, FolderDisplay, Turned
from device.hardware.displays import choose_display, open_display
from device.hardware.gpio import open_pins
from device.hardware.profiles import ButtonPlaces, buttons_beside, choose_buttons, open_buttons
from device.hardware.steady import SteadyCamera
from device.outward import Director
from device.settings.kinds import listen_at
from device.settings.settings_file import load_settings
from device.settings.values import MAY, Settings
from device.speech import Language, from_to
from device.storage.deck_store import DeckShelf
from device.storage.opening import Opening
from device.storage.recorder import Recorder
from hall.table_end.desk import open_desk
from hall.table_end.membership import TableHall
from hall.table_end.place import HallPlace
from referee.game import HousePapers, Referee, table_seats
from referee.layout import REFERENCE_MAT_MM
from referee.papers import house_pages
from referee.registry import load_referees
from rules.game import usual_options
from rules.plain import quote_value, shorten_line
from rules.text import Text, join_row, verbatim
from simulator.opening import choose_players
from ui.screen import REFERENCE
from ui.screen_state import ButtonWords, Mood, NoticeScreen
from ui.setting_up.names import name_fault
from web.table_end.address import USUAL, is_handed_on
from web.table_end.page import TablePage
from web.table_end.process import open_page
from web.table_end.why import tell_phones

if TYPE_CHECKING:
    from device.capture.table_reader import CardsSeen
    from device.enrol.learning import PageLearner
    from device.scoring.looking import Look as ScoringLook
    from device.scoring.table import Table

_OURS = "device"
"""The room whose modules log."""
_CV_THREADS = 2
"""The screen's loop and the camera's driver need the other cores; one picture is read at a time."""
READABLE_S = 20.0
"""How long a service that can't begin shows why, before it ends and is started anew."""


@dataclass(frozen=True)
class Devices:
    """The devices asked for by name; what is None is taken from the settings.

    ``size`` is the screen's in px. ``screens`` is a folder to write every screen to instead of showing it;
    ``headless`` shows them nowhere.
    """

    camera: str | None = None
    display: str | None = None
    buttons: str | None = None
    size: tuple[int, int] | None = None
    screens: Path | None = None
    headless: bool = False


@dataclass(frozen=True)
class RunOptions:
    """What was asked for on the command line; what is None is taken from the settings.

    ``game`` is the journal's game to go on with, ``kind`` the name in records of the game to begin, else of the first.
    ``house_papers`` are played, or learnt where ``enrol`` names a deck.
    """

    state: Path
    language: Language | None = None
    devices: Devices = Devices()
    players: tuple[str, ...] = ()
    first_seat: int = 1
    deck: str | None = None
    game: int | None = None
    kind: str | None = None
    enrol: str | None = None
    house_papers: tuple[str, ...] = ()
    simulated: bool = False
    seed: int = 1
    service: bool = False
    web: tuple[str, int] | None = None
    """Where the page is reached: address and port."""
    hall: tuple[str | None, str | None] = None, None
    """The hall that the table is in, by its broker's address and its name, and the table's name there."""


def run(options: RunOptions) -> int:
    """Run until told to stop. Returns the exit code.

    Raises:
        DeviceError: settings, display or buttons can't be used.
    """
    with write_log():
        return _run(options)


@contextmanager
def write_log() -> Iterator[None]:
    """While this lasts, what the program logs is written to standard error for the system's journal, a line each.

    What libraries log is not.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("sevenmat: %(message)s"))
    ours = logging.getLogger(_OURS)
    ours.addHandler(handler)
    try:
        yield
    finally:
        ours.removeHandler(handler)


def _run(options: RunOptions) -> int:
    cv2.setNumThreads(_CV_THREADS)
    settings, trouble = _load_settings(options)
    if trouble is not None:
        logging.getLogger(_OURS).warning("%s", trouble.said(options.language or settings.spoken))
    try:
        display, beside = _open_display(options, settings)
    except DeviceError as error:
        if options.service:
            tell_phones((*_if_any(trouble), error.text, _AGAIN), READABLE_S)
        raise
    try:
        app = _build_app(options, settings, trouble, display, beside)
    except DeviceError as error:
        if options.service and _has_no_display(options, settings):
            tell_phones((*_if_any(trouble), error.text, _AGAIN), READABLE_S)
        elif options.service:
            # Nobody reads the log of a machine without a keyboard.
            _tell(display, options.language or settings.spoken, *_if_any(trouble), error.text)
        raise
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: app.stop())
    app.run()
    return 0


def _if_any(trouble: Text | None) -> tuple[Text, ...]:
    return (trouble,) if trouble is not None else ()


def _build_app(
    options: RunOptions, settings: Settings, trouble: Text | None, display: Display, beside: ButtonPlaces
) -> App:
    """Build the program with its devices; ``trouble`` is what was wrong with the settings.

    Raises:
        DeviceError: pins, buttons, deck or state folder can't be used.
    """
    pins = cache(lambda: open_pins(_runtime_folder()))
    on_view = options.devices.screens is None and not options.devices.headless
    signals = Signals(settings.signals, pins, Speaker if on_view else None)
    recorder = Recorder(options.state / "recordings", settings.recording)
    shelf = deck_shelf(options.state)
    hall: Director | None = None
    try:
        hall = _open_hall(options, settings)
    except DeviceError as error:
        if not options.service:
            raise
        trouble = trouble or error.text
    start = StartOptions(
        options.language or settings.spoken,
        settings,
        game=options.game,
        enrol=options.enrol,
        enrol_pages=house_pages(options.house_papers) if options.house_papers else (),
        plan=_plan_game(options, shelf, settings),
        trouble=trouble,
    )
    notifier = Notifier()
    page, closed = _open_page(options, settings)
    start = replace(start, trouble=trouble or closed)
    if options.simulated:
        from simulator.program import make_simulated_equipment  # painting cards takes a while

        equipment, start, attend = make_simulated_equipment(
            options.state, options.seed, start, display, signals, recorder
        )
        equipment = replace(equipment, page=page, hall=hall)
        app = App(equipment, options.state, start, notifier)
        attend(app)
        return app
    equipment = Equipment(
        make_camera_opener(options, settings),
        _open_buttons(options, settings, beside, pins),
        display,
        signals,
        recorder,
        partial(_open_look, shelf),
        partial(_open_learner, shelf),
        _power_off,
        _make_dimmer(display, settings),
        partial(_open_cards, shelf),
        partial(_open_scorer, shelf),
        page=page,
        hall=hall,
    )
    return App(equipment, options.state, start, notifier)


def _open_page(options: RunOptions, settings: Settings) -> tuple[TablePage, Text | None]:
    """Make the page on phones, open where that is asked for, and say why it could not be opened as the settings say.

    A socket that systemd hands on asks for it too, but for the service's own one, which is always there for the menu.

    Raises:
        DeviceError: it can't be opened as the command line says.
    """
    page, place = TablePage(options.state), options.web or listen_at(settings.web.listen)
    if place is None and not options.service and is_handed_on():
        place = USUAL
    try:
        if place is not None:
            # What a service prints is no terminal's: there the display shows the codes.
            open_page(page, *place, None if options.service else options.language or settings.spoken)
    except DeviceError as error:
        if options.web is not None:
            raise
        return page, error.text
    return page, None


def _open_hall(options: RunOptions, settings: Settings) -> Director:
    """Make the hall that the table is in: one named on the command line, or that of the settings, which may change."""
    runtime = _runtime_folder() if options.service else None
    if options.hall == (None, None):
        return TableHall(options.state, runtime)
    place = HallPlace.of(*options.hall, settings.hall)
    assert place is not None, "the command line names one"
    return open_desk(options.state, place, settings.hall, runtime)


_AGAIN = Text("This is tried again by itself.")


def _tell(display: Display, language: Language, *said: Text) -> None:
    """Show why the program can't begin, long enough to be read; then systemd starts it anew."""
    headline, *details = (words.said(language) for words in (*said, _AGAIN))
    # No button is heard now, so none is offered.
    display.show(NoticeScreen(language, Mood.NOTICE, headline, tuple(details), buttons=ButtonWords()))
    time.sleep(READABLE_S)


def _load_settings(options: RunOptions) -> tuple[Settings, Text | None]:
    """Load the settings; as a service, wrong ones are said on the display and the defaults hold."""
    try:
        return load_settings(options.state), None
    except DeviceError as error:
        if not options.service:
            raise
        return Settings(), error.text


def _runtime_folder() -> Path | None:
    folder = os.environ.get("RUNTIME_DIRECTORY")
    return Path(folder) if folder else None


def _has_no_display(options: RunOptions, settings: Settings) -> bool:
    return options.devices.headless or (options.devices.display or settings.display.driver) == "dummy"


def _open_display(options: RunOptions, settings: Settings) -> tuple[Display, ButtonPlaces]:
    """Open the display, and return what buttons there can be beside it."""
    size = options.devices.size or settings.display.size
    if options.devices.screens is not None:
        return FolderDisplay(options.devices.screens, size or REFERENCE, settings.display.panel), ButtonPlaces()
    driver = "dummy" if _has_no_display(options, settings) else options.devices.display or settings.display.driver
    choice = choose_display(driver, size, settings.display.rotation, os.environ)
    return open_display(choice, settings.display.panel), buttons_beside(choice)


def _open_buttons(options: RunOptions, settings: Settings, beside: ButtonPlaces, pins: Callable[[], Any]) -> Buttons:
    """Open the buttons; with no display, and a page for phones, those are the phones' alone.

    Raises:
        DeviceError: there are none, or they can't be used.
    """
    wanted = settings.buttons
    profile = options.devices.buttons or wanted.profile
    has_page = options.web is not None or bool(settings.web.listen)
    if profile == "auto" and _has_no_display(options, settings) and has_page and not beside.has_pins:
        if settings.web.may != MAY[-1]:
            raise DeviceError("With no display and no buttons phones need them: set web.may to all in settings.toml.")
        return KeyboardButtons()
    choice = choose_buttons(profile, wanted.pins if profile == "custom" else (), beside)
    return open_buttons(choice, Timing(wanted.debounce_ms / 1000, wanted.long_press_s), pins)


def make_camera_opener(options: RunOptions, settings: Settings) -> Callable[[], SteadyCamera]:
    """Return what opens the camera: it looks for it each time, since it may be plugged in later or elsewhere."""
    wanted = settings.camera
    source = options.devices.camera or wanted.source

    def open_camera() -> Camera:
        return choose_camera(source, wanted.size, simulated=make_simulated_camera).open()

    return lambda: SteadyCamera(open_camera, wanted.rotation, wanted.fixed)


def make_simulated_camera() -> Camera:
    """Make a camera above an empty simulated table."""
    from simulator.camera import SimulatedCamera  # painting the table's ground takes a moment

    return SimulatedCamera(REFERENCE_MAT_MM, seed=0)


def _open_look(shelf: DeckShelf, opening: Opening) -> Look:
    from device.capture.table_reader import TableReader  # onnxruntime takes a while to be loaded

    return TableReader.build(shelf, opening)


def _make_dimmer(display: Display, settings: Settings) -> Dimmer:
    """Make what dims the panel's own light, or has darker screens drawn where there is none that may be set."""
    light = find_backlight()
    shine = (
        light.set_brightness if light is not None else display.set_brightness if isinstance(display, Turned) else None
    )
    return Dimmer(shine, settings.display.brightness, settings.display.dim_after_min)


def _open_cards(
    shelf: DeckShelf, deck: str, mat_mm: tuple[float, float], marker_mm: float
) -> Callable[[Picture], CardsSeen]:
    from device.capture.table_reader import CardReader, sound_reader

    return CardReader(sound_reader(), shelf.load(deck), mat_mm, marker_mm)


def _open_scorer(
    shelf: DeckShelf, table: Table, deck: str, mat_mm: tuple[float, float], marker_mm: float
) -> ScoringLook:
    from device.scoring.looking import TableLook

    return TableLook.prepare(shelf, table, deck, mat_mm, marker_mm)


def _open_learner(shelf: DeckShelf, name: str, mat_mm: tuple[float, float], pages: tuple[str, ...]) -> PageLearner:
    from device.enrol.learning import page_learner

    return page_learner(name, mat_mm, pages, shelf.load)


def _plan_game(options: RunOptions, shelf: DeckShelf, settings: Settings) -> Plan | None:
    """Plan the game to begin at once, where players were named, or one for the players of a simulated table."""
    if options.game is not None:
        return None
    referee = _find_referee(options.kind)
    players = options.players
    if not players and options.kind is not None:
        if not options.simulated:
            raise DeviceError(
                "Who plays {kind}? Name the players with --players, or have it simulated with --simulated.",
                kind=options.kind,
            )
        players = choose_players(options.kind)
    if not players:
        return None
    _check_players(options, players, table_seats(referee))
    game = referee.rules
    asked = usual_options(game.options, players)
    if options.house_papers and isinstance(referee, HousePapers):
        asked[referee.house_key] = list(options.house_papers)
    if "first_seat" in asked:
        asked["first_seat"] = options.first_seat
    if options.simulated:
        return Plan(game.name, players, asked, "")
    deck = options.deck or deck_for_game(shelf, referee, settings.game.deck)
    shelf.load(deck)
    return Plan(game.name, players, asked, deck)


def _find_referee(kind: str | None) -> Referee:
    """Return the game of that name, the first one where none is named."""
    if kind is None:
        return next(iter(load_referees().values()))
    if kind not in load_referees():
        raise DeviceError(
            "There is no game {game}. There are: {games}; and a game of the journal has a number.",
            game=quote_value(kind),
            games=join_row(map(verbatim, load_referees())),
        )
    return load_referees()[kind]


def _check_players(options: RunOptions, players: Sequence[str], seats: range) -> None:
    """Refuse names that the display can't show, too few or too many players, and a seat that isn't there."""
    for name in players:
        if (fault := name_fault(name)) is not None:
            raise DeviceError("{name}: {fault}", name=shorten_line(name), fault=fault)
    if len(players) not in seats:
        raise DeviceError(
            "This game is for {how_many} players at the table, not {players}.",
            how_many=from_to(seats[0], seats[-1]),
            players=len(players),
        )
    if not 1 <= options.first_seat <= len(players):
        raise DeviceError(
            "There is no seat {seat}: --first names a seat from 1 to {players}.",
            seat=options.first_seat,
            players=len(players),
        )


def _power_off() -> None:
    """Ask systemd to switch the machine off; a polkit rule lets the service's user do that.

    Raises:
        DeviceError: it refused.
    """
    try:
        done = subprocess.run(["systemctl", "poweroff"], capture_output=True, text=True, timeout=20, check=False)
        cause = done.stderr.strip() if done.returncode else ""
    except (OSError, subprocess.TimeoutExpired) as error:
        cause = str(error)
    if cause:
        raise DeviceError(
            "The machine can't be switched off from here ({cause}); hold its own button, or pull the "
            "plug: nothing is lost.",
            cause=cause,
        )
