"""Sheets to lay an enrolment page on: a numbered place for each card, with the name of what lies there.

A sheet is laid on the mat with its cross upon the mat's middle. It is as dark as a mat, so that white cards stand out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from device.artwork.markers import BORDER_MM
from device.errors import DeviceError
from device.speech import make_heading
from printing.drawing import Colour, PageDrawing
from printing.mat import GROUND, INK, draw_cross
from printing.posters import Poster
from referee.game import OwnPages, Referee
from referee.layout import MARKER_MM
from referee.papers import PaperCard, kinds_on, side_on
from referee.registry import grid_page, load_papers
from rules.cards import Card
from rules.text import Language, Text
from ui.fonts import Weight
from vision.enrol import place_cards
from vision.identify.deck import BACK

_EDGE_MM = 12.0
_BESIDE_MM = 37.0
"""Right of the last card: room for its name."""
_NAME: Colour = (0.45, 0.57, 0.50)
_TITLES: Mapping[str, Text] = {
    "seven": Text("the SEVEN cards"),
    "review": Text("papers, under review side up"),
    "complete": Text("papers, complete side up"),
    "back": Text("a SEVEN card face down"),
}
_HOUSE_TITLES: Mapping[str, Text] = {
    "review": Text("your own papers, under review side up"),
    "complete": Text("your own papers, complete side up"),
}
_FACE_DOWN = Text("Face down")
Places = Mapping[str, tuple[float, float]]


def make_page_poster(referee: Referee, page: str, mat_mm: tuple[float, float]) -> Poster:
    """Return the sheet for one of the pages that teach a game's cards, for a mat of that size (mm).

    Raises:
        DeviceError: nobody says what lies where on that page, or the mat is too small for it.
    """
    places, title, name = _describe_page(referee, page, mat_mm)
    width, height = referee.cards.size_mm
    reach_x, reach_y = width / 2 + _EDGE_MM, height / 2 + _EDGE_MM
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    middle, gap = (mat_mm[0] / 2, mat_mm[1] / 2), _measure_gap(places, width)
    x0, y0 = min(*xs, middle[0]) - reach_x, min(*ys, middle[1]) - reach_y
    x1, y1 = max(*xs, middle[0]) + width / 2 + max(gap, _EDGE_MM), max(*ys, middle[1]) + reach_y
    if any(_on_marker(place, (width, height), mat_mm) for place in places.values()):
        raise _too_small(page, mat_mm)

    def draw(drawing: PageDrawing) -> None:
        sheet = drawing.move_origin(-x0, -y0)
        for number, (card, (x, y)) in enumerate(places.items(), 1):
            _draw_place(sheet, number, name(card), (x - width / 2, y - height / 2, width, height), gap)
        draw_cross(sheet, *middle)

    heading = Text("Page {page}: {title}; the cross on the mat's middle", page=side_on(page), title=title)
    return Poster((x1 - x0, y1 - y0), draw, heading, GROUND)


def _describe_page(
    referee: Referee, page: str, mat_mm: tuple[float, float]
) -> tuple[Places, Text, Callable[[str], Text]]:
    """Return what lies where on a page, what the page is, and what its cards are called."""
    if isinstance(referee, OwnPages) and page in referee.own_pages:
        return referee.page_places(page, mat_mm), referee.own_pages[page], referee.page_words
    if (grid := grid_page(page)) is not None:
        return grid.place_cards(mat_mm), grid.title, grid.cards.__getitem__
    try:
        return (
            place_cards(page, mat_mm),
            (_HOUSE_TITLES if kinds_on(page) else _TITLES)[side_on(page)],
            lambda name: _name_card(name, load_papers()),
        )
    except (ValueError, KeyError) as error:
        title = referee.rules.title
        raise DeviceError(
            "{title} does not say what lies where on its page {page!r}, so there is no sheet for it.",
            title=title,
            page=page,
        ) from error


def _name_card(name: str, known: Mapping[str, PaperCard]) -> Text:
    """Return the words for a card of the pages that all games share."""
    kind, _, side = name.partition("/")
    if side:
        return known[kind].text
    if name == BACK:
        return _FACE_DOWN
    return Card.parse(name).text


def _too_small(page: str, mat_mm: tuple[float, float]) -> DeviceError:
    size = f"{mat_mm[0]:g} × {mat_mm[1]:g} mm"
    return DeviceError(
        "The page {page!r} has no room on a mat of {size}: name a larger one with --mat.", page=page, size=size
    )


def _on_marker(place: tuple[float, float], card: tuple[float, float], mat_mm: tuple[float, float]) -> bool:
    """Return whether a card there would reach into a marker's white border or over the mat's edge."""
    gaps = [min(at, side - at) - of_card / 2 for at, side, of_card in zip(place, mat_mm, card, strict=True)]
    return all(gap < MARKER_MM + BORDER_MM for gap in gaps) or min(gaps) < 0


def _measure_gap(places: Places, width: float) -> float:
    """Return the space between two cards side by side; where there are none, as much as beside the last one."""
    near = [
        abs(x - other_x) - width
        for x, y in places.values()
        for other_x, other_y in places.values()
        if abs(y - other_y) < 1 and x != other_x
    ]
    return min(near, default=_BESIDE_MM)


def _draw_place(
    sheet: PageDrawing, number: int, name: Text, box: tuple[float, float, float, float], gap: float
) -> None:
    """Draw a card's place, and right of its middle what lies there.

    A drawn corner, or words where a card has its corners, would pass for a card that is missing.
    """
    x, y, width, height = box
    sheet.draw_place(x, y, width, height, INK)
    middle, beside, widest = y + height / 2, x + width + gap / 2, gap - 6
    sheet.draw_words(str(number), beside, middle - 11, 11.0, _NAME, weight=Weight.BOLD, centred=True, widest=widest)
    sheet.draw_words(
        make_heading(name, Language.JA).strip("「」"), beside, middle, 7.0, _NAME, centred=True, widest=widest
    )
    sheet.draw_words(make_heading(name, Language.EN), beside, middle + 9, 6.0, _NAME, centred=True, widest=widest)
