"""The camera's loop over a table with a tray that is still apart: each part is read when it has come to rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from device.capture.capture import Lookout, Moving, News, Seen, StillReader
from device.hardware.camera import Picture, Preview
from device.hardware.steady import SteadyCamera
from referee.table import REST, Unread
from vision.arrays import Doubles

RNG = np.random.default_rng(6)
SCENE = np.repeat(np.repeat(RNG.integers(60, 200, (12, 16), dtype=np.uint8), 10, 0), 10, 1)
SCENE += RNG.integers(0, 6, SCENE.shape, dtype=np.uint8)
OUTLINE = np.array([[110.0, 20.0], [150.0, 20.0], [150.0, 80.0], [110.0, 80.0]])


class Camera:
    """A small camera; what moves is named in ``moving``."""

    def __init__(self) -> None:
        self.moving: set[str] = set()
        self.at = 0

    def open(self) -> Camera:
        return self

    def take_preview(self) -> Preview:
        scene = SCENE.copy()
        self.at = (self.at + 7) % 30
        if "tray" in self.moving:
            scene[30 + self.at : 40 + self.at, 120:130] = 255
        if REST in self.moving:
            scene[50 + self.at : 70 + self.at, 20:40] = 0
        return scene

    def take_picture(self) -> Picture:
        return np.dstack([SCENE] * 3).repeat(4, 0).repeat(4, 1)

    def close(self) -> None:
        pass


class Reader(StillReader[int]):
    """A table with a tray, and what it was asked to read."""

    def __init__(self) -> None:
        self.asked: list[frozenset[str]] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def __call__(self, picture: Picture, moving: frozenset[str] | None = None) -> int:
        assert moving is not None, "the parts are told apart"
        self.asked.append(moving)
        self.meanwhile()
        return len(self.asked)

    def straighten_mat(self, picture: Picture, px_per_mm: float) -> None:
        return None

    def close_up(self, picture: Picture, mark: Unread) -> None:
        return None

    def outline_zones(self, size: tuple[int, int]) -> Mapping[str, Doubles]:
        return {"tray": OUTLINE} if self.asked else {}


class Scene:
    def __init__(self) -> None:
        self.camera, self.reader, self.told = Camera(), Reader(), threading.Event()
        steady = SteadyCamera(lambda: self.camera, preview_timeout_s=0.2, picture_timeout_s=0.2)
        self.lookout: Lookout[int] = Lookout(
            steady, lambda: self.reader, self.told, still_s=0.05, looks_a_second=200, look_again_s=0.05
        )

    def until(self, kind: type, seconds: float = 5.0) -> Any:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            news: list[News[int]] = self.lookout.take_news()
            for k, one in enumerate(news):
                if isinstance(one, kind):
                    self.lookout._news.extendleft(reversed(news[k + 1 :]))
                    return one
            self.told.wait(0.02)
            self.told.clear()
        raise AssertionError(f"no {kind.__name__} in {seconds} s")

    def quiet(self, seconds: float = 0.2) -> list[News[int]]:
        time.sleep(seconds)
        return self.lookout.take_news()


@pytest.fixture
def scene() -> Iterator[Scene]:
    scene = Scene()
    scene.lookout.start()
    assert scene.until(Seen).moving == frozenset()
    time.sleep(0.2)
    yield scene
    scene.lookout.stop()


def test_a_throw_is_read_once_when_the_tray_has_come_to_rest(scene: Scene) -> None:
    scene.camera.moving = {"tray"}
    assert scene.until(Moving).parts == {"tray"}
    time.sleep(0.05)
    assert scene.reader.asked == [frozenset()]
    scene.camera.moving = set()
    assert scene.until(Seen).moving == frozenset()
    assert scene.quiet() == []
    assert len(scene.reader.asked) == 2


def test_dice_are_read_while_hands_move_the_cards(scene: Scene) -> None:
    scene.camera.moving = {REST, "tray"}
    scene.until(Moving)
    time.sleep(0.05)
    scene.camera.moving = {REST}
    assert scene.until(Seen).moving == {REST}
    assert not any(isinstance(news, Seen) for news in scene.quiet())
    scene.camera.moving = set()
    assert scene.until(Seen).moving == frozenset()


def test_cards_are_read_while_a_hand_plays_with_the_dice(scene: Scene) -> None:
    scene.camera.moving = {"tray", REST}
    scene.until(Moving)
    time.sleep(0.05)
    scene.camera.moving = {"tray"}
    assert scene.until(Seen).moving == {"tray"}
    scene.camera.moving = set()
    assert scene.until(Seen).moving == frozenset()


def test_what_was_read_while_it_began_to_move_is_read_again(scene: Scene) -> None:
    def disturb() -> None:
        scene.camera.moving = {"tray"}
        scene.reader.meanwhile = lambda: None
        time.sleep(0.05)

    scene.reader.meanwhile = disturb
    scene.lookout.look_again()
    assert scene.until(Seen).moving == {"tray"}
    scene.camera.moving = set()
    assert scene.until(Seen).moving == frozenset()
