"""What every game offers at the table: from cards in millimetres to a verdict, and all that belongs to it.

A game's folder ``referee/<name>`` has a module ``referee`` with the object ``REFEREE``; nothing else has to know of it
(``referee.registry``). Positions and moves are those of the game's rules; a state is what is agreed (``State``), a
view the game's own picture of what lies on the table. Seats are numbered from 1; lengths are mat millimetres.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from referee.arrangement import CardStack
from referee.layout import CARD_MM, TableLayout
from referee.menu import Menu
from referee.papers import PaperCard, PrintedFace
from referee.table import Detections, Unread
from referee.verdict import Accepted, Comparison, Mend, Offer, Question, Spot, Verdict
from rules.game import Options, Rules
from rules.text import Text


@dataclass(frozen=True)
class GridPage:
    """An enrolment page of a game's own: its cards lie upright in rows, the grid in the mat's middle.

    ``title`` says what lies there, ``called`` what the page is called, to follow "the". ``cards`` are the names in the
    order in which they are laid, row by row, each with its words within a sentence; the grid's last places may stay
    empty. ``pitch_mm`` is from a card's middle to the next one's, across and down.
    """

    name: str
    title: Text
    called: Text
    cards: Mapping[str, Text]
    columns: int
    rows: int
    pitch_mm: tuple[float, float]

    def place_cards(self, mat_mm: tuple[float, float]) -> dict[str, tuple[float, float]]:
        """Return where each card lies: its centre in mat mm by name, in the order in which they are laid."""
        return dict(zip(self.cards, self.list_cells(mat_mm), strict=False))

    def list_cells(self, mat_mm: tuple[float, float]) -> list[tuple[float, float]]:
        """Return the centres of all its places in mat mm, row by row, those that stay empty too."""
        (dx, dy), middle_x, middle_y = self.pitch_mm, (self.columns - 1) / 2, (self.rows - 1) / 2
        return [
            (mat_mm[0] / 2 + (column - middle_x) * dx, mat_mm[1] / 2 + (row - middle_y) * dy)
            for row in range(self.rows)
            for column in range(self.columns)
        ]


@dataclass(frozen=True)
class CardSet:
    """The cards of a game, as the reader has to know them.

    ``copies`` of a face are 1 where it is not named; ``backs`` are the names of cards that lie face down. ``pages``
    are the enrolment pages that teach them, in their order; ``size_mm`` is a card's width and height. ``papers`` are
    the kinds of papers it has beside the deck, in the order in which they are printed. ``grids`` are those of its pages
    that no other game has; cards of a set with such pages are learnt and read by their whole faces. Faces that may be
    ``alike`` stand together in a group, the first one's name being read for all of them. ``printed`` are the faces and
    backs of a plain set of our own design, by name; ``by_players`` says how many copies so many players need.
    """

    faces: tuple[str, ...]
    backs: tuple[str, ...]
    pages: tuple[str, ...]
    copies: Mapping[str, int] = field(default_factory=dict)
    size_mm: tuple[float, float] = CARD_MM
    papers: tuple[PaperCard, ...] = ()
    grids: tuple[GridPage, ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()
    printed: Mapping[str, PrintedFace] = field(default_factory=dict)
    by_players: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    def copies_for(self, face: str, players: int | None = None) -> int:
        """Return how many of a face are printed for that many players, or for as many as may play."""
        if players is not None and players in self.by_players:
            return self.by_players[players].get(face, 1)
        return self.copies.get(face, 1)

    def back_of(self, face: str) -> str:
        """Return the back of a face: the one on its page, or on the last page before it that has one."""
        back = self.backs[0]
        for grid in self.grids:
            back = next((name for name in grid.cards if name in self.backs), back)
            if face in grid.cards:
                break
        return back

    def is_single(self, name: str) -> bool:
        """Tell whether there is one card of that name and no other."""
        return name in self.faces and self.copies.get(name, 1) == 1


@dataclass(frozen=True)
class Step:
    """One step of a game that can be taken back: what was agreed before and after it.

    ``move`` is ``None`` where the position was set by hand. ``notes`` are the record's lines about corrections that
    come before it.
    """

    before: Any
    after: Any
    move: Any | None
    notes: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Check:
    """A turn was taken back or put back, and the table has yet to lie accordingly.

    ``then`` is what was agreed just before it was taken back.
    """

    step: Step
    back: bool
    then: Any = None


@dataclass(frozen=True, slots=True)
class Named:
    """A card that the players named by hand: its name, and the place (as in ``Mend``) and centre in mm it has."""

    name: str
    place: str
    x: float
    y: float


Put = Callable[[Any], Menu | None]
"""Gets a state that is to be agreed, and gives the menu to show next."""


class Referee(Protocol):
    """The referee of one game."""

    @property
    def rules(self) -> Rules:
        """Its rules."""

    @property
    def cards(self) -> CardSet:
        """Its cards."""

    @property
    def setup(self) -> Text:
        """What the players lay out before the first move."""

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return where things lie for that many players on a mat of that size."""

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> Any:
        """Return the state before the first move."""

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> Any:
        """Return the state after a legal move, from what ``save_details`` gave of it.

        Raises:
            EntryError: the data can't be.
            rules.refusal.Illegal: the rules refuse the move.
        """

    def save_details(self, state: Any) -> dict[str, Any]:
        """Return what lies on the table beyond the position, as an entry keeps it with a move."""

    def read_state(self, data: object, now: Any, options: Options) -> Any:
        """Read the state that ``State.to_json`` gave, from a file that may hold anything.

        ``now`` is how the game stood, ``options`` what it was begun with.

        Raises:
            EntryError: no such state can come up in this game.
        """

    def repair_state(self, state: Any) -> Any:
        """Return the state as it should be where an older version
        kept one that could not be left; mostly the same one.
        """

    # Looking

    def observe(self, seen: Detections, layout: TableLayout) -> Any:
        """Observe what lies where; a view has ``unread``, the cards that could not be named."""

    def judge(self, state: Any, view: Any, layout: TableLayout) -> Verdict:
        """Judge what happened on the table since the confirmed state."""

    def find_passive_changes(self, state: Any, view: Any, layout: TableLayout) -> dict[str, Any] | None:
        """Return what an observation between two confirms adds to the
        confirmed state, as an entry's data; ``None`` where nothing.
        """

    def apply_passive_changes(self, state: Any, data: Mapping[str, Any]) -> Any:
        """Return the state after what was noticed.

        Raises:
            EntryError: the data can't be.
        """

    def compare(self, state: Any, view: Any, layout: TableLayout) -> Comparison:
        """Compare the table with what must lie there, and say what to put where."""

    def offer(self, state: Any, view: Any, layout: TableLayout) -> Offer | None:
        """Offer several turns in place of one that explain a table that was refused."""

    def take_fingerprint(self, view: Any, layout: TableLayout) -> Hashable:
        """Return all that a judgement may rest on: two observations of a table that nobody touched have the same."""

    def pressed_twice(self, accepted: Accepted, state: Any) -> Question:
        """Return what is asked where a move without trace was confirmed at once after another one."""

    @property
    def settles(self) -> bool:
        """Whether moves may settle while the table lies still, so that every still picture is judged."""

    def judge_entered(self, state: Any, data: Mapping[str, Any]) -> Verdict:
        """Judge what people enter by the buttons, as a record's line has it."""

    def list_enterable_moves(self, state: Any) -> tuple[tuple[Text, Any], ...]:
        """List moves that no camera sees and that may be entered now,
        in words: the one that may pass for another press first.

        In place of a move there may be a ``Question`` whose answers are accepted moves.
        """

    # Cards named by hand

    def place_of(self, mark: Unread, view: Any, layout: TableLayout) -> str:
        """Return where an unread card lies, as a place of ``Mend``."""

    def locate_cards(self, view: Any, layout: TableLayout) -> dict[str, str]:
        """Return where each card lies of which there is one only, by name."""

    def with_name(self, view: Any, mark: Unread, name: str, layout: TableLayout) -> Any:
        """Return the view with one unread card read as ``name``."""

    def name_groups(self, state: Any) -> tuple[tuple[Text | None, tuple[tuple[str, Text], ...]], ...]:
        """Return every name that a card may have, with its words,
        in groups; those of the group ``None`` stand alone.
        """

    def arrange_table(self, state: Any, layout: TableLayout) -> Iterable[CardStack]:
        """Return what everybody knows to lie on the table, arranged to be drawn: never what is hidden.

        Spots that are empty are there too, without cards; what lies on others comes after them.
        """

    # Words

    def card_words(self, state: Any, name: str) -> Text:
        """Name a card by the name that the reader gives it, within a sentence."""

    def place_words(self, state: Any, place: str) -> Text:
        """Name a place."""

    def explain_unread(self, state: Any, spots: Sequence[Spot]) -> tuple[Text, ...]:
        """Say which spots can't be read, and why."""

    def describe(self, step: Step) -> tuple[Text, ...]:
        """Describe a step's move as a sentence, and what follows from it."""

    def next_up(self, state: Any) -> Text | None:
        """Say who does what next, where a move that was accepted has not said so."""

    def list_reminders(self, state: Any) -> tuple[Text, ...]:
        """Say what somebody has yet to do besides the next move."""

    # Taking back

    def recall_state(self, step: Step, now: Any) -> Any:
        """Return what is confirmed before a step that is taken back, with what everybody has seen since."""

    def list_steps(self, check: Check, comparison: Comparison) -> tuple[Mend, ...]:
        """List all that hands do to take a turn back or to put it back, in their order."""

    def has_hidden_cards(self, step: Step) -> bool:
        """Tell whether putting that step back moves cards that nobody may see."""

    # Set by hand

    def open_editor(self, state: Any, view: Any, layout: TableLayout, put: Put, parent: Menu | None) -> Menu:
        """Ask what the table does not show, one question at a time; ``put`` gets the state that is to be confirmed."""


@runtime_checkable
class FewerSeats(Protocol):
    """A referee of a game that fewer can play at the table than by its rules."""

    @property
    def seats(self) -> range:
        """How many can play it at the table."""


class HasRules(Protocol):
    """A referee, or what scores finished tables."""

    @property
    def rules(self) -> Rules:
        """Its game's rules."""


def table_seats(game: HasRules) -> range:
    """Return how many can play a game at the table."""
    return game.seats if isinstance(game, FewerSeats) else game.rules.seats


Tell = Callable[[Mapping[str, Any]], object]
"""Tells a move by the buttons, as a record's line has it."""


@runtime_checkable
class ArrowButtons(Protocol):
    """A referee to whom the arrow buttons mean something while the table lies still.

    ``up_words`` and ``down_words`` say what, in a few letters.
    """

    up_words: Text
    down_words: Text

    def can_recall(self, step: Step, now: Any, undone: Step | None) -> bool:
        """Tell whether up takes that last step back; ``now`` is
        what is confirmed, ``undone`` what was just taken back.
        """

    def unseen_moves(self, state: Any, tell: Tell) -> Menu | None:
        """Ask where a move may have been made that was not seen, as down does; ``None`` where none may."""


@runtime_checkable
class HousePapers(Protocol):
    """A referee at whose table players may play with papers that they have made themselves.

    The option of its rules under ``house_key`` offers some by their names; what it has chosen is a list of such names.
    """

    house_key: str

    def house_paper(self, name: str) -> PaperCard:
        """Return the paper of that name, whether it is offered or not.

        Raises:
            KeyError: no paper can have that name.
        """

    def make_paper(self, then: Callable[[str], Menu | None], parent: Menu | None) -> Menu:
        """Ask what a new paper is; ``then`` gets its name, and gives the menu to show next."""


@runtime_checkable
class PapersScore(Protocol):
    """A referee of a game in which papers score, each for the player who has it."""

    def scoring_papers(self, state: Any) -> tuple[tuple[str, ...], ...]:
        """Return the names of the papers that score, by seat."""


def house_papers(referee: object, options: Options) -> tuple[PaperCard, ...]:
    """Return the house papers that a game begun with these options is played with."""
    if not isinstance(referee, HousePapers):
        return ()
    return tuple(referee.house_paper(name) for name in options.get(referee.house_key, ()))


def paper_faces(paper: PaperCard) -> tuple[str, str]:
    """Return the names of a paper's two sides, as the reader gives them."""
    return f"{paper.name}/review", f"{paper.name}/complete"


@runtime_checkable
class OwnPages(Protocol):
    """A referee with enrolment pages of its game's own, which then can be printed as sheets to lay the cards on."""

    @property
    def own_pages(self) -> Mapping[str, Text]:
        """Pages of ``CardSet.pages`` that no other game has: what lies there, in words."""

    def page_places(self, page: str, mat_mm: tuple[float, float]) -> Mapping[str, tuple[float, float]]:
        """Return where each card of such a page lies: its centre in
        mat mm by name, in the order in which they are laid.
        """

    def page_words(self, name: str) -> Text:
        """Name a card of such a page, as a heading."""
