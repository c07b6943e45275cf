"""Why a move is refused: a value with a code, the cards concerned and words for players.

A ``Reason`` is one broken rule; a ``Refusal`` is all of them, the first in the game's own order as its ``code`` and
text, the others in ``also``. Every game owns its codes and their order; those below are common to all. A text names
only cards that the move itself names or that lie open on the table, so it never gives away a hidden card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.text import HasText, Text, plural, say_cards


@dataclass(frozen=True, slots=True)
class Reason:
    """One broken rule: its code, the cards concerned and one clear sentence.

    ``brief`` are a few words for it where those of its code would say another thing.
    """

    code: str
    cards: tuple[HasText, ...]
    text: Text
    brief: Text | None = None


@dataclass(frozen=True)
class Sentence:
    """A rule that can be broken: its code, and the template of its one clear sentence.

    Called with the slots it is the ``Reason``. ``cards`` names the slots whose cards are concerned; a slot has one
    card or several in a list or tuple. A sentence that depends on a number is a ``PluralSentence``, which has a
    second template; the number is the slot ``count``, or else how many cards are concerned. ``brief`` is the reason's.
    """

    code: str
    template: str
    many: str | None = None
    cards: tuple[str, ...] = field(default=(), kw_only=True)
    brief: Text | None = field(default=None, kw_only=True)

    def __call__(self, **slots: Any) -> Reason:
        """Return the reason with these words and cards in the slots."""
        filled: dict[str, Any] = {
            name: say_cards(value) if isinstance(value, (list, tuple)) else value for name, value in slots.items()
        }
        given = [slots.get(name, ()) for name in self.cards]
        concerned = [card for one in given for card in (one if isinstance(one, (list, tuple)) else (one,))]
        if self.many is None:
            text = Text(self.template, **filled)
        else:
            text = plural(self.template, self.many, count=filled.pop("count", len(concerned)), **filled)
        return Reason(self.code, tuple(concerned), text, self.brief)


class PluralSentence(Sentence):
    """A ``Sentence`` with a template for one and one for several; the name by which the catalogues find both."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move refused: the first code in the game's order, the other codes, the cards concerned, and the words."""

    code: str
    also: tuple[str, ...]
    cards: tuple[HasText, ...]
    text: Text

    @classmethod
    def from_reasons(cls, order: Sequence[str], *reasons: Reason) -> Refusal:
        """Combine these reasons, one or more, into a refusal, in a game whose codes have that order.

        Raises:
            ValueError: there is no reason, or one of an unknown code.
        """
        if not reasons:
            raise ValueError("a refusal needs a reason")
        for reason in reasons:
            if reason.code not in order:
                raise ValueError(f"no such refusal code: {reason.code!r}")
        first, *others = in_order(order, reasons)
        also = dict.fromkeys(reason.code for reason in others if reason.code != first.code)
        return cls(first.code, tuple(also), first.cards, first.text)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """A reason for each code, all in the words of the first."""
        return (Reason(self.code, self.cards, self.text), *(Reason(code, (), self.text) for code in self.also))

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


def in_order(order: Sequence[str], reasons: Iterable[Reason]) -> list[Reason]:
    """Return the reasons in the order of their codes."""
    return sorted(reasons, key=lambda reason: order.index(reason.code))


class Illegal(Exception):  # noqa: N818 - a refused move is no error of the program
    """A move that the rules refuse was played; ``refusal`` says why. Nothing has changed."""

    def __init__(self, refusal: Refusal, move: object = None) -> None:
        super().__init__(f"{refusal} ({move})" if move is not None else str(refusal))
        self.refusal = refusal
        self.move = move


def bad_record(cause: Text) -> Reason:
    """Return the reason for a line that is no JSON object, or lacks or misspells what its move needs."""
    return Reason("bad_record", (), Text("This line can't be used: {cause}.", cause=cause))


def no_seat(seat: int) -> Reason:
    """Return the reason for a line that names a seat that is not one of the table's."""
    return bad_record(Text("there is no seat {seat}", seat=seat))


def game_over() -> Reason:
    """Return the reason for a line after the end of the game."""
    return Reason("game_over", (), Text("The game has ended; no more moves."))


def out_of_turn(who: Text, to_move: Text) -> Reason:
    """Return the reason for a move while another seat is to move."""
    return Reason("out_of_turn", (), Text("It is not {who}'s turn; {to_move} is to move.", who=who, to_move=to_move))


def table_disturbed(change: Text, cards: Sequence[HasText] = ()) -> Reason:
    """Return the reason for something that the move does not explain;
    ``change`` is a whole sentence without its end.
    """
    return Reason("table_disturbed", tuple(cards), Text("{change!c}; please put it back.", change=change))


def cannot_see(where: Text, cause: Text | None = None) -> Reason:
    """Return the reason for a card that matters and can't be read surely, with its spot and the ``cause``."""
    text = Text("The card at {where} can't be read surely; please uncover or straighten it.", where=where)
    if cause is not None:
        text = Text(
            "The card at {where} can't be read surely ({cause}); please uncover or straighten it.",
            where=where,
            cause=cause,
        )
    return Reason("cannot_see", (), text)
