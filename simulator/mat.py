"""What the camera sees of a simulated game: the cards as the players left them, and their hands above."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from device.hardware.camera import Camera, Picture, Preview
from referee.placing import Placed, Tray
from simulator.camera import OnTheMat


class TableCamera(Camera, Protocol):
    """A camera above a simulated table: it is told what lies there, and whether hands are above it."""

    hands: bool

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        """Show these cards from now on, bottom to top, and a tray with dice."""


class SimulatedMat:
    """The simulated table as a camera. Its players change it in their thread and the camera's looks at it in its own,
    where a table that was changed meanwhile is taken over. A camera that was given up as too slow may look still while
    the next one does: one look at a time.
    """

    def __init__(self, open_camera: Callable[[], TableCamera]) -> None:
        self.laid = OnTheMat()
        self.hands = False
        self.pictured = OnTheMat()
        """What the last full picture shows."""
        self._calm_looks = 0
        self._one_look = threading.Lock()
        self._open_camera = open_camera
        self._camera: TableCamera | None = None
        self._shown: OnTheMat | None = None

    @property
    def lying(self) -> OnTheMat:
        """What the camera sees now."""
        return self._shown or OnTheMat()

    @property
    def calm_looks(self) -> int:
        """How often the camera has looked at the table as it lies now, without hands."""
        return self._calm_looks if self._shown is self.laid and not self.hands else 0

    def take_preview(self) -> Preview:
        """Take the small picture of this moment, hands included."""
        with self._one_look:
            seen = self._refresh_camera().take_preview()
            self._calm_looks += 1
            return seen

    def take_picture(self) -> Picture:
        """Take the full picture of this moment."""
        with self._one_look:
            camera = self._refresh_camera()
            self.pictured = self.lying
            return camera.take_picture()

    def close(self) -> None:
        """Do nothing: there is nothing to let go of, and closing twice does no harm."""

    def _refresh_camera(self) -> TableCamera:
        """Return the camera before the table of this moment."""
        if self._camera is None:
            self._camera = self._open_camera()
        if self.laid is not self._shown:
            laid = self.laid
            self._camera.show(laid.cards, laid.tray)
            self._shown = laid
            self._calm_looks = 0
        self._camera.hands = self.hands
        if self.hands:
            self._calm_looks = 0
        return self._camera
