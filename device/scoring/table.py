"""What people say of a finished table, and its score from what was seen there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from device.errors import DeviceError
from device.speech import from_to
from referee.finished.score import Fault, Finished, InParts, LeavesOut, Score, Scoring, parts_of
from referee.game import table_seats
from referee.layout import TableLayout
from referee.registry import load_scorings
from referee.table import Detections
from rules.parsing import BadRecordError
from rules.plain import shorten_line
from rules.refusal import Reason
from rules.text import Text, join_row, player, verbatim

SAY_HOW_MANY = Text("Say how many play.")
_FEW_UNREAD = 5
"""So many unread cards may lie on a table of few cards without its deck being doubted."""
_MISCOUNTED = 2
"""From so many faults on, the players may have been counted wrong."""


@dataclass(frozen=True)
class Table:
    """What people say of a table: the game, how each player is called, by seat, the mat's size in mm, and the rest.

    ``players`` are names within a sentence, ``names`` those in a list; ``told`` is what no camera sees
    (``Scoring.asked``).
    """

    scoring: Scoring
    players: tuple[Text, ...]
    names: tuple[Text, ...]
    mat_mm: tuple[float, float] | None = None
    told: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def set_up(
        cls,
        game: str,
        seats: int | None = None,
        names: Sequence[str] = (),
        mat_mm: tuple[float, float] | None = None,
        told: Mapping[str, Any] | None = None,
    ) -> Table:
        """Set up the table of that game; players without names are called by their seats.

        Without ``seats`` as many play as were entered one by one, or as are named.

        Raises:
            DeviceError: no such game can be scored, or not with so many players, or not with what was entered.
        """
        known = load_scorings()
        if game not in known:
            names_of_games = ", ".join(known)
            raise DeviceError(
                Text(
                    "No table of {game!r} can be scored from a picture; these games can: {games}.",
                    game=shorten_line(game),
                    games=names_of_games,
                ),
            )
        rules = known[game].rules
        if seats is None:
            seats = _count_seats(known[game], told or {}) or len(names)
        if not seats:
            raise DeviceError("Say with --seats how many play.").told_on_a_phone(SAY_HOW_MANY)
        allowed = table_seats(known[game])
        if seats not in allowed:
            raise DeviceError(
                Text(
                    "{title} is played by {how_many} players, not {seats}.",
                    title=rules.title,
                    how_many=from_to(min(allowed), max(allowed)),
                    seats=seats,
                ),
            )
        if names and len(names) != seats:
            raise DeviceError(
                Text("--players names {names} players, but {seats} play; see --seats.", names=len(names), seats=seats),
            ).told_on_a_phone(Text("{names} players are named, but {seats} play.", names=len(names), seats=seats))
        called = tuple(map(player, names)) or by_seat(seats)
        listed = tuple(verbatim(name) for name in names) or by_seat(seats)
        table = cls(known[game], called, listed, mat_mm, dict(told or {}))
        table._check()
        return table

    def _check(self) -> None:
        """Hold what was entered against what the game asks.

        Raises:
            DeviceError: something was not entered, or can't be.
        """
        asked = {option.key: option for option in self.scoring.asked}
        title, names = self.scoring.rules.title, list(map(str, self.names))
        wanted = [option for option in asked.values() if not option.optional]
        if missing := [option for option in wanted if option.key not in self.told]:
            keys = ", ".join(option.key for option in wanted)
            raise DeviceError(
                Text(
                    "{title} asks what no camera sees: {question} Put it into a JSON file with {keys}, and "
                    "name that with --told.",
                    title=title,
                    question=missing[0].title,
                    keys=keys,
                ),
            ).told_on_a_phone(
                Text("{title} asks what no camera sees: {question}", title=title, question=missing[0].title)
            )
        for key, value in self.told.items():
            if key not in asked:
                raise DeviceError(
                    Text(
                        "{title} knows nothing of {key!r}; it can be told {keys}.",
                        title=title,
                        key=shorten_line(key),
                        keys=join_row(map(verbatim, asked)),
                    ),
                )
            try:
                asked[key].check(value, names)
            except BadRecordError as error:
                raise DeviceError(Text("What was told can't be: {error}.", error=error)) from error

    @property
    def parts(self) -> tuple[tuple[int, ...], ...]:
        """The seats whose things lie on the mat each time: mostly all of them at once."""
        parts, first = [], 1
        for count in parts_of(self.scoring, len(self.players)):
            parts.append(tuple(range(first, first + count)))
            first += count
        return tuple(parts)

    def lay_out(self, mat_mm: tuple[float, float], part: int = 0) -> TableLayout:
        """Lay out the areas on a mat of that size (mm), unless another one was entered."""
        return self.scoring.make_layout(len(self.parts[part]), self.mat_mm or mat_mm)

    def cards_among(self, seen: Detections, mat_mm: tuple[float, float], part: int = 0) -> Detections:
        """Drop from what was seen of a part, on a mat of that size (mm), what is no card of a game with such things.

        Of one that can't be distinguished from such a thing the rest is left, so marks may be others than those seen.
        """
        scoring = self.scoring
        return scoring.cards_among(seen, self.lay_out(mat_mm, part)) if isinstance(scoring, LeavesOut) else seen

    def score(
        self,
        seen: Detections,
        mat_mm: tuple[float, float],
        confirmed: Collection[Fault] = (),
        before: Sequence[Detections] = (),
    ) -> Score:
        """Score what was seen on a mat of that size (mm), and in the parts ``before`` it.

        Before the last part is seen the winners are open; faults are those that no later part can mend.
        """
        scoring, parts = self.scoring, self.parts
        views = [scoring.observe(look, self.lay_out(mat_mm, part)) for part, look in enumerate((*before, seen))]
        finished = Finished(self.players, self.lay_out(mat_mm), self.told, frozenset(confirmed))
        if len(parts) == 1:
            return scoring.score(views[0], finished)
        assert isinstance(scoring, InParts), "parts are its own"
        score = scoring.score(scoring.join_views(views), finished)
        if len(views) == len(parts):
            return score
        last = parts[len(before)][-1]
        faults = tuple(one for one in score.faults if not one.told and (one.seat is None or one.seat <= last))
        return replace(score, winners=None, why=None, faults=faults)


def _count_seats(scoring: Scoring, told: Mapping[str, Any]) -> int:
    """Count the players of whom something was entered one by one; 0 where nothing was."""
    each = (told.get(option.key) for option in scoring.asked if option.each_seat)
    return next((len(value) for value in each if isinstance(value, list)), 0)


def by_seat(seats: int) -> tuple[Text, ...]:
    """Name players who have no names, by their seats."""
    return tuple(Text("Seat {seat}", seat=n) for n in range(1, seats + 1))


def of_this_deck(seen: Detections, deck: str, table: Table) -> None:
    """Refuse cards of which most, or each paper, can't be named.

    Raises:
        DeviceError: they can't, or none lies there.
    """
    papers = any("/" in one.name for one in seen.sightings)
    most = len(seen.sightings) if papers or not table.scoring.cards.papers else 0
    if len(seen.unread) > max(_FEW_UNREAD, most):
        unread, cards = len(seen.unread), len(seen.unread) + len(seen.sightings)
        raise DeviceError(
            Text(
                "Too many cards can't be named ({unread} of {cards}): take a sharper picture, or name the "
                "deck that lies there, if it is not {deck!r}.",
                unread=unread,
                cards=cards,
                deck=deck,
            ),
        )
    if not seen.sightings and not seen.unread:
        raise DeviceError(Text("No card lies on the mat."))


def left_open(score: Score, doubts: Iterable[Text], confirmed: Collection[Fault] = ()) -> Score:
    """Leave the score open as long as what is doubtful of its mat (English, Japanese) is not confirmed."""
    faults = dict.fromkeys(Fault(None, Reason("cannot_see", (), words)) for words in doubts)
    if not (more := tuple(fault for fault in faults if fault not in confirmed)):
        return score
    return replace(score, winners=None, why=None, faults=(*score.faults, *more))


def list_countable(scoring: Scoring, pictures: int) -> tuple[int, ...]:
    """Return the numbers of players among which so many pictures tell: none where seats are asked one by one."""
    if isinstance(scoring, LeavesOut) or any(option.each_seat and not option.optional for option in scoring.asked):
        return ()
    return tuple(number for number in table_seats(scoring) if len(parts_of(scoring, number)) == pictures == 1)


def choose_tables(tables: Sequence[Table], seen: Detections, mat_mm: tuple[float, float]) -> tuple[Table, ...]:
    """Choose the table, each of another number of players, with which least is wrong, on a mat of that size (mm).

    Several are returned where all of them would be sound.
    """
    faults = [len(table.score(seen, mat_mm).faults) for table in tables]
    sound = tuple(table for table, count in zip(tables, faults, strict=True) if not count)
    return sound or (tables[faults.index(min(faults))],)


class MiscountedError(DeviceError):
    """Another number of people sits at the table than was entered."""

    def __init__(self, players: int, seats: int) -> None:
        told = {"players": players, "seats": seats}
        super().__init__(Text("This looks like a table of {players} players, not of {seats}; see --seats.", **told))
        self.players = players
        self.told_on_a_phone(Text("This looks like a table of {players} players, not of {seats}.", **told))


def as_many_players(score: Score, seen: Detections, table: Table, mat_mm: tuple[float, float]) -> None:
    """Refuse a table with faults that has none at one other number of players.

    Where something was entered for each seat, their number is.

    Raises:
        MiscountedError: that number it is.
    """
    seats = len(table.players)
    if len(score.faults) < _MISCOUNTED or any(option.each_seat for option in table.scoring.asked):
        return
    others = [number for number in table_seats(table.scoring) if number != seats]
    told = {key: value for key, value in table.told.items() if key != "seats"}
    sound = [
        number
        for number in others
        if not replace(table, players=by_seat(number), names=by_seat(number), told=told).score(seen, mat_mm).faults
    ]
    if len(sound) == 1:
        raise MiscountedError(sound[0], seats)
