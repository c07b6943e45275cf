"""A game whose mat can't be seen: its picture is shown, and a mat of another size is taken at one press."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from device.app.plan import Plan
from device.app.watching import Watching
from device.capture.capture import Blind, Moving, News
from device.capture.turn_pictures import TurnPictures
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.settings.settings_file import load_settings
from device.storage.journal import Journal
from rules.text import Language, Text
from tests.device.at_the_table import PLAYERS, view_of
from tests.device.house import House
from ui.screen_state import CameraScreen, Mood, PlayScreen, ScreenState, Thumbnail
from vision.errors import MatError, MatSizeError

WHY = Text("Marker 0 can't be seen.")


def grey(level: int) -> Thumbnail:
    return Thumbnail((32, 24), np.full((24, 32, 3), level, np.uint8).tobytes())


class Told:
    """A lookout that says what the test has it say."""

    looked_s = 0.0

    def __init__(self) -> None:
        self.told: list[News[object]] = []

    def take_news(self) -> list[News[object]]:
        told, self.told = self.told, []
        return told


def blind(language: Language = Language.EN) -> ScreenState:
    return PlayScreen(language, Mood.BLIND, WHY.said(language))


def test_nothing_is_drawn_anew_where_the_picture_is_but_noisier() -> None:
    lookout = Told()
    watching = Watching(lookout, (1189.0, 841.0), lambda mat: None, TurnPictures())  # type: ignore[arg-type]
    lookout.told = [Blind(WHY, grey(90))]
    watching.take_news()
    first = watching.add_picture(blind())
    assert isinstance(first, CameraScreen)
    assert first.view.checks == ((str(WHY), False),)
    lookout.told = [Blind(WHY, grey(93))]
    watching.take_news()
    assert watching.add_picture(blind()) == first
    lookout.told = [Blind(WHY, grey(160))]
    watching.take_news()
    assert watching.add_picture(blind()) != first
    lookout.told = [Moving()]
    watching.take_news()
    assert watching.add_picture(blind()) == blind()
    assert not watching.take_size(blind())


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine")) as house:
        house.set_up()
        yield house


def asks_about_mat(screen: ScreenState) -> bool:
    return isinstance(screen, CameraScreen) and screen.buttons is not None and bool(screen.buttons.choose)


def sees(house: House, error: MatError | None) -> None:
    def look(picture: Picture) -> object:
        if error is not None:
            raise error
        return view_of(house.table, house.app.session.layout)  # type: ignore[union-attr, arg-type]

    house.lay(lambda table: None)
    house.look = look
    house.lay(lambda table: None)


def test_the_picture_is_shown_while_the_mat_can_not_be_seen(playing: House) -> None:
    sees(playing, MatError(WHY))
    shown = playing.until(lambda screen: isinstance(screen, CameraScreen))
    assert shown.mood is Mood.BLIND
    assert shown.headline == str(WHY)
    sees(playing, None)
    playing.until(lambda screen: not isinstance(screen, CameraScreen) and screen.mood is not Mood.HANDS)


def test_a_measured_mat_is_taken_in_a_game_that_goes_on(playing: House, tmp_path: Path) -> None:
    """In the language that its players have changed to."""
    playing.press(Button.CONFIRM, long=True)
    playing.mood(Mood.MENU)
    playing.choose("日本語")
    playing.until(lambda screen: screen.language is Language.JA)
    sees(playing, MatSizeError(Text("The mat is another one."), (901.2, 597.8)))
    asked = playing.until(asks_about_mat)
    assert isinstance(asked, CameraScreen)
    assert "901" in asked.view.checks[0][0]
    playing.look = lambda picture: view_of(playing.table, playing.app.session.layout)  # type: ignore[union-attr, arg-type]
    playing.press(Button.CONFIRM)
    playing.until(lambda screen: screen.mood in (Mood.WAITING, Mood.FAULT, Mood.PREVIEW))
    assert playing.app.session is not None
    assert playing.app.session.layout.mat_mm == (901.0, 598.0)
    assert playing.app.session.screens.language is Language.JA
    assert load_settings(tmp_path).table.mat_mm == (901.0, 598.0)
    assert playing.moves() == 1
    with Journal.open(tmp_path) as kept:
        assert kept.read_game(1).opening.mat_mm == (901.0, 598.0)


def test_up_opens_the_menu_though_a_mat_is_asked_about(playing: House) -> None:
    sees(playing, MatSizeError(Text("The mat is another one."), (901.2, 597.8)))
    playing.until(asks_about_mat)
    playing.press(Button.UP)
    playing.mood(Mood.MENU)
