"""The position of Seven Minutes set by hand: the row as it lies, who has what is gone from it, and whose turn it is.

Nothing is offered to which the rules could not lead. Rolls made in a judgement are not kept: they are rolled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from referee.game import Put
from referee.layout import TableLayout
from referee.menu import Menu, Option
from referee.seven_minutes.layout import ROW
from referee.seven_minutes.look import MinutesView, heaps_of
from referee.seven_minutes.state import MinutesState, locate_dice
from referee.seven_minutes.words import cards_words
from referee.zones import BACK
from rules.cards import ALL, Card, mask_of
from rules.parsing import BadRecordError
from rules.refusal import Illegal
from rules.seven_minutes.moves import Flip
from rules.seven_minutes.position import Phase, Pile, Position
from rules.seven_minutes.row import Row, Stack
from rules.seven_minutes.rules import RULES
from rules.text import Text, player

_Piles = tuple[Pile, ...]
"""A pile of each seat."""


def open_editor(state: MinutesState, view: MinutesView, layout: TableLayout, put: Put, parent: Menu | None) -> Menu:
    """Ask what the table does not show; ``put`` gets the state that is to be confirmed."""
    if state.position.phase is Phase.SETUP:
        return Menu.dead_end(Text("Confirm the set-up first."), parent)
    if any(layout.place_at(mark.x, mark.y) == ROW for mark in view.unread):
        words = Text("A card in the row can't be read: straighten it, or name it in the menu, and start again.")
        return Menu.dead_end(words, parent)
    heaps = heaps_of(seen for seen in view.cards.get(ROW, ()) if seen.name != BACK)
    stacks = tuple(Stack(tuple(Card.parse(seen.name) for seen in heap)) for heap in heaps)
    ranks = [{card.rank for card in stack.cards} for stack in stacks]
    if any(len(found) > 1 for found in ranks) or len(set().union(*ranks)) < len(ranks):
        words = Text(
            "In the row all cards of one rank lie on one place, and no other card with them. Put them so first."
        )
        return Menu.dead_end(words, parent)
    return _Editor(state, Row(stacks), view, put).who_took(parent)


@dataclass(frozen=True)
class _Editor:
    """One position being set: the row is known, the rest is asked."""

    state: MinutesState
    row: Row
    view: MinutesView
    put: Put

    @property
    def position(self) -> Position:
        position: Position = self.state.position
        return position

    def who_took(self, parent: Menu | None) -> Menu:
        """Ask where the cards are that are gone from the row."""
        gone = tuple(card for card in self.position.row.cards if card not in self.row.cards)
        up, down = self._drop_row(self.position.up), self._drop_row(self.position.down)
        if not gone:
            return self._whose_turn(up, down, lambda: parent)
        cards = cards_words(gone)
        title = Text("Who has taken {cards}?", cards=cards)
        nobody = Text("Nobody: they are in the draw pile again")
        taken: list[tuple[Text, _Piles, _Piles]] = []
        for seat, name in enumerate(self.position.players, 1):
            who = player(name)
            taken += [
                (Text("{who}, face up", who=who), _add_cards(up, seat, gone), down),
                (Text("{who}, face down", who=who), up, _add_cards(down, seat, gone)),
            ]
        taken.append((nobody, up, down))
        back = partial(self.who_took, parent)
        options = (Option(words, partial(self._whose_turn, ups, downs, back)) for words, ups, downs in taken)
        return Menu(title, tuple(options), parent=parent)

    def _drop_row(self, piles: Sequence[Pile]) -> _Piles:
        """Return what was taken, without cards that lie in the row now."""
        kept = ((tuple(card for card in taken if card not in self.row.cards) for taken in pile) for pile in piles)
        return tuple(tuple(taken for taken in pile if taken) for pile in kept)

    def _whose_turn(self, up: _Piles, down: _Piles, back: Callable[[], Menu | None]) -> Menu:
        options = []
        for seat, name in enumerate(self.position.players, 1):
            who = player(name)
            for after in self._guess_turns(seat, up, down):
                flips = cards_words(after.flips)
                words = (
                    Text("{who}, who has flipped {cards}", who=who, cards=flips)
                    if after.flips
                    else Text("{who}, who has yet to flip", who=who)
                )
                options.append(Option(words, partial(self._set, after)))
        if not options:
            return Menu.dead_end(Text("The rules can't lead to this table."), back())
        return Menu(Text("Whose turn is it?"), tuple(options), parent=back())

    def _guess_turns(self, seat: int, up: _Piles, down: _Piles) -> Iterator[Position]:
        """Yield how far that player's turn may have come: some cards flipped, or none."""
        held = [card for pile in (*up, *down) for taken in pile for card in taken]
        before: Position = self.position
        own = before.flips if seat == before.seat else ()
        new = [card for card in self.row.cards if card in before.draw_pile]
        flipped = (*(card for card in own if card in self.row.cards), *new)
        for flips in dict.fromkeys((flipped, ())):
            start = replace(
                before,
                phase=Phase.FLIP,
                seat=seat,
                unseen=ALL & ~mask_of([*held, *(card for card in self.row.cards if card not in flips)]),
                row=self.row.drop_cards(flips),
                flips=(),
                cause=None,
                rolls=(),
                up=up,
                down=down,
                taken=None,
            )
            after = _flip_cards(start, flips)
            if after is not None and after.row == self.row:
                yield after

    def _set(self, position: Position) -> Menu | None:
        return self.put(MinutesState(position, locate_dice(self.view.dice)))


def _flip_cards(position: Position, flips: Sequence[Card]) -> Position | None:
    """Return the position after these flips, where the rules can lead there."""
    try:
        for card in flips:
            position = position.do(Flip(position.seat, card))
        return RULES.read_correction(position.to_json(), position.players, {"first_seat": position.first_seat})
    except (Illegal, BadRecordError):
        return None


def _add_cards(piles: _Piles, seat: int, cards: tuple[Card, ...]) -> _Piles:
    return (*piles[: seat - 1], (*piles[seat - 1], cards), *piles[seat:])
