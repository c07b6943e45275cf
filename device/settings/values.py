"""The one table of all there is to set: each key with its default, what it may be and what it is for.

``device.settings.settings_file`` reads, checks and prints the file from these classes alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, TypeVar, cast

from device.hardware.camera import CameraLock
from device.hardware.cameras import SOURCES
from device.hardware.display import ROTATIONS
from device.hardware.displays import DRIVERS, LARGEST, SMALLEST
from device.hardware.profiles import NAMES
from device.settings.kinds import (
    Broker,
    Kind,
    Listen,
    Number,
    OneLine,
    OneOf,
    PanelSize,
    PlayerName,
    Secret,
    Several,
    Source,
    TopicLevel,
    Whole,
    YesNo,
)
from device.speech import Language, default_language
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from rules.text import Text
from ui.parts import panel as glass

_T = TypeVar("_T")

MAY = ("watch", "help", "all")
"""What phones may do: look on; write names, aim, set and score as well; press the buttons as well."""

AT_ONCE = frozenset(
    {
        "language",
        "game.names",
        "game.deck",
        "game.hints",
        "game.teach",
        "table.mat_mm",
        "table.marker_mm",
        "display.rotation",
        "display.map_rotation",
        "display.brightness",
        "display.dim_after_min",
        "display.width_mm",
        "display.theme",
        "signals.sounds",
        "recording.on",
        "web.may",
    }
)
"""What a running table does as it is set; all else holds from its next start."""

_PIN = Whole(2, 27)
"""Pins 0 and 1 belong to the memory by which hats are known."""
_SIDE = Number(300, 3000)
_NAMES = Text("up to 30 different names of 1 to 20 characters (16 if full-width) that the display can show")


def _define_size(least: int, most: int) -> Several:
    names = Text("[width, height] in px, each from {least} to {most}", least=least, most=most)
    return Several(Whole(least, most), (2,), names)


def _define_key(default: _T, kind: Kind, words: Text) -> _T:
    """Define a setting: its default (``None``: nothing is set), what it may be, and what it is for."""
    return field(default=default, metadata={"kind": kind, "words": words})


@dataclass(frozen=True)
class GameSettings:
    """What a new game begins with."""

    about: ClassVar[Text] = Text("What a new game begins with.")

    names: tuple[str, ...] = _define_key(
        (),
        Several(PlayerName(), tuple(range(31)), _NAMES, different=True),
        Text("Names to choose from when a game begins."),
    )
    deck: str = _define_key("", OneLine(40), Text("The deck on the table; empty: it is asked."))
    hints: bool = _define_key(
        False, YesNo(), Text("Whether the help in a game gives hints, from what everybody can see.")
    )
    teach: bool = _define_key(False, YesNo(), Text("Whether a game teaches itself while it is played."))


@dataclass(frozen=True)
class TableSettings:
    """Lengths in mm."""

    about: ClassVar[Text] = Text("What lies on the table.")

    mat_mm: tuple[float, float] = _define_key(
        REFERENCE_MAT_MM,
        Several(_SIDE, (2,), Text("[width, height] in mm, each from 300 to 3000")),
        Text("The mat from marker to marker, outer corners: [width, height] in mm."),
    )
    marker_mm: float = _define_key(MARKER_MM, Number(10, 200), Text("The side of a marker's black square in mm."))


@dataclass(frozen=True)
class CameraSettings:
    """The camera; exposure, gain, white balance and focus in the camera's own units."""

    about: ClassVar[Text] = Text("The camera. What is not set is found by itself, and held once the mat is set up.")

    source: str = _define_key("auto", Source(tuple(SOURCES.split(", "))), Text("Which camera is used."))
    size: tuple[int, int] | None = _define_key(
        None, _define_size(320, 10000), Text("The full picture: [width, height] in px.")
    )
    rotation: int = _define_key(0, OneOf(ROTATIONS), Text("How far pictures are turned, clockwise."))
    exposure: float | None = _define_key(None, Number(1, 1_000_000), Text("Exposure, with picamera2 in µs."))
    gain: float | None = _define_key(None, Number(0, 10_000), Text("Gain, with picamera2 the analogue gain."))
    white: tuple[float, ...] | None = _define_key(
        None,
        Several(Number(0, 20_000), (1, 2), Text("[red gain, blue gain], or [kelvin] with USB")),
        Text("White balance: [red gain, blue gain], with USB [kelvin]."),
    )
    focus: float | None = _define_key(None, Number(0, 10_000), Text("Focus, with picamera2 in dioptres."))

    @property
    def fixed(self) -> CameraLock | None:
        """What is held from the first picture on; ``None`` where everything is found by itself."""
        lock = CameraLock(self.exposure, self.gain, self.white, self.focus)
        return lock if lock != CameraLock() else None


@dataclass(frozen=True)
class DisplaySettings:
    """The small display."""

    about: ClassVar[Text] = Text("The display.")

    driver: str = _define_key("auto", OneOf(tuple(DRIVERS.split(", "))), Text("Which display is used."))
    size: tuple[int, int] | None = _define_key(
        None, PanelSize(SMALLEST, LARGEST), Text("Its size as it hangs: [width, height] in px.")
    )
    rotation: int = _define_key(0, OneOf(ROTATIONS), Text("How far screens are turned, clockwise."))
    map_rotation: int = _define_key(
        0,
        OneOf(ROTATIONS),
        Text("How far the small map of the table is turned, clockwise: as its readers see the table."),
    )
    brightness: int = _define_key(
        100, Whole(5, 100), Text("How bright the panel is, in percent, where it has a light to set.")
    )
    dim_after_min: int = _define_key(
        0, Whole(0, 240), Text("Minutes without a press or a new screen after which the panel is dimmed; 0: never.")
    )
    width_mm: float | None = _define_key(
        None,
        Number(25, 1000),
        Text(
            "The width of its picture as it hangs, in mm: letters are set by it. Not set: as the display "
            "says, or usual."
        ),
    )
    theme: str = _define_key("dark", OneOf(("dark", "light")), Text("Light letters on dark, or dark on light."))

    @property
    def panel(self) -> glass.Panel:
        """What letters and colours depend on."""
        return glass.Panel(self.width_mm, self.theme == "light", ROTATIONS.index(self.map_rotation))


@dataclass(frozen=True)
class ButtonSettings:
    """The four buttons."""

    about: ClassVar[Text] = Text("The four buttons.")

    profile: str = _define_key("auto", OneOf(tuple(NAMES.split(", "))), Text("Which buttons are used."))
    pins: tuple[int, ...] = _define_key(
        (),
        Several(_PIN, (0, 4), Text("four different BCM pins from 2 to 27, or none"), different=True),
        Text("With the profile custom: the BCM pins of confirm, back, up and down."),
    )
    long_press_s: float = _define_key(0.8, Number(0.3, 5), Text("How long a long press is, in s."))
    debounce_ms: float = _define_key(20.0, Number(1, 200), Text("How long a contact must have come to rest, in ms."))


@dataclass(frozen=True)
class SignalSettings:
    """Lamp, buzzer and speaker."""

    about: ClassVar[Text] = Text("Lamp, buzzer and speaker.")

    lamp_pin: int | None = _define_key(None, _PIN, Text("The BCM pin of the lamp by the confirm button."))
    buzzer_pin: int | None = _define_key(None, _PIN, Text("The BCM pin of the buzzer."))
    buzzer: str = _define_key(
        "beep",
        OneOf(("beep", "notes")),
        Text("What the buzzer is: beep has a note of its own (active), notes gives any (passive)."),
    )
    speaker: bool = _define_key(True, YesNo(), Text("Whether sounds come through a speaker, where there is one."))
    sounds: bool = _define_key(True, YesNo(), Text("Whether anything sounds at all."))


@dataclass(frozen=True)
class RecordingSettings:
    """Keeping what the camera and the buttons gave, so that a misread evening can be replayed."""

    about: ClassVar[Text] = Text("Recordings of games, to be replayed.")

    on: bool = _define_key(False, YesNo(), Text("Whether games are recorded from the start."))
    most_mb: int = _define_key(
        500, Whole(10, 1_000_000), Text("How much all recordings may take, in MB; the oldest are deleted.")
    )
    free_mb: int = _define_key(
        300, Whole(20, 1_000_000), Text("Recording stops rather than leave less free on the disk, in MB.")
    )


@dataclass(frozen=True)
class ServiceSettings:
    """What the program may do on a machine of its own."""

    about: ClassVar[Text] = Text("On a machine of its own.")

    power_off: bool = _define_key(True, YesNo(), Text("Whether the menu may switch the machine off."))


@dataclass(frozen=True)
class WebSettings:
    """The page on the phone."""

    about: ClassVar[Text] = Text("The page on the phone.")

    listen: str = _define_key(
        "",
        Listen(),
        Text("Where the page is reached: PORT or HOST:PORT; empty: nowhere."),
    )
    may: str = _define_key(
        "help",
        OneOf(MAY),
        Text("What phones may do: watch; help with names, aiming and scores; or all, the four buttons too."),
    )


@dataclass(frozen=True)
class HallSettings:
    """The hall that the table is in, and how its broker is reached."""

    about: ClassVar[Text] = Text("The hall: what the table does is sent to a broker, for a board of all tables.")

    broker: str = _define_key("", Broker(), Text("The hall's MQTT broker; empty: the table is in no hall."))
    name: str = _define_key("", TopicLevel(), Text("The hall's name, the same at all its tables."))
    table: str = _define_key("", TopicLevel(), Text("This table's name, which no other table of the hall has."))
    password: str = _define_key("", Secret(200), Text("The password for the broker, where one is needed."))
    password_file: str = _define_key(
        "", OneLine(1000), Text("A file that holds the password, in place of hall.password.")
    )
    ca_file: str = _define_key(
        "",
        OneLine(1000),
        Text("A file of the certificates that the broker's is signed by; empty: those of the system."),
    )
    certificate: str = _define_key(
        "",
        OneLine(100),
        Text("The broker's own certificate, as the hall's sheet names it, which then is the only one trusted."),
    )


@dataclass(frozen=True)
class Settings:
    """All settings. ``Settings()`` are the defaults."""

    language: str = _define_key(
        "auto",
        OneOf(("auto", *(language.code for language in Language.all()))),
        Text("Language; auto: as the system's locale."),
    )
    game: GameSettings = field(default_factory=GameSettings)
    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    display: DisplaySettings = field(default_factory=DisplaySettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    signals: SignalSettings = field(default_factory=SignalSettings)
    recording: RecordingSettings = field(default_factory=RecordingSettings)
    service: ServiceSettings = field(default_factory=ServiceSettings)
    web: WebSettings = field(default_factory=WebSettings)
    hall: HallSettings = field(default_factory=HallSettings)

    @property
    def spoken(self) -> Language:
        """The language to speak."""
        return default_language() if self.language == "auto" else Language.from_code(self.language)


def as_shown(settings: _T) -> _T:
    """Return settings, or some of them, as anybody may see them: without a password.

    >>> as_shown(Settings(camera=CameraSettings("rtsp://me:secret@10.0.0.9/main"))).camera.source
    'rtsp://10.0.0.9/main'
    """
    held = cast(Any, settings)
    kept = {one: getattr(held, one.name) for one in fields(held)}
    shown = {
        one.name: one.metadata["kind"].redact(value) if "kind" in one.metadata else as_shown(value)
        for one, value in kept.items()
    }
    return cast(_T, replace(held, **shown))


def all_settings() -> Iterator[str]:
    """Iterate over the whole names of all settings: ``language``, ``camera.source``."""
    for outer in fields(Settings):
        if "kind" in outer.metadata:
            yield outer.name
        else:
            yield from (f"{outer.name}.{setting.name}" for setting in fields(cast(Any, outer.default_factory)))
