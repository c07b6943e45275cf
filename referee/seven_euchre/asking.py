"""What is asked of a trick that was gathered before all its cards could be read: which card somebody played."""

from __future__ import annotations

from collections.abc import Callable, Collection

from referee.seven_euchre.layout import trick_place
from referee.seven_euchre.telling import ways_out
from referee.table import Unread
from referee.verdict import Accepted, Choice, Question, Spot
from rules.cards import DECK, Card
from rules.seven_euchre.moves import Move, Play
from rules.seven_euchre.position import Position
from rules.text import Text, capitalise, join_sentences, player

Accept = Callable[[Move], Accepted]
"""What a legal move comes to."""


def which_card(
    position: Position, seat: int, mark: Unread, elsewhere: Collection[Card], accept: Accept
) -> Question | None:
    """Ask which card a seat has played that could not be read: each that it may be, the likeliest first.

    Those that would prove a revoke come last, each with the ways out of it. ``elsewhere`` are cards seen in other
    places; ``None`` where no card is left.
    """
    round = position.round
    follow = 0 if round is None else round.to_follow
    able = [card for card in DECK if card not in elsewhere]
    able.sort(key=lambda card: (_place(card, mark), not card.bit & follow))
    legal = [card for card in able if position.is_legal(Play(seat, card))]
    proofs = [card for card in able if card not in legal and position.revoked_in(seat, card)]
    choices = [
        *(Choice(capitalise(card.text), accept(Play(seat, card))) for card in legal),
        *(Choice(capitalise(card.text), _way_out(position, Play(seat, card), accept)) for card in proofs),
    ]
    if not choices:
        return None
    who = player(position.get_name(seat))
    asked = Text("Which card did {who} play?", who=who)
    return Question(asked, tuple(choices), at_once=True, spot=Spot(mark.x, mark.y, trick_place(seat), mark.cause))


def _place(card: Card, mark: Unread) -> int:
    """Rank one of the likely cards by its place among them, any other by their number."""
    names = mark.candidates
    return names.index(str(card)) if str(card) in names else len(names)


def _way_out(position: Position, proof: Play, accept: Accept) -> Question:
    """Ask what follows from a card that proves a revoke."""
    why = join_sentences(reason.text for reason in position.find_reasons(proof))
    return Question(why, tuple(Choice(words, accept(move)) for words, move in ways_out(position, proof)))
