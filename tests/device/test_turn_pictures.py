"""What happened: the places that a turn changed, before and after it, few and small, in "turns so far"."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from device.app.plan import Plan
from device.app.watching import Watching
from device.capture.capture import StillReader
from device.capture.turn_pictures import MOST_BYTES, TurnPictures, changed_places, wrap_reader
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.storage.journal import Journal
from device.storage.turn_files import FOLDER, TurnFiles, forget_turns
from referee.game import Step
from referee.table import Unread
from referee.verdict import Spot
from rules.text import Language
from tests.device.at_the_table import LAYOUT, view_of
from tests.device.house import House
from tests.ui.checks import faults
from tests.ui.gallery import SIZES
from ui.screen import count_pages, draw
from ui.screen_state import Leaf, LeafScreen, Mood, PicturePair, Thumbnail

GREEN = (74, 84, 60)


def table(*cards: tuple[int, int], noise: int = 0) -> Picture:
    """Picture a table at 1 px per mm with white cards on it."""
    picture = np.full((841, 1189, 3), GREEN, np.uint8)
    for x, y in cards:
        picture[y : y + 88, x : x + 63] = 235
        cv2.putText(picture, "7", (x + 8, y + 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 160), 3)
    if noise:
        rng = np.random.default_rng(noise)
        picture = np.clip(picture + rng.normal(0, 5, picture.shape), 0, 255).astype(np.uint8)
    return picture


@dataclass(frozen=True)
class Move:
    """As a game has it, for what is asked here."""

    number: int

    def to_json(self) -> dict[str, Any]:
        return {"do": self.number}


def turns(count: int) -> list[Step]:
    return [Step(None, None, Move(number)) for number in range(count)]


def saw(pictures: TurnPictures, shown: Picture, past: list[Step], checking: bool = False) -> None:
    view = object()
    pictures.note_table(view, shown)
    pictures.note_table(object(), table((900, 700)))  # the next look is read already
    pictures.note_view(view)
    pictures.take_steps(past, checking)


def test_what_changed_is_found_with_what_lies_round_it_and_noise_is_not() -> None:
    assert changed_places(table((500, 300), noise=1), table((500, 300), noise=2)) == ()
    before, after = table((500, 300), (800, 600), noise=1), table((500, 300), (180, 120), noise=2)
    boxes = changed_places(before, after)
    assert len(boxes) == 2
    for x, y in ((800, 600), (180, 120)):
        assert any(x0 < x and y0 < y and x1 > x + 63 and y1 > y + 88 for x0, y0, x1, y1 in boxes)
    assert all(x1 - x0 < 180 and y1 - y0 < 200 for x0, y0, x1, y1 in boxes)
    # The lamp was switched off: that is no turn.
    assert changed_places(before, np.asarray(before // 2, np.uint8)) == ()
    assert changed_places(before, before[:400]) == ()


def test_each_turn_has_its_own_and_one_taken_back_is_none() -> None:
    pictures, steps = TurnPictures(), turns(4)

    def look(shown: Picture, past: list[Step], checking: bool = False) -> None:
        saw(pictures, shown, past, checking)

    look(table((100, 100)), steps[:1])
    look(table((100, 100), (400, 400)), steps[:1])  # a still look on the way
    look(table((100, 100), (400, 400), (600, 400)), steps[:2])
    assert pictures.find_pictures(steps[0]) == ()
    assert len(pictures.find_pictures(steps[1])) == 2
    for pair in pictures.find_pictures(steps[1]):
        assert pair.before.size == pair.after.size
        assert pair.before.rgb != pair.after.rgb
    look(table((100, 100), (400, 400), (600, 400)), steps[:1], checking=True)
    look(table((100, 100)), steps[:1], checking=True)
    look(table((100, 100), (700, 100)), [steps[0], steps[2]])
    (pair,) = pictures.find_pictures(steps[2])
    assert pair.before.size[0] < 150
    assert pictures.find_pictures(steps[1])
    assert pictures.find_pictures(steps[3]) == ()


def test_their_size_is_bounded_and_the_oldest_go_first(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    pictures, steps = TurnPictures(TurnFiles(tmp_path, 1), 120_000), turns(6)
    for number, _ in enumerate(steps, 1):
        shown = table(noise=7)
        shown[200:320, 300:420] = rng.integers(0, 255, (120, 120, 3))
        pictures.note_table(steps[number - 1], shown)
        pictures.note_view(steps[number - 1])
        pictures.take_steps(steps[:number])
        assert pictures.size <= 120_000
        assert TurnFiles(tmp_path, 1).read() == list(pictures._kept.items())
    assert pictures.size > 40_000
    assert pictures.find_pictures(steps[-1])
    assert not pictures.find_pictures(steps[1])
    assert MOST_BYTES <= 20_000_000


def test_they_outlast_a_restart_but_not_another_game(tmp_path: Path) -> None:
    pictures, steps = TurnPictures(TurnFiles(tmp_path, 7)), turns(3)
    saw(pictures, table((100, 100)), steps[:1])
    saw(pictures, table((100, 100), (400, 400)), steps[:2])
    before = pictures.find_pictures(steps[1])
    assert len(before) == 1
    assert before[0].before != before[0].after

    # The same game, its steps made anew of the journal; a button is pressed before the table is seen.
    again, steps = TurnPictures(TurnFiles(tmp_path, 7)), turns(3)
    again.take_steps(steps[:2])
    assert again.find_pictures(steps[1]) == before
    assert again.find_pictures(steps[0]) == ()
    saw(again, table((100, 100), (400, 400)), steps[:2])
    saw(again, table((100, 100), (400, 400), (800, 100)), steps)
    assert len(again.find_pictures(steps[2])) == 1, "the first turn after the restart"
    assert again.find_pictures(steps[1]) == before
    other = [steps[0], Step(None, None, Move(5))]
    again.take_steps(other)
    assert again.find_pictures(other[1]) == (), "another move in its place is another turn"

    assert len(TurnFiles(tmp_path, 7).read()) == 2
    assert TurnFiles(tmp_path, 8).read() == []
    assert TurnFiles(tmp_path, 7).read() == []


def test_damaged_files_of_pictures_are_left_out(tmp_path: Path) -> None:
    pictures, steps = TurnPictures(TurnFiles(tmp_path, 7)), turns(3)
    for number in (1, 2, 3):
        saw(pictures, table(*[(100 * each, 100 * each) for each in range(1, number + 1)]), steps[:number])
    first, second = sorted((tmp_path / FOLDER).iterdir())
    first.write_bytes(first.read_bytes()[:-9])
    second.write_bytes(bytes(range(1, 200)))
    (tmp_path / FOLDER / "00007-00009-odd.bin").write_bytes(bytes((0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 1, 9)))
    (tmp_path / FOLDER / "notes.bin").write_bytes(b"?")
    again = TurnPictures(TurnFiles(tmp_path, 7))
    again._kept["last"] = again._kept.pop("odd")
    again._steps[id(steps[0])] = steps[0], "last"
    assert again.find_pictures(steps[0]) == ()
    again.take_steps(turns(3))
    forget_turns(tmp_path, 7)
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["notes.bin"]


def test_a_disk_that_takes_no_picture_leaves_it_in_memory_and_the_next_turn_its_own(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file in the folder's place")
    pictures, steps = TurnPictures(TurnFiles(tmp_path, 7)), turns(3)
    saw(pictures, table((100, 100)), steps[:1])
    with pytest.raises(OSError, match="exists"):
        saw(pictures, table((100, 100), (400, 400)), steps[:2])
    (pair,) = pictures.find_pictures(steps[1])
    with pytest.raises(OSError, match="exists"):
        saw(pictures, table((100, 100), (400, 400), (800, 500)), steps)
    assert len(pictures.find_pictures(steps[2])) == 1
    assert pictures.find_pictures(steps[1]) == (pair,)


def test_a_reader_that_shows_no_table_is_itself_and_another_hands_it_on() -> None:
    pictures = TurnPictures()

    def plain(picture: Picture) -> Any:
        return len(picture)

    assert wrap_reader(plain, pictures) is plain

    class Straight(StillReader[str]):
        def __call__(self, picture: Picture, moving: frozenset[str] = frozenset()) -> str:
            return "seen"

        def straighten_mat(self, picture: Picture, px_per_mm: float) -> Picture | None:
            return picture if picture.any() else None

        def close_up(self, picture: Picture, mark: Unread) -> Picture | None:
            return None

    reader = wrap_reader(Straight(), pictures)
    assert reader(np.zeros((8, 8, 3), np.uint8)) == "seen"
    assert not pictures._looks
    assert reader(table()) == "seen"
    assert len(pictures._looks) == 1


def test_the_last_close_up_of_an_unread_card_is_there_when_it_is_gone_and_after_a_restart(tmp_path: Path) -> None:
    def grey(level: int) -> Picture:
        return np.full((220, 220, 3), level, np.uint8)

    def at(x: float) -> Spot:
        return Spot(x, 300.0, "seat:1", "glare")

    def level(kept: TurnPictures, x: float) -> int | None:
        shown = kept.close_up(at(x))
        return None if shown is None else round(shown.rgb[0] / 10) * 10

    pictures = TurnPictures(TurnFiles(tmp_path, 1))
    for number in range(40):
        for x, shown in ((20.0 * number, 100 + number), (20.0 * number + 0.4, 200)):
            view = object()
            pictures.note_table(view, table(), [(Unread(x, 300.0, 0.0, "glare"), grey(shown))])
            pictures.note_view(view)
    assert level(pictures, 39 * 20.0 + 5) == 200, "the last one of that place"
    assert level(pictures, 39 * 20.0 + 45) is None, "none lay so far away"
    assert level(pictures, 100.0) is None, "the newest few are kept"
    again = TurnPictures(TurnFiles(tmp_path, 1))
    assert level(again, 39 * 20.0) == 200
    assert len(TurnFiles(tmp_path, 1).read()) < 20


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("across", [90, 400])
def test_a_pair_has_a_page_of_its_own_that_can_be_read(size: tuple[int, int], across: int) -> None:
    shown = Thumbnail((across, 120), bytes(across * 120 * 3))
    leaf = Leaf("Turn 3 of 9", ("Emmy reviews Ada's Three Cards.",), pairs=(PicturePair(shown, shown),) * 2)
    for page in range(3):
        shown_leaf = replace(leaf, captions=("Before", "After"))
        state = LeafScreen(Language.EN, Mood.MENU, leaf.title, leaf=shown_leaf, page=page)
        assert count_pages(state, size) == 2, "besides the first"
        assert faults(state, draw(state, size), size) == []


def test_a_game_goes_on_where_no_picture_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(StillReader[str]):
        def __call__(self, picture: Picture, moving: frozenset[str] = frozenset()) -> str:
            return "seen"

        def straighten_mat(self, picture: Picture, px_per_mm: float) -> Picture | None:
            raise RuntimeError("no memory")

        def close_up(self, picture: Picture, mark: Unread) -> Picture | None:
            raise RuntimeError("no memory")

    pictures = TurnPictures()
    assert wrap_reader(Broken(), pictures)(table()) == "seen"
    watching = Watching(None, (1189.0, 841.0), lambda _: None, pictures)  # type: ignore[arg-type]
    monkeypatch.setattr(pictures, "take_steps", None)
    watching.follow(SimpleNamespace(history=SimpleNamespace(past=()), checking=False))  # type: ignore[arg-type]


def test_a_turn_shows_them_in_turns_so_far(tmp_path: Path) -> None:
    house = House(tmp_path, plan=Plan("laminate", ("Hilbert", "Banach", "Noether"), {"first_seat": 1}, "mine"))
    chance = random.Random(1)

    class Look(StillReader[Any]):
        def __call__(self, picture: Picture, moving: frozenset[str] = frozenset()) -> Any:
            return view_of(house.table, LAYOUT)

        def straighten_mat(self, picture: Picture, px_per_mm: float) -> Picture | None:
            places = [(round(card.x) - 31, round(card.y) - 44) for card in house.table]
            return table(*places, noise=chance.randrange(1, 99))

        def close_up(self, picture: Picture, mark: Unread) -> Picture | None:
            return None

    def look_back(house: House) -> Leaf:
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        house.choose("Turns so far")
        shown = house.until(lambda screen: isinstance(screen, LeafScreen))
        assert isinstance(shown, LeafScreen)
        return shown.leaf

    house.open_look = lambda _: Look()  # type: ignore[method-assign, assignment, return-value]
    house.start()
    try:
        house.set_up()
        house.discards("C9")
        house.mood(Mood.PREVIEW)
        house.press(Button.CONFIRM)
        house.mood(Mood.ACCEPTED)
        leaf = look_back(house)
        assert leaf.captions == ("Before", "After")
        assert leaf.pairs
        house.press(Button.DOWN)
        house.until(lambda screen: isinstance(screen, LeafScreen) and (screen.page, screen.leaf) == (1, leaf))
    finally:
        house.stop()
    (tmp_path / "playing").touch()  # as a power cut leaves it
    again = House(tmp_path)
    again.table, again.open_look = house.table, house.open_look  # type: ignore[method-assign]
    again.camera.show(again.table)
    again.start()
    try:
        again.until(lambda screen: screen.mood is Mood.WAITING)
        assert look_back(again) == leaf
    finally:
        again.stop()
    with Journal.open(tmp_path) as journal:
        assert list((tmp_path / FOLDER).iterdir())
        journal.delete(1)
    assert not list((tmp_path / FOLDER).iterdir())
