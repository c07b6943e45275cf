"""PDFs: what is measured by the camera has its true size in the page itself."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.main import main
from device.artwork.markers import marker_bits
from device.errors import DeviceError
from printing.sheets import print_deck, print_markers, print_mat, print_papers
from referee.layout import SEATS, Area, TableLayout, Zone
from referee.registry import load_referees
from rules.text import Text

MM = 72 / 25.4
RECT = re.compile(rb"([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re\s")


def rectangles_mm(pdf: bytes) -> list[tuple[float, ...]]:
    """Every rectangle a page draws: x, y, width, height in mm."""
    return [tuple(float(n) / MM for n in found.groups()) for found in RECT.finditer(pdf)]


def squares(pdf: bytes, side: float) -> list[tuple[float, ...]]:
    return [r for r in rectangles_mm(pdf) if abs(r[2] - side) < 0.01 and abs(r[3] - side) < 0.01]


def pages(pdf: bytes) -> list[tuple[float, float]]:
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    return [(float(w) / MM, float(h) / MM) for w, h in boxes]


def test_markers_are_50_mm_with_a_white_border_and_the_right_bits(tmp_path: Path) -> None:
    out = tmp_path / "markers.pdf"
    assert main(["print", "markers", str(out)]) == 0
    pdf = out.read_bytes()
    assert pages(pdf) == [pytest.approx((210, 297), abs=0.1)]
    black = sorted(set(squares(pdf, 50.0)), key=lambda r: (-r[1], r[0]))
    assert len(black) == 4
    borders = squares(pdf, 70.0)
    cells = squares(pdf, 50 / 6)
    # Ids run 0 1 in the upper row and 2 3 in the lower one.
    for number, (x, y, w, h) in enumerate(black):
        assert any(
            b[0] <= x - 8 and b[1] <= y - 8 and b[0] + b[2] >= x + w + 8 and b[1] + b[3] >= y + h + 8 for b in borders
        )
        drawn = {
            (round((y + h - cy - ch) / ch), round((cx - x) / cw))
            for cx, cy, cw, ch in cells
            if x - 0.01 <= cx <= x + w and y - 0.01 <= cy <= y + h
        }
        bits = marker_bits(number)
        assert drawn == {(row, column) for row in range(6) for column in range(6) if bits[row, column]}


def test_markers_do_not_touch_each_other(tmp_path: Path) -> None:
    print_markers(tmp_path / "m.pdf")
    borders = sorted(set(squares((tmp_path / "m.pdf").read_bytes(), 70.0)))
    for number, a in enumerate(borders):
        for b in borders[number + 1 :]:
            assert abs(a[0] - b[0]) > 70 or abs(a[1] - b[1]) > 70


def test_a_mat_has_its_size_and_its_markers_in_the_corners(tmp_path: Path) -> None:
    print_mat(tmp_path / "mat.pdf", (1000.0, 700.0), 3)
    pdf = (tmp_path / "mat.pdf").read_bytes()
    ((width, height),) = pages(pdf)
    black = sorted(set(squares(pdf, 50.0)))
    assert len(black) == 4
    left, right = black[0][0], black[-1][0] + 50
    bottom, top = min(r[1] for r in black), max(r[1] for r in black) + 50
    assert right - left == pytest.approx(1000, abs=0.05)
    assert top - bottom == pytest.approx(700, abs=0.05)
    assert min(left, bottom, width - right, height - top) >= 8


@pytest.mark.slow  # tests/printing/test_true_size.py has both sides in register
def test_papers_and_deck_have_a_page_of_backs_for_each_of_fronts(tmp_path: Path) -> None:
    print_papers(tmp_path / "papers.pdf")
    assert len(pages((tmp_path / "papers.pdf").read_bytes())) == 8
    print_deck(tmp_path / "deck.pdf")
    pdf = (tmp_path / "deck.pdf").read_bytes()
    assert len(pages(pdf)) == 12
    # Pictures are placed by a matrix: width 0 0 height x y cm.
    placed = re.findall(rb"([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm", pdf)
    cards = [p for p in placed if abs(float(p[0]) / MM - 63) < 0.01 and abs(float(p[1]) / MM - 88) < 0.01]
    assert len(cards) == 98


def test_a_mat_of_a_game_by_name_and_of_one_there_is_not(tmp_path: Path) -> None:
    name = next(iter(load_referees()))
    print_mat(tmp_path / "first.pdf")
    print_mat(tmp_path / "named.pdf", game=name)
    assert (tmp_path / "named.pdf").read_bytes() == (tmp_path / "first.pdf").read_bytes()
    with pytest.raises(DeviceError, match=f"no game 'whist'; there are .*{name}"):
        print_mat(tmp_path / "none.pdf", game="whist")
    with pytest.raises(DeviceError, match="no layout for 9 players"):
        print_mat(tmp_path / "none.pdf", players=9)


def test_zones_and_spots_of_a_layout_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class House(TableLayout):
        @property
        def spots(self) -> tuple[tuple[float, float], ...]:
            return ((500.0, 350.0),)

    tray = Zone("tray", Area(0.4, 0.6, 0.4, 0.6), dice=True)
    plain, house = (kind(SEATS[2], (1000.0, 700.0), zones) for kind, zones in ((TableLayout, ()), (House, (tray,))))
    sizes = []
    for name, layout in (("plain", plain), ("house", house)):
        rules = SimpleNamespace(title=Text("House"), seats=range(2, 3))
        game = SimpleNamespace(make_layout=lambda players, mat_mm, layout=layout: layout, rules=rules)
        monkeypatch.setattr("printing.sheets.load_referees", lambda game=game: {"house": game})
        print_mat(tmp_path / f"{name}.pdf", players=2)
        # A rounded rectangle has four curves.
        sizes.append(len(re.findall(rb" c\s", (tmp_path / f"{name}.pdf").read_bytes())))
    # The zone's ground, the line round it, and one for the spot.
    assert sizes[1] - sizes[0] == 3 * 4


def test_a_place_that_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="can't be written"):
        print_markers(tmp_path / "none" / "m.pdf")
    assert list(tmp_path.iterdir()) == []
