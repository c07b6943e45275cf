"""Laminate Rummy as one of the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.game import Options, Section, make_section, seat_option
from rules.judged import UsualRules
from rules.laminate.correction import read_correction
from rules.laminate.first_player import MULTIPLYING
from rules.laminate.game import as_seen
from rules.laminate.house.kinds import HOUSE_PAPERS, KEY, house_kind, with_house_papers
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Move, move_from_json
from rules.laminate.papers import LAMINATE, PaperKind, Papers
from rules.laminate.play import deal, random_move
from rules.laminate.position import Phase, Position
from rules.laminate.refusals import CODES
from rules.text import Text

_FLAG = Text("for the first with 15 points")


def _write_brief() -> tuple[Section, ...]:
    """Write the aim, set-up, the three actions, citing, the end, and the table of papers."""
    return (
        make_section(
            Text("The aim"),
            Text("Publish papers, have them reviewed until one card is left, and score what is complete."),
        ),
        make_section(
            Text("Set-up"),
            Text("Deal from the first player on: 3, 3, 4, 4, 5 cards."),
            Text("From the third player on, each keeps three and discards the rest face up."),
            Text("The other cards are the draw pile, face down. The papers lie sorted beside the mat."),
        ),
        make_section(
            Text("Your turn: one of three actions"),
            Text("Research: draw two cards, keep one and discard one face up; or take the top discard."),
            Text(
                "Publish: lay cards that fit a paper in a column in your area, the paper at its head, under "
                "review side up. One of a kind for each player. With a single card laid it is complete at once."
            ),
            Text(
                "Review: take one card from any paper with two or more, your own too. With one card left "
                "it is complete: turn the paper over."
            ),
            Text(
                "You may pass only where neither research nor review is possible. When everybody has "
                "passed in a row, the game ends."
            ),
        ),
        make_section(
            Text("Citing"),
            Text(
                "The one card of a complete paper counts as if it were in your hand; it stays where it "
                "lies. At least one card must come from your hand."
            ),
            Text(
                "For each cited paper of another author lay one hand card face down on the author's "
                "spot. Your own papers are free."
            ),
        ),
        make_section(
            Text("The end"),
            Text(
                "The first to end their own turn with 15 points takes the End Flag and lays it with one "
                "hand card. Then they have one more turn and everybody else two."
            ),
            Text("Most points win; if level, fewer complete papers; then they share it."),
        ),
        make_section(
            Text("Papers: points, how many there are, what they take"), *(_write_row(kind) for kind in LAMINATE.kinds)
        ),
    )


def _write_row(kind: PaperKind) -> Text:
    rule = kind.combination.describe_rule() if kind.combination is not None else _FLAG
    return Text(
        "{kind} ({points} p., {copies}×): {rule}.", kind=kind, points=kind.points, copies=kind.copies, rule=rule
    )


BRIEF = _write_brief()
"""The rules in brief, for a page beside the mat, the help and the teaching."""


class LaminateRummy(UsualRules):
    """The game of papers, citations and reviews; with house papers where a catalogue with such is given."""

    name = "laminate"
    title = Text("Laminate Rummy")
    seats = range(3, 6)
    options = (seat_option("first_seat", Text("Who begins?"), MULTIPLYING), HOUSE_PAPERS)
    codes = CODES
    brief = BRIEF
    reason_key = "end"
    read_move = staticmethod(move_from_json)
    make_public = staticmethod(as_seen)
    legal_moves = LegalMoves

    def __init__(self, catalogue: Papers = LAMINATE) -> None:
        self.catalogue = catalogue

    def list_kinds(self, options: Options) -> Papers:
        """Return the kinds of paper that a game begun with these options is played with."""
        return with_house_papers(options.get(KEY, ()), self.catalogue)

    def find_kind(self, name: str) -> PaperKind:
        """Return the kind of that name, built in or of the house.

        Raises:
            KeyError: there can be none.
        """
        return self.catalogue[name] if name in self.catalogue else house_kind(name)

    def start(self, players: Sequence[str], options: Options) -> Position:
        """Return the position before the deal."""
        return Position.start(players, options.get("first_seat", 1), self.list_kinds(options))

    def restore(self, data: Mapping[str, Any]) -> Position:
        """Restore a position from what ``Position.to_json`` gave."""
        return Position.from_json(data, with_house_papers(data["papers"][len(self.catalogue) :], self.catalogue))

    def read_correction(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """Read the position of a correction by hand."""
        return read_correction(saved, players, options.get("first_seat", 1), self.list_kinds(options))

    def random_move(self, position: Position, chance: Random) -> Move:
        """Draw a legal move, the deal included, by the given chance alone."""
        if position.phase is Phase.SETUP:
            return deal(len(position.players), chance)
        return random_move(position, chance)


RULES = LaminateRummy()
