"""PDFs at true size: markers, mats, two-sided paper cards, the reference deck, page sheets, and what to read.

Print at 100 %, never "fit to page"; every page carries a ruler to check that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from PIL import Image
from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from device.artwork.faces import CARD_H, CARD_W, card_back, card_face, paper_face
from device.artwork.markers import BORDER_MM
from device.artwork.own_cards import own_face
from device.errors import DeviceError
from device.files import replace_file
from device.speech import from_to, in_both
from printing.cards import draw_cards, fit_grid
from printing.drawing import GREY, new_page
from printing.guide import draw_brief, draw_quick_start
from printing.mat import make_mat_poster
from printing.paper_sizes import A4, Size
from printing.posters import OVERLAP_MM, Poster, draw_sheet, draw_tiles, plan_tiles
from referee.game import Referee, table_seats
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from referee.papers import PaperCard, house_pages
from referee.registry import load_papers, load_referees
from rules.cards import DECK
from rules.game import Briefed
from rules.text import Language, Text

PRINT_PX_PER_MM = 12.0
SHEET_BLEED_MM = 3.0
_PLACES = (Text("top left"), Text("top right"), Text("bottom right"), Text("bottom left"))
_CUT = Text("Cut along the dashes; lay them upright, the black squares' outer corners are the mat's.")


def _draw_markers(canvas: Canvas) -> None:
    drawing = new_page(canvas, A4)
    side = MARKER_MM + 2 * BORDER_MM
    pitch = side + 18
    for number in range(4):
        x = A4[0] / 2 + (number % 2 - 1) * pitch + (pitch - MARKER_MM) / 2
        y = 50 + (number // 2) * (pitch + 8)
        drawing.draw_marker(number, x, y)
        drawing.draw_outline(x - BORDER_MM, y - BORDER_MM, side, side, (0.7, 0.7, 0.7), 0.1, radius=0, dashed=True)
        said = f"{number}  {in_both(_PLACES[number], ' ')}"
        drawing.draw_words(said, x - BORDER_MM, y + MARKER_MM + BORDER_MM + 4, 3.6)
    drawing.draw_ruler(20, 257, A4[0] - 40)
    for language, y in ((Language.JA, 275), (Language.EN, 282)):
        drawing.draw_words(_CUT.said(language), 20, y, 3.4, GREY, widest=A4[0] - 40)
    canvas.showPage()


def _paper_sides(some: Iterable[PaperCard]) -> Iterator[tuple[Image.Image, Image.Image]]:
    for paper in some:
        sides = paper_face(paper, False, PRINT_PX_PER_MM), paper_face(paper, True, PRINT_PX_PER_MM)
        for _ in range(paper.copies):
            yield sides


def _write(path: Path, draw: Callable[[Canvas], None], title: str, packed: bool = False) -> None:
    """Draw into a PDF beside ``path`` and put it in place when it is whole.

    Unless it is ``packed``, page contents are uncompressed: anybody can check the lengths in them.
    """
    rl_config.useA85 = 0  # pictures as they are: written as letters they take a quarter more room and most of the time
    with replace_file(path) as unfinished:
        canvas = Canvas(str(unfinished), pageCompression=int(packed), invariant=1)
        canvas.setTitle(title)
        canvas.setAuthor("Sevenmat")
        draw(canvas)
        canvas.save()


def print_markers(path: Path) -> None:
    """Print the four markers, black squares of exactly 50 mm, on one A4 page."""
    _write(path, _draw_markers, "Sevenmat markers")


def find_game(name: str | None) -> Referee:
    """Return the game of that name; the first one, where none is named.

    Raises:
        DeviceError: there is no such game.
    """
    known = load_referees()
    name = next(iter(known)) if name is None else name
    if name not in known:
        names = ", ".join(known)
        raise DeviceError("There is no game {name!r}; there are {names}.", name=name, names=names)
    return known[name]


def _choose_seats(referee: Referee, players: int | None) -> int:
    """Return how many players a sheet is for: as many as are named, else four, or as near to that as the game has.

    Raises:
        DeviceError: that many can't play it.
    """
    seats, title = table_seats(referee), referee.rules.title
    if players is None:
        return min(seats, key=lambda count: abs(count - 4))
    if players not in seats:
        raise DeviceError(
            "{title} is for {how_many} players: there is no layout for {players} players.",
            title=title,
            how_many=from_to(seats[0], seats[-1]),
            players=players,
        )
    return players


def _print_poster(
    path: Path, posters: Sequence[Poster], paper: Size | None, bleed: float | None, overlap: float
) -> None:
    """Print each poster as one sheet, or as tiles where a paper is named."""

    def draw(canvas: Canvas) -> None:
        for poster in posters:
            if paper is None:
                draw_sheet(canvas, poster, SHEET_BLEED_MM if bleed is None else bleed)
            else:
                draw_tiles(canvas, poster, plan_tiles(poster.size, paper, overlap))

    _write(path, draw, f"Sevenmat: {posters[0].title}", packed=paper is not None or len(posters) > 1)


def print_mat(
    path: Path,
    size_mm: tuple[float, float] = REFERENCE_MAT_MM,
    players: int | None = None,
    game: str | None = None,
    paper: Size | None = None,
    bleed: float | None = None,
    overlap: float = OVERLAP_MM,
) -> None:
    """Print a mat of that size with markers and a game's seats, zones and spots; the first game's, where none is named.

    It is one sheet for a print shop, or tiles where a ``paper`` (mm) is named.

    Raises:
        DeviceError: there is no such game, or that many can't play it.
    """
    referee = find_game(game)
    count = _choose_seats(referee, players)
    title, size = referee.rules.title, f"{size_mm[0]:g} × {size_mm[1]:g} mm"
    name = Text("{title}, {count} players, {size}", title=title, count=count, size=size)
    _print_poster(path, [make_mat_poster(referee.make_layout(count, size_mm), name)], paper, bleed, overlap)


def print_pages(
    path: Path,
    size_mm: tuple[float, float] = REFERENCE_MAT_MM,
    game: str | None = None,
    paper: Size | None = None,
    bleed: float | None = None,
    overlap: float = OVERLAP_MM,
    house: Sequence[PaperCard] = (),
) -> None:
    """Print the sheets to lay the pages on that teach a game's cards, or only papers of the ``house``, for such a mat.

    Raises:
        DeviceError: there is no such game, one of its pages has no places, or no room on the mat.
    """
    from printing.learning_sheets import make_page_poster  # what knows the pages loads the reader

    referee = find_game(game)
    pages = house_pages([paper.name for paper in house]) if house else referee.cards.pages
    posters = [make_page_poster(referee, page, size_mm) for page in pages]
    _print_poster(path, posters, paper, bleed, overlap)


def print_guide(
    path: Path, game: str | None = None, players: int | None = None, languages: Sequence[Language] = ()
) -> None:
    """Print a quick start in each language, then the game's rules in brief where it has some.

    Raises:
        DeviceError: there is no such game, or that many can't play it.
    """
    referee = find_game(game)
    count = _choose_seats(referee, players)

    def draw(canvas: Canvas) -> None:
        for language in languages or Language.all():
            draw_quick_start(canvas, referee, count, language)
            if isinstance(referee.rules, Briefed):
                draw_brief(canvas, referee, referee.rules.brief, language)

    _write(path, draw, f"Sevenmat guide: {referee.rules.title}", packed=True)


def print_papers(path: Path, paper: Size = A4, bleed: float | None = None, house: Sequence[PaperCard] = ()) -> None:
    """Print the games' paper cards, under-review side and complete side back to back; or only those of the ``house``.

    Raises:
        DeviceError: the paper is too small for a card.
    """
    pairs = list(_paper_sides(house or load_papers().values()))
    _print_cards(path, [a for a, _ in pairs], [b for _, b in pairs], "Sevenmat papers", paper, bleed)


def print_deck(
    path: Path,
    paper: Size = A4,
    bleed: float | None = None,
    game: str | None = None,
    players: int | None = None,
) -> None:
    """Print the reference deck of 49 SEVEN cards with their backs, or the plain set of a game with cards of its own.

    Of such a set there are as many copies of a card as so many ``players`` need; without them the most that the rules
    ever need.

    Raises:
        DeviceError: there is no such game, that many can't play it, or the paper is too small for a card.
    """
    referee = None if game is None else find_game(game)
    if referee is not None and referee.cards.printed:
        _print_set(path, referee, paper, bleed, players)
        return
    if players is not None:
        raise DeviceError("--players goes only with a game that has cards of its own: leave it out.")
    faces = [card_face(card, PRINT_PX_PER_MM) for card in DECK]
    back = card_back(PRINT_PX_PER_MM)
    _print_cards(path, faces, [back] * len(faces), "Sevenmat reference deck", paper, bleed)


def _print_set(path: Path, referee: Referee, paper: Size, bleed: float | None, players: int | None) -> None:
    """Print the plain set of a game with cards of its own, each front with the back that it was learnt with."""
    cards, seats = referee.cards, referee.rules.seats
    if players is not None and players not in seats:
        title = referee.rules.title
        raise DeviceError(
            "{title} is for {how_many} players: there is no set for {players} players.",
            title=title,
            how_many=from_to(seats[0], seats[-1]),
            players=players,
        )
    drawn = {name: own_face(name, PRINT_PX_PER_MM) for name in cards.printed}
    fronts: list[Image.Image] = []
    backs: list[Image.Image] = []
    for name in cards.faces:
        for _ in range(cards.copies_for(name, players)):
            fronts.append(drawn[name])
            backs.append(drawn[cards.back_of(name)])
    size = cards.size_mm
    grid = fit_grid(paper, size, bleed or 0.0)
    name = f"Sevenmat: {referee.rules.title}"
    _write(path, lambda canvas: draw_cards(canvas, grid, paper, fronts, backs), name)


def _print_cards(
    path: Path,
    fronts: Sequence[Image.Image],
    backs: Sequence[Image.Image],
    title: str,
    paper: Size,
    bleed: float | None,
) -> None:
    grid = fit_grid(paper, (CARD_W, CARD_H), bleed or 0.0)
    _write(path, lambda canvas: draw_cards(canvas, grid, paper, fronts, backs), title)
