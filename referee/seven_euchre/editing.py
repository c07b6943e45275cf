"""Setting by hand how a game goes on, where a deal can't be followed any more: it is dealt again, or counted as played.

What cards were played no camera can tell afterwards, so only whole deals are set: the rules go on with the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.game import Put
from referee.menu import Menu, Option
from referee.seven_euchre.state import EuchreState
from referee.seven_euchre.words import side_words
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase, left_of, points_of, side_of
from rules.seven_euchre.trumps import TRICKS
from rules.text import Text, player

_BACK = Text("Back")


def ways_on(position: Position, put: Put, parent: Menu | None) -> Menu:
    """Ask how the game goes on; ``put`` gets the state that is chosen."""
    dealer = player(position.get_name(position.dealer))
    title = Text("How does the game go on?")
    options: list[Option] = []
    if position.round is not None and position.phase is not DealPhase.DEAL:
        again = Text("{dealer} deals again; nobody scores", dealer=dealer)
        options.append(Option(again, _put(put, EuchreState(replace(position, round=None)))))
    if position.phase is DealPhase.PLAY:
        words = Text("The deal is played out: count the tricks")
        options.append(Option(words, lambda: _ask_tricks(position, put, menu)))
    if position.phase is DealPhase.DEAL and position.full is not None:
        options += [
            Option(_deals_next(position, seat), _put(put, EuchreState(replace(position, dealer=seat, round=None))))
            for seat in range(1, len(position.players) + 1)
        ]
    menu = Menu(title, (*options, Option(_BACK, lambda: parent)), parent=parent)
    return menu


def _deals_next(position: Position, seat: int) -> Text:
    who = player(position.get_name(seat))
    return Text("{who} deals next", who=who)


def _ask_tricks(position: Position, put: Put, parent: Menu) -> Menu:
    """Ask how many tricks the declarer's side took; those that are confirmed are chosen first."""
    assert position.contract is not None, "cards are played"
    side = side_of(position.contract.seat)
    who = side_words(position, side)
    title = Text("How many tricks did {who} take?", who=who)
    details = (Text("A number that would end the game is not among them: play its last deal, or deal it again."),)
    found = list(_list_outcomes(position, side))
    options = tuple(
        Option(Text("{tricks}: points {points}", tricks=tricks, points=_points_words(state)), _put(put, state))
        for tricks, state in found
    )
    seen = [tricks for tricks, _ in found if tricks <= position.tricks[side]]
    return Menu(title, (*options, Option(_BACK, lambda: parent)), details, max(0, len(seen) - 1), parent)


def _list_outcomes(position: Position, side: int) -> Iterator[tuple[int, EuchreState]]:
    """Yield each number of tricks of that side, with the game after such a deal, where that goes on."""
    assert position.contract is not None, "cards are played"
    for tricks in range(TRICKS + 1):
        both = (tricks, TRICKS - tricks) if side == 0 else (TRICKS - tricks, tricks)
        points = points_of(position.contract, both)
        after = replace(
            position,
            round=None,
            dealer=left_of(position.dealer),
            points=(position.points[0] + points[0], position.points[1] + points[1]),
            deals=position.deals + 1,
        )
        if after.outcome is None:
            yield tricks, EuchreState(after)


def _points_words(state: EuchreState) -> str:
    first, second = state.position.points
    return f"{first} : {second}"


def _put(put: Put, state: EuchreState) -> Callable[[], Menu | None]:
    return lambda: put(state)
