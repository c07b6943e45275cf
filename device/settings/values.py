"""The one table of all there is to set: each key with its default, what it may be and what it is for.

``device.settings.settings_file`` reads, checks and prints the file from these classes alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar, cast

from device.hardware.camera import CameraLock
from device.hardware.cameras import SOURCES
from device.hardware.display import ROTATIONS
from device.hardware.displays import DRIVERS, LARGEST, SMALLEST
from device.hardware.profiles import NAMES
from device.settings.kinds import Choice, Kind, Number, OneLine, Panel, PlayerName, Several, Source, Whole, YesNo
from device.speech import Language, default_language
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from rules.text import Both, Text
from ui.parts import panel as glass

_T = TypeVar("_T")

_PIN = Whole(2, 27)
"""Pins 0 and 1 belong to the memory by which hats are known."""
_SIDE = Number(300, 3000)
_NAMES = Text("up to 30 different names of 1 to 20 characters (16 if full-width) that the display can show")


def _size(least: int, most: int) -> Several:
    bounds = f"from {least} to {most}", f"{least}～{most}"
    names = Both(f"[width, height] in px, each {bounds[0]}", f"[幅, 高さ]（画素、それぞれ{bounds[1]}）")
    return Several(Whole(least, most), (2,), names)


def _key(default: _T, kind: Kind, en: str, ja: str) -> _T:
    """A setting: its default (``None``: nothing is set), what it may be, and what it is for."""
    return field(default=default, metadata={"kind": kind, "words": Both(en, ja)})


@dataclass(frozen=True)
class GameSettings:
    """What a new game begins with."""

    about: ClassVar[Text] = Text("What a new game begins with.")

    names: tuple[str, ...] = _key(
        (),
        Several(PlayerName(), tuple(range(31)), _NAMES, different=True),
        "Names to choose from when a game begins.",
        "ゲームを始めるときに選ぶ名前。",
    )
    deck: str = _key(
        "", OneLine(40), "The deck on the table; empty: it is asked.", "使うデッキの名前。空のときは毎回選びます。"
    )
    hints: bool = _key(
        False,
        YesNo(),
        "Whether the help in a game gives hints, from what everybody can see.",
        "ゲーム中のヘルプに、全員に見えている情報からのヒントを出すかどうか。",
    )


@dataclass(frozen=True)
class TableSettings:
    """Lengths in mm."""

    about: ClassVar[Text] = Text("What lies on the table.")

    mat_mm: tuple[float, float] = _key(
        REFERENCE_MAT_MM,
        Several(_SIDE, (2,), Text("[width, height] in mm, each from 300 to 3000")),
        "The mat from marker to marker, outer corners: [width, height] in mm.",
        "マットの大きさ（マーカーの外側の角から角まで、[幅, 高さ]、mm）。",
    )
    marker_mm: float = _key(
        MARKER_MM, Number(10, 200), "The side of a marker's black square in mm.", "マーカーの黒い四角の一辺（mm）。"
    )


@dataclass(frozen=True)
class CameraSettings:
    """The camera; exposure, gain, white balance and focus in the camera's own units."""

    about: ClassVar[Text] = Text("The camera. What is not set is found by itself, and held once the mat is set up.")

    source: str = _key("auto", Source(tuple(SOURCES.split(", "))), "Which camera is used.", "使うカメラ。")
    size: tuple[int, int] | None = _key(
        None, _size(320, 10000), "The full picture: [width, height] in px.", "画像の大きさ（[幅, 高さ]、画素）。"
    )
    rotation: int = _key(0, Choice(ROTATIONS), "How far pictures are turned, clockwise.", "画像を時計回りに回す角度。")
    exposure: float | None = _key(
        None, Number(1, 1_000_000), "Exposure, with picamera2 in µs.", "露出時間（picamera2ではマイクロ秒）。"
    )
    gain: float | None = _key(
        None, Number(0, 10_000), "Gain, with picamera2 the analogue gain.", "ゲイン（picamera2ではアナログゲイン）。"
    )
    white: tuple[float, ...] | None = _key(
        None,
        Several(
            Number(0, 20_000),
            (1, 2),
            Text("[red gain, blue gain], or [kelvin] with USB"),
        ),
        "White balance: [red gain, blue gain], with USB [kelvin].",
        "ホワイトバランス（[赤のゲイン, 青のゲイン]、USBでは[色温度K]）。",
    )
    focus: float | None = _key(
        None, Number(0, 10_000), "Focus, with picamera2 in dioptres.", "ピント（picamera2ではディオプトリ）。"
    )

    @property
    def fixed(self) -> CameraLock | None:
        """What is held from the first picture on; ``None`` where everything is found by itself."""
        lock = CameraLock(self.exposure, self.gain, self.white, self.focus)
        return lock if lock != CameraLock() else None


@dataclass(frozen=True)
class DisplaySettings:
    """The small display."""

    about: ClassVar[Text] = Text("The display.")

    driver: str = _key("auto", Choice(tuple(DRIVERS.split(", "))), "Which display is used.", "使う表示装置。")
    size: tuple[int, int] | None = _key(
        None,
        Panel(SMALLEST, LARGEST),
        "Its size as it hangs: [width, height] in px.",
        "画面の大きさ（[幅, 高さ]、画素）。",
    )
    rotation: int = _key(0, Choice(ROTATIONS), "How far screens are turned, clockwise.", "画面を時計回りに回す角度。")
    map_rotation: int = _key(
        0,
        Choice(ROTATIONS),
        "How far the small map of the table is turned, clockwise: as its readers see the table.",
        "テーブルの小さな図を時計回りに回す角度。画面を見る人から見た向きに合わせます。",
    )
    brightness: int = _key(
        100, Whole(5, 100), "How bright the panel is, in percent, where it has a light to set.", "画面の明るさ（%）。"
    )
    dim_after_min: int = _key(
        0,
        Whole(0, 240),
        "Minutes without a press or a new screen after which the panel is dimmed; 0: never.",
        "操作も画面の変化もないとき、何分後に暗くするか。0は暗くしません。",
    )
    width_mm: float | None = _key(
        None,
        Number(25, 1000),
        "The width of its picture as it hangs, in mm: letters are set by it. Not set: as the display says, or usual.",
        "表示される部分の幅（mm）。文字の大きさを決めます。設定しないときは画面の申告か標準の大きさ。",
    )
    theme: str = _key(
        "dark", Choice(("dark", "light")), "Light letters on dark, or dark on light.", "暗い画面か明るい画面。"
    )

    @property
    def panel(self) -> glass.Panel:
        """What letters and colours depend on."""
        return glass.Panel(self.width_mm, self.theme == "light", ROTATIONS.index(self.map_rotation))


@dataclass(frozen=True)
class ButtonSettings:
    """The four buttons."""

    about: ClassVar[Text] = Text("The four buttons.")

    profile: str = _key("auto", Choice(tuple(NAMES.split(", "))), "Which buttons are used.", "使うボタン。")
    pins: tuple[int, ...] = _key(
        (),
        Several(
            _PIN,
            (0, 4),
            Text("four different BCM pins from 2 to 27, or none"),
            different=True,
        ),
        "With the profile custom: the BCM pins of confirm, back, up and down.",
        "profileがcustomのとき、確定・戻る・上・下のBCMピン番号。",
    )
    long_press_s: float = _key(0.8, Number(0.3, 5), "How long a long press is, in s.", "長押しとみなす時間（秒）。")
    debounce_ms: float = _key(
        20.0,
        Number(1, 200),
        "How long a contact must have come to rest, in ms.",
        "接点が安定したとみなす時間（ミリ秒）。",
    )


@dataclass(frozen=True)
class SignalSettings:
    """Lamp, buzzer and speaker."""

    about: ClassVar[Text] = Text("Lamp, buzzer and speaker.")

    lamp_pin: int | None = _key(
        None, _PIN, "The BCM pin of the lamp by the confirm button.", "確定ボタンのランプのBCMピン番号。"
    )
    buzzer_pin: int | None = _key(None, _PIN, "The BCM pin of the buzzer.", "ブザーのBCMピン番号。")
    buzzer: str = _key(
        "beep",
        Choice(("beep", "notes")),
        "What the buzzer is: beep has a note of its own (active), notes gives any (passive).",
        "ブザーの種類。beepは自分で鳴るもの（アクティブ）、notesは音の高さを変えられるもの（パッシブ）。",
    )
    speaker: bool = _key(
        True, YesNo(), "Whether sounds come through a speaker, where there is one.", "スピーカーから音を出すかどうか。"
    )
    sounds: bool = _key(True, YesNo(), "Whether anything sounds at all.", "音を鳴らすかどうか。")


@dataclass(frozen=True)
class RecordingSettings:
    """Keeping what the camera and the buttons gave, so that a misread evening can be replayed."""

    about: ClassVar[Text] = Text("Recordings of games, to be replayed.")

    on: bool = _key(False, YesNo(), "Whether games are recorded from the start.", "最初から録画するかどうか。")
    most_mb: int = _key(
        500,
        Whole(10, 1_000_000),
        "How much all recordings may take, in MB; the oldest are deleted.",
        "録画全体の上限（MB）。古いものから消します。",
    )
    free_mb: int = _key(
        300,
        Whole(20, 1_000_000),
        "Recording stops rather than leave less free on the disk, in MB.",
        "ディスクの空きがこれを下回る前に録画を止めます（MB）。",
    )


@dataclass(frozen=True)
class ServiceSettings:
    """What the program may do on a machine of its own."""

    about: ClassVar[Text] = Text("On a machine of its own.")

    power_off: bool = _key(
        True, YesNo(), "Whether the menu may switch the machine off.", "メニューから電源を切れるかどうか。"
    )


@dataclass(frozen=True)
class Settings:
    """All settings. ``Settings()`` are the defaults."""

    language: str = _key(
        "auto",
        Choice(("auto", "ja", "en")),
        "Language; auto: as the system's locale.",
        "表示の言語。autoはシステムに従います。",
    )
    game: GameSettings = field(default_factory=GameSettings)
    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    display: DisplaySettings = field(default_factory=DisplaySettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    signals: SignalSettings = field(default_factory=SignalSettings)
    recording: RecordingSettings = field(default_factory=RecordingSettings)
    service: ServiceSettings = field(default_factory=ServiceSettings)

    @property
    def spoken(self) -> Language:
        """The language to speak."""
        return default_language() if self.language == "auto" else Language(self.language)


def all_settings() -> Iterator[str]:
    """The whole name of every setting there is: ``language``, ``camera.source``."""
    for outer in fields(Settings):
        if "kind" in outer.metadata:
            yield outer.name
        else:
            yield from (f"{outer.name}.{setting.name}" for setting in fields(cast(Any, outer.default_factory)))
