"""What stands on the pages: every letter is in the font, and no words overlap, run off the page, or meet a marker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from printing import sheets
from printing.drawing import PageDrawing
from printing.lettering import _load_face, measure_width
from printing.paper_sizes import parse_paper_size
from referee.game import table_seats
from referee.registry import load_referees
from rules.game import Briefed, make_section
from rules.text import Language, Text
from tests.printing.raster import page_count
from tests.words import ja
from ui.fonts import Weight

Box = tuple[float, float, float, float]
SEATS = [(name, count) for name, one in load_referees().items() for count in table_seats(one)]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[tuple[str, Box]]]:
    """Every line of words that is written, by page: with the box that it fills on the page, in mm."""
    lines: dict[int, list[tuple[str, Box]]] = defaultdict(list)
    real, really_clipped = PageDrawing.draw_words, PageDrawing.clip
    clips: list[Box] = []

    @contextmanager
    def clipped(self: PageDrawing, width: float, height: float) -> Iterator[None]:
        clips.append((*self.origin, self.origin[0] + width, self.origin[1] + height))
        with really_clipped(self, width, height):
            yield
        clips.pop()

    def words(self: PageDrawing, text: str, x: float, y: float, size: float, *args: Any, **how: Any) -> None:
        real(self, text, x, y, size, *args, **how)
        weight = how.get("weight", Weight.REGULAR)
        size *= min(1.0, how.get("widest", 1e9) / max(1e-6, measure_width(text, size, weight)))
        width = measure_width(text, size, weight)
        left = self.origin[0] + x - (width / 2 if how.get("centred") else 0.0)
        top = self.origin[1] + y
        box = (left, top - 0.45 * size, left + width, top + 0.45 * size)
        for clip in clips:
            box = (max(box[0], clip[0]), max(box[1], clip[1]), min(box[2], clip[2]), min(box[3], clip[3]))
        if box[0] < box[2] and box[1] < box[3]:
            lines[self.canvas.getPageNumber()].append((text, box))
        assert size >= 1.8, text
        assert all(char in " 　" or ord(char) in _load_face(weight)._names for char in text), text

    monkeypatch.setattr(PageDrawing, "draw_words", words)
    monkeypatch.setattr(PageDrawing, "clip", clipped)
    return lines


def overlaps(lines: list[tuple[str, Box]]) -> Iterator[tuple[str, str]]:
    for number, (text, (x0, y0, x1, y1)) in enumerate(lines):
        for other, (a0, b0, a1, b1) in lines[:number]:
            if min(x1, a1) - max(x0, a0) > 0.2 and min(y1, b1) - max(y0, b0) > 0.2:
                yield text, other


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "players"), SEATS)
def test_a_guide_is_a_page_of_each_kind_in_each_language(
    tmp_path: Path, written: dict[int, list[tuple[str, Box]]], name: str, players: int
) -> None:
    sheets.print_guide(tmp_path / "guide.pdf", name, players)
    kinds = 2 if isinstance(load_referees()[name].rules, Briefed) else 1
    assert page_count(tmp_path / "guide.pdf") == kinds * len(Language.all())
    for lines in written.values():
        assert not list(overlaps(lines))
        for text, (x0, y0, x1, y1) in lines:
            assert x0 > 8, text
            assert x1 < 202, text
            assert y0 > 8, text
            assert y1 < 294, text


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "players"), SEATS)
@pytest.mark.parametrize("size", [(1189.0, 841.0), (900.0, 750.0), (600.0, 600.0)])
def test_words_on_a_mat_keep_apart_and_off_the_markers(
    tmp_path: Path,
    written: dict[int, list[tuple[str, Box]]],
    name: str,
    players: int,
    size: tuple[float, float],
) -> None:
    sheets.print_mat(tmp_path / "mat.pdf", size, players, name)
    (lines,) = written.values()
    assert not list(overlaps(lines))
    said = {text for text, _ in lines}
    assert {f"席{seat}　Seat {seat}" for seat in range(1, players + 1)} <= said
    layout = load_referees()[name].make_layout(players, size)
    assert {ja(zone.title) for zone in layout.zones} | {ja(title) for title in layout.spot_titles} <= said
    edge = 22.0
    for text, (x0, y0, x1, y1) in lines:
        in_trim = y0 > edge and y1 < edge + size[1] + 20
        if in_trim:
            assert x0 > edge, text
            assert x1 < edge + size[0] + 20, text
            near_x = x0 < edge + 70 or x1 > edge + size[0] - 50
            near_y = y0 < edge + 70 or y1 > edge + size[1] - 50
            assert not (near_x and near_y), text


@pytest.mark.slow  # test_words_on_a_mat_keep_apart_and_off_the_markers
def test_words_on_page_sheets_and_their_tiles(tmp_path: Path, written: dict[int, list[tuple[str, Box]]]) -> None:
    sheets.print_pages(tmp_path / "pages.pdf")
    assert len(written) == 3
    for lines in written.values():
        assert not list(overlaps(lines))
    said = [text for text, _ in written[1]]
    assert said[:3] == ["1", "ハートA", "Heart A"]
    assert "裏向き" in [text for text, _ in written[2]]
    written.clear()
    sheets.print_pages(tmp_path / "tiles.pdf", game="wild_seven", paper=parse_paper_size("A3"))
    assert page_count(tmp_path / "tiles.pdf") == len(written)
    for lines in written.values():
        assert not list(overlaps(lines))


@pytest.mark.slow  # test_a_guide_is_a_page_of_each_kind_in_each_language
def test_a_game_with_pages_of_its_own_and_rules_too_long_for_a_page(
    tmp_path: Path, written: dict[int, list[tuple[str, Box]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = next(iter(load_referees().values()))
    long = make_section(Text("All of it"), *(Text(f"Rule {n}: " + "word " * 30) for n in range(40)))
    rules = SimpleNamespace(title=Text("House"), seats=range(2, 3), brief=(long,))

    class Own:
        own_pages = MappingProxyType({"boards": Text("the boards")})
        cards = SimpleNamespace(pages=("boards",), size_mm=(50.0, 70.0))
        setup = known.setup

        def __init__(self) -> None:
            self.rules = rules

        def make_layout(self, players: int, mat_mm: tuple[float, float]) -> Any:
            return known.make_layout(3, mat_mm)

        def page_places(self, page: str, mat_mm: tuple[float, float]) -> dict[str, tuple[float, float]]:
            return {"red": (mat_mm[0] / 2 - 60, mat_mm[1] / 2), "blue": (mat_mm[0] / 2 + 60, mat_mm[1] / 2)}

        def page_words(self, name: str) -> Text:
            return Text(f"The {name} board")

    monkeypatch.setattr("printing.sheets.load_referees", lambda: {"house": Own()})
    sheets.print_pages(tmp_path / "pages.pdf", game="house")
    assert {"The red board", "The blue board"} <= {text for text, _ in written[1]}
    written.clear()
    sheets.print_guide(tmp_path / "guide.pdf", "house", languages=(Language.EN,))
    assert page_count(tmp_path / "guide.pdf") > 2
    assert all(y1 < 294 for lines in written.values() for _, (_, _, _, y1) in lines)
    assert any("Rule 39" in text for lines in written.values() for text, _ in lines)
