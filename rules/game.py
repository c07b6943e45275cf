"""What every game offers: its moves, its positions and its rules, as protocols.

A game is a set of rules over positions that never change and moves that are plain values. Its folder ``rules/<name>``
has a module ``rules`` with the object ``RULES``; nothing else has to know of it (``rules.registry``). Whoever fits the
protocols below passes, or fails, the one conformance suite that runs over all games.

Seats are numbered from 1, clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from rules.cards import Card
from rules.parsing import BadRecordError, quote_value
from rules.refusal import Refusal
from rules.text import Text, player

Options = Mapping[str, Any]
"""What a game was begun with, by key of the record's header: JSON-able values."""


class Move(Protocol):
    """A move: a value that compares equal to its like, reads as text and can be written to a record."""

    def to_json(self) -> dict[str, Any]:
        """Return the move as a record line's object."""

    def __str__(self) -> str: ...


class GameOutcome(Protocol):
    """The end of a game."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, together where they are level."""

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat: 1 for the winners, shared by all who are level."""

    @property
    def points(self) -> tuple[int, ...]:
        """The final points: by seat, or by side where a game has sides."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player at the end of a game: the seat, its place, and its points or its side's."""

    seat: int
    place: int
    points: int

    @property
    def winner(self) -> bool:
        """Whether the player has won."""
        return self.place == 1


def rank_players(places: Sequence[int], points: Sequence[int]) -> tuple[Ranked, ...]:
    """Rank players by their places, the winners first, those who are level by their seats.

    ``points`` go by seat, or by side where a game has sides. This is the one order of players: the display, results,
    pages and tables ask it.
    """
    ranked = (Ranked(seat, place, points[(seat - 1) % len(points)]) for seat, place in enumerate(places, 1))
    return tuple(sorted(ranked, key=lambda one: one.place))


class GamePosition(Protocol):
    """A position: it judges moves and gives the position after one, and never changes itself."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names by seat."""

    @property
    def points(self) -> tuple[int, ...]:
        """The points so far, as in ``GameOutcome``."""

    @property
    def outcome(self) -> GameOutcome | None:
        """The end of the game, ``None`` before it."""

    def verify(self, move: Any) -> Refusal | None:
        """Say why the move is refused, or return ``None``."""

    def is_legal(self, move: Any) -> bool:
        """Tell whether the move is legal."""

    def do(self, move: Any) -> Any:
        """Return the position after the move; raise ``rules.refusal.Illegal`` where the rules refuse it."""

    def to_json(self) -> dict[str, Any]:
        """Return the whole position as JSON-able data."""


class GameMoves(Protocol):
    """The legal moves: they can be asked, listed and counted, and print readably."""

    def __contains__(self, move: Any) -> bool: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Contest:
    """A way to settle at the table what an option asks: ``count`` SEVEN cards are turned up, and somebody calls first.

    ``title`` names it in the menu, ``asked`` says what to do, ``answer`` what the cards give, and ``who`` asks whose
    value of the option it is.
    """

    title: Text
    asked: Text
    who: Text
    count: int
    answer: Callable[[Sequence[Card]], Text]


@dataclass(frozen=True)
class OptionPart:
    """One of several things that make up an option's value, asked for itself: its title, and what the menu offers."""

    title: Text
    values: Sequence[tuple[Any, Text]]


@dataclass(frozen=True)
class GameOption:
    """Something that a game asks before it begins, and that the record's header keeps under ``key``.

    ``values`` gives what the menu offers for these players, each with its words, the usual one first. ``fault`` says
    what is wrong with a value from a file, as the cause that follows a colon; without it only values of the menu will
    do. With ``each_seat`` it is asked for every seat, and the header has a list; ``taken`` says whether a value
    can't be had any more after those of the seats before, and then the first values of the menu, one a seat, go
    together. With ``parts`` the menu asks one after the other, and the value is the list of the answers. An
    ``optional`` one may be missing from a header; then ``start`` gets none. Where one is ``decisive``, a header
    that can't be is an error of the file: nothing in it is judged. A ``contest`` is offered as another way to
    answer. Of ``several`` any number of values may be chosen, and the header has a list of them; an optional one is
    left out where none is. With the value ``short``, where there is one, a game is over soon, as in a demonstration.
    """

    key: str
    title: Text
    values: Callable[[Sequence[str]], Sequence[tuple[Any, Text]]]
    fault: Callable[[Any, Sequence[str]], Text | None] | None = None
    each_seat: bool = False
    optional: bool = False
    decisive: bool = False
    contest: Contest | None = None
    several: bool = False
    taken: Callable[[Any, Sequence[Any]], bool] | None = None
    parts: tuple[OptionPart, ...] = ()
    short: Any = None

    def check(self, value: Any, players: Sequence[str]) -> None:
        """Raise ``BadRecordError`` where a header's value can't be."""
        if self.fault is not None:
            cause = self.fault(value, players)
            if cause is not None:
                raise BadRecordError(cause)
            return
        values = [known for known, _ in self.values(players)]
        chosen = value if self.each_seat else [value]
        count = len(players) if self.each_seat else 1
        if not isinstance(chosen, list) or len(chosen) != count or not all(_is_one_of(one, values) for one in chosen):
            quoted = quote_value(value)
            raise BadRecordError(Text("{key!r} can't be {told}", key=self.key, told=quoted))


def _is_one_of(value: object, values: Sequence[Any]) -> bool:
    """Tell whether it is one of these, ``True`` not being 1."""
    return any(type(value) is type(known) and value == known for known in values)


def seat_option(key: str, title: Text, contest: Contest | None = None) -> GameOption:
    """Make an option whose value is one of the seats: who begins, who deals."""

    def values(players: Sequence[str]) -> Sequence[tuple[int, Text]]:
        return [(seat, player(name)) for seat, name in enumerate(players, 1)]

    def fault(value: Any, players: Sequence[str]) -> Text | None:
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= len(players):
            return None
        quoted = quote_value(value)
        return Text("{key!r} is no seat: {told}", key=key, told=quoted)

    return GameOption(key, title, values, fault, contest=contest)


def usual_options(options: Sequence[GameOption], players: Sequence[str]) -> dict[str, Any]:
    """Return what a game begins with by default; for each seat the first value that is still free."""
    usual: dict[str, Any] = {}
    for option in options:
        if not option.optional:
            values = [value for value, _ in option.values(players)]
            alone = option.taken is not None
            of_seats = values[: len(players)] if alone else values[:1] * len(players)
            usual[option.key] = of_seats if option.each_seat else values[0]
    return usual


class Rules(Protocol):
    """A game's rules."""

    @property
    def name(self) -> str:
        """Its name in records and commands."""

    @property
    def title(self) -> Text:
        """Its name for players."""

    @property
    def seats(self) -> range:
        """How many can play it."""

    @property
    def options(self) -> tuple[GameOption, ...]:
        """What it asks before it begins, in the order of the record's header."""

    @property
    def codes(self) -> tuple[str, ...]:
        """Its refusal codes, those of the table included, in the order in which one of several becomes the ``code``."""

    def start(self, players: Sequence[str], options: Options) -> Any:
        """Return the position before the deal; options that were left out take their default.

        Raises:
            ValueError: wrong number of players, or an option that can't be.
        """

    def restore(self, data: Mapping[str, Any]) -> Any:
        """Restore a position from what its ``to_json`` gave."""

    def read_correction(self, saved: object, players: Sequence[str], options: Options) -> Any:
        """Read the position of a correction by hand, from a file that may hold anything.

        Raises:
            BadRecordError: no such position can come up in this game.
        """

    def read_move(self, data: object) -> Any:
        """Read the move that a record line's object stands for.

        Raises:
            BadRecordError: the object lacks or misspells what its move needs.
        """

    def to_move(self, position: Any) -> frozenset[int]:
        """Return the seats whose move it is: none before the deal and after the
        end, several where they move together.
        """

    def make_public(self, move: Any) -> Any:
        """Return the move as everybody at the table sees it; a position that gets such moves only is a public one."""

    def random_move(self, position: Any, chance: Random) -> Any:
        """Draw a legal move, the deal included, by the given chance alone."""

    def legal_moves(self, position: Any) -> GameMoves:
        """Return the legal moves as an object."""

    def report_result(self, position: Any) -> dict[str, Any]:
        """Return the last line of a check: ``final``, ``winners`` and what else the game
        tells; ``winners`` is ``None`` while the game is not over.
        """


@dataclass(frozen=True)
class Section:
    """A part of a game's rules in brief: its heading, and what it says line by line."""

    title: Text
    lines: tuple[Text, ...]


def make_section(title: Text, *lines: Text) -> Section:
    """Make a section with these lines."""
    return Section(title, lines)


@runtime_checkable
class Briefed(Protocol):
    """Rules that say themselves in brief, on a page that is printed and laid beside the mat."""

    @property
    def brief(self) -> tuple[Section, ...]:
        """The rules in brief, in the order in which somebody new to the game reads them."""
