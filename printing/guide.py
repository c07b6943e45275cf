"""Pages to read: a quick start with a drawn table, and a game's rules in brief, one page in each language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from device.speech import make_heading
from printing.drawing import BLACK, GREY, Colour, PageDrawing, new_page
from printing.lettering import measure_width
from printing.paper_sizes import A4, Size
from referee.game import Referee
from referee.layout import CARD_MM, MARKER_MM, TableLayout
from rules.game import Section, make_section
from rules.text import Language, Text
from ui.fonts import Weight
from ui.wrapping import wrap

_LARGEST_MM, _SMALLEST_MM = 4.4, 3.0
_SIDE_MM, _TOP_MM, _FOOT_MM = 18.0, 16.0, 16.0
_TABLE_MM = 90.0
"""At least so high is a drawn table."""
_FINE = 100
"""Text is measured in hundredths of a mm."""
_SEAT: Colour = (0.93, 0.94, 0.93)
_LINE: Colour = (0.45, 0.5, 0.47)


@dataclass(frozen=True)
class _Line:
    """A line of a page: its words, its indent and em (mm), what is left free above it, its weight."""

    words: str
    indent: float
    size: float
    above: float
    weight: Weight = Weight.REGULAR


def make_quick_start(referee: Referee) -> tuple[Section, ...]:
    """Return the way from the printer to the first turn, for somebody who has never seen the table."""
    return (
        make_section(
            Text("Once"),
            Text(
                "Print the four markers (or the mat) at 100 %, cut them out with their white borders, "
                "and lay them on the corners of the play area: 0 top left as the camera sees it, then 1, "
                "2, 3 clockwise, all upright."
            ),
            Text(
                "Hang the camera above the middle, so that all four markers are in its picture. Light "
                "the table evenly; no lamp may shine back from the cards."
            ),
            Text(
                "Choose “Learn a deck” on the display: up and down choose, ✓ takes. It shows what to lay where; "
                "the page sheets have a place for each card. The deck that Sevenmat prints needs no learning."
            ),
        ),
        make_section(
            Text("A game"),
            Text(
                "Choose “New game”, the game, and who sits where: seat 1 at the bottom of the camera's "
                "picture, then clockwise."
            ),
            referee.setup,
        ),
        make_section(
            Text("Each turn"),
            Text("Move your cards, take your hands away, press ✓. A covered card must still show its corner."),
            Text(
                "Accepted: the next player's turn. Refused: the display says which rule is broken and "
                "what to put back; put it right and press ✓ again."
            ),
            Text(
                "A question is answered with up, down and ✓. Where a card can't be read, the display "
                "says where: straighten it, or take away what covers it."
            ),
            Text("Hold ✓ for the menu: take a turn back, name a card, pause. Hold back to take the last turn back."),
        ),
    )


def draw_quick_start(canvas: Canvas, referee: Referee, players: int, language: Language, paper: Size = A4) -> None:
    """Draw the quick start, with the game's table for that many players."""
    layout = referee.make_layout(players, (1189.0, 841.0))
    title = Text("Sevenmat: quick start")
    subtitle = Text("{title}, {players} players", title=referee.rules.title, players=players)
    page = _begin_page(canvas, paper, title.said(language), subtitle.said(language))
    room = paper[0] - 2 * _SIDE_MM
    foot = paper[1] - _FOOT_MM
    top = 6 + _draw_sections(page, canvas, make_quick_start(referee), language, _TOP_MM + 16, foot - _TABLE_MM - 6)
    _draw_table(page.move_origin(_SIDE_MM, top), layout, room, foot - top, language)
    canvas.showPage()


def draw_brief(
    canvas: Canvas, referee: Referee, sections: Sequence[Section], language: Language, paper: Size = A4
) -> None:
    """Draw a game's rules in brief."""
    title = referee.rules.title.said(language)
    page = _begin_page(canvas, paper, title, Text("The rules in brief").said(language))
    _draw_sections(page, canvas, sections, language, _TOP_MM + 16, paper[1] - _FOOT_MM)
    canvas.showPage()


def _begin_page(canvas: Canvas, paper: Size, title: str, subtitle: str) -> PageDrawing:
    page = new_page(canvas, paper)
    room = paper[0] - 2 * _SIDE_MM
    page.draw_words(title, _SIDE_MM, _TOP_MM, 8.0, BLACK, weight=Weight.BOLD, widest=room)
    page.draw_words(subtitle, _SIDE_MM, _TOP_MM + 8.5, 4.6, GREY, widest=room)
    page.draw_ruler(_SIDE_MM, paper[1] - 6, room)
    return page


def _draw_sections(
    page: PageDrawing, canvas: Canvas, sections: Sequence[Section], language: Language, top: float, bottom: float
) -> float:
    """Draw sections from ``top`` down, as large as the page allows; what finds no room goes onto further pages.

    Returns:
        where the last line ends.
    """
    room = page.page[0] - 2 * _SIDE_MM
    size = _LARGEST_MM
    while size > _SMALLEST_MM and _measure_height(_break_lines(sections, language, size, room)) > bottom - top:
        size -= 0.1
    y = top
    for line in _break_lines(sections, language, size, room):
        if y + line.above + 1.5 * line.size > bottom:
            canvas.showPage()
            page = new_page(canvas, page.page)
            page.draw_ruler(_SIDE_MM, page.page[1] - 6, room)
            y = _TOP_MM
        y += line.above
        page.draw_words(line.words, _SIDE_MM + line.indent, y + 0.75 * line.size, line.size, BLACK, weight=line.weight)
        y += 1.5 * line.size
    return y


def _measure_height(lines: Iterator[_Line]) -> float:
    return sum(line.above + 1.5 * line.size for line in lines)


def _break_lines(sections: Sequence[Section], language: Language, size: float, room: float) -> Iterator[_Line]:
    indent = 1.3 * size
    for part in sections:
        yield _Line(part.title.said(language), 0.0, 1.2 * size, 0.9 * size, Weight.BOLD)
        for point in part.lines:
            width = round((room - indent) * _FINE)
            for number, words in enumerate(wrap(point.said(language), width, lambda text: _measure_width(text, size))):
                first = number == 0
                bullet = "・" if first else ""
                shift = indent - measure_width(bullet, size)
                yield _Line(bullet + words, shift, size, 0.25 * size if first else 0.0)


def _measure_width(text: str, size: float) -> int:
    return round(measure_width(text, size) * _FINE)


def _draw_table(page: PageDrawing, layout: TableLayout, width: float, height: float, language: Language) -> None:
    """Draw the table from above: markers, seats, zones, and spots by numbers that a list beside it explains."""
    spots = len(layout.spot_titles)
    share = min((0.68 if spots else 1.0) * width / layout.mat_mm[0], height / layout.mat_mm[1])
    mat = layout.mat_mm[0] * share, layout.mat_mm[1] * share
    page.fill(0, 0, *mat, _SEAT, radius=1.0)
    for seat in range(1, len(layout.seats) + 1):
        x0, y0, x1, y1 = (edge * share for edge in layout.seat_rect(seat))
        page.draw_outline(x0 + 0.6, y0 + 0.6, x1 - x0 - 1.2, y1 - y0 - 1.2, _LINE, 0.25, radius=1.0)
        said = Text("Seat {seat}", seat=seat).said(language)
        page.draw_words(said, (x0 + x1) / 2, (y0 + y1) / 2, 4.6, BLACK, centred=True, widest=x1 - x0 - 14)
    for zone in layout.zones:
        x0, y0, x1, y1 = (edge * share for edge in layout.zone_rect(zone))
        page.fill(x0, y0, x1 - x0, y1 - y0, (0.85, 0.89, 0.87), radius=1.0)
        page.draw_outline(x0, y0, x1 - x0, y1 - y0, _LINE, 0.25, radius=1.0)
        page.draw_words(
            make_heading(zone.title, language),
            (x0 + x1) / 2,
            (y0 + y1) / 2,
            4.2,
            BLACK,
            centred=True,
            widest=x1 - x0 - 2,
        )
    for number, (x, y) in enumerate(layout.spots, 1):
        w, h = (0.9 * side * share for side in CARD_MM)
        page.fill(x * share - w / 2, y * share - h / 2, w, h, (1.0, 1.0, 1.0), radius=0.6)
        page.draw_outline(x * share - w / 2, y * share - h / 2, w, h, _LINE, 0.25, radius=0.6)
        if number <= spots:
            page.draw_words(str(number), x * share, y * share, 3.6, BLACK, weight=Weight.BOLD, centred=True)
    side = MARKER_MM * share
    for number, (right, low) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        x, y = right * (mat[0] - side), low * (mat[1] - side)
        page.fill(x, y, side, side, BLACK)
        page.draw_words(
            str(number), x + side / 2, y + side / 2, 0.6 * side, (1, 1, 1), weight=Weight.BOLD, centred=True
        )
    for number, title in enumerate(layout.spot_titles, 1):
        said = f"{number}　{title.said(language)}"
        page.draw_words(said, mat[0] + 5, 4 + 7 * (number - 1), 4.0, BLACK, widest=width - mat[0] - 5)
