"""What the display shows, as one plain value: screens are drawn from this and from nothing else.

A screen is one of several kinds, each with its few fields; all of them are ``ScreenState``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, TypeVar

from referee.menu import QrCode
from rules.text import Language


class Mood(Enum):
    """What the referee is doing, which gives a screen its colour, its sign and its title."""

    NOTICE = "notice"
    """Something before or beside the game: enrolling, starting up."""
    WAITING = "waiting"
    """It is somebody's turn; nothing has been confirmed yet."""
    HANDS = "hands"
    """The picture moves: hands are over the mat, so nothing is judged."""
    READING = "reading"
    """The still picture is being read."""
    PREVIEW = "preview"
    """A legal move lies on the table; confirm settles it."""
    FAULT = "fault"
    """What lies on the table is not a legal move yet; confirm has not been pressed."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    QUESTION = "question"
    CANT_SEE = "cant_see"
    OUT_OF_STEP = "out_of_step"
    """The table differs from what was agreed, by more than any move explains."""
    CHECK = "check"
    """A turn was taken back or put back; the table must lie accordingly before the game goes on."""
    MENU = "menu"
    PAUSED = "paused"
    BLIND = "blind"
    """The camera gives no picture of the table, or the mat can't be found in it."""
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class PaperMark:
    """One paper of a player, briefly: complete with its points, or under review with the cards still in it."""

    complete: bool
    number: int
    """Points of a complete paper; SEVEN cards left in one under review."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player in the list of points; ``shown`` are words in place of the points, where others count."""

    name: str
    points: int
    papers: tuple[PaperMark, ...] = ()
    to_move: bool = False
    shown: str = ""


@dataclass(frozen=True, slots=True)
class RankLine:
    """One player in the final ranking; ``place`` is shared by players who are level.

    ``complete_papers`` are ``None`` in a game without papers. Partners, who win and lose together, have the same
    ``side``. ``note`` says how the points came, in a few letters.
    """

    place: int
    name: str
    points: int
    complete_papers: int | None
    winner: bool
    side: int | None = None
    note: str = ""


class TileRole(Enum):
    """What becomes of a card that is drawn: it is laid, cited, paid, taken into a hand, or shown as it lies."""

    LAID = "laid"
    CITED = "cited"
    PAID = "paid"
    TAKEN = "taken"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class CardTile:
    """A card to draw: its name as the reader gives it, what stands on it, and its colour as red, green and blue.

    ``suit`` is the letter of a SEVEN card's suit, whose shape is drawn; empty for anything else. ``back`` says that
    the card lies face down.
    """

    name: str
    label: str
    colour: tuple[int, int, int]
    role: TileRole = TileRole.SHOWN
    suit: str = ""
    back: bool = False


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Cards that go the same way in one move, with a few words on it: ``Three Cards``, ``cites Banach``.

    ``short`` are fewer words, where there is no room for those.
    """

    role: TileRole
    words: str
    tiles: tuple[CardTile, ...]
    short: str = ""


@dataclass(frozen=True, slots=True)
class StepTiles:
    """One of the steps to mend, to be understood from afar: which cards, and in a few words where they go.

    ``named`` are the words with the card's name in them, where the cards find no room, ``sentence`` is the whole step.
    ``source`` and ``target`` are the places from and to which they go, as in ``referee.verdict.Mend``.
    """

    tiles: tuple[CardTile, ...]
    words: str
    named: str
    sentence: str
    source: str = ""
    target: str = ""


Point = tuple[float, float]
"""A place on the mat as shares of its width and height."""


class Outside(Enum):
    """Which end of a step lies beside the mat."""

    NEITHER = "neither"
    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class Arrow:
    """One step of putting the table right: from where to where, the same place twice for a card to turn over.

    ``outside`` says that the step begins or ends beside the mat; that end's place is not looked at.
    """

    start: Point
    end: Point
    outside: Outside = Outside.NEITHER


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A small picture of the table: what lies there, and what to put where.

    Places are shares of the mat. ``seats`` are x0, y0, x1, y1 by seat, ``piles`` a face-down pile and the face-up one,
    if there is one, ``payments`` the payment spots, ``papers`` where papers lie, with whether they are complete.
    ``arrows`` go with the steps to mend, one each; ``unseen`` are places that can't be read. ``aspect`` is the mat's
    width over its height. ``names`` are the players by seat, ``to_move`` is the seat of whoever is to move.
    """

    aspect: float
    seats: tuple[tuple[float, float, float, float], ...]
    piles: tuple[Point, ...]
    payments: tuple[Point, ...]
    papers: tuple[tuple[Point, bool], ...] = ()
    arrows: tuple[Arrow, ...] = ()
    unseen: tuple[Point, ...] = ()
    names: tuple[str, ...] = ()
    to_move: int | None = None


@dataclass(frozen=True, slots=True)
class PageGrid:
    """Cards to lay in rows: their names, row by row, and the one that lies to the right of them, if there is one.

    SEVEN cards are named as in records, others as players call them.
    """

    rows: tuple[tuple[str, ...], ...]
    aside: str


@dataclass(frozen=True, slots=True)
class NamePad:
    """Letters to write a name with: what is written so far, rows of letters, and which row or letter is chosen.

    ``column`` is ``None`` while a row is being chosen. ``fault`` is what is wrong with what was pressed.
    """

    typed: str
    rows: tuple[tuple[str, ...], ...]
    row: int
    column: int | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A small picture: width and height in px, and its px row by row, red green blue."""

    size: tuple[int, int]
    rgb: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CloseUp:
    """What the camera sees of a card that can't be read, and where it lies, where that is drawn."""

    seen: Thumbnail
    table: TablePicture | None


@dataclass(frozen=True, slots=True)
class PicturePair:
    """A place on the table before and after a turn."""

    before: Thumbnail
    after: Thumbnail


@dataclass(frozen=True, slots=True)
class SeatOutline:
    """A seat in the camera's picture: its four corners as shares of the picture, and who sits there."""

    corners: tuple[Point, Point, Point, Point]
    name: str


@dataclass(frozen=True, slots=True)
class CameraView:
    """What the camera sees: a small picture, the mat and the seats in it, and what is to be said of each thing.

    ``mat`` are the mat's corners clockwise from marker 0 as shares of the picture, none where it is not found.
    ``checks`` are lines with whether they are in order.
    """

    picture: Thumbnail | None
    mat: tuple[Point, ...] = ()
    seats: tuple[SeatOutline, ...] = ()
    checks: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class LearntCard:
    """A card as it was learnt: what it is called, and what was seen of it."""

    name: str
    picture: Thumbnail


@dataclass(frozen=True, slots=True)
class ButtonWords:
    """What the buttons do where a screen says so itself; nothing where they do nothing.

    ``choose`` are up and down where they do the same, else each has words of its own.
    """

    confirm: str = ""
    choose: str = ""
    back: str = ""
    up: str = ""
    down: str = ""


@dataclass(frozen=True, slots=True)
class PlotLine:
    """A player's points, turn after turn from the start on."""

    name: str
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page of what is looked up, of turns so far or of help: paragraphs, cards below them, points over turns.

    Cards are left out where they find no room: the words say all. ``pairs`` of pictures have a page each, with
    ``captions`` over what was before and after.
    """

    title: str
    words: tuple[str, ...] = ()
    tiles: tuple[TileGroup, ...] = ()
    plot: tuple[PlotLine, ...] = ()
    pairs: tuple[PicturePair, ...] = ()
    captions: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Countdown:
    """How near a game is to its end, for the badge at the top.

    ``turns_left`` counts the turns of the countdown, ``None`` before it. ``flag_due`` asks for the End Flag.
    ``by_player`` says how many of the turns that are left are whose, in the order of the players.
    """

    turns_left: int | None = None
    flag_due: bool = False
    by_player: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands: the players with their points, and how near the end is; empty outside of a game.

    ``gains`` are the points that the move on the screen brings, by player.
    """

    players: tuple[PlayerLine, ...] = ()
    ending: Countdown = Countdown()
    gains: tuple[int, ...] = ()


K = TypeVar("K", bound="ScreenState")


@dataclass(frozen=True, slots=True)
class ScreenState:
    """What every screen has; words are in ``language`` already.

    ``headline`` says what was understood, refused or asked, ``details`` why (a paragraph each). ``buttons`` are words
    for the buttons in place of the usual ones. What only some kinds have is empty for all others.
    """

    language: Language
    mood: Mood
    headline: str = ""
    details: tuple[str, ...] = ()
    standing: Standing = Standing()
    buttons: ButtonWords | None = None

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers, or the lines of a menu."""
        return ()

    @property
    def chosen(self) -> int:
        """Which of the choices is chosen."""
        return 0

    @property
    def put_back(self) -> tuple[str, ...]:
        """What to mend, a sentence for each step in the order in which to do it."""
        return ()

    @property
    def page(self) -> int:
        """Which page is open: 0 is read from afar, all others near by."""
        return 0

    @property
    def players(self) -> tuple[PlayerLine, ...]:
        """The players with their points."""
        return self.standing.players

    @property
    def ending(self) -> Countdown:
        """How near the end of the game is."""
        return self.standing.ending

    @property
    def to_move(self) -> str | None:
        """The name of the player whose turn it is; ``None`` where it is nobody's or several players'."""
        names = [player.name for player in self.players if player.to_move]
        return names[0] if len(names) == 1 else None

    def turn_into(self, kind: Callable[..., K], **more: Any) -> K:
        """Put what every screen has on another kind of screen, with ``more`` in place of it or beside it."""
        return kind(**({one.name: getattr(self, one.name) for one in fields(ScreenState)} | more))


@dataclass(frozen=True, slots=True)
class NoticeScreen(ScreenState):
    """Something to be read, and nothing besides."""


@dataclass(frozen=True, slots=True)
class PagedScreen(ScreenState):
    """A screen in two layers: page 0 is read from afar, all other pages near by, where every word is."""

    page: int = 0

    @property
    def near(self) -> bool:
        """Whether there is more to read than the screen shows from afar."""
        return bool(self.players and (self.headline or self.details or self.put_back))


@dataclass(frozen=True, slots=True)
class PlayScreen(PagedScreen):
    """Whose turn it is, and the cards of a move: of the last one, of one that is seen, of one just made.

    ``brief`` is what must be understood at once, in a few words.
    """

    brief: str = ""
    tiles: tuple[TileGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class TableScreen(PagedScreen):
    """What the table shows beside a move: what to put where, what can't be read, what was read of a finished table.

    ``brief`` is what must be understood at once, in a few words; ``picture`` has an arrow for each of the ``steps``.
    """

    brief: str = ""
    steps: tuple[StepTiles, ...] = ()
    picture: TablePicture | CloseUp | None = None

    @property
    def put_back(self) -> tuple[str, ...]:
        """What to mend, a sentence for each step in the order in which to do it."""
        return tuple(step.sentence for step in self.steps)


@dataclass(frozen=True, slots=True)
class ScoreScreen(PagedScreen):
    """The end of a game: who has won, and everybody in order."""

    ranking: tuple[RankLine, ...] = ()

    @property
    def near(self) -> bool:
        """Whether there is more to read than the screen shows from afar."""
        return bool(self.details)


@dataclass(frozen=True, slots=True)
class CameraScreen(PagedScreen):
    """What the camera sees."""

    view: CameraView = CameraView(None)


@dataclass(frozen=True, slots=True)
class IconTile:
    """A line of a menu as a tile: the name of its sign, and a word or two."""

    icon: str
    label: str


@dataclass(frozen=True, slots=True)
class MenuScreen(ScreenState):
    """Lines to choose from; ``picture`` shows the card that it is about, if there is one, or a code for a phone.

    Where there are ``icons``, one for each of the choices, they are shown as tiles.
    """

    choices: tuple[str, ...] = ()
    chosen: int = 0
    picture: TablePicture | CloseUp | QrCode | None = None
    icons: tuple[IconTile, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionScreen(MenuScreen):
    """A question and its answers; ``tiles`` are the cards of the answer that is chosen."""

    tiles: tuple[TileGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferScreen(MenuScreen):
    """A refusal that several turns would explain, whose cards these are; whether they were made is asked."""

    turns: tuple[TileGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class FilledScreen(ScreenState):
    """A screen that something fills; the headline stands in the band."""


@dataclass(frozen=True, slots=True)
class LeafScreen(FilledScreen):
    """A page of what is looked up; ``page`` is the leaf's own."""

    leaf: Leaf = Leaf("")
    page: int = 0


@dataclass(frozen=True, slots=True)
class PadScreen(FilledScreen):
    """Letters to write a name with."""

    pad: NamePad = NamePad("", (), 0)


@dataclass(frozen=True, slots=True)
class GridScreen(FilledScreen):
    """Cards to lay, or cards that lie there."""

    grid: PageGrid = PageGrid((), "")


@dataclass(frozen=True, slots=True)
class CardsScreen(FilledScreen):
    """Cards to be looked through, as they were learnt."""

    cards: tuple[LearntCard, ...] = ()
