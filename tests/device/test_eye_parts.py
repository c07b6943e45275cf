"""The reader of a table with a tray: dice come with the cards, and what moves is as it was seen last."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from device.capture import eye, mat_finder, table_reader
from device.capture.table_reader import TableReader
from referee.layout import SEATS, Area, TableLayout, Zone
from referee.table import REST, Detections, Sighting
from vision.dice import SeenDie

LAYOUT = TableLayout(SEATS[2], (1000.0, 700.0), (Zone("tray", Area(0.8, 0.9, 0.4, 0.6), dice=True, still_apart=True),))
PICTURE = np.zeros((480, 640, 3), np.uint8)


class MatDouble:
    """A mat that fills the picture."""

    size_mm, picture_size, px_per_mm = (1000.0, 700.0), (640, 480), 3.0

    def to_px(self, points: Any) -> Any:
        return np.asarray(points) * (0.64, 480 / 700)


class Table:
    def __init__(self) -> None:
        self.card, self.value, self.looked_for = "H7", 3, 0

    def read(self, picture: Any, mat: Any) -> Any:
        return Detections((Sighting(self.card, 100.0, 100.0, 0.0),))

    def dice(self, reader: Any, picture: Any, mat: Any, rect: Any) -> tuple[SeenDie, ...]:
        self.looked_for += 1
        self.rect = rect
        return (SeenDie(850.0, 350.0, 16.2, self.value, "", 0.99, "black", 0.1),)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table()
    monkeypatch.setattr(mat_finder, "find_mat", lambda *_: MatDouble())
    monkeypatch.setattr(eye, "IncrementalReader", lambda *_: table)
    monkeypatch.setattr(table_reader, "read_on_mat", table.dice)
    return table


def reader_over(layout: TableLayout) -> TableReader:
    referee: Any = SimpleNamespace(observe=lambda seen, _: seen, cards=SimpleNamespace(faces=()), papers=None)
    reader: Any = SimpleNamespace(folder=Path("models"), threads=1, up_to_date=lambda deck: deck)
    deck: Any = SimpleNamespace(names=())
    return TableReader(reader, deck, referee, layout)


def test_cards_and_dice_come_in_one_look(table: Table) -> None:
    seen: Detections = reader_over(LAYOUT)(PICTURE)
    assert [card.name for card in seen.sightings] == ["H7"]
    (die,) = seen.dice
    assert (die.value, die.colour, die.edge) == (3, "black", 16.2)
    assert seen.moving == frozenset()
    x0, y0, x1, y1 = table.rect
    assert x0 < 800
    assert x1 > 900
    assert y0 < 280
    assert y1 > 420


def test_what_moves_is_as_it_was_seen_last(table: Table) -> None:
    reader = reader_over(LAYOUT)
    reader(PICTURE)
    table.card, table.value = "O3", 5
    tray: Detections = reader(PICTURE, frozenset({REST}))
    assert ([card.name for card in tray.sightings], [die.value for die in tray.dice]) == (["H7"], [5])
    assert tray.moving == {REST}
    table.value = 6
    cards: Detections = reader(PICTURE, frozenset({"tray"}))
    assert ([card.name for card in cards.sightings], [die.value for die in cards.dice]) == (["O3"], [5])


def test_a_layout_without_a_tray_is_not_searched_for_dice(table: Table) -> None:
    reader = reader_over(TableLayout(SEATS[2], (1000.0, 700.0)))
    assert reader(PICTURE).dice == ()
    assert table.looked_for == 0
    assert reader.outline_zones((640, 480)) == {}


def test_the_tray_is_outlined_in_the_preview_once_the_mat_was_seen(table: Table) -> None:
    reader = reader_over(LAYOUT)
    assert reader.outline_zones((320, 240)) == {}
    reader(PICTURE)
    outline = reader.outline_zones((320, 240))["tray"]
    assert outline == pytest.approx(np.array([[256, 96], [288, 96], [288, 144], [256, 144]]))
