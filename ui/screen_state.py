"""What the display shows, as one plain value: screens are drawn from this and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

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

    ``named`` are the words with the card's name in them, where the cards find no room.
    """

    tiles: tuple[CardTile, ...]
    words: str
    named: str


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
    ``arrows`` go with ``put_back``, one each; ``unseen`` are places that can't be read. ``aspect`` is the mat's width
    over its height. ``names`` are the players by seat, ``to_move`` is the seat of whoever is to move.
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
    """What the buttons do where a screen says so itself: confirm, up and down, back; nothing where they do nothing."""

    confirm: str = ""
    choose: str = ""
    back: str = ""


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
class Ending:
    """How near a game is to its end, for the badge at the top.

    ``turns_left`` counts the turns of the countdown, ``None`` before it. ``flag_due`` asks for the End Flag.
    ``by_player`` says how many of the turns that are left are whose, in the order of the players.
    """

    turns_left: int | None = None
    flag_due: bool = False
    by_player: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ScreenState:
    """Everything one screen shows; words are in ``language`` already, labels are added by the screen.

    ``headline`` says what was understood or refused, ``details`` why (a paragraph each), ``put_back`` what to mend
    (an item each, in the order in which to do it). ``choices`` and ``chosen`` are a pending question's answers.
    ``picture`` shows the table with all steps to mend.
    ``undoable`` says that a turn can be taken back, ``menu`` that up and down open the menu.
    ``grid`` are cards to lay, ``pad`` are letters to write a name with, ``camera`` is what the camera sees, ``learnt``
    are cards to be looked through, ``leaf`` is a page of what is looked up; each is drawn in place of the rest.
    ``buttons`` are words for the buttons in place of the usual ones.

    A playing screen has two layers. Page 0 is read from afar: ``brief`` is what must be understood at once, in a few
    words, ``tiles`` are the cards of the move, ``gains`` the points that it brings, by player, ``steps`` the steps to
    mend as cards to move, one for each of ``put_back``. All other pages are read near by and hold every word.
    ``turns`` are the cards of several moves where a question is about them. ``up``, ``down`` and ``confirm`` say what
    these buttons do on page 0 where it is not the usual. ``close_up`` is what the camera sees at the place that a
    question is about.
    """

    language: Language
    mood: Mood
    players: tuple[PlayerLine, ...] = ()
    headline: str = ""
    details: tuple[str, ...] = ()
    put_back: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    chosen: int = 0
    ending: Ending = Ending()
    ranking: tuple[RankLine, ...] = ()
    picture: TablePicture | None = None
    grid: PageGrid | None = None
    undoable: bool = False
    menu: bool = False
    page: int = 0
    brief: str = ""
    tiles: tuple[TileGroup, ...] = ()
    gains: tuple[int, ...] = ()
    steps: tuple[StepTiles, ...] = ()
    turns: tuple[tuple[TileGroup, ...], ...] = ()
    pad: NamePad | None = None
    camera: CameraView | None = None
    learnt: tuple[LearntCard, ...] = ()
    leaf: Leaf | None = None
    buttons: ButtonWords | None = None
    up: str = ""
    down: str = ""
    confirm: str = ""
    close_up: Thumbnail | None = None

    @property
    def titled(self) -> bool:
        """Whether the headline stands in the band, since something else fills the screen."""
        seen = self.camera is not None and self.mood is not Mood.BLIND
        looked_at = (self.pad, self.grid, self.leaf)
        return seen or bool(self.learnt) or any(one is not None for one in looked_at)

    @property
    def near(self) -> bool:
        """Whether there is more to read than the screen shows from afar."""
        if self.choices or self.grid is not None or not self.players:
            return False
        if self.ranking:
            return bool(self.details)
        return bool(self.headline or self.details or self.put_back)

    @property
    def to_move(self) -> str | None:
        """The name of the player whose turn it is; ``None`` where it is nobody's or several players'."""
        names = [player.name for player in self.players if player.to_move]
        return names[0] if len(names) == 1 else None
