"""The program in a thread of its own, a camera with a switch for every fault, and somebody at the buttons."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import numpy as np

from device.app.app import App
from device.app.equipment import Equipment, Look, OpenCards, OpenScorer, StartOptions
from device.app.notify import Notifier
from device.app.signals import Signals
from device.enrol.learning import PageLearner
from device.errors import DeviceError
from device.hardware.backlight import Dimmer
from device.hardware.buttons import Button, ButtonFault, Press
from device.hardware.camera import Picture, Preview
from device.hardware.steady import SteadyCamera
from device.outward import PhonePage
from device.settings.values import GameSettings, RecordingSettings, Settings, SignalSettings
from device.speech import Language
from device.storage.journal import Journal
from device.storage.opening import Opening
from device.storage.recorder import Recorder
from hall.table_end.desk import HallDesk
from referee.history import MOVE
from referee.laminate.simulated.table import SimulatedTable
from rules.cards import Card
from tests.device.at_the_table import LAYOUT, QUICK, SketchCamera, view_of
from ui.screen_state import Mood, ScreenState


class Sketch(SketchCamera):
    """A camera over the test's own table, with a switch for every fault."""

    def __init__(self) -> None:
        super().__init__()
        self.fault = ""
        self.release = threading.Event()

    def take_preview(self) -> Preview:
        if self.fault == "stalls":
            self.release.wait(20)
        if self.fault == "raises":
            raise RuntimeError("the driver fell over")
        if self.fault == "black":
            return np.full_like(self._plane, 2)
        return super().take_preview()

    def take_picture(self) -> Picture:
        whole = super().take_picture()
        if self.fault == "torn":
            whole[30:] = 127
        return whole[:48, :64] if self.fault == "smaller" else whole


class House:
    """The program in a thread of its own, and somebody before it."""

    def __init__(self, state: Path, names: tuple[str, ...] = (), **wishes: object) -> None:
        self.state, self.wishes = state, wishes
        self.settings = Settings(game=GameSettings(names))
        self.camera = Sketch()
        self.table = SimulatedTable(LAYOUT, random.Random(1))
        self.presses: list[Press] = []
        self.broken: tuple[ButtonFault, ...] = ()
        self.screens: list[ScreenState] = []
        self.look: Callable[[Picture], object] = lambda _: view_of(self.table, LAYOUT)
        self.unfit: DeviceError | None = None
        self.learner: PageLearner | None = None
        self.scorer: OpenScorer | None = None
        self.open_cards: OpenCards | None = None
        self.page: PhonePage | None = None
        self.dimmer = Dimmer()
        self.hall: HallDesk | None = None
        self.switched_off = 0
        self.environment: dict[str, str] = {}
        self.failed: BaseException | None = None
        self.wants_to_quit = False
        self.pace = QUICK
        self.pressed_so_far = 0
        """How many presses there were."""

    # the equipment

    def open_camera(self) -> SteadyCamera:
        return SteadyCamera(lambda: self.camera)

    def take_presses(self) -> list[Press]:
        presses, self.presses = self.presses, []
        return presses

    def list_faults(self) -> tuple[ButtonFault, ...]:
        return self.broken

    def show(self, state: ScreenState) -> None:
        self.screens.append(state)

    def close(self) -> None:
        pass

    def open_look(self, opening: Opening) -> Look:
        if self.unfit is not None:
            raise self.unfit
        return lambda picture: self.look(picture)

    def open_learner(self, name: str, mat_mm: tuple[float, float], pages: tuple[str, ...]) -> PageLearner:
        assert self.learner is not None
        return self.learner

    def switch_off(self) -> None:
        self.switched_off += 1

    # somebody's hands

    def start(self) -> None:
        def no_pins() -> None:
            raise AssertionError("no pins are set")

        signals, recorder = Signals(SignalSettings(), no_pins), Recorder(self.state / "rec", RecordingSettings())

        equipment = Equipment(
            self.open_camera,
            self,
            self,
            signals,
            recorder,
            self.open_look,
            self.open_learner,
            lambda: self.switch_off(),
            self.dimmer,
            self.open_cards,
            open_scorer=self.scorer,
            page=self.page,
            hall=self.hall,
        )
        wishes = StartOptions(Language.EN, self.settings, pace=self.pace, **self.wishes)  # type: ignore[arg-type]
        self.app = App(equipment, self.state, wishes, Notifier(self.environment))
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.app.run()
        except BaseException as error:
            self.failed = error

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.camera.release.set()
        self.app.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()
        assert self.failed is None, self.failed

    def until(self, wanted: Callable[[ScreenState], bool], seconds: float = 20.0) -> ScreenState:
        """Wait until the display shows such a screen."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.failed is None, self.failed
            if self.screens and wanted(self.screens[-1]):
                return self.screens[-1]
            time.sleep(0.002)
        raise AssertionError(f"not shown in {seconds} s; the last screen: {self.screens[-1:]}")

    def mood(self, mood: Mood) -> ScreenState:
        return self.until(lambda screen: screen.mood is mood)

    def says(self, words: str) -> ScreenState:
        return self.until(lambda screen: words in " ".join((screen.headline, *screen.details, *screen.choices)))

    def press(self, *buttons: Button, long: bool = False) -> None:
        for button in buttons:
            self.pressed_so_far += 1
            self.presses.append(Press(button, long, time.monotonic()))
            before = len(self.screens)
            deadline = time.monotonic() + 0.3
            while len(self.screens) == before and time.monotonic() < deadline:
                time.sleep(0.002)

    def go_on(self) -> None:
        """Leave the camera's picture for the game."""
        self.until(lambda screen: screen.buttons is not None and "go on" in screen.buttons.confirm)
        self.press(Button.CONFIRM)

    def choose(self, words: str) -> None:
        """Choose the menu's line with these words, and take it."""
        for _ in range(16):
            screen = self.screens[-1]
            if screen.choices and words in screen.choices[screen.chosen]:
                self.press(Button.CONFIRM)
                return
            self.press(Button.DOWN)
        raise AssertionError(f"no line {words!r} in {self.screens[-1].choices}")

    def lay(self, do: Callable[[SimulatedTable], None]) -> None:
        """Change the table: hands, cards, hands away."""
        self.camera.hands = True
        self.until(lambda screen: screen.mood is Mood.HANDS)
        do(self.table)
        self.camera.show(self.table)
        self.camera.hands = False

    def set_up(self) -> None:
        def cards(table: SimulatedTable) -> None:
            table.stack_draw(39)
            table.lay_discard(Card.parse("T8"))

        self.lay(cards)
        self.mood(Mood.PREVIEW)
        self.press(Button.CONFIRM)
        self.until(lambda screen: screen.mood is Mood.ACCEPTED)

    def discards(self, name: str) -> None:
        self.lay(lambda table: table.lay_discard(Card.parse(name)))

    def moves(self) -> int:
        with Journal.open(self.state) as kept:
            return sum(entry.kind == MOVE for entry in kept.read_entries(1))


def with_decks(state: Path, *names: str) -> None:
    for name in names:
        (state / "decks").mkdir(exist_ok=True)
        (state / "decks" / f"{name}.deck").write_bytes(b"")
