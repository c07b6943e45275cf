"""What hands do to the cards on the simulated table for a move that follows the rules."""

from __future__ import annotations

from referee.laminate.simulated.table import SimulatedTable
from rules.laminate.moves import EndFlag, Move, Publish, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Position


def act(table: SimulatedTable, position: Position, move: Move) -> None:
    """Do to the cards what the move, legal in ``position``, says.

    Raises:
        NoRoomError: the area can't hold another paper.
    """
    match move:
        case Research(source="discard"):
            table.take_discard()
        case Research(discard=discard):
            draw(table, position)
            if discard is not None:
                table.lay_discard(discard)
        case Publish(seat=seat, paper=paper, cards=cards, pay=pay):
            table.lay_paper(seat, paper, sorted(cards, key=lambda card: (card.rank, card)), len(cards) == 1)
            for author, given in pay.items():
                table.pay(author, given if isinstance(given, int) else len(given))
        case Review(of=author, paper=paper, take=take):
            table.take_from_paper(author, paper, take)
            if len(table.columns[author, paper].cards) == 1:
                table.turn_paper(author, paper)
        case EndFlag(seat=seat, card=card):
            table.lay_paper(seat, END_FLAG, [card], True)
        case _:
            pass


def draw(table: SimulatedTable, position: Position) -> None:
    """Draw from the draw pile, through a reshuffle where one is needed, and discard nothing yet."""
    left = position.draw_count - position.draw_gives
    if position.reshuffle_on_draw != "none":
        table.clear_discard()
        left += len(position.discards)
    table.stack_draw(left)
