"""What is said of the camera's picture: the mat and its size, scale, light, focus, and who sits where."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.app.sighting import Aiming, Purpose
from device.capture.live import Live
from device.capture.survey import Survey, find_other_size, list_checks, survey_picture
from device.capture.thumbnails import are_alike, make_thumbnail
from device.hardware.buttons import Button, Press
from device.hardware.camera import Picture
from device.hardware.steady import SteadyCamera
from device.speech import Language
from rules.text import Text
from simulator.camera import Lens, SimulatedCamera
from tests.device.spoken import in_every_language
from ui.screen_state import CameraScreen, Mood

A0 = (1189.0, 841.0)
PLAYERS = ("Mia", "Ken", "Aya")


def picture(mat: tuple[float, float] = A0, **lens: float) -> Picture:
    camera = SimulatedCamera(mat, 3, replace(Lens(size=(2000, 1500), noise=1.0), **lens))  # type: ignore[arg-type]
    camera.show(())
    return camera.take_picture()


@pytest.fixture(scope="module")
def good() -> Picture:
    return picture((900.0, 600.0))


def said(seen: Survey) -> list[str]:
    return [str(words) for words, fine in list_checks(seen) if not fine]


def test_a_good_picture_has_nothing_to_mend(good: Picture) -> None:
    seen = survey_picture(good, 50.0)
    assert said(seen) == []
    assert seen.mat is not None
    assert seen.mat.size_mm == pytest.approx((900, 600), rel=0.01)
    assert find_other_size(seen, (900.0, 600.0)) is None
    assert find_other_size(seen, A0) == tuple(round(side) for side in seen.mat.size_mm)


@pytest.mark.slow  # tests/vision/mat/test_light.py
def test_too_dark_too_bright_and_out_of_focus_are_said() -> None:
    assert any("Too dark" in words for words in said(survey_picture(picture((900.0, 600.0), exposure=0.25), 50.0)))
    bright = np.clip(picture((900.0, 600.0)).astype(np.float32) * 1.7, 0, 255).astype(np.uint8)
    assert any("Too bright" in words for words in said(survey_picture(bright, 50.0)))
    blurred = survey_picture(picture((900.0, 600.0), blur=4.5), 50.0)
    assert any("Not sharp" in words for words in said(blurred))
    assert find_other_size(blurred, A0) is None, "a blurred picture measures no mat"


def test_few_pixels_are_said(good: Picture) -> None:
    small = np.asarray(cv2.resize(good, (900, 675), interpolation=cv2.INTER_AREA), np.uint8)
    assert any("bring the camera nearer" in words for words in said(survey_picture(small, 50.0)))


def test_hidden_markers_are_named_and_do_not_lose_a_mat_seen_before(good: Picture) -> None:
    hidden = good.copy()
    hidden[:500, :500] = 40
    assert survey_picture(hidden, 50.0).mat is not None, "three do"
    hidden[:500, -500:] = 40
    seen = survey_picture(hidden, 50.0)
    assert seen.mat is None
    assert "0 (top left) and 1 (top right)" in said(seen)[0]
    before = survey_picture(good, 50.0)
    assert survey_picture(hidden, 50.0, before.mat).mat is before.mat


def test_a_pushed_marker_is_said(good: Picture) -> None:
    seen = survey_picture(good, 50.0)
    assert seen.mat is not None
    warned = replace(seen, mat=replace(seen.mat, warnings=(Text("Lay it right."),)))
    assert said(warned) == ["Lay it right."]


def test_noise_is_nothing_new_and_a_card_is(good: Picture) -> None:
    rng = np.random.default_rng(1)
    noisy = np.clip(good + rng.normal(0, 6, good.shape), 0, 255).astype(np.uint8)
    assert are_alike(make_thumbnail(good), make_thumbnail(noisy))
    changed = good.copy()
    changed[700:860, 900:1010] = 240
    assert not are_alike(make_thumbnail(good), make_thumbnail(changed))
    width, height = make_thumbnail(good).size
    assert width <= 320
    assert len(make_thumbnail(good).rgb) == width * height * 3


class Looking:
    """Shows what the test has it show."""

    def __init__(self, seen: Survey | Text | None) -> None:
        self.seen = seen
        self.stopped = False

    def start(self) -> None:
        pass

    def take_news(self) -> Survey | Text | None:
        news, self.seen = self.seen, None
        return news

    def stop(self) -> None:
        self.stopped = True


class Stage:
    def __init__(self, seen: Survey | Text | None, players: tuple[str, ...] = PLAYERS, to_game: bool = True) -> None:
        self.used: list[tuple[float, float]] = []
        self.left: list[object] = []
        go_on = self.left.append if to_game else None
        purpose = Purpose(A0, self.use, lambda: self.left.append("back"), players, go_on)
        self.looking = Looking(seen)
        self.stage = Aiming(self.looking, Language.EN, purpose)
        self.stage.run_round()

    def use(self, mat_mm: tuple[float, float]) -> tuple[float, float]:
        self.used.append(mat_mm)
        return mat_mm

    def press(self, button: Button) -> CameraScreen:
        self.stage.press(Press(button))
        return in_every_language(self.stage, CameraScreen)


def test_another_mat_is_asked_about_and_taken(good: Picture) -> None:
    seen = survey_picture(good, 50.0)
    stage = Stage(seen)
    asked = stage.stage.make_screen()
    assert asked.mood is Mood.QUESTION
    assert "Use it?" in asked.view.checks[0][0]
    taken = stage.press(Button.CONFIRM)
    assert stage.used == [find_other_size(seen, A0)]
    assert ("Mat as set", True) in taken.view.checks
    stage.press(Button.CONFIRM)
    assert stage.left == [PLAYERS]


def test_another_mat_may_be_left_as_it_is_set(good: Picture) -> None:
    stage = Stage(survey_picture(good, 50.0))
    assert stage.press(Button.DOWN).mood is Mood.NOTICE
    stage.press(Button.CONFIRM)
    assert (stage.used, stage.left) == ([], [PLAYERS])


def test_players_are_turned_round_the_table() -> None:
    stage = Stage(survey_picture(picture(blur=0.4), 50.0))
    assert stage.stage.make_screen().mood is Mood.NOTICE

    def names(screen: CameraScreen) -> list[str]:
        return [seat.name for seat in screen.view.seats]

    assert names(stage.stage.make_screen()) == ["Mia", "Ken", "Aya"]
    assert names(stage.press(Button.UP)) == ["Ken", "Aya", "Mia"]
    assert names(stage.press(Button.DOWN)) == ["Mia", "Ken", "Aya"]
    assert names(stage.press(Button.DOWN)) == ["Aya", "Mia", "Ken"]
    stage.press(Button.CONFIRM)
    assert stage.left == [("Aya", "Mia", "Ken")]


def test_a_seat_lies_where_the_picture_shows_it() -> None:
    screen = Stage(survey_picture(picture(blur=0.4), 50.0)).stage.make_screen()
    bottom, top_left, top_right = screen.view.seats
    assert min(y for _, y in bottom.corners) > 0.55 > max(y for _, y in top_left.corners)
    assert max(x for x, _ in top_left.corners) < min(x for x, _ in top_right.corners) + 0.05
    assert len(screen.view.mat) == 4


def test_without_a_picture_it_can_be_left_and_played_all_the_same() -> None:
    stage = Stage(None)
    stage.press(Button.CONFIRM)
    assert stage.left == [], "nothing was seen yet"
    stage.looking.seen = Text("The camera is starting.")
    stage.stage.run_round()
    stage.press(Button.CONFIRM)
    assert stage.left == [PLAYERS], "and nobody was moved round the table by it"
    trouble = Stage(Text("The camera is starting."))
    shown = trouble.stage.make_screen()
    assert shown.view.checks == (("The camera is starting.", False),)
    trouble.press(Button.CONFIRM)
    assert trouble.left == [PLAYERS]
    back = Stage(None)
    back.press(Button.BACK)
    assert back.left == ["back"]


def test_from_the_menu_confirm_goes_back(good: Picture) -> None:
    stage = Stage(survey_picture(picture(blur=0.4), 50.0), players=(), to_game=False)
    stage.press(Button.CONFIRM)
    assert stage.left == ["back"]


class Still:
    """The same picture again and again, or none."""

    def __init__(self, shown: Picture) -> None:
        self.shown = shown
        self.taken = 0

    def take_preview(self) -> Picture:
        return self.shown[..., 0]

    def take_picture(self) -> Picture:
        self.taken += 1
        return self.shown

    def close(self) -> None:
        pass


def test_an_unchanged_table_is_told_once(good: Picture) -> None:
    camera = Still(good)
    told = threading.Event()
    live = Live(SteadyCamera(lambda: camera), 50.0, told, every_s=0.01)
    live.start()
    try:
        seen: list[object] = []
        deadline = time.monotonic() + 30
        while camera.taken < 6 and time.monotonic() < deadline:
            news = live.take_news()
            seen += [news] if isinstance(news, Survey) else []
            time.sleep(0.005)
        assert camera.taken >= 6
        assert len(seen) == 1
    finally:
        live.stop()
